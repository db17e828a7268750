"""Change: what happened to the long-term memory, so that it can be shown and undone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from paicli.memory.entry import MemoryEntry


class ChangeKind(StrEnum):
    """What happened to an entry."""

    ADDED = "added"
    UPDATED = "updated"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True)
class Change:
    """One change to the long-term memory, as the history keeps it.

    Args:
        id: Unique, in the order of time.
        kind: What happened.
        at: When.
        entry: The entry: as added, as it was before it was forgotten, or as it is after an update.
        before: The entry as it was before an update.
        session: The session that made the change; empty outside of one.
        automatic: Whether nobody asked for it in so many words.
        undoes: The change that this one takes back.
    """

    id: str
    kind: ChangeKind
    at: datetime
    entry: MemoryEntry
    before: MemoryEntry | None = None
    session: str = ""
    automatic: bool = False
    undoes: str = ""
