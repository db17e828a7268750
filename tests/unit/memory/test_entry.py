"""MemoryEntry and its row in a file."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from paicli.memory import MemoryEntry, MemoryType
from paicli.memory.entry import FactKind, Origin, Provenance, format_time, from_row, parse_time, to_row
from paicli.memory.message import Message, ToolCall

MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_an_entry_needs_no_more_than_its_content_and_type() -> None:
    entry = MemoryEntry("用户偏好 JDK 17", MemoryType.FACT)
    assert entry.id
    assert entry.timestamp.tzinfo is UTC
    assert entry.metadata == {}
    assert entry.token_count == 5


def test_the_four_types_are_the_articles() -> None:
    assert [kind.value for kind in MemoryType] == ["CONVERSATION", "FACT", "SUMMARY", "TOOL_RESULT"]


def test_an_entry_can_not_be_changed() -> None:
    entry = MemoryEntry("x", MemoryType.FACT)
    with pytest.raises(FrozenInstanceError):
        entry.content = "y"  # type: ignore[misc]


def test_ids_differ() -> None:
    assert len({MemoryEntry("x", MemoryType.FACT).id for _ in range(2_000)}) == 2_000


def test_a_token_count_that_is_given_is_kept() -> None:
    assert MemoryEntry("x", MemoryType.FACT, token_count=7).token_count == 7


def test_the_size_of_a_message_includes_its_calls() -> None:
    message = Message("assistant", "", tool_calls=(ToolCall("1", "read_file", '{"path": "a.txt"}'),))
    assert MemoryEntry("", MemoryType.CONVERSATION, message=message).token_count == 7


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="None"):
        MemoryEntry(None, MemoryType.FACT)  # type: ignore[arg-type]


@pytest.mark.parametrize("metadata", [{"a": 1}, {"a": None}, {3: "x"}, {"a": ["x"]}])
def test_metadata_that_are_no_texts_are_refused_by_key_and_value(metadata: dict[Any, Any]) -> None:
    ((key, value),) = metadata.items()
    with pytest.raises(TypeError, match=re.escape(f"{key!r}: {value!r}")):
        MemoryEntry("x", MemoryType.FACT, metadata=metadata)
    with pytest.raises(TypeError, match="mapping"):
        MemoryEntry("x", MemoryType.FACT, metadata="ab")  # type: ignore[arg-type]


def test_metadata_can_not_be_changed_behind_the_stores_back() -> None:
    given = {"source": "user"}
    entry = MemoryEntry("x", MemoryType.FACT, metadata=given, extra={"later": [1]})
    given["source"] = "tool"
    metadata: Any = entry.metadata
    changes: list[Callable[[], object]] = [
        lambda: metadata.update(a="b"),
        lambda: metadata.setdefault("a", "b"),
        lambda: metadata.pop("source"),
        metadata.popitem,
        metadata.clear,
        lambda: metadata.__setitem__("source", "b"),
        lambda: metadata.__delitem__("source"),
        lambda: metadata.__ior__({"a": "b"}),
    ]
    for change in changes:
        with pytest.raises(TypeError, match="replace"):
            change()
    assert entry.metadata == {"source": "user"}
    assert entry.metadata | {"a": "b"} == {"source": "user", "a": "b"}
    for again in (copy.deepcopy(entry), pickle.loads(pickle.dumps(entry)), replace(entry)):
        assert again == entry
    assert json.dumps(entry.metadata) == '{"source": "user"}'
    assert asdict(entry)["metadata"] == {"source": "user"}


def test_a_changed_copy_keeps_id_and_first_date_and_counts_anew() -> None:
    entry = MemoryEntry("short", MemoryType.FACT, timestamp=MOMENT)
    changed = entry.with_content("a good deal longer than before", at=MOMENT + timedelta(days=1))
    assert (changed.id, changed.timestamp) == (entry.id, MOMENT)
    assert changed.updated == MOMENT + timedelta(days=1)
    assert changed.token_count > entry.token_count


def test_an_entry_is_current_until_it_expires() -> None:
    entry = MemoryEntry("x", MemoryType.FACT, expires=MOMENT)
    assert entry.is_current(MOMENT - timedelta(seconds=1))
    assert not entry.is_current(MOMENT)


def test_a_row_and_back_gives_the_same_entry() -> None:
    entry = MemoryEntry(
        "用 pnpm 🧩",
        MemoryType.FACT,
        timestamp=MOMENT,
        metadata={"source": "user"},
        scope="project:abc",
        origin=Origin.USER,
        kind=FactKind.PROJECT,
        updated=MOMENT + timedelta(hours=1),
        pinned=True,
        expires=MOMENT + timedelta(days=9),
        source=Provenance("s1", "m1", "我们用 pnpm"),
        extra={"later": [1, 2]},
    )
    assert from_row(json.loads(json.dumps(to_row(entry)))) == entry


def test_a_row_has_the_originals_keys_and_the_time_in_utc_with_z() -> None:
    row = to_row(MemoryEntry("x", MemoryType.FACT, timestamp=MOMENT))
    assert {"id", "content", "type", "timestamp", "metadata", "tokenCount"} <= row.keys()
    assert row["timestamp"] == "2026-03-01T12:00:00Z"


def test_a_row_of_the_original_is_an_entry_of_the_users_scope() -> None:
    row = {
        "id": "fact-1",
        "content": "用户偏好 JDK 17",
        "type": "FACT",
        "timestamp": "2026-01-01T00:00:00Z",
        "tokenCount": 6,
    }
    entry = from_row(row)
    assert (entry.id, entry.scope, entry.origin, entry.metadata) == ("fact-1", "user", None, {})


@pytest.mark.parametrize("content", [None, 7, "", "  ", ["x"]])
def test_a_row_without_a_text_is_refused(content: object) -> None:
    with pytest.raises(ValueError, match="content"):
        from_row({"id": "1", "content": content, "type": "FACT"})


def test_a_row_of_an_unknown_type_is_refused() -> None:
    with pytest.raises(ValueError, match="DREAM"):
        from_row({"content": "x", "type": "DREAM"})


@pytest.mark.parametrize("date", [None, "", "yesterday", 17, "2026-13-45T00:00:00Z", {}])
def test_a_date_that_can_not_be_read_is_long_ago_and_never_now(date: object) -> None:
    assert from_row({"content": "x", "type": "FACT", "timestamp": date}).timestamp == datetime(1970, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "row",
    [
        {"metadata": [1]},
        {"metadata": {"a": 1}},
        {"tokenCount": "many"},
        {"tokenCount": True},
        {"pinned": "yes"},
        {"origin": "moon"},
        {"kind": 3},
        {"source": "x"},
        {"expires": "soon"},
    ],
)
def test_odd_values_of_other_keys_cost_nothing(row: dict[str, object]) -> None:
    entry = from_row({"content": "x", "type": "FACT"} | row)
    assert (entry.content, entry.token_count, entry.pinned) == ("x", 1, False)


def test_the_same_moment_in_three_notations_is_one_moment() -> None:
    notations = ["2026-03-01T12:00:00Z", "2026-03-01T20:00:00+08:00", "2026-03-01T12:00:00+00:00"]
    assert {parse_time(text) for text in notations} == {MOMENT}
    assert format_time(MOMENT.astimezone(timezone(timedelta(hours=8)))) == "2026-03-01T12:00:00Z"
