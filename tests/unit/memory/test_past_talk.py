from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from paicli.errors import AmbiguousEntry, UnknownEntry
from paicli.memory.conversation import ConversationMemory
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.long_term import LongTermMemory
from paicli.memory.message import Message
from paicli.memory.past_talk import PastTalk
from paicli.memory.scope import Scopes
from paicli.memory.session import record as session
from paicli.memory.session.record import Whereabouts
from paicli.memory.stores.archive import Archive
from paicli.memory.stores.in_memory import InMemoryStore
from paicli.memory.stores.transcript import Transcript

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
HERE = Whereabouts("/shop/src", "", "/shop")


def said(text: str, entry_id: str, minutes: int = 0, role: Any = "user") -> MemoryEntry:
    at = NOON + timedelta(minutes=minutes)
    kind = MemoryType.TOOL_RESULT if role == "tool" else MemoryType.CONVERSATION
    return MemoryEntry(text, kind, entry_id, at, message=Message(role, text))


class Past:
    """Sessions in a folder, and a search over them from within `/shop`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.history = ConversationMemory(10_000)
        self.long_term = LongTermMemory(InMemoryStore())

    def session(self, session_id: str, where: Whereabouts, *entries: MemoryEntry, whole: str | None = None) -> None:
        transcript = Transcript(self.folder, session_id, session.session_record(session_id, NOON, where))
        for entry in entries:
            transcript.append(session.message_record(entry, text=whole))
        transcript.close()

    def talk(self, scopes: Scopes | None = None) -> PastTalk:
        return PastTalk(
            Archive(self.folder),
            self.long_term,
            history=self.history,
            session="now",
            scopes=scopes or Scopes("", "shop", str),
            here=HERE,
        )

    def texts(self, query: str, **options: Any) -> list[str]:
        return [hit.message.text for hit in self.talk().search(query, **options).hits]


@pytest.fixture
def past(tmp_path: Path) -> Past:
    return Past(tmp_path / "sessions")


def test_sessions_of_this_project_and_of_none_are_searched_and_others_only_when_asked_for(past: Past) -> None:
    past.session("1", HERE, said("the port is 1", "m1"))
    past.session("2", Whereabouts("/bank", "project:b", "/bank"), said("the port is 2", "m2"))
    past.session("3", Whereabouts("/home/me"), said("the port is 3", "m3"))
    past.session("4", Whereabouts("/moved", "project:a", "/moved"), said("the port is 4", "m4"))
    assert set(past.texts("port")) == {"the port is 1", "the port is 3"}
    assert len(past.texts("port", everywhere=True)) == 4
    talk = past.talk(Scopes("a", "shop"))
    assert "the port is 4" in [hit.message.text for hit in talk.search("port").hits]
    with pytest.raises(UnknownEntry):
        past.talk().message("m2")
    assert past.talk().message("m2", everywhere=True).text == "the port is 2"
    assert [info.id for info in past.talk().sessions()] == ["3", "1"]


def test_what_stands_in_the_window_is_not_found_but_what_stands_there_in_part(past: Past) -> None:
    visible, cut, gone = said("port 1", "m1"), said("port 2 …", "m2", role="tool"), said("port 3", "m3")
    past.session("now", HERE, visible, gone)
    transcript = Transcript(past.folder, "now")
    transcript.append(session.message_record(cut, text="port 2 and all the rest"))
    transcript.close()
    past.history.restore([visible, cut])
    assert set(past.texts("port")) == {"port 2 and all the rest", "port 3"}
    assert past.talk().message("m1").text == "port 1"


def test_a_secret_in_the_window_does_not_make_a_message_past(past: Past) -> None:
    entry = said("the password = hunter2secret", "m1")
    past.session("now", HERE, entry)
    past.history.restore([entry])
    assert past.texts("password") == []


def test_facts_come_along(past: Past) -> None:
    past.long_term.store(MemoryEntry("The staging port is 8443", MemoryType.FACT, "fact234567"))
    past.long_term.store(MemoryEntry("staging elsewhere", MemoryType.FACT, scope="project:b"))
    found = past.talk().search("staging")
    assert [fact.content for fact in found.facts] == ["The staging port is 8443"]
    assert len(past.talk().search("staging", everywhere=True).facts) == 2
    assert past.talk().message("fact2345").text == "The staging port is 8443"


def test_an_entry_is_found_by_the_beginning_of_its_id(past: Past) -> None:
    past.session("1", HERE, said("a", "abcdefgh22"), said("b", "abcdefgh33", 1), said("c", "abcd", 2))
    assert past.talk().message("ABCDEFGH2").text == "a"
    assert past.talk().message("abcd").text == "c"
    with pytest.raises(AmbiguousEntry):
        past.talk().message("abcdefgh")
    for unknown in ("zzzz", "abc", ""):
        with pytest.raises(UnknownEntry):
            past.talk().message(unknown)


def test_a_search_ends_when_there_is_enough(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        past.session(f"{number:02}", HERE, said(f"port {number}", f"m{number}", number))
    looked: list[str] = []
    look = Archive.said
    monkeypatch.setattr(Archive, "said", lambda self, info: looked.append(info.id) or look(self, info))  # type: ignore[func-returns-value]
    assert past.texts("port", limit=2) == ["port 29", "port 28"]
    assert len(looked) == 8
    assert past.texts("", limit=2) == []


def test_what_a_summary_lost_is_found_among_hundreds_of_sessions(past: Past) -> None:
    keys = {f"key-{number:03}": f"VALUE{number * 7919}X" for number in range(84)}
    for start in range(0, 84, 4):
        entries = [
            said(f"{key} is {value}; " + "and more talk of other things. " * 20, f"m{key}", number)
            for number, (key, value) in enumerate(list(keys.items())[start : start + 4], start)
        ]
        past.session(f"s{start:03}", HERE, *entries)
    assert all(value in past.texts(f"{key}", limit=1)[0] for key, value in keys.items())
