from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.message import Message, ToolCall
from paicli.memory.session import record as session
from paicli.memory.session.record import SessionRecord, Whereabouts
from paicli.memory.stores.transcript import Transcript

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
LONG = "\n".join(f"line {number}" for number in range(500))


def said(role: Any, text: str, minutes: int, **values: Any) -> SessionRecord:
    kind = MemoryType.TOOL_RESULT if role == "tool" else MemoryType.CONVERSATION
    message = Message(role, text, **values)
    at = NOON + timedelta(minutes=minutes)
    return session.message_record(MemoryEntry(text, kind, f"m{minutes}", at, message=message))


@pytest.fixture
def sessions(home: Path) -> Path:
    folder = home / "sessions"
    summary = MemoryEntry("[Conversation summary] Goal: piers.", MemoryType.SUMMARY, "s1", NOON)
    records = [
        said("user", "a long question " * 10 + "\x1b[2J", 1),
        said("assistant", "", 2, tool_calls=(ToolCall("c", "read_file", '{"path": "' + "p" * 200 + '"}'),)),
        said("tool", LONG, 3, call_id="c", tool_name="read_file"),
        session.summary_record(summary, ["m1", "m2"]),
        session.undone_record("s1", NOON),
        session.shrunk_record([summary], NOON),
        session.evicted_record(["m1"], NOON),
        session.withdrawn_record(["m1"], NOON),
        session.resumed_record(NOON, Whereabouts("/elsewhere")),
        session.clear_record(NOON),
        {**said("assistant", "of a task", 4), "task": "t1"},
    ]
    for number in range(3):
        session_id = f"20260131-12000{number}-abcd"
        first = session.session_record(session_id, NOON, Whereabouts("/srv/shop", "", "/srv/shop"))
        transcript = Transcript(folder, session_id, first)
        for record in records if number == 0 else [said("user", f"short {number}", number)]:
            transcript.append(record)
        transcript.close()
    return folder


@pytest.mark.usefixtures("sessions")
def test_the_list_has_time_rounds_project_and_first_words(shell: Any) -> None:
    _, out, err = shell("sessions", "list", "--limit", "2")
    assert out.splitlines()[1].endswith("  1  shop  short 2")
    assert "a long question" in out.splitlines()[0]
    assert "\x1b" not in out
    assert "1 earlier not shown" in err
    rows = json.loads(shell("sessions", "list", "--json", "--limit", "1")[1])
    assert [row["first_words"][:15] for row in rows] == ["a long question"]


@pytest.mark.usefixtures("sessions")
def test_a_session_is_shown_with_what_became_of_its_window_and_long_texts_cut(shell: Any) -> None:
    status, out, _ = shell("sessions", "show", "20260131-120000")
    assert status == 0
    for part in (
        "user: a long question",
        "→ read_file path=ppp",
        "read_file: line 0",
        "more; --full shows them",
        "this stands for 2 entries",
        "Goal: piers.",
        "was taken back",
        "1 tool result shortened",
        "1 entry left the window",
        "1 entry withdrawn",
        "taken up again in /elsewhere",
        "── cleared ──",
        "t1 · assistant: of a task",
    ):
        assert part in out
    assert "line 499" not in out
    assert "\x1b" not in out
    assert "line 499" in shell("sessions", "show", "20260131-120000", "--full")[1]
    assert shell("sessions", "show", "20260131-120000", "--limit", "1")[1] == "t1 · assistant: of a task\n"


def test_a_damaged_transcript_shows_what_is_intact(shell: Any, sessions: Path) -> None:
    with (sessions / "20260131-120001-abcd.jsonl").open("ab") as file:
        file.write(b"{broken\n")
    _, out, err = shell("sessions", "show", "20260131-120001-abcd")
    assert "user: short 1" in out
    assert "1 line of the transcript can't be read" in err


@pytest.mark.usefixtures("sessions")
def test_an_id_that_fits_none_or_several_is_an_error(shell: Any) -> None:
    status, out, err = shell("sessions", "show", "1999")
    assert (status, out, "paicli sessions list" in err) == (1, "", True)
    status, _, err = shell("sessions", "show", "20260131")
    assert (status, "fits 3 sessions" in err) == (1, True)
