"""Lookup: what a store and this process hold between them, found by id, by words, by scope."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from paicli.errors import AmbiguousEntry, StoreError, UnknownEntry
from paicli.memory.collection import EntryCollection
from paicli.memory.entry import MemoryEntry
from paicli.memory.facts.standing import standing_first
from paicli.memory.notice import Notice
from paicli.memory.protocols import Clock, MemoryStore
from paicli.memory.search.scoring import ScoredEntry, Wanted, best, order
from paicli.memory.search.searchable import Searchable, SearchableStore

_T = TypeVar("_T")
_MOST_FITTING = 100
_NONE: Sequence[MemoryEntry] = ()


class Lookup:
    """The reading half of the long-term memory: the entries of a store, and those that end with this process.

    A store that can't be read counts as empty; that is told once (`store-unreadable`), and `problem` is the error.

    Args:
        open_store: Returns the store; called when it is first needed.
        clock: Tells the present moment.
    """

    def __init__(self, open_store: Callable[[], MemoryStore], clock: Clock) -> None:
        self.problem: StoreError | None = None
        """Why the store could not be read the last time; None where it could."""
        self._open_store = open_store
        self._clock = clock
        self._opened: MemoryStore | None = None
        self._searchable: Searchable | None = None
        self._session_only: dict[str, MemoryEntry] = {}
        self._session_index = EntryCollection(lambda: tuple(self._session_only.values()))
        self._notices: list[Notice] = []

    @property
    def session_only(self) -> Sequence[MemoryEntry]:
        """The entries that end with this process."""
        return tuple(self._session_only.values())

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Returns the entry with this id, an expired one too; None where there is none."""
        return self._session_only.get(entry_id) or self._ask(lambda found: found.get(entry_id), None)

    def find(self, id_prefix: str) -> MemoryEntry:
        """Returns the entry whose id is, or alone begins with, this text.

        Raises:
            UnknownEntry: No id begins with it.
            AmbiguousEntry: Several do.
        """
        prefix = id_prefix.strip()
        exact = self.get(prefix) if prefix else None
        fitting = [exact] if exact else self.starting_with(prefix, _MOST_FITTING)
        if not fitting:
            raise UnknownEntry(entry_id=prefix)
        if len(fitting) > 1:
            ids = ", ".join(entry.id for entry in fitting[:5])
            raise AmbiguousEntry(entry_id=prefix, count=len(fitting), ids=ids)
        return fitting[0]

    def starting_with(self, prefix: str, limit: int) -> list[MemoryEntry]:
        """Returns at most `limit` entries whose ids begin with a text, expired ones too; none for an empty text."""
        if not prefix:
            return []
        here = [entry for entry_id, entry in self._session_only.items() if entry_id.startswith(prefix)]
        return [*here, *self._ask(lambda found: found.starting_with(prefix, limit), _NONE)][:limit]

    def said_in(self, message_id: str) -> list[MemoryEntry]:
        """Returns the entries that were drawn out of a message, or saved by it."""
        here = self._session_index.said_in(message_id)
        return [*self._ask(lambda found: found.said_in(message_id), _NONE), *here]

    def search(self, query: str, limit: int = 10) -> list[MemoryEntry]:
        """Returns at most `limit` entries that have words of the query in their text or metadata, best first."""
        return [found.entry for found in self.scored(query, Wanted(limit, floor=0.0))]

    def scored(
        self, query: str, wanted: Wanted, *, scopes: Collection[str] | None = None, now: datetime | None = None
    ) -> list[ScoredEntry]:
        """Returns the entries of these scopes (None: of all) a query is about, each with its score and the parts of it.

        What has expired by `now` (None: the present) is left out.
        """
        moment = now or self._clock()

        def accept(entry: MemoryEntry) -> bool:
            return entry.is_current(moment) and (scopes is None or entry.scope in scopes)

        def search(found: Searchable) -> list[ScoredEntry]:
            with found.index() as index:
                return best(index, query, moment, replace(wanted, accept=accept))

        nothing: list[ScoredEntry] = []
        stored = self._ask(search, nothing)
        if not self._session_only:
            return stored
        both = [*stored, *search(self._session_index)]
        return sorted(both, key=lambda one: order(one.entry, one.score))[: wanted.limit]

    def standing(self, scopes: Collection[str] | None, limit: int) -> list[MemoryEntry]:
        """Returns the first `limit` of the facts that stand in every context block: pinned, rules, newest preferences."""
        now = self._clock()
        here = self._session_index.standing(scopes, now, limit)
        stored = self._ask(lambda found: found.standing(scopes, now, limit), _NONE)
        return [*stored, *here] if not here else standing_first([*stored, *here])[:limit]

    def count(self, scopes: Collection[str] | None = None) -> int:
        """Returns how many entries there are that have not expired, of these scopes (None: of all)."""
        now = self._clock()
        here = self._session_index.count(scopes, now)
        return here + self._ask(lambda found: found.count(scopes, now), 0)

    def entries(self, scopes: Collection[str] | None = None) -> list[MemoryEntry]:
        """Returns the entries that have not expired, of these scopes (None: of all), in the order they were added."""
        now = self._clock()
        return [
            entry for entry in self._entries() if entry.is_current(now) and (scopes is None or entry.scope in scopes)
        ]

    def __iter__(self) -> Iterator[MemoryEntry]:
        return iter(self.entries())

    def __len__(self) -> int:
        return self.count()

    @property
    def token_count(self) -> int:
        """The size of all entries in tokens."""
        return sum(entry.token_count for entry in self.entries())

    @property
    def _store(self) -> MemoryStore:
        if self._opened is None:
            self._opened = self._open_store()
        return self._opened

    @property
    def _found(self) -> Searchable:
        """The store where it finds entries by itself; else what it holds, held here."""
        if self._searchable is None:
            store = self._store
            self._searchable = store if isinstance(store, SearchableStore) else EntryCollection(store.entries)
        return self._searchable

    def _ask(self, question: Callable[[Searchable], _T], nothing: _T) -> _T:
        """Returns what the store answers; `nothing` where it can't be read, which is told once."""
        try:
            answer = question(self._found)
        except StoreError as error:
            if self.problem is None:
                self._notices.append(Notice("store-unreadable", dict(error.values)))
            self.problem = error
            return nothing
        self.problem = None
        return answer

    def _entries(self) -> list[MemoryEntry]:
        return [*self._ask(lambda _: self._store.entries(), _NONE), *self._session_only.values()]
