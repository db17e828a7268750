"""Archive: the transcripts of all sessions, newest first; a file is read again only when it has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from paicli.errors import AmbiguousSession, StoreUnavailable, UnknownSession
from paicli.memory.entry import MemoryEntry, parse_time
from paicli.memory.session.past_message import PastMessage, past_messages
from paicli.memory.session.replay import unextracted_entries
from paicli.memory.stores.atomic_file import Stamp, stamp
from paicli.memory.stores.transcript import SUFFIX, as_record, is_running, read_lines, read_transcript

_FIRST_WORDS = 80
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class TranscriptInfo:
    """What a transcript says of itself.

    Args:
        id: The session's id.
        path: The file.
        started: When the session began.
        spoken: When something was said in it the last time.
        messages: How many messages the user wrote: the rounds.
        first_words: The beginning of the first of them.
        project: The scope of the project it ran in last; empty outside of one, or where that was not yet known.
        root: That project's folder; empty outside of one; None where nobody knows.
        folder: The folder it ran in last.
        once: Whether it answered one question, and was not taken up since.
    """

    id: str
    path: Path
    started: datetime
    spoken: datetime
    messages: int
    first_words: str
    project: str
    root: str | None
    folder: str
    once: bool = False

    @property
    def live(self) -> bool:
        """Whether the session is running, in this process or another one."""
        return is_running(self.path)


@dataclass(frozen=True, slots=True)
class _Known:
    """What was read of a file, and the file's stamp then."""

    stamp: Stamp | None
    info: TranscriptInfo | None
    said: Sequence[PastMessage]


class Archive:
    """The transcripts in a folder.

    Args:
        folder: Where they are; it need not exist.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[Path, _Known] = {}

    def sessions(self) -> Iterator[TranscriptInfo]:
        """Yields what the transcripts say of themselves, by when something was said the last time, newest first.

        A file that has not been written to since can hold nothing newer: it is not read before it is its turn.
        """
        waiting: list[TranscriptInfo] = []
        for path, written in self._by_change():
            waiting.sort(key=_newest_last)
            while waiting and waiting[-1].spoken.timestamp() > written:
                yield waiting.pop()
            info = self._read(path).info
            if info:
                waiting.append(info)
        yield from sorted(waiting, key=_newest_last, reverse=True)

    def said(self, info: TranscriptInfo) -> Sequence[PastMessage]:
        """Returns what was said in a session, in order; nothing where its transcript is gone."""
        return self._read(info.path).said

    def find(self, session_id: str) -> TranscriptInfo:
        """Returns the session whose id is this, or begins with it.

        Raises:
            UnknownSession: There is none.
            AmbiguousSession: There are several.
        """
        paths = [path for path in transcript_paths(self.folder) if path.stem.startswith(session_id)]
        exact = [path for path in paths if path.stem == session_id]
        infos = [info for path in exact or paths if (info := self._read(path).info)]
        if not infos or not session_id:
            raise UnknownSession(session_id=session_id)
        if len(infos) > 1:
            ids = ", ".join(info.id for info in infos[:_MOST_NAMED]) + ("…" if len(infos) > _MOST_NAMED else "")
            raise AmbiguousSession(session_id=session_id, count=len(infos), ids=ids)
        return infos[0]

    def _by_change(self) -> list[tuple[Path, float]]:
        changed: list[tuple[Path, float]] = []
        for path in transcript_paths(self.folder):
            with suppress(OSError):
                changed.append((path, path.stat().st_mtime))
        return sorted(changed, key=lambda pair: (pair[1], pair[0].name), reverse=True)

    def _read(self, path: Path) -> _Known:
        now = _stamp_or_none(path)
        known = self._known.get(path)
        if known is None or now is None or known.stamp != now:
            known = self._known[path] = _Known(now, *_content(path))
        return known


def list_transcripts(folder: Path) -> list[TranscriptInfo]:
    """Returns what the transcripts in a folder say of themselves, newest first; none where there is no such folder."""
    return list(Archive(folder).sessions())


def unextracted(folder: Path, limit: int = 20) -> list[TranscriptInfo]:
    """Returns the sessions that ended before facts were drawn out of all the user said; the oldest comes first.

    Args:
        folder: Where the transcripts are.
        limit: How many sessions are looked at, from the newest on.
    """
    waiting: list[TranscriptInfo] = []
    for path in transcript_paths(folder)[:limit]:
        with suppress(StoreUnavailable):  # one that can't be read must not hide the others
            records = read_transcript(path)
            info = _info(path, records)
            if info and any(_is_users(entry) for entry in unextracted_entries(records)) and not info.live:
                waiting.append(info)
    return waiting[::-1]


def transcript_paths(folder: Path) -> list[Path]:
    """Returns the transcripts in a folder, the session that began last first; none where there is no such folder."""
    with suppress(OSError):
        return sorted(folder.glob(f"*{SUFFIX}"), reverse=True)
    return []


def _newest_last(info: TranscriptInfo) -> tuple[datetime, str]:
    return info.spoken, info.id


def _stamp_or_none(path: Path) -> Stamp | None:
    try:
        return stamp(path)
    except OSError:
        return None


def _content(path: Path) -> tuple[TranscriptInfo | None, Sequence[PastMessage]]:
    try:
        records = [record for line in read_lines(path) if (record := as_record(line)) is not None]
    except StoreUnavailable:
        return None, ()
    return _info(path, records), past_messages(records, path.stem)


def _info(path: Path, records: Sequence[Mapping[str, Any]]) -> TranscriptInfo | None:
    """Returns what the records say of their session; None where there are none with a date."""
    own = [record for record in records if not record.get("task")]
    said = [record for record in own if record.get("kind") == "message"]
    started = next((date for record in records if (date := _date(record))), None)
    if started is None:
        return None
    users = [record for record in said if record.get("role") == "user"]
    place: Mapping[str, Any] = {}
    for record in own:
        place = record if record.get("kind") in ("session", "resumed") else place
    root = place.get("root", place.get("cwd"))
    return TranscriptInfo(
        id=path.stem,
        path=path,
        started=started,
        spoken=next((date for record in reversed(said) if (date := _date(record))), started),
        messages=len(users),
        first_words=str(users[0].get("text") or "")[:_FIRST_WORDS] if users else "",
        project=str(place.get("project") or ""),
        root=None if root is None else str(root),
        folder=str(place.get("cwd") or ""),
        once=place.get("once") is True,
    )


def _date(record: Mapping[str, Any]) -> datetime | None:
    try:
        return parse_time(str(record.get("at")))
    except (ValueError, OverflowError):
        return None


def _is_users(entry: MemoryEntry) -> bool:
    return entry.message is not None and entry.message.role == "user"
