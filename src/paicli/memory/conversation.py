"""ConversationMemory: the one history of a session, in rounds, within a token budget."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from paicli.memory.entry import MemoryEntry, MemoryType, utc_now
from paicli.memory.message import Message, Role, ToolCall
from paicli.memory.search.scoring import rank

PROTECTED_ROUNDS = 3
"""In so many rounds at the end tool calls leave before what the user said."""
_ROLES: tuple[Role, ...] = ("system", "user", "assistant", "tool")


class ConversationMemory:
    """Short-term memory: the entries of this session in order; the oldest rounds leave first when it is full.

    What has left waits in `compressed_summaries` to be summarised. The newest user message never leaves, a summary
    only when it is replaced by a newer one. Safe to use from several threads.

    Args:
        max_tokens: The budget in tokens, by the entries' `token_count`.

    Raises:
        ValueError: `max_tokens` is not positive.
    """

    def __init__(self, max_tokens: int) -> None:
        if max_tokens <= 0:
            raise ValueError(f"max_tokens is {max_tokens}: it must be at least 1.")
        self.max_tokens = max_tokens
        self._entries: dict[str, MemoryEntry] = {}
        self._waiting: dict[str, MemoryEntry] = {}
        self._lock = threading.RLock()

    def store(self, entry: MemoryEntry) -> list[MemoryEntry]:
        """Takes an entry in as the newest; returns those that had to leave for it, oldest first."""
        with self._lock:
            self.append(entry)
            return self.evict()

    def append(self, entry: MemoryEntry) -> None:
        """Takes an entry in as the newest, over the budget if need be: compression may come before eviction."""
        with self._lock:
            self._entries.pop(entry.id, None)
            self._entries[entry.id] = entry

    def evict(self, size: Callable[[], int] | None = None) -> list[MemoryEntry]:
        """Drops the oldest entries until the budget is kept, whole rounds and whole steps at a time; see `evictable`.

        Args:
            size: Tells the present size in tokens; `token_count` where None.

        Returns:
            The entries that have left, oldest first. They wait to be summarised.
        """
        measure = size or (lambda: self.token_count)
        left: list[MemoryEntry] = []
        with self._lock:
            places = {entry_id: place for place, entry_id in enumerate(self._entries)}
            while measure() > self.max_tokens:
                part = evictable(list(self))
                if not part:
                    break
                left += (self._entries.pop(entry.id) for entry in part)
            left.sort(key=lambda entry: places[entry.id])
            self._waiting |= {entry.id: entry for entry in left}
        return left

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Returns the entry of this id, or None."""
        return self._entries.get(entry_id)

    def delete(self, entry_id: str) -> bool:
        """Takes the entry of this id out; returns whether it was there."""
        with self._lock:
            return self._entries.pop(entry_id, None) is not None

    def search(self, query: str, limit: int = 10) -> list[MemoryEntry]:
        """Returns the entries whose content or metadata has a word of the query, best first."""
        return [entry for entry, _ in rank(query, list(self), utc_now())][: max(0, limit)]

    def clear(self) -> None:
        """Forgets everything, what waits included."""
        with self._lock:
            self._entries.clear()
            self._waiting.clear()

    def replace(self, gone: Collection[str], summary: MemoryEntry) -> None:
        """Puts a summary in the place of the entries it stands for, in one step; those that waited are done with."""
        with self._lock:
            kept = [entry for entry in self if entry.id not in gone]
            self._waiting = {key: entry for key, entry in self._waiting.items() if key not in gone}
            self._entries = {entry.id: entry for entry in [summary, *kept]}

    def rewrite(self, entries: Iterable[MemoryEntry]) -> None:
        """Puts these in the place of the entries with their ids, in one step; what is not there is passed over."""
        with self._lock:
            self._entries |= {entry.id: entry for entry in entries if entry.id in self._entries}

    def restore(self, entries: Sequence[MemoryEntry], waiting: Sequence[MemoryEntry] = ()) -> None:
        """Makes the history exactly these entries: as it was before a compression, or in an earlier session."""
        with self._lock:
            self._entries = {entry.id: entry for entry in entries}
            self._waiting = {entry.id: entry for entry in waiting}

    def __iter__(self) -> Iterator[MemoryEntry]:
        with self._lock:
            return iter(list(self._entries.values()))

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def token_count(self) -> int:
        """The size of all entries in tokens."""
        return sum(entry.token_count for entry in self)

    @property
    def usage_ratio(self) -> float:
        """The share of the budget that is taken: 1.0 is full."""
        return self.token_count / self.max_tokens

    @property
    def compressed_summaries(self) -> list[MemoryEntry]:
        """What has left the history and waits to be summarised, oldest first."""
        with self._lock:
            return list(self._waiting.values())


