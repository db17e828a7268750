"""A store that keeps nothing beyond the process."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from paicli.memory.change import Change
from paicli.memory.entry import MemoryEntry
from paicli.memory.notice import Notice
from paicli.memory.stores.entry_table import EntryTable


class InMemoryStore:
    """A `MemoryStore` in the process's memory: for tests, and where nothing may be kept."""

    location = "(memory of this process)"

    def __init__(self) -> None:
        self._table = EntryTable()
        self._changes: list[Change] = []
        self._lock = threading.RLock()

    def entries(self) -> Sequence[MemoryEntry]:
        """Returns the current entries in the order they were added."""
        with self._lock:
            return self._table.entries()

    def changes(self) -> Sequence[Change]:
        """Returns all changes on record, oldest first."""
        with self._lock:
            return tuple(self._changes)

    @contextmanager
    def transaction(self) -> Iterator[InMemoryTransaction]:
        """Starts a transaction; an error in its block leaves everything as it was."""
        with self._lock:
            transaction = InMemoryTransaction(self._table.copy(), self._changes)
            yield transaction
            self._table = transaction.table
            self._changes = [*self._changes, *transaction.recorded]

    def take_notices(self) -> list[Notice]:
        """Returns nothing: there is nothing to tell."""
        return []

    def close(self) -> None:
        """Does nothing: the entries go with the object."""


class InMemoryTransaction:
    """A `StoreTransaction` over a copy of the table."""

    def __init__(self, table: EntryTable, changes: Sequence[Change]) -> None:
        self.table = table
        self.recorded: list[Change] = []
        self._changes = changes

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Returns the current entry with this id."""
        return self.table.get(entry_id)

    def same_as(self, key: str, scope: str) -> MemoryEntry | None:
        """Returns the current entry of a scope whose `fact_key` is `key`."""
        return self.table.same_as(key, scope)

    def put(self, entry: MemoryEntry) -> None:
        """Adds the entry, or replaces the one with its id in its place."""
        self.table.put(entry)

    def remove(self, entry_id: str) -> None:
        """Takes the entry out, if it is there."""
        self.table.remove(entry_id)

    def record(self, change: Change) -> None:
        """Puts a change on record."""
        self.recorded.append(change)

    def changes(self) -> Sequence[Change]:
        """Returns all changes on record, this transaction's included, oldest first."""
        return [*self._changes, *self.recorded]
