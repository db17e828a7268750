from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from paicli.errors import AmbiguousSession, UnknownSession
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.message import Message
from paicli.memory.session import record as session
from paicli.memory.session.record import SessionRecord, Whereabouts
from paicli.memory.stores import archive as module
from paicli.memory.stores.archive import Archive, list_transcripts
from paicli.memory.stores.transcript import Transcript

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def said(text: str, days: int = 0) -> SessionRecord:
    at = NOON + timedelta(days=days)
    return session.message_record(
        MemoryEntry(text, MemoryType.CONVERSATION, timestamp=at, message=Message("user", text))
    )


def write(folder: Path, session_id: str, *records: SessionRecord, changed: datetime | None = None) -> Path:
    first = session.session_record(session_id, NOON, Whereabouts("/x", "project:a", "/x", "1"))
    transcript = Transcript(folder, session_id, first)
    for record in records:
        transcript.append(record)
    transcript.close()
    if changed:
        os.utime(transcript.path, (changed.timestamp(), changed.timestamp()))
    return transcript.path


def test_the_session_in_which_something_was_said_last_comes_first(tmp_path: Path) -> None:
    write(tmp_path, "1", said("one", 5), changed=NOON + timedelta(days=5))
    write(tmp_path, "2", said("two", 1), changed=NOON + timedelta(days=9))
    write(tmp_path, "3", said("three", 3), changed=NOON + timedelta(days=3))
    assert [info.id for info in list_transcripts(tmp_path)] == ["1", "3", "2"]


def test_only_as_many_files_are_read_as_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        write(tmp_path, f"{number:02}", said("x", number), changed=NOON + timedelta(days=number))
    read: list[Path] = []
    lines = module.read_lines
    monkeypatch.setattr(module, "read_lines", lambda path: read.append(path) or lines(path))  # type: ignore[func-returns-value]
    archive = Archive(tmp_path)
    sessions = archive.sessions()
    assert [next(sessions).id, next(sessions).id] == ["19", "18"]
    assert len(read) == 2
    list(archive.sessions())
    list(archive.sessions())
    assert len(read) == 20
    write(tmp_path, "05", said("more"))
    list(archive.sessions())
    assert len(read) == 21


def test_a_session_says_where_it_ran_last_and_how_it_begins(tmp_path: Path) -> None:
    write(tmp_path, "1", said("first words"), session.resumed_record(NOON, Whereabouts("/y")), said("more", 2))
    (info,) = list_transcripts(tmp_path)
    assert (info.first_words, info.messages, info.folder, info.root, info.project) == ("first words", 2, "/y", "", "")
    assert info.spoken == NOON + timedelta(days=2)
    assert not info.live


def test_a_session_is_found_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    for session_id in ("20260131-1", "20260131-12", "20260201-1"):
        write(tmp_path, session_id, said("x"))
    archive = Archive(tmp_path)
    assert archive.find("202602").id == "20260201-1"
    assert archive.find("20260131-1").id == "20260131-1"
    with pytest.raises(AmbiguousSession) as several:
        archive.find("202601")
    assert several.value.values["count"] == 2
    for unknown in ("1999", "", "../x"):
        with pytest.raises(UnknownSession):
            archive.find(unknown)


def test_a_file_that_is_gone_or_damaged_holds_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "1", said("x"))
    archive = Archive(tmp_path)
    (info,) = archive.sessions()
    assert [message.text for message in archive.said(info)] == ["x"]
    path.unlink()
    assert archive.said(info) == ()
    path.write_bytes(b"\xff\n[]\n")
    assert list(archive.sessions()) == []


def test_a_date_that_is_none_costs_nothing_but_itself(tmp_path: Path) -> None:
    broken: dict[str, Any] = {**said("y"), "at": "someday"}
    write(tmp_path, "1", said("x"), broken)
    (info,) = list_transcripts(tmp_path)
    assert (info.messages, info.spoken) == (2, NOON)
