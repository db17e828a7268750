from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from paicli.memory.collection import EntryCollection
from paicli.memory.entry import FactKind, MemoryEntry, MemoryType, Provenance
from paicli.memory.facts.standing import standing_first
from paicli.memory.search.scoring import Wanted, best

NOW = datetime(2026, 12, 1, tzinfo=UTC)


class Shelf:
    """Entries that change, as those of a store that another process writes to."""

    def __init__(self, *entries: MemoryEntry) -> None:
        self.entries = entries
        self.found = EntryCollection(lambda: self.entries)

    def ask(self, query: str) -> list[str]:
        with self.found.index() as index:
            return [one.entry.id for one in best(index, query, NOW, Wanted(10, floor=0.0))]


def fact(entry_id: str, text: str, kind: FactKind | None = None, **more: object) -> MemoryEntry:
    return replace(MemoryEntry(text, MemoryType.FACT, entry_id, NOW - timedelta(days=1), kind=kind), **more)


@pytest.fixture
def shelf() -> Shelf:
    return Shelf(
        fact("aa1", "构建用 Maven"), fact("aa2", "缓存用 Redis", scope="project:x"), fact("b1", "以后都用空格缩进")
    )


def test_what_was_added_changed_or_taken_out_is_found_so_at_once(shelf: Shelf) -> None:
    assert shelf.ask("Redis Maven") == ["aa1", "aa2"] or shelf.ask("Redis Maven") == ["aa2", "aa1"]
    shelf.entries = (*shelf.entries, fact("c", "消息走 Kafka"))
    assert shelf.ask("Kafka") == ["c"]
    shelf.entries = (fact("aa1", "构建用 Gradle"), *shelf.entries[2:])
    assert (shelf.ask("Maven"), shelf.ask("Redis"), shelf.ask("Gradle")) == ([], [], ["aa1"])
    assert shelf.found.get("aa2") is None
    assert shelf.found.get("aa1") == shelf.entries[0]


def test_ids_are_found_by_their_beginning_in_order(shelf: Shelf) -> None:
    assert [entry.id for entry in shelf.found.starting_with("aa", 5)] == ["aa1", "aa2"]
    assert [entry.id for entry in shelf.found.starting_with("a", 1)] == ["aa1"]


def test_facts_are_found_by_the_message_they_are_from(shelf: Shelf) -> None:
    shelf.entries = (*shelf.entries, fact("d", "喜欢茶", source=Provenance("s", "m7", "我喜欢茶")))
    assert [entry.id for entry in shelf.found.said_in("m7")] == ["d"]
    assert shelf.found.said_in("m8") == []


def test_only_what_applies_in_the_scopes_counts(shelf: Shelf) -> None:
    shelf.entries = (*shelf.entries, fact("old", "用 Ant", expires=NOW - timedelta(hours=1)))
    assert shelf.found.count(None, NOW) == 3
    assert shelf.found.count(("user",), NOW) == 2
    assert shelf.found.count(("project:y",), NOW) == 0


def test_standing_facts_follow_the_entries(shelf: Shelf) -> None:
    pinned, liked = fact("p", "端口 8080", pinned=True), fact("l", "喜欢短回答", FactKind.PREFERENCE)
    shelf.entries = (*shelf.entries, liked, pinned)
    assert [entry.id for entry in shelf.found.standing(None, NOW, 9)] == ["p", "b1", "l"]
    assert list(shelf.found.standing(None, NOW, 2)) == standing_first(shelf.entries)[:2]
    shelf.entries = tuple(replace(entry, pinned=False) for entry in shelf.entries if entry.id != "b1")
    assert [entry.id for entry in shelf.found.standing(None, NOW, 9)] == ["l"]
    assert shelf.found.standing(("project:x",), NOW, 9) == []
