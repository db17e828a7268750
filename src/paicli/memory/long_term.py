"""LongTermMemory: the entries that outlive a session, over any store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from paicli.errors import EmptyContent, StoreReadOnly, UnknownEntry
from paicli.memory.change import Change
from paicli.memory.duplicates import fact_key
from paicli.memory.entry import MemoryEntry, utc_now
from paicli.memory.lookup import Lookup
from paicli.memory.notice import Notice
from paicli.memory.protocols import Clock, MemoryStore
from paicli.memory.redaction import redact_entry
from paicli.memory.stores.place import default_store, open_store
from paicli.memory.stores.revision import Revision, open_changes


class LongTermMemory(Lookup):
    """The long-term memory. What it stores is on disk when the call returns; each change can be undone.

    It reads before it writes and before each answer, so what another process or an editor changed is seen at once.
    Where the store can't be read, it goes on with what this process keeps, tells so once (`take_notices`), and
    `problem` is the error.

    Args:
        store: Where the entries are. None: the configured place, opened at the first use.
        read_only: Whether nothing may be written; a store given with it should be read-only as well.
        clock: Tells the present moment.
        session: The session that the changes are made in.
    """

    def __init__(
        self,
        store: MemoryStore | None = None,
        *,
        read_only: bool = False,
        clock: Clock = utc_now,
        session: str = "",
    ) -> None:
        super().__init__(lambda: store if store is not None else default_store(read_only=read_only), clock)
        self._is_given = store is not None
        self._read_only = read_only
        self.session = session

    @classmethod
    def open(cls, place: str | Path) -> LongTermMemory:
        """Returns the memory at a place: a folder, or a file in it that ends in `.json`.

        Raises:
            StoreUnavailable: The place is the address of a database, which this version can't use.
        """
        memory = cls()
        memory._opened = open_store(place)
        return memory

    def store(self, entry: MemoryEntry, *, automatic: bool = False) -> MemoryEntry:
        """Keeps an entry and returns it as it is kept: without secrets, or the one that already says the same.

        That one keeps its id, text and first date; it is marked as said again, and takes over a pin or the user's word.

        Args:
            entry: What to keep. An entry whose id is there with another text replaces that one.
            automatic: Whether nobody asked for it in so many words.

        Raises:
            EmptyContent: There is no text in it.
            StoreError: It is not on disk.
        """
        entry = self._prepared(entry)
        self._check_writable()
        with self._revision(automatic=automatic) as revision:
            return revision.keep(entry)

    def replace(self, entry: MemoryEntry, *, automatic: bool = False) -> MemoryEntry:
        """Puts an edited entry in the place of the one with its id, and returns it as it is kept.

        Args:
            entry: The entry with the id of the one it replaces.
            automatic: Whether nobody asked for it in so many words.

        Raises:
            UnknownEntry: No entry has its id.
            EmptyContent: There is no text in it.
            StoreError: It is not on disk.
        """
        entry = self._prepared(entry)
        if entry.id in self._session_only:
            self._session_only[entry.id] = entry
            return entry
        self._check_writable()
        self._check_known(entry.id)
        with self._revision(automatic=automatic) as revision:
            revision.update(entry, self._there(revision, entry.id))
        return entry

    def forget(self, entry_id: str, *, automatic: bool = False) -> MemoryEntry:
        """Takes an entry out, which `undo` brings back, and returns it.

        Raises:
            UnknownEntry: No entry has this id.
            StoreError: It could not be written; the entry is still there.
        """
        if entry_id in self._session_only:
            return self._session_only.pop(entry_id)
        self._check_writable()
        self._check_known(entry_id)
        with self._revision(automatic=automatic) as revision:
            entry = self._there(revision, entry_id)
            revision.forget(entry)
        return entry

    def delete(self, entry_id: str) -> bool:
        """Forgets an entry; returns whether it was there."""
        try:
            self.forget(entry_id)
        except UnknownEntry:
            return False
        return True

    def undo(self, *, session: str | None = None) -> Change | None:
        """Takes back the newest change that still can be, and returns it; None where there is none.

        Args:
            session: The session whose changes alone count; None for all.

        Raises:
            StoreError: It could not be written; everything is as it was.
        """
        self._check_writable()
        if not self._store.changes():
            return None
        with self._revision() as revision:
            return revision.undo(session)

    def newest_change(self) -> Change | None:
        """Returns the change that `undo` would take back first; None where there is none."""
        return next(open_changes(self._store.changes()), None)

    def clear(self) -> None:
        """Forgets all entries, each as a change of its own."""
        self._session_only.clear()
        if not self._entries():
            return
        self._check_writable()
        with self._revision() as revision:
            for entry in self._store.entries():
                revision.forget(entry)

    def keep_for_session(self, entry: MemoryEntry) -> MemoryEntry:
        """Keeps an entry in this process only, for when it can't be written; returns it as it is kept.

        Raises:
            EmptyContent: There is no text in it.
        """
        entry = self._prepared(entry)
        key = (entry.scope, fact_key(entry.content))
        same = (kept for kept in self._entries() if (kept.scope, fact_key(kept.content)) == key)
        return next(same, None) or self._session_only.setdefault(entry.id, entry)

    @property
    def location(self) -> str:
        """Where the entries are, for people to read."""
        return self._store.location

    def changes(self) -> Sequence[Change]:
        """Returns all changes on record, oldest first."""
        return self._store.changes()

    def take_notices(self) -> list[Notice]:
        """Returns what should be told since the last call: `redacted`, `store-unreadable`, and the store's notices."""
        notices, self._notices = self._notices, []
        return notices + self._opened.take_notices() if self._opened else notices

    def close(self) -> None:
        """Closes the store if this memory opened it; one that was given belongs to who gave it."""
        if self._opened and not self._is_given:
            self._opened.close()

    def _check_known(self, entry_id: str) -> None:
        """Raises for an unknown id before anything is made on disk."""
        if self._found.get(entry_id) is None:
            raise UnknownEntry(entry_id=entry_id)

    def _there(self, revision: Revision, entry_id: str) -> MemoryEntry:
        entry = revision.transaction.get(entry_id)
        if entry is None:  # another process was faster
            raise UnknownEntry(entry_id=entry_id)
        return entry

    def _check_writable(self) -> None:
        if self._read_only:
            raise StoreReadOnly(place=self.location, reason="it was opened for reading only")

    def _prepared(self, entry: MemoryEntry) -> MemoryEntry:
        """Returns the entry fit for the disk, without secrets."""
        kept, kinds = redact_entry(entry)
        if not kept.content.strip():
            raise EmptyContent(value=repr(entry.content))
        if kinds:
            self._notices.append(Notice("redacted", {"count": len(kinds), "kinds": ", ".join(sorted(set(kinds)))}))
        return kept

    @contextmanager
    def _revision(self, *, automatic: bool = False) -> Iterator[Revision]:
        with self._store.transaction() as transaction:
            yield Revision(transaction, self._clock, self.session, automatic)
