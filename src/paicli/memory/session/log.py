"""SessionLog: tells a session's journal what happens to its history; a journal that fails costs a notice, no more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from paicli.errors import StoreError
from paicli.memory.entry import MemoryEntry
from paicli.memory.message import Usage
from paicli.memory.notice import Notice
from paicli.memory.protocols import Clock, Journal
from paicli.memory.session import record as records


class SessionLog:
    """Writes the records of `paicli.memory.session.record` to a journal; to none where it is None."""

    def __init__(self, journal: Journal | None, clock: Clock) -> None:
        self.journal = journal
        self.notices: list[Notice] = []
        self._clock = clock

    def message(self, entry: MemoryEntry, whole: str | None = None) -> None:
        """Notes what was said, with its `whole` text where the window has a shortened one."""
        self._append(records.message_record(entry, text=whole))

    def summary(self, summary: MemoryEntry, replaced: Sequence[str]) -> None:
        """Notes a compression: the summary, and the ids of what it stands for."""
        self._append(records.summary_record(summary, replaced))

    def undone(self, summary_id: str) -> None:
        """Notes that the compression of a summary was taken back."""
        self._append(records.undone_record(summary_id, self._clock()))

    def shrunk(self, entries: Sequence[MemoryEntry]) -> None:
        """Notes entries that the window shows as these from now on: less of them, or all of them again."""
        if entries:
            self._append(records.shrunk_record(entries, self._clock()))

    def window(self, window: Iterable[MemoryEntry], waiting: Iterable[MemoryEntry]) -> None:
        """Notes what the window holds from now on, and what waits."""
        ids, waiting_ids = ([entry.id for entry in entries] for entries in (window, waiting))
        self._append(records.window_record(ids, waiting_ids, self._clock()))

    def evicted(self, entries: Sequence[MemoryEntry]) -> None:
        """Notes what has left the window."""
        if entries:
            self._append(records.evicted_record([entry.id for entry in entries], self._clock()))

    def withdrawn(self, ids: Sequence[str]) -> None:
        """Notes that entries were taken back out of the window."""
        self._append(records.withdrawn_record(ids, self._clock()))

    def block(self, state: Mapping[str, Any]) -> None:
        """Notes what stands in the system message of long-term memory from now on."""
        self._append(records.block_record(state, self._clock()))

    def extracted(self, last: MemoryEntry) -> None:
        """Notes that facts were drawn out of all up to an entry."""
        self._append(records.extracted_record(last.id, self._clock()))

    def usage(self, purpose: str, usage: Usage) -> None:
        """Notes a model call."""
        self._append(records.usage_record(purpose, usage, self._clock()))

    def clear(self) -> None:
        """Notes that the window was emptied."""
        self._append(records.clear_record(self._clock()))

    def _append(self, record: Mapping[str, Any]) -> None:
        if self.journal:
            try:
                self.journal.append(record)
            except StoreError as error:
                self.notices.append(Notice("journal-failed", error.values))
