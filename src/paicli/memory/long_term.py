"""LongTermMemory: the entries that outlive a session, over any store."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from paicli.errors import AmbiguousEntry, EmptyContent, StoreError, StoreReadOnly, UnknownEntry
from paicli.memory.change import Change
from paicli.memory.duplicates import fact_key
from paicli.memory.entry import MemoryEntry, utc_now
from paicli.memory.notice import Notice
from paicli.memory.protocols import Clock, MemoryStore
from paicli.memory.redaction import redact_entry
from paicli.memory.search.finder import Finder
from paicli.memory.search.scoring import ScoredEntry, Wanted
from paicli.memory.stores.place import default_store, open_store
from paicli.memory.stores.revision import Revision, open_changes


class LongTermMemory:
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
        self._given = store
        self._opened: MemoryStore | None = None
        self._read_only = read_only
        self._clock = clock
        self.session = session
        self._session_only: dict[str, MemoryEntry] = {}
        self._notices: list[Notice] = []
        self._finder = Finder()
        self.problem: StoreError | None = None
        """Why the store could not be read the last time; None where it could."""

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
    def session_only(self) -> Sequence[MemoryEntry]:
        """The entries that end with this process."""
        return tuple(self._session_only.values())

    def get(self, entry_id: str) -> MemoryEntry | None:
        """Returns the entry with this id, an expired one too; None where there is none."""
        return next((entry for entry in self._entries() if entry.id == entry_id), None)

    def find(self, id_prefix: str) -> MemoryEntry:
        """Returns the entry whose id is, or alone begins with, this text.

        Raises:
            UnknownEntry: No id begins with it.
            AmbiguousEntry: Several do.
        """
        prefix = id_prefix.strip()
        fitting = [entry for entry in self._entries() if prefix and entry.id.startswith(prefix)]
        exact = [entry for entry in fitting if entry.id == prefix] or fitting
        if not exact:
            raise UnknownEntry(entry_id=prefix)
        if len(exact) > 1:
            ids = ", ".join(entry.id for entry in exact[:5])
            raise AmbiguousEntry(entry_id=prefix, count=len(exact), ids=ids)
        return exact[0]

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

        return self._finder.find(query, self._entries(), moment, replace(wanted, accept=accept))

    def entries(self, scopes: Collection[str] | None = None) -> list[MemoryEntry]:
        """Returns the entries that have not expired, of these scopes (None: of all), in the order they were added."""
        now = self._clock()
        return [
            entry for entry in self._entries() if entry.is_current(now) and (scopes is None or entry.scope in scopes)
        ]

    def __iter__(self) -> Iterator[MemoryEntry]:
        return iter(self.entries())

    def __len__(self) -> int:
        return len(self.entries())

    @property
    def token_count(self) -> int:
        """The size of all entries in tokens."""
        return sum(entry.token_count for entry in self.entries())

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
        if self._given is None and self._opened is None:
            return notices
        return notices + self._store.take_notices()

    def close(self) -> None:
        """Closes the store if this memory opened it; one that was given belongs to who gave it."""
        if self._opened:
            self._opened.close()

    @property
    def _store(self) -> MemoryStore:
        if self._given is not None:
            return self._given
        if self._opened is None:
            self._opened = default_store(read_only=self._read_only)
        return self._opened

    def _entries(self) -> list[MemoryEntry]:
        try:
            stored = list(self._store.entries())
            self.problem = None
        except StoreError as error:
            if self.problem is None:
                self._notices.append(Notice("store-unreadable", dict(error.values)))
            self.problem, stored = error, []
        return stored + list(self._session_only.values())

    def _check_known(self, entry_id: str) -> None:
        """Raises for an unknown id before anything is made on disk."""
        if all(entry.id != entry_id for entry in self._store.entries()):
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
