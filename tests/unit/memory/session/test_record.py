from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.message import Message, ToolCall, Usage
from paicli.memory.session import record as session
from paicli.memory.session.replay import block_of, is_cleared, is_sound, unextracted_entries, window_of

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def said(role: Any, text: str, number: int, **values: Any) -> MemoryEntry:
    kind = MemoryType.TOOL_RESULT if role == "tool" else MemoryType.CONVERSATION
    message = Message(role, text, **values)
    return MemoryEntry(text, kind, f"m{number}", NOON + timedelta(seconds=number), {"source": role}, message=message)


USER = said("user", "读 a.txt {}", 1)
CALL = said("assistant", "", 2, tool_calls=(ToolCall("c1", "read_file", '{"path": "a.txt"}'),), thinking="hm")
RESULT = said("tool", "内容", 3, call_id="c1", tool_name="read_file")
ANSWER = said("assistant", "好", 4)
TALK = [USER, CALL, RESULT, ANSWER]


def stored(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(record)) for record in records]


def messages() -> list[dict[str, Any]]:
    return [session.message_record(entry) for entry in TALK]


@pytest.mark.parametrize("entry", TALK, ids=lambda entry: entry.message.role)
def test_a_message_comes_back_as_it_stood_in_the_window(entry: MemoryEntry) -> None:
    (record,) = stored([session.message_record(entry)])
    assert session.entry_from_record(record) == entry


def test_a_bare_entry_comes_back_without_a_message() -> None:
    bare = MemoryEntry("plain", MemoryType.CONVERSATION)
    assert session.entry_from_record(session.message_record(bare)) == bare


def test_a_record_has_the_whole_text_and_the_window_gets_the_shortened_one() -> None:
    record = session.message_record(RESULT, text="内容，很长很长")
    assert record["text"] == "内容，很长很长"
    assert session.entry_from_record(record) == RESULT


def test_the_window_is_built_again_with_its_compression_and_eviction() -> None:
    summary = MemoryEntry("[历史对话摘要] …", MemoryType.SUMMARY, "s1", NOON)
    later = said("user", "然后", 5)
    records = [
        *messages(),
        session.evicted_record(["m1"], NOON),
        session.summary_record(summary, ["m1", "m2", "m3"]),
        session.message_record(later),
    ]
    assert window_of(stored(records)) == ([summary, ANSWER, later], [])


def test_what_was_evicted_waits() -> None:
    window, waiting = window_of([*messages(), session.evicted_record(["m1", "unknown"], NOON)])
    assert (window, waiting) == ([CALL, RESULT, ANSWER], [USER])


def test_a_compression_that_was_taken_back_leaves_what_came_since() -> None:
    summary = MemoryEntry("[历史对话摘要] …", MemoryType.SUMMARY, "s1", NOON)
    later = said("user", "然后", 5)
    records = [
        *messages(),
        session.evicted_record(["m1"], NOON),
        session.summary_record(summary, ["m1", "m2", "m3"]),
        session.message_record(later),
        session.undone_record("s1", NOON),
        session.undone_record("s1", NOON),
    ]
    assert window_of(stored(records)) == ([CALL, RESULT, ANSWER, later], [USER])


def test_a_shrunk_result_comes_back_as_the_window_showed_it() -> None:
    short = replace(RESULT, content="内 …", message=replace(RESULT.message, text="内 …"), metadata={"shrunk": "2"})
    records = [*messages(), session.shrunk_record([short], NOON)]
    window, _ = window_of(stored(records))
    assert window == [USER, CALL, replace(short, token_count=-1), ANSWER]


def test_a_window_can_be_said_whole() -> None:
    records = [
        *messages(),
        session.evicted_record(["m1", "m2"], NOON),
        session.window_record(["m2", "m4"], ["m1"], NOON),
    ]
    assert window_of(stored(records)) == ([CALL, ANSWER], [USER])


def test_a_withdrawn_message_is_not_in_the_window() -> None:
    window, waiting = window_of([*messages(), session.withdrawn_record(["m4", "unknown"], NOON)])
    assert (window, waiting) == ([USER, CALL, RESULT], [])


def test_a_cleared_window_is_empty() -> None:
    records = [*messages(), session.evicted_record(["m1"], NOON), session.clear_record(NOON)]
    assert window_of(records) == ([], [])


def test_entries_after_the_last_extraction_are_not_extracted() -> None:
    assert unextracted_entries(messages()) == TALK
    assert unextracted_entries([*messages(), session.extracted_record("m2", NOON)]) == [RESULT, ANSWER]
    assert unextracted_entries([*messages(), session.extracted_record("unknown", NOON)]) == []


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "usage"},
        {"kind": "message"},
        {"kind": "message", "id": "a", "type": "NONE", "text": "x", "at": "2026-01-01"},
        {"kind": "message", "id": "a", "type": "FACT", "text": "x", "at": "no date"},
        {"kind": "message", "id": "a", "type": "FACT", "text": "x", "at": None},
        {"kind": "message", "id": "a", "type": "FACT", "text": "x", "at": "2026-01-01", "metadata": [1]},
        {
            "kind": "message",
            "id": "a",
            "type": "FACT",
            "text": "x",
            "at": "2026-01-01",
            "role": "user",
            "tool_calls": [1],
        },
    ],
)
def test_a_record_that_is_no_entry_is_an_error(record: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        session.entry_from_record(record)


def test_every_record_has_version_kind_and_date() -> None:
    records = [
        session.session_record("s", NOON, session.Whereabouts("/x", "project:a", "/x", "0.1")),
        session.usage_record("chat", Usage(10, 2, estimated=True), NOON),
        session.clear_record(NOON),
    ]
    assert [(record["v"], record["at"]) for record in records] == [(1, "2026-01-31T12:00:00Z")] * 3
    assert records[1] | {"input": 10, "output": 2, "estimated": True, "purpose": "chat"} == records[1]


def test_session_ids_sort_by_time_and_differ() -> None:
    first, second = session.new_session_id(NOON), session.new_session_id(NOON + timedelta(seconds=1))
    assert first < second
    assert len({session.new_session_id(NOON) for _ in range(50)}) > 45


WRONG = [
    {"kind": "evicted", "ids": 7},
    {"kind": "withdrawn", "ids": [["m1"]]},
    {"kind": "shrunk", "ids": 5, "texts": 3},
    {"kind": "shrunk", "ids": ["m1"], "texts": ["x"], "metadata": [4]},
    {"kind": "block", "text": 5, "marks": 7},
    {"kind": "window", "ids": 3},
    {"kind": "summary", "id": "s", "text": "t", "at": "2026-01-31T12:00:00Z", "replaces": 4},
    {"kind": "message", "id": "m9", "type": "conversation", "text": "t", "at": 5},
    {"kind": "message", "id": "m9", "type": "conversation", "text": "t", "at": "0001-01-01T00:00:00+23:00"},
    {"kind": "undone", "summary": ["s"]},
    {"kind": "extracted", "up_to": 7},
    {"kind": "usage", "input": "many"},
]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_record_that_can_not_be_replayed_is_left_out(wrong: session.SessionRecord) -> None:
    records = [*messages(), session.block_record({"text": "facts"}, NOON), wrong]
    assert not is_sound(wrong)
    assert window_of(records) == (TALK, [])
    assert unextracted_entries(records) == TALK
    assert block_of(records)["text"] == "facts"


def test_a_session_is_cleared_until_something_is_said_again() -> None:
    cleared = [*messages(), session.clear_record(NOON), session.extracted_record("", NOON)]
    assert [is_cleared(records) for records in (messages(), cleared, [*cleared, *messages()])] == [False, True, False]
