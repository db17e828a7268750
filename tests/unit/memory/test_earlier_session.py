from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from paicli.errors import SessionRunning, StoreUnavailable, UnknownSession
from paicli.memory.earlier_session import EarlierSessions
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.message import Message, Usage
from paicli.memory.report import Extraction
from paicli.memory.scope import Scopes
from paicli.memory.session import record as session
from paicli.memory.session.record import SessionRecord, Whereabouts
from paicli.memory.stores.archive import Archive
from paicli.memory.stores.transcript import Transcript

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def said(text: str, entry_id: str, minutes: int = 0) -> SessionRecord:
    at = NOON + timedelta(minutes=minutes)
    return session.message_record(
        MemoryEntry(text, MemoryType.CONVERSATION, entry_id, at, message=Message("user", text))
    )


def write(folder: Path, session_id: str, *records: SessionRecord) -> Path:
    transcript = Transcript(folder, session_id)
    for record in records:
        transcript.append(record)
    transcript.close()
    return transcript.path


def earlier(folder: Path, *, read_only: bool = False) -> EarlierSessions:
    return EarlierSessions(Archive(folder), lambda place: Scopes(name=place), lambda: NOON, read_only=read_only)


class Extractor:
    """Draws nothing out, and notes what it was given; with a reason it says that it can't."""

    def __init__(self, reason: str = "") -> None:
        self.given: list[tuple[list[str], str, str]] = []
        self._reason = reason

    def __call__(self, entries: Sequence[MemoryEntry], session_id: str, scopes: Scopes) -> Extraction:
        self.given.append(([entry.content for entry in entries], session_id, scopes.name))
        return Extraction(rejected=1, reason=self._reason)


MOVED = [
    session.session_record("1", NOON, Whereabouts("/a", "", "/a")),
    said("in a", "m1"),
    session.resumed_record(NOON, Whereabouts("/b", "", "/b")),
    said("in b", "m2", 1),
]


def test_what_is_left_over_is_extracted_in_the_scopes_of_its_folder_once(tmp_path: Path) -> None:
    write(tmp_path, "1", *MOVED)
    sessions, extract = earlier(tmp_path), Extractor()
    ((info, extraction),) = sessions.catch_up(sessions.left_over(), extract)
    assert extract.given == [(["in a"], "1", "/a"), (["in b"], "1", "/b")]
    assert (info.id, extraction.rejected) == ("1", 2)
    assert sessions.left_over() == []


def test_what_can_not_be_extracted_stays(tmp_path: Path) -> None:
    write(tmp_path, "1", *MOVED)
    sessions = earlier(tmp_path)
    assert list(sessions.catch_up(sessions.left_over(), Extractor("no-model"))) == []
    assert [info.id for info in sessions.left_over()] == ["1"]


def test_a_session_that_runs_elsewhere_or_was_taken_up_is_not_extracted(tmp_path: Path) -> None:
    write(tmp_path, "1", *MOVED)
    write(tmp_path, "2", *MOVED)
    sessions, extract = earlier(tmp_path), Extractor()
    waiting = sessions.left_over()
    running = Transcript(tmp_path, "1")
    running.open()
    sessions.take_up("2", present="", claim=lambda _: None)
    assert list(sessions.catch_up(waiting, extract)) == []
    assert extract.given == []
    running.close()


def test_a_session_can_not_be_taken_up_while_facts_are_drawn_out_of_it(tmp_path: Path) -> None:
    write(tmp_path, "1", *MOVED)
    sessions = earlier(tmp_path)

    def extract(*_: object) -> Extraction:
        with pytest.raises(SessionRunning):
            sessions.take_up("1", present="", claim=lambda _: None)
        return Extraction()

    assert len(list(sessions.catch_up(sessions.left_over(), extract))) == 1
    assert sessions.take_up("1", present="", claim=lambda _: None).pending == []


def test_a_session_comes_back_with_all_that_its_records_say(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "1",
        *MOVED[:2],
        session.extracted_record("m1", NOON),
        session.evicted_record(["m1"], NOON),
        session.usage_record("chat", Usage(10, 2, 1, estimated=True), NOON),
        session.block_record({"text": "## facts", "marks": ["a:1"], "after": "", "first": "m1"}, NOON),
        *MOVED[2:],
        said("password = hunter2secret", "m3", 2),
    )
    with path.open("ab") as file:
        file.write(b'{"kind": "message"}\nhalf a li')
    claimed: list[str] = []
    resumed = earlier(tmp_path).take_up("1", present="now", claim=claimed.append)
    assert claimed == ["1"]
    assert [entry.id for entry in resumed.window] == ["m2", "m3"]
    assert [entry.id for entry in resumed.waiting] == ["m1"]
    assert [([entry.id for entry in entries], scopes.name) for entries, scopes in resumed.pending] == [
        (["m2", "m3"], "/b")
    ]
    assert resumed.block["text"] == "## facts"
    assert resumed.usage == [("chat", Usage(10, 2, 1, estimated=True))]
    assert (resumed.damaged, resumed.placeholders) == (2, 1)


def test_the_present_session_can_not_be_taken_up_and_one_that_is_refused_stays_what_it_was(tmp_path: Path) -> None:
    write(tmp_path, "1", *MOVED)
    sessions = earlier(tmp_path)
    with pytest.raises(UnknownSession):
        sessions.take_up("1", present="1", claim=lambda _: None)

    def refuse(session_id: str) -> None:
        raise SessionRunning(session=session_id)

    with pytest.raises(SessionRunning):
        sessions.take_up("1", present="", claim=refuse)
    assert len(list(sessions.catch_up(sessions.left_over(), Extractor()))) == 1


def test_read_only_leaves_everything_to_others(tmp_path: Path) -> None:
    write(tmp_path, "1", *MOVED)
    assert earlier(tmp_path, read_only=True).left_over() == []


def test_what_can_not_be_replayed_is_left_out_and_counted(tmp_path: Path) -> None:
    path = write(tmp_path, "1", *MOVED)
    with path.open("ab") as file:
        file.write(b'{"kind": "evicted", "ids": 7}\n{"kind": "window", "ids": 3}\n{"kind": "usage", "input": []}\n')
    resumed = earlier(tmp_path).take_up("1", present="now", claim=lambda _: None)
    assert [entry.id for entry in resumed.window] == ["m1", "m2"]
    assert (resumed.usage, resumed.damaged) == ([], 3)


def test_a_transcript_that_can_not_be_read_is_not_claimed(tmp_path: Path) -> None:
    path = write(tmp_path, "1", *MOVED)
    sessions = earlier(tmp_path)
    claimed: list[str] = []
    assert sessions._archive.find("1").id == "1"
    sessions._scopes_at = _refuse
    with pytest.raises(StoreUnavailable):
        sessions.take_up("1", present="now", claim=claimed.append)
    assert (claimed, path.exists()) == ([], True)


def _refuse(folder: str) -> Scopes:
    raise StoreUnavailable(place=folder, reason="it is damaged")
