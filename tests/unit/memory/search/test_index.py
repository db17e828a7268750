"""The index takes entries one by one and stays in step with a collection."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from paicli.memory import InMemoryStore, LongTermMemory, MemoryEntry, MemoryType
from paicli.memory.search.index import EntryIndex
from paicli.memory.search.scoring import Wanted, best

NOW = datetime(2026, 3, 1, tzinfo=UTC)
WORDS = ["maven", "gradle", "端口", "数据库", "port?"]


def entry(number: int, text: str) -> MemoryEntry:
    kind = MemoryType.CONVERSATION if number % 2 else MemoryType.FACT
    return MemoryEntry(text, kind, f"e{number}", NOW - timedelta(hours=number))


def found(index: EntryIndex, query: str) -> list[tuple[str, float]]:
    return [(one.entry.id, one.score) for one in best(index, query, NOW, Wanted(50, floor=0.0))]


@given(st.lists(st.tuples(st.integers(0, 9), st.lists(st.sampled_from(WORDS), max_size=3)), max_size=30))
def test_after_any_changes_it_finds_what_a_new_one_finds(changes: list[tuple[int, list[str]]]) -> None:
    index, there = EntryIndex(), dict[str, MemoryEntry]()
    for number, words in changes:
        there.pop(f"e{number}", None)
        if words:
            there[f"e{number}"] = entry(number, " ".join(words))
        index.follow(list(there.values()))
        assert len(index) == len(there)
    for word in WORDS:
        assert found(index, word) == found(EntryIndex(there.values()), word)


def test_an_entry_of_the_same_id_takes_the_place_of_the_other() -> None:
    index = EntryIndex([entry(0, "用 Maven")])
    index.add(entry(0, "用 Gradle"))
    assert found(index, "maven") == []
    assert [one for one, _ in found(index, "gradle")] == ["e0"]
    index.discard("e0")
    index.discard("e0")
    assert found(index, "gradle") == []
    assert "e0" not in index


def test_a_search_sees_what_was_added_changed_and_forgotten_since_the_last() -> None:
    memory = LongTermMemory(InMemoryStore())
    assert memory.search("maven") == []
    kept = memory.store(MemoryEntry("用 Maven", MemoryType.FACT))
    assert memory.search("maven") == [kept]
    changed = memory.replace(replace(kept, content="用 Gradle"))
    assert memory.search("maven") == []
    assert memory.search("gradle") == [changed]
    memory.forget(kept.id)
    assert memory.search("gradle") == []
