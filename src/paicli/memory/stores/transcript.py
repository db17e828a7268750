"""The transcript: everything said in a session, as JSON lines that are only ever appended to."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paicli.errors import SessionRunning, StoreBusy, StoreError, StoreUnavailable
from paicli.memory.redaction import redact_json, storable_json
from paicli.memory.session.replay import is_sound
from paicli.memory.stores.atomic_file import PRIVATE_FILE, line_end_before, make_private_folder, write_all
from paicli.memory.stores.lock import file_lock

SUFFIX = ".jsonl"
_LOCK_SUFFIX = ".lock"
_LOCK_SECONDS = 0.5
"""How long opening waits: one that only looks whether the session is running holds the lock for a moment."""


class Transcript:
    """A `Journal` in the file `<folder>/<session id>.jsonl`, made private at the first record.

    Each record is redacted and written at once, in one call of the system. While the transcript is open, a lock beside
    it tells other processes that the session is running. A record that can't be written raises; from then on the
    transcript is `failed`, and takes nothing more.

    Args:
        folder: Where the transcripts are.
        session_id: The session's id; one that has a transcript already is carried on.
        first: The record that a new transcript begins with: a `session_record`.
        again: The record that goes before what is added to a transcript that is there already: a `resumed_record`.
    """

    def __init__(
        self,
        folder: Path,
        session_id: str,
        first: Mapping[str, Any] | None = None,
        again: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = folder / f"{session_id}{SUFFIX}"
        self.failed = False
        self._first = first
        self._again = again
        self._begun = False
        self._is_closed = False
        self._descriptor: int | None = None
        self._opened = ExitStack()
        self._threads = threading.Lock()

    def open(self) -> None:
        """Opens the transcript before there is anything to write: from now on the session is running here.

        Raises:
            SessionRunning: Another process has it open.
            StoreUnavailable: It can't be written.
        """
        with self._threads:
            try:
                self._open()
            except OSError as error:
                raise StoreUnavailable(place=str(self.path), reason=error.strerror or str(error)) from error

    def append(self, record: Mapping[str, Any]) -> None:
        """Writes a record.

        Raises:
            StoreUnavailable: It can't be written; said once, then records are dropped.
            SessionRunning: Another process has this session open; said once as well.
        """
        line = _line(record)
        with self._threads:
            if self.failed or self._is_closed:
                return
            try:
                write_all(self._ready(), line)
            except OSError as error:
                self.failed = True
                raise StoreUnavailable(place=str(self.path), reason=error.strerror or str(error)) from error
            except StoreError:
                self.failed = True
                raise

    def close(self) -> None:
        """Closes the file; the session is no longer running, and records that come late are dropped."""
        with self._threads:
            self._is_closed = True
            self._opened.close()
            self._descriptor = None

    def _open(self) -> int:
        if self._descriptor is None:
            make_private_folder(self.path.parent)
            lock = _lock_path(self.path)
            try:
                self._opened.enter_context(file_lock(lock, timeout_seconds=_LOCK_SECONDS, place=str(self.path)))
            except StoreBusy as error:
                raise SessionRunning(session=self.path.stem, place=str(self.path), reason="it is open") from error
            self._opened.callback(lock.unlink, missing_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(self.path, flags, PRIVATE_FILE)
            self._opened.callback(os.close, self._descriptor)
        return self._descriptor

    def _ready(self) -> int:
        """Returns the open file, in which the next record can be written."""
        descriptor = self._open()
        if not self._begun:
            has_records = os.fstat(descriptor).st_size > 0
            if has_records:
                write_all(descriptor, line_end_before(descriptor))
            record = self._again if has_records else self._first
            if record:
                write_all(descriptor, _line(record))
            self._begun = True
        return descriptor


@dataclass(frozen=True, slots=True)
class Loaded:
    """A transcript as it was read: the records, and how many lines are broken, no records, or can't be replayed."""

    records: list[dict[str, Any]]
    damaged: int = 0


def load_transcript(path: Path) -> Loaded:
    """Returns a transcript's records that can be replayed; those of entries are known to stand for one.

    Raises:
        StoreUnavailable: The file can't be read.
    """
    lines = [line for line in read_lines(path) if line.strip()]
    records = [record for line in lines if (record := as_record(line)) is not None and is_sound(record)]
    return Loaded(records, len(lines) - len(records))


def read_transcript(path: Path) -> list[dict[str, Any]]:
    """Returns the records of a transcript; lines that are broken or no records are left out.

    Raises:
        StoreUnavailable: The file can't be read.
    """
    return load_transcript(path).records


def read_lines(path: Path) -> list[bytes]:
    """Returns the lines of a file.

    Raises:
        StoreUnavailable: The file can't be read.
    """
    try:
        return path.read_bytes().split(b"\n")
    except OSError as error:
        raise StoreUnavailable(place=str(path), reason=error.strerror or str(error)) from error


def as_record(line: bytes) -> dict[str, Any] | None:
    """Returns the record in a line; None where it is broken, or no record."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def is_running(path: Path) -> bool:
    """Returns whether a process holds a session's lock; a lock file alone may be left by one that was ended."""
    lock = _lock_path(path)
    if not lock.exists():
        return False
    try:
        with file_lock(lock, timeout_seconds=0, place=str(path)):
            return False
    except StoreError:
        return True


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(redact_json(storable_json(record)), ensure_ascii=False).encode() + b"\n"


def _lock_path(path: Path) -> Path:
    return path.with_suffix(_LOCK_SUFFIX)
