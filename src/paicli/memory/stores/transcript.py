"""The transcript: everything said in a session, as JSON lines that are only ever appended to."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from paicli.errors import StoreError, StoreUnavailable
from paicli.memory.entry import MemoryEntry, parse_time
from paicli.memory.redaction import redact_json, storable_json
from paicli.memory.session import entry_from_record, unextracted_entries
from paicli.memory.stores.atomic_file import PRIVATE_FILE, line_end_before, make_private_folder, write_all
from paicli.memory.stores.lock import file_lock

_SUFFIX = ".jsonl"
_LOCK_SUFFIX = ".lock"


class Transcript:
    """A `Journal` in the file `<folder>/<session id>.jsonl`, made private at the first record.

    Each record is redacted and written at once, in one call of the system. While the transcript is open, a lock beside
    it tells other processes that the session is running. A record that can't be written raises; from then on the
    transcript is `failed`, and takes nothing more.

    Args:
        folder: Where the transcripts are.
        session_id: The session's id; one that has a transcript already is carried on.
        first: The record that a new transcript begins with: a `session_record`.
    """

    def __init__(self, folder: Path, session_id: str, first: Mapping[str, Any] | None = None) -> None:
        self.path = folder / f"{session_id}{_SUFFIX}"
        self.failed = False
        self._first = first
        self._descriptor: int | None = None
        self._opened = ExitStack()
        self._threads = threading.Lock()

    def append(self, record: Mapping[str, Any]) -> None:
        """Writes a record.

        Raises:
            StoreUnavailable: It can't be written; said once, then records are dropped.
            StoreBusy: Another process has this session open; said once as well.
        """
        line = _line(record)
        with self._threads:
            if self.failed:
                return
            try:
                write_all(self._open(), line)
            except OSError as error:
                self.failed = True
                raise StoreUnavailable(place=str(self.path), reason=error.strerror or str(error)) from error
            except StoreError:
                self.failed = True
                raise

    def close(self) -> None:
        """Closes the file; the session is no longer running."""
        with self._threads:
            self._opened.close()
            self._descriptor = None

    def _open(self) -> int:
        if self._descriptor is None:
            make_private_folder(self.path.parent)
            lock = _lock_path(self.path)
            self._opened.enter_context(file_lock(lock, timeout_seconds=0, place=str(self.path)))
            self._opened.callback(lock.unlink, missing_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(self.path, flags, PRIVATE_FILE)
            self._opened.callback(os.close, self._descriptor)
            self._begin(self._descriptor)
        return self._descriptor

    def _begin(self, descriptor: int) -> None:
        if os.fstat(descriptor).st_size:
            write_all(descriptor, line_end_before(descriptor))
        elif self._first:
            write_all(descriptor, _line(self._first))


@dataclass(frozen=True, slots=True)
class TranscriptInfo:
    """What a transcript says of itself.

    Args:
        id: The session's id.
        path: The file.
        started: When the session began.
        messages: How many messages the user wrote.
        project: The scope of the project it ran in; empty outside of one, or where that was not yet known.
        folder: The folder it ran in.
        live: Whether the session is still running.
    """

    id: str
    path: Path
    started: datetime
    messages: int
    project: str
    folder: str
    live: bool


def list_transcripts(folder: Path) -> list[TranscriptInfo]:
    """Returns the transcripts in a folder, newest first; none where there is no such folder."""
    infos = (_info(path, read_transcript(path)) for path in _paths(folder))
    return [info for info in infos if info]


def read_transcript(path: Path) -> list[dict[str, Any]]:
    """Returns the records of a transcript; lines that are broken or no records are left out.

    Raises:
        StoreUnavailable: The file can't be read.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise StoreUnavailable(place=str(path), reason=error.strerror or str(error)) from error
    return [record for record in map(_record_or_none, lines) if record]


def unextracted(folder: Path, limit: int = 20) -> list[TranscriptInfo]:
    """Returns the sessions that ended before facts were drawn out of all the user said; the oldest comes first.

    Args:
        folder: Where the transcripts are.
        limit: How many sessions are looked at, from the newest on.
    """
    waiting: list[TranscriptInfo] = []
    for path in _paths(folder)[:limit]:
        records = read_transcript(path)
        info = _info(path, records)
        if info and not info.live and any(_is_users(entry) for entry in unextracted_entries(records)):
            waiting.append(info)
    return waiting[::-1]


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(redact_json(storable_json(record)), ensure_ascii=False).encode() + b"\n"


def _paths(folder: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(folder.glob(f"*{_SUFFIX}"), reverse=True)
    return []


def _lock_path(path: Path) -> Path:
    return path.with_suffix(_LOCK_SUFFIX)


def _record_or_none(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
        if isinstance(record, dict) and record.get("kind") in ("message", "summary"):
            entry_from_record(record)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _info(path: Path, records: Sequence[Mapping[str, Any]]) -> TranscriptInfo | None:
    """Returns what the records say of their session; None where there are none."""
    dates = [parsed for record in records if (parsed := _date(record))]
    if not dates:
        return None
    own = [record for record in records if not record.get("task")]
    messages = sum(record.get("kind") == "message" and record.get("role") == "user" for record in own)
    first: Mapping[str, Any] = next((record for record in records if record.get("kind") == "session"), {})
    project, place = str(first.get("project") or ""), str(first.get("cwd") or "")
    return TranscriptInfo(path.stem, path, dates[0], messages, project, place, _is_live(path))


def _date(record: Mapping[str, Any]) -> datetime | None:
    try:
        return parse_time(str(record.get("at")))
    except (ValueError, OverflowError):
        return None


def _is_users(entry: MemoryEntry) -> bool:
    return entry.message is not None and entry.message.role == "user"


def _is_live(path: Path) -> bool:
    """Returns whether a process holds the session's lock; a lock file alone may be left by one that was ended."""
    lock = _lock_path(path)
    if not lock.exists():
        return False
    try:
        with file_lock(lock, timeout_seconds=0, place=str(path)):
            return False
    except StoreError:
        return True
