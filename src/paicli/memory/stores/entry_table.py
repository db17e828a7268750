"""Entries in their order, found by id and by what they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paicli.memory.duplicates import fact_key
from paicli.memory.entry import MemoryEntry


class EntryTable:
    """Entries by id, in the order they were added, with an index of their keys that is made when first asked for."""

    def __init__(self, entries: Iterable[MemoryEntry] = ()) -> None:
        self._entries = {entry.id: entry for entry in entries}
        self._ids: dict[tuple[str, str], str] | None = None
        self._listed: Sequence[MemoryEntry] | None = None

    def copy(self) -> EntryTable:
        """Returns a table that can be changed on its own."""
        twin = EntryTable()
        twin._entries = self._entries.copy()
        twin._ids = self._index().copy()
        return twin

    def entries(self) -> Sequence[MemoryEntry]:
        """Returns the entries in the order they were added: the same object as long as nothing changes."""
        if self._listed is None:
            self._listed = tuple(self._entries.values())
        return self._listed

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Returns the entry with this id."""
        return self._entries.get(entry_id)

    def same_as(self, key: str, scope: str) -> MemoryEntry | None:
        """Returns the first entry of a scope whose `fact_key` is `key`."""
        entry_id = self._index().get((scope, key))
        return self._entries[entry_id] if entry_id else None

    def put(self, entry: MemoryEntry) -> None:
        """Adds the entry, or replaces the one with its id in its place."""
        before = self._entries.get(entry.id)
        self._entries[entry.id] = entry
        self._listed = None
        if before is None and self._ids is not None:
            self._ids.setdefault((entry.scope, fact_key(entry.content)), entry.id)
        elif before and (before.content, before.scope) != (entry.content, entry.scope):
            self._ids = None

    def remove(self, entry_id: str) -> None:
        """Takes the entry out, if it is there."""
        if self._entries.pop(entry_id, None):
            self._ids = self._listed = None

    def _index(self) -> dict[tuple[str, str], str]:
        if self._ids is None:
            self._ids = {}
            for entry in self._entries.values():
                self._ids.setdefault((entry.scope, fact_key(entry.content)), entry.id)
        return self._ids
