from __future__ import annotations

from datetime import UTC, datetime

import pytest

from paicli.memory.entry import FactKind, MemoryEntry, MemoryType, Provenance
from paicli.memory.long_term import LongTermMemory
from paicli.memory.stores.in_memory import InMemoryStore

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def fact(entry_id: str, text: str, *, kind: FactKind | None = None, message: str = "") -> MemoryEntry:
    source = Provenance("s", message, text) if message else None
    return MemoryEntry(text, MemoryType.FACT, entry_id, NOON, kind=kind, source=source)


@pytest.fixture
def memory() -> LongTermMemory:
    """A memory of two stored facts and two that end with the process."""
    memory = LongTermMemory(InMemoryStore(), clock=lambda: NOON)
    memory.store(fact("stored-1", "缓存用 Redis，端口 6379", message="m1"))
    memory.store(fact("stored-2", "喜欢短回答", kind=FactKind.PREFERENCE))
    memory.keep_for_session(fact("session-1", "消息队列用 Kafka，端口 9092", message="m1"))
    memory.keep_for_session(fact("session-2", "以后都用空格缩进", kind=FactKind.RULE))
    return memory


def test_what_ends_with_the_process_is_found_beside_what_is_stored(memory: LongTermMemory) -> None:
    assert {entry.id for entry in memory.search("端口")} == {"stored-1", "session-1"}
    assert [entry.id for entry in memory.search("Kafka 端口", 1)] == ["session-1"]
    assert memory.get("session-2") is not None
    assert memory.find("session-1").id == "session-1"
    assert len(memory) == memory.count(("user",)) == 4


def test_ids_are_looked_up_in_both(memory: LongTermMemory) -> None:
    assert [entry.id for entry in memory.starting_with("s", 9)] == ["session-1", "session-2", "stored-1", "stored-2"]
    assert [entry.id for entry in memory.starting_with("stored", 1)] == ["stored-1"]
    assert memory.starting_with("", 9) == []


def test_the_facts_of_a_message_are_looked_up_in_both(memory: LongTermMemory) -> None:
    assert [entry.id for entry in memory.said_in("m1")] == ["stored-1", "session-1"]


def test_standing_facts_of_both_are_in_one_order(memory: LongTermMemory) -> None:
    assert [entry.id for entry in memory.standing(None, 9)] == ["session-2", "stored-2"]
    assert [entry.id for entry in memory.standing(("user",), 1)] == ["session-2"]
    assert memory.standing((), 9) == []
