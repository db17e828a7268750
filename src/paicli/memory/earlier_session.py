"""EarlierSessions: what ended before its time gets its facts drawn out, and a session is taken up again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paicli.errors import SessionRunning, UnknownSession
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.extraction import joined
from paicli.memory.message import Usage
from paicli.memory.protocols import Clock
from paicli.memory.report import Extraction
from paicli.memory.scope import Scopes
from paicli.memory.secret import PLACEHOLDER
from paicli.memory.session.record import extracted_record
from paicli.memory.session.replay import block_of, is_cleared, of_the_session, unextracted_entries, window_of
from paicli.memory.stores.archive import Archive, TranscriptInfo, unextracted
from paicli.memory.stores.transcript import Transcript, load_transcript, read_transcript

_PLACEHOLDER_START = PLACEHOLDER.partition("{")[0]


@dataclass(frozen=True, slots=True)
class Resumed:
    """A session as its transcript leaves it.

    Args:
        info: What the transcript says of itself.
        window: The entries of the window.
        waiting: What had left it and waits to be summarised.
        pending: What was said out of which no facts were drawn yet, with the scopes that were in force there.
        block: The record of what the system message said of long-term memory.
        usage: The model calls it has made: purpose and size.
        damaged: How many lines of the transcript can't be read, or not be replayed.
        placeholders: How many entries of the window have a placeholder where a secret was.
        cleared: Whether its conversation was cleared at the end.
    """

    info: TranscriptInfo
    window: Sequence[MemoryEntry]
    waiting: Sequence[MemoryEntry]
    pending: Sequence[tuple[Sequence[MemoryEntry], Scopes]]
    block: Mapping[str, Any]
    usage: Sequence[tuple[str, Usage]]
    damaged: int
    placeholders: int
    cleared: bool = False


class EarlierSessions:
    """The sessions before this one.

    Args:
        archive: Their transcripts.
        scopes_at: Returns the scopes that are in force in a folder.
        clock: Tells the present moment.
        read_only: Whether nothing may be written.
    """

    def __init__(
        self, archive: Archive, scopes_at: Callable[[str], Scopes], clock: Clock, *, read_only: bool = False
    ) -> None:
        self._archive = archive
        self._scopes_at = scopes_at
        self._clock = clock
        self._read_only = read_only
        self._taking = threading.Lock()
        self._present = ""
        self._caught_up = ""

    def left_over(self) -> list[TranscriptInfo]:
        """Returns the sessions that ended before facts were drawn out of them, oldest first."""
        return [] if self._read_only else unextracted(self._archive.folder)

    def catch_up(
        self,
        sessions: Sequence[TranscriptInfo],
        extract: Callable[[Sequence[MemoryEntry], str, Scopes], Extraction],
    ) -> Iterator[tuple[TranscriptInfo, Extraction]]:
        """Draws facts out of sessions, and notes in their transcripts that it is done; one that is taken up is left out.

        Args:
            sessions: The sessions.
            extract: Draws facts out of entries of a session that was in some scopes.

        Raises:
            PaicliError: The model could not be asked, or its replies not read; the rest stays to be done.
        """
        for info in sessions:
            if not self._claim(info.id):
                continue
            transcript = Transcript(self._archive.folder, info.id)
            try:
                transcript.open()
                extraction = self._extract(info, transcript, extract)
            except SessionRunning:
                continue
            finally:
                transcript.close()
                self._caught_up = ""
            if extraction.reason:
                return
            yield info, extraction

    def _claim(self, session_id: str) -> bool:
        with self._taking:
            if session_id == self._present:
                return False
            self._caught_up = session_id
            return True

    def _extract(
        self,
        info: TranscriptInfo,
        transcript: Transcript,
        extract: Callable[[Sequence[MemoryEntry], str, Scopes], Extraction],
    ) -> Extraction:
        """Draws facts out of what a session left over, each part in the scopes of its folder."""
        done: list[Extraction] = []
        for folder, entries in unextracted_by_folder(read_transcript(info.path)):
            found = extract(entries, info.id, self._scopes_at(folder))
            if found.reason:
                return found
            transcript.append(extracted_record(entries[-1].id, self._clock()))
            done.append(found)
        return joined(done)

    def take_up(self, session_id: str, *, present: str, claim: Callable[[str], None]) -> Resumed:
        """Returns an earlier session as its transcript leaves it.

        Args:
            session_id: Its id, or the beginning of it.
            present: The session that is running here.
            claim: Makes sure, by its whole id, that the session is running nowhere else from now on; raises otherwise.

        Raises:
            UnknownSession: There is none, or it is the present one.
            AmbiguousSession: There are several.
            SessionRunning: It is open in another process, or facts are just being drawn out of it.
            StoreUnavailable: Its transcript can't be read.
        """
        info = self._archive.find(session_id)
        if info.id == present:
            raise UnknownSession(session_id=session_id)
        with self._taking:
            if info.id == self._caught_up or (self._read_only and info.live):
                raise SessionRunning(session=info.id)
            resumed = self._read(info)  # before the claim: what can't be read must not cost the session that runs
            claim(info.id)
            self._present = info.id
        return resumed

    def _read(self, info: TranscriptInfo) -> Resumed:
        loaded = load_transcript(info.path)
        records = loaded.records
        window, waiting = window_of(records)
        return Resumed(
            info,
            window,
            waiting,
            [(_spoken(entries), self._scopes_at(folder)) for folder, entries in unextracted_by_folder(records)],
            block_of(records),
            usages(records),
            loaded.damaged,
            sum(_PLACEHOLDER_START in entry.content for entry in window),
            is_cleared(records),
        )


def unextracted_by_folder(records: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[MemoryEntry]]]:
    """Returns what `unextracted_entries` returns, in parts: the folder the session ran in, and what was said there."""
    waiting = {entry.id: entry for entry in unextracted_entries(records)}
    parts: list[tuple[str, list[MemoryEntry]]] = []
    folder = ""
    for record in of_the_session(records):
        if record.get("kind") in ("session", "resumed"):
            folder = str(record.get("cwd") or "")
        elif record.get("kind") == "message" and (entry := waiting.pop(str(record.get("id")), None)):
            if not parts or parts[-1][0] != folder:
                parts.append((folder, []))
            parts[-1][1].append(entry)
    return parts


def usages(records: Sequence[Mapping[str, Any]]) -> list[tuple[str, Usage]]:
    """Returns the model calls on record: their purpose and size."""
    return [(str(record.get("purpose")), use) for record in records if (use := _usage(record))]


def _usage(record: Mapping[str, Any]) -> Usage | None:
    sent, got, cached = (record.get(key, 0) for key in ("input", "output", "cached"))
    if record.get("kind") != "usage" or not all(isinstance(size, int) for size in (sent, got, cached)):
        return None
    return Usage(sent, got, cached, record.get("estimated") is True)


def _spoken(entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    return [entry for entry in entries if entry.type is MemoryType.CONVERSATION]
