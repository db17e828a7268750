"""A transaction on the memory file: copies that are changed, and how to change them again on a newer version."""

from __future__ import annotations

from collections.abc import Sequence

from paicli.memory.change import Change
from paicli.memory.entry import MemoryEntry
from paicli.memory.stores.entry_table import EntryTable
from paicli.memory.stores.fact_rows import Rows, row_of
from paicli.memory.stores.history import HistoryFile


class JsonTransaction:
    """A `StoreTransaction` over copies of the table and of the file's rows."""

    def __init__(self, table: EntryTable, rows: Rows, history: HistoryFile) -> None:
        self.table = table
        self.rows = rows
        self.recorded: list[Change] = []
        self._history = history
        self._steps: list[tuple[str, MemoryEntry | None]] = []

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to write."""
        return bool(self._steps or self.recorded)

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Returns the current entry with this id."""
        return self.table.get(entry_id)

    def same_as(self, key: str, scope: str) -> MemoryEntry | None:
        """Returns the current entry of a scope whose `fact_key` is `key`."""
        return self.table.same_as(key, scope)

    def put(self, entry: MemoryEntry) -> None:
        """Adds the entry, or replaces the one with its id in its place."""
        self._steps.append((entry.id, entry))
        self._do(entry.id, entry)

    def remove(self, entry_id: str) -> None:
        """Takes the entry out, if it is there."""
        if self.table.get(entry_id):
            self._steps.append((entry_id, None))
            self._do(entry_id, None)

    def record(self, change: Change) -> None:
        """Puts a change on record."""
        self.recorded.append(change)

    def changes(self) -> Sequence[Change]:
        """Returns all changes on record, this transaction's included, oldest first."""
        return [*self._history.changes(), *self.recorded]

    def repeat_on(self, table: EntryTable, rows: Rows) -> None:
        """Does the same on copies of a newer version: somebody without the lock has saved the file in the meantime."""
        self.table, self.rows = table, rows
        for entry_id, entry in self._steps:
            self._do(entry_id, entry)

    def _do(self, entry_id: str, entry: MemoryEntry | None) -> None:
        if entry:
            self.table.put(entry)
            self.rows[entry_id] = row_of(entry)
        else:
            self.table.remove(entry_id)
            self.rows.pop(entry_id, None)
