"""What a store offers that finds entries by itself, so that none of its users has to hold them all."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol, runtime_checkable

from paicli.memory.entry import MemoryEntry
from paicli.memory.protocols import MemoryStore
from paicli.memory.search.index import WordIndex


@runtime_checkable
class Searchable(Protocol):
    """Finds entries by id, by where they come from, by words, and those that stand in every context block.

    `scopes` are the scopes that count, None for all; what has expired by `now` does not count. All methods see what other
    processes have written, and raise `StoreError`s.
    """

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Returns the entry with this id, an expired one too."""

    def starting_with(self, prefix: str, limit: int) -> Sequence[MemoryEntry]:
        """Returns at most `limit` entries whose ids begin with a text, expired ones too, by id."""

    def said_in(self, message_id: str) -> Sequence[MemoryEntry]:
        """Returns the entries whose provenance is a message, in the order they were added."""

    def count(self, scopes: Collection[str] | None, now: datetime) -> int:
        """Returns how many entries there are."""

    def standing(self, scopes: Collection[str] | None, now: datetime, limit: int) -> Sequence[MemoryEntry]:
        """Returns the first `limit` of the facts that stand in every block, in `facts.standing.standing_order`."""

    def index(self) -> AbstractContextManager[WordIndex]:
        """Gives the index of the entries, which stays as it is while the block runs."""


@runtime_checkable
class SearchableStore(MemoryStore, Searchable, Protocol):
    """A `MemoryStore` that finds entries by itself."""
