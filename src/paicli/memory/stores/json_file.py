"""The default store: a JSON file of the current entries that people can read and edit, and a history beside it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from paicli.errors import StoreError, StoreReadOnly, StoreUnavailable
from paicli.memory.change import Change
from paicli.memory.entry import MemoryEntry, utc_now
from paicli.memory.notice import Notice
from paicli.memory.stores.atomic_file import (
    Stamp,
    cut_back,
    make_private_folder,
    read_stamped,
    replace_file,
    set_aside,
    stamp,
)
from paicli.memory.stores.entry_table import EntryTable
from paicli.memory.stores.fact_rows import Rows, entries_of, is_entry_row, lacks_our_keys, read_rows, restored, row_of
from paicli.memory.stores.history import HistoryFile, last_states
from paicli.memory.stores.json_transaction import JsonTransaction
from paicli.memory.stores.lock import file_lock
from paicli.memory.stores.rows import Parsed, dump_rows, parse_rows

LOCK_SECONDS = 10.0
_FILE_NAME = "long_term_memory.json"
_UNREAD: Stamp = (-1, -1, -1)
_READ_ATTEMPTS = 4
_READ_PAUSE_SECONDS = 0.05


class JsonFileStore:
    """A `MemoryStore` in a folder; nothing is made there before something is stored.

    Each transaction reads the file again if another process or an editor changed it, and replaces it as a whole. Rows
    that were not changed, and rows that are not understood, are written back as they stood. A damaged file is set aside
    under a name that `take_notices` tells, and what is intact in it, in the last version and in the history is kept.

    Args:
        folder: Where the files are.
        file_name: The main file's name, ending in `.json`.
        read_only: Whether nothing at all may be written: no lock, and a damaged file stays where it is.
        lock_seconds: How long a transaction waits for another process.
    """

    def __init__(
        self, folder: Path, *, file_name: str = _FILE_NAME, read_only: bool = False, lock_seconds: float = LOCK_SECONDS
    ) -> None:
        self._path = folder / file_name
        self._backup = folder / f"{file_name}.bak"
        self._lock_path = folder / ".lock"
        self._history = HistoryFile(folder / f"{Path(file_name).stem.removesuffix('_memory')}_history.jsonl")
        self._read_only = read_only
        self._lock_seconds = lock_seconds
        self._threads = threading.RLock()
        self._stamp: Stamp | None = _UNREAD
        self._waited_for: Stamp | None = None
        self._rows: Rows = {}
        self._table = EntryTable()
        self._notices: list[Notice] = []
        self._told: set[tuple[str, object]] = set()

    @property
    def location(self) -> str:
        """The path of the main file."""
        return str(self._path)

    def entries(self) -> Sequence[MemoryEntry]:
        """Returns the current entries in the order they were added, other processes' changes included.

        Raises:
            StoreUnavailable: The file is there and can't be read.
        """
        with self._threads:
            self._refresh(locked=False)
            return self._table.entries()

    def changes(self) -> Sequence[Change]:
        """Returns all changes on record, oldest first.

        Raises:
            StoreUnavailable: The history is there and can't be read.
        """
        with self._threads, self._border():
            return self._history.changes()

    @contextmanager
    def transaction(self) -> Iterator[JsonTransaction]:
        """Starts a transaction that no other process or thread can come between; it is on disk when its block ends.

        Raises:
            StoreReadOnly: The store was opened for reading only.
            StoreBusy: Another process holds the lock.
            StoreUnavailable: The file can't be read or written; everything is as it was.
        """
        if self._read_only:
            raise StoreReadOnly(place=self.location, reason="it was opened for reading only")
        with self._threads, self._locked():
            self._refresh(locked=True)
            transaction = JsonTransaction(self._table.copy(), self._rows.copy(), self._history)
            yield transaction
            if transaction.is_changed:
                with self._border():
                    self._commit(transaction)

    def take_notices(self) -> list[Notice]:
        """Returns what should be told since the last call: `damaged`, `rows-skipped`."""
        with self._threads:
            notices, self._notices = self._notices, []
            return notices

    def close(self) -> None:
        """Does nothing: no file stays open between transactions."""

    @contextmanager
    def _border(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreUnavailable(place=self.location, reason=error.strerror or str(error)) from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._border():
            make_private_folder(self._lock_path.parent)
        with file_lock(self._lock_path, timeout_seconds=self._lock_seconds, place=self.location):
            yield

    def _commit(self, transaction: JsonTransaction) -> None:
        # The history first: what the main file loses is on record at every moment.
        size = self._history.append(transaction.recorded) if transaction.recorded else None
        try:
            self._replace(transaction)
        except BaseException:
            if size is not None and stamp(self._path) == self._stamp:
                cut_back(self._history.path, size)
            raise
        self._rows, self._table = transaction.rows, transaction.table
        self._stamp = stamp(self._path)

    def _replace(self, transaction: JsonTransaction) -> None:
        """Writes the transaction's rows. An editor, which knows no lock, may save at any moment: then again on top."""
        while True:
            data = dump_rows(row.text for row in transaction.rows.values())
            if replace_file(self._path, data, backup=self._backup, expected=self._stamp):
                return
            self._refresh(locked=True)
            transaction.repeat_on(self._table.copy(), self._rows.copy())

    def _refresh(self, *, locked: bool) -> None:
        """Reads the file again if it is another one than last time."""
        with self._border():
            if stamp(self._path) == self._stamp:
                return
            read_stamp, parsed = self._read()
        if not parsed.damaged:
            self._take(read_rows(parsed.rows), read_stamp)
        elif locked:
            with self._border():
                self._repair(parsed, read_stamp)
        else:
            self._repair_or_salvage(parsed, read_stamp)

    def _read(self) -> tuple[Stamp | None, Parsed]:
        """Reads the file; one that looks damaged may be in the middle of being saved by an editor, and gets a moment."""
        for attempt in range(_READ_ATTEMPTS):
            if attempt:
                time.sleep(_READ_PAUSE_SECONDS)
            content = read_stamped(self._path)
            if content is None:
                return None, Parsed(())
            read_stamp, data = content
            parsed = parse_rows(data, is_entry_row)
            if not parsed.damaged or read_stamp == self._waited_for:
                break
        self._waited_for = read_stamp
        return read_stamp, parsed

    def _take(self, rows: Rows, read_stamp: Stamp | None) -> None:
        if any(lacks_our_keys(row) for row in rows.values()):
            with self._border():
                known = last_states(self._history.changes())
            rows = {
                key: restored(row, known.get(str(key))) if lacks_our_keys(row) else row for key, row in rows.items()
            }
        self._rows, self._table, self._stamp = rows, EntryTable(entries_of(rows)), read_stamp
        skipped = sum(row.entry is None for row in rows.values())
        if skipped:
            self._tell("rows-skipped", skipped, {"count": skipped, "path": self.location})

    def _repair_or_salvage(self, parsed: Parsed, read_stamp: Stamp | None) -> None:
        if self._read_only or not self._try_to_repair():
            rows = self._salvaged(parsed)
            self._take(rows, read_stamp)
            self._tell("damaged", read_stamp, {"path": self.location, "aside": "", "salvaged": len(entries_of(rows))})

    def _try_to_repair(self) -> bool:
        try:
            with self._locked():
                self._refresh(locked=True)
        except StoreError:
            return False  # it can't be written: what can be read is of use all the same
        return True

    def _repair(self, parsed: Parsed, read_stamp: Stamp | None) -> None:
        """Sets the damaged file aside and puts one with all that is intact in its place. The lock is held."""
        rows = self._salvaged(parsed)
        aside = set_aside(self._path, utc_now())
        if replace_file(self._path, dump_rows(row.text for row in rows.values()), expected=read_stamp):
            self._take(rows, stamp(self._path))
            values = {"path": self.location, "aside": str(aside), "salvaged": len(entries_of(rows))}
            self._tell("damaged", aside, values)
        else:
            self._refresh(locked=True)

    def _salvaged(self, parsed: Parsed) -> Rows:
        """Returns what is intact in the file, then what the last good version and the history have beyond that."""
        rows = read_rows(parsed.rows, drop_copies=True)
        known = last_states(self._history.changes())
        backup = read_stamped(self._backup)
        if backup:
            for key, row in read_rows(parse_rows(backup[1], is_entry_row).rows).items():
                if row.entry and known.get(row.entry.id, row.entry):
                    rows.setdefault(key, row)
        for entry in filter(None, known.values()):
            rows.setdefault(entry.id, row_of(entry))
        return rows

    def _tell(self, code: str, key: object, values: dict[str, object]) -> None:
        """Notes something to be told, once."""
        if (code, key) not in self._told:
            self._told.add((code, key))
            self._notices.append(Notice(code, values))
