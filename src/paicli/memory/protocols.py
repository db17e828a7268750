"""What the memory needs from outside, as protocols: a clock, a counter, words, a model, a place for entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from paicli.memory.change import Change
from paicli.memory.entry import MemoryEntry
from paicli.memory.message import Message, Reply
from paicli.memory.notice import Notice

Clock = Callable[[], datetime]
"""Returns the present moment, aware."""


class Memory(Protocol):
    """What short-term and long-term memory have in common."""

    def get(self, entry_id: str) -> MemoryEntry | None: ...
    def delete(self, entry_id: str) -> bool: ...
    def search(self, query: str, limit: int = 10) -> list[MemoryEntry]: ...
    def clear(self) -> None: ...
    def __iter__(self) -> Iterator[MemoryEntry]: ...
    def __len__(self) -> int: ...
    @property
    def token_count(self) -> int: ...


class Tokenizer(Protocol):
    """Cuts texts into words for search."""

    def tokenize(self, text: str) -> Collection[str]: ...


class TokenCounter(Protocol):
    """Tells the size of a rendered request, and of a text, in a model's tokens."""

    def count(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()) -> int: ...
    def count_text(self, text: str) -> int: ...
    def upper_bound(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()) -> int:
        """Returns a size that such a request hardly passes; it decides when to compress."""

    def learn(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], actual: int) -> bool:
        """Takes the size that a provider reports of a request into account; returns whether it was believed."""


class LanguageModel(Protocol):
    """A model that answers messages. `purpose` says what the call is for: `summary`, `facts` …"""

    def chat(self, messages: Sequence[Message], *, purpose: str) -> Reply: ...


class StoreTransaction(Protocol):
    """Reads and changes that take effect together, or not at all."""

    def get(self, entry_id: str) -> MemoryEntry | None: ...
    def same_as(self, key: str, scope: str) -> MemoryEntry | None:
        """Returns the current entry of a scope whose `fact_key` is `key`."""

    def put(self, entry: MemoryEntry) -> None:
        """Adds the entry, or replaces the one with its id in its place."""

    def remove(self, entry_id: str) -> None: ...
    def record(self, change: Change) -> None:
        """Puts a change on record. What the change takes from the current entries is on record before it is gone."""

    def changes(self) -> Sequence[Change]:
        """Returns all changes on record, oldest first."""


class MemoryStore(Protocol):
    """A place for long-term entries.

    All methods raise `StoreError`s. What a transaction did is durable when its block has ended without an error.
    """

    @property
    def location(self) -> str:
        """The folder or address, for people to read."""

    def entries(self) -> Sequence[MemoryEntry]:
        """Returns the current entries in the order they were added, other processes' changes included."""

    def changes(self) -> Sequence[Change]:
        """Returns all changes on record, oldest first."""

    def transaction(self) -> AbstractContextManager[StoreTransaction]:
        """Starts a transaction that no other process or thread can come between."""

    def take_notices(self) -> list[Notice]:
        """Returns what should be told since the last call: a damaged file set aside, rows not understood …"""

    def close(self) -> None: ...


class Journal(Protocol):
    """Takes the records of a session, in order; see `paicli.memory.session.record`."""

    def append(self, record: Mapping[str, Any]) -> None: ...
