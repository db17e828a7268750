"""The history file: every change to the long-term memory, one JSON line each, only ever appended to."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from paicli.memory.change import Change, ChangeKind
from paicli.memory.entry import MemoryEntry, format_time, from_row, parse_time, to_row
from paicli.memory.redaction import storable_json
from paicli.memory.stores.atomic_file import append_durably, open_file

_VERSION = 1


class HistoryFile:
    """The changes in a file; lines that were read once are not read again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._changes: list[Change] = []
        self._inode = 0
        self._read_to = 0

    def changes(self) -> Sequence[Change]:
        """Returns all changes, oldest first; lines that are not understood are left out.

        Raises:
            OSError: The file is there and can't be read.
        """
        try:
            with open_file(self.path) as file:
                status = os.fstat(file.fileno())
                if status.st_ino != self._inode or status.st_size < self._read_to:
                    self._changes, self._inode, self._read_to = [], status.st_ino, 0
                file.seek(self._read_to)
                self._take(file.read())
        except (FileNotFoundError, NotADirectoryError):
            self._changes, self._inode, self._read_to = [], 0, 0
        return tuple(self._changes)

    def append(self, changes: Iterable[Change]) -> int:
        """Puts changes on record, durably; returns the file's size before."""
        lines = "".join(f"{json.dumps(storable_json(to_record(change)), ensure_ascii=False)}\n" for change in changes)
        return append_durably(self.path, lines.encode())

    def _take(self, data: bytes) -> None:
        whole = data[: data.rfind(b"\n") + 1]  # another process may be in the middle of the last line
        self._read_to += len(whole)
        for line in whole.splitlines():
            change = _change_or_none(line)
            if change:
                self._changes.append(change)


def last_states(changes: Iterable[Change]) -> dict[str, MemoryEntry | None]:
    """Returns what the changes left of each entry they speak of, by id; None where it was forgotten."""
    return {change.entry.id: None if change.kind is ChangeKind.FORGOTTEN else change.entry for change in changes}


def to_record(change: Change) -> dict[str, Any]:
    """Returns a change as a line of the history."""
    record: dict[str, Any] = {
        "v": _VERSION,
        "id": change.id,
        "kind": change.kind.value,
        "at": format_time(change.at),
        "entry": to_row(change.entry),
    }
    optional = {
        "before": to_row(change.before) if change.before else None,
        "session": change.session,
        "automatic": change.automatic,
        "undoes": change.undoes,
    }
    return record | {key: value for key, value in optional.items() if value}


def from_record(record: Mapping[str, Any]) -> Change:
    """Returns the change that a line of the history stands for.

    Raises:
        KeyError, TypeError, ValueError: It is none of ours.
    """
    before = record.get("before")
    return Change(
        id=str(record["id"]),
        kind=ChangeKind(record["kind"]),
        at=parse_time(record["at"]),
        entry=from_row(record["entry"]),
        before=from_row(before) if before else None,
        session=str(record.get("session") or ""),
        automatic=record.get("automatic") is True,
        undoes=str(record.get("undoes") or ""),
    )


def _change_or_none(line: bytes) -> Change | None:
    try:
        return from_record(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
