"""EntryCollection: any entries made searchable, by holding them and an index of their words in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from heapq import nsmallest
from threading import RLock

from paicli.memory.entry import MemoryEntry
from paicli.memory.facts.standing import standing, standing_order
from paicli.memory.search.index import EntryIndex, WordIndex


class EntryCollection:
    """A `Searchable` over entries that may change at any time. The index is built when first needed. Safe for threads.

    Args:
        entries: Returns the present entries, in the order they were added.
    """

    def __init__(self, entries: Callable[[], Sequence[MemoryEntry]]) -> None:
        self._entries = entries
        self._lock = RLock()
        self._index = EntryIndex()
        self._indexed: Sequence[MemoryEntry] = ()
        self._listed: Sequence[MemoryEntry] = ()
        self._by_id: dict[str, MemoryEntry] = {}
        self._standing: dict[str, int] = {}

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Returns the entry with this id, an expired one too."""
        with self._lock:
            return self._current().get(entry_id)

    def starting_with(self, prefix: str, limit: int) -> Sequence[MemoryEntry]:
        """Returns at most `limit` entries whose ids begin with a text, expired ones too, by id."""
        with self._lock:
            current = self._current()
            return [
                current[entry_id] for entry_id in nsmallest(limit, (key for key in current if key.startswith(prefix)))
            ]

    def said_in(self, message_id: str) -> Sequence[MemoryEntry]:
        """Returns the entries whose provenance is a message, in the order they were added."""
        return [entry for entry in self._entries() if entry.source and entry.source.message == message_id]

    def count(self, scopes: Collection[str] | None, now: datetime) -> int:
        """Returns how many entries there are."""
        return sum(_counts(entry, scopes, now) for entry in self._entries())

    def standing(self, scopes: Collection[str] | None, now: datetime, limit: int) -> Sequence[MemoryEntry]:
        """Returns the first `limit` of the facts that stand in every block, in `facts.standing.standing_order`."""
        with self._lock:
            current = self._current()
            ranked = ((rank, current[entry_id]) for entry_id, rank in self._standing.items())
            keys = (standing_order(rank, entry) for rank, entry in ranked if _counts(entry, scopes, now))
            return [current[key[-1]] for key in nsmallest(limit, keys)]

    @contextmanager
    def index(self) -> Iterator[WordIndex]:
        """Gives the index of the entries, which stays as it is while the block runs."""
        with self._lock:
            entries = self._entries()
            if entries is not self._indexed:
                self._follow(entries)
            yield self._index

    def _follow(self, entries: Sequence[MemoryEntry]) -> None:
        """Brings the index in step; where something was added at the end, without looking at each entry."""
        known = len(self._indexed)
        if list(entries[:known]) == list(self._indexed):
            for entry in entries[known:]:
                self._index.add(entry)
        else:
            self._index.follow(entries)
        self._indexed = entries

    def _current(self) -> dict[str, MemoryEntry]:
        """Returns the entries by their ids; what stands in every block is brought in step with them."""
        entries = self._entries()
        if entries is not self._listed:
            before, self._by_id = self._by_id, {entry.id: entry for entry in entries}
            for entry in entries:
                if before.get(entry.id) is not entry:
                    self._rank(entry)
            for entry_id in before.keys() - self._by_id.keys():
                self._standing.pop(entry_id, None)
            self._listed = entries
        return self._by_id

    def _rank(self, entry: MemoryEntry) -> None:
        rank = standing(entry)
        if rank is None:
            self._standing.pop(entry.id, None)
        else:
            self._standing[entry.id] = rank


def _counts(entry: MemoryEntry, scopes: Collection[str] | None, now: datetime) -> bool:
    return entry.is_current(now) and (scopes is None or entry.scope in scopes)
