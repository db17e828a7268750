"""Finder: the search through a collection, with an index that is built when first needed and then kept in step."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from threading import Lock

from paicli.memory.entry import MemoryEntry
from paicli.memory.search.index import EntryIndex
from paicli.memory.search.scoring import ScoredEntry, Wanted, best


class Finder:
    """Searches a collection that may have changed since the last search. Safe for use by several threads."""

    def __init__(self) -> None:
        self._index = EntryIndex()
        self._seen: list[MemoryEntry] = []
        self._lock = Lock()

    def find(self, query: str, entries: Sequence[MemoryEntry], now: datetime, wanted: Wanted) -> list[ScoredEntry]:
        """Returns the best entries of the collection for a question, best first."""
        with self._lock:
            self._follow(list(entries))
            return best(self._index, query, now, wanted)

    def _follow(self, entries: list[MemoryEntry]) -> None:
        """Brings the index in step; where nothing changed, or something was added at the end, without looking at each entry."""
        known = len(self._seen)
        if entries[:known] == self._seen:
            for entry in entries[known:]:
                self._index.add(entry)
        else:
            self._index.follow(entries)
        self._seen = entries