def as_message(entry: MemoryEntry) -> Message:
    """Returns the message an entry stands for; a bare entry is the user's, or its `metadata["source"]`'s."""
    if entry.message:
        return entry.message
    role = entry.metadata.get("source", "user")
    if entry.type is MemoryType.TOOL_RESULT:
        role = "tool"
    return Message(
        role=next((known for known in _ROLES if known == role), "user"),
        text=entry.content,
        call_id=entry.metadata.get("call_id", ""),
        tool_name=entry.metadata.get("tool", ""),
    )


def role_of(entry: MemoryEntry) -> str:
    """Returns who speaks in an entry: user, assistant, tool, or summary."""
    return "summary" if entry.type is MemoryType.SUMMARY else as_message(entry).role


def call_of(entries: Iterable[MemoryEntry], name: str, call_id: str = "") -> ToolCall | None:
    """Returns the call that a result answers, of those that still can be answered: what was called since anyone spoke.

    It is the unanswered call of this id; without an id the oldest unanswered call of the tool; None where there is none.
    """
    unanswered: list[ToolCall] = []
    for message in map(as_message, entries):
        if message.role == "tool":
            answered = next((call for call in unanswered if call.id == message.call_id), None)
            unanswered = [call for call in unanswered if call is not answered]
        elif message.role != "system":
            unanswered = list(message.tool_calls)
    return next((call for call in unanswered if (call.id == call_id if call_id else call.name == name)), None)


def entries_after(entries: Iterable[MemoryEntry], entry: MemoryEntry) -> list[MemoryEntry]:
    """Returns what follows an entry; all of it where the entry is not there."""
    known = list(entries)
    ids = [one.id for one in known]
    return known[ids.index(entry.id) + 1 :] if entry.id in ids else known


def rounds(entries: Sequence[MemoryEntry]) -> list[list[MemoryEntry]]:
    """Returns the entries in rounds: a user message and all until the next. What stands before the first is one too."""
    parts: list[list[MemoryEntry]] = []
    for entry in entries:
        if role_of(entry) == "summary":
            continue
        if role_of(entry) == "user" or not parts:
            parts.append([])
        parts[-1].append(entry)
    return parts


def steps(round_entries: Sequence[MemoryEntry]) -> list[list[MemoryEntry]]:
    """Returns what follows the user message of a round in steps: an assistant message and the results of its calls."""
    parts: list[list[MemoryEntry]] = []
    for entry in round_entries:
        if role_of(entry) == "user":
            continue
        if role_of(entry) != "tool" or not parts or role_of(parts[-1][0]) != "assistant":
            parts.append([])
        parts[-1].append(entry)
    return parts


def evictable(entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Returns the part that leaves next; empty where nothing may.

    The oldest whole round, while there are more than three. Of the last three first the oldest tool calls with their
    results, then the oldest whole round, then the oldest step: the newest user message and the last step stay.
    """
    parts = rounds(entries)
    if not parts:
        return []
    if len(parts) > PROTECTED_ROUNDS:
        return parts[0]
    earlier = [step for part in parts[:-1] for step in steps(part)]
    running = steps(parts[-1])[:-1]
    calls = next((step for step in [*earlier, *running] if len(step) > 1), None)
    return calls or (parts[0] if len(parts) > 1 else next(iter(running), []))
