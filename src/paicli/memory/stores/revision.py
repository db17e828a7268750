"""Makes changes in a transaction, each of them on record, and takes them back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from paicli.memory.change import Change, ChangeKind
from paicli.memory.duplicates import fact_key, merged
from paicli.memory.entry import MemoryEntry, new_id
from paicli.memory.protocols import Clock, StoreTransaction


@dataclass(frozen=True, slots=True)
class Revision:
    """Changes of one transaction.

    Args:
        transaction: Where they are made.
        clock: Tells the present moment.
        session: The session they are made in.
        automatic: Whether nobody asked for them in so many words.
    """

    transaction: StoreTransaction
    clock: Clock
    session: str = ""
    automatic: bool = False

    def keep(self, entry: MemoryEntry) -> MemoryEntry:
        """Adds an entry, or updates the one with its id; returns the kept one: that which says the same, if any."""
        known = self.transaction.same_as(fact_key(entry.content), entry.scope)
        if known and known.id != entry.id:
            return self._say_again(known, entry)
        before = self.transaction.get(entry.id)
        if before is None:
            self._apply(ChangeKind.ADDED, entry)
        elif before != entry:
            self.update(entry, before)
        return entry

    def update(self, entry: MemoryEntry, before: MemoryEntry) -> None:
        """Puts an entry in the place of the one with its id."""
        self._apply(ChangeKind.UPDATED, entry, before=before)

    def forget(self, entry: MemoryEntry) -> None:
        """Takes an entry out."""
        self._apply(ChangeKind.FORGOTTEN, entry)

    def undo(self, session: str | None) -> Change | None:
        """Takes back the newest change that still can be, of one session or (None) of all; None where there is none.

        An entry that was edited by hand since it was added is taken out as it is now, which is `before` of the change
        that is returned; since nothing else has that text, undoing once more brings it back.
        """
        for change in open_changes(self.transaction.changes(), session):
            edited = self._edited(change)
            if self._take_back(change):
                return replace(change, before=edited) if edited else change
        return None

    def _say_again(self, known: MemoryEntry, entry: MemoryEntry) -> MemoryEntry:
        now = self.clock()
        upgraded = merged(known, entry, is_expired=not known.is_current(now))
        kept = replace(upgraded, updated=now)
        if upgraded == known:
            self.transaction.put(kept)  # that it was said again is nothing to take back
        else:
            self.update(kept, known)
        return kept

    def _take_back(self, change: Change) -> bool:
        """Takes a change back if it still has an effect; returns whether it had."""
        entry, kind = change.entry, change.kind
        current = self.transaction.get(entry.id)
        if kind is ChangeKind.ADDED and current:
            self._apply(ChangeKind.FORGOTTEN, current, undoes="" if self._edited(change) else change.id)
        elif kind is ChangeKind.UPDATED and current and change.before:
            self._apply(kind, change.before, before=current, undoes=change.id)
        elif kind is ChangeKind.FORGOTTEN and not (current or self._says_the_same(entry)):
            self._apply(ChangeKind.ADDED, entry, undoes=change.id)
        else:
            return False
        return True

    def _edited(self, change: Change) -> MemoryEntry | None:
        """Returns the entry that a change has added if no change on record has given it its present text."""
        current = self.transaction.get(change.entry.id) if change.kind is ChangeKind.ADDED else None
        if current is None or current.content == change.entry.content:
            return None
        texts = {one.entry.content for one in self.transaction.changes() if one.entry.id == current.id}
        return None if current.content in texts else current

    def _says_the_same(self, entry: MemoryEntry) -> bool:
        return self.transaction.same_as(fact_key(entry.content), entry.scope) is not None

    def _apply(
        self, kind: ChangeKind, entry: MemoryEntry, *, before: MemoryEntry | None = None, undoes: str = ""
    ) -> None:
        now = self.clock()
        change_id = f"{now:%Y%m%dT%H%M%S%f}-{new_id()}"
        self.transaction.record(Change(change_id, kind, now, entry, before, self.session, self.automatic, undoes))
        if kind is ChangeKind.FORGOTTEN:
            self.transaction.remove(entry.id)
        else:
            self.transaction.put(entry)


def open_changes(changes: Sequence[Change], session: str | None = None) -> Iterator[Change]:
    """Yields the changes that can still be taken back, newest first: of one session, or (None) of all."""
    taken_back = {change.undoes for change in changes}
    for change in reversed(changes):
        if not change.undoes and change.id not in taken_back and session in (None, change.session):
            yield change
