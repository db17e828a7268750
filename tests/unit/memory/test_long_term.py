from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from paicli.errors import AmbiguousEntry, EmptyContent, StoreReadOnly, StoreUnavailable, UnknownEntry
from paicli.memory.change import ChangeKind
from paicli.memory.entry import FactKind, MemoryEntry, MemoryType, Origin
from paicli.memory.long_term import LongTermMemory
from paicli.memory.stores.in_memory import InMemoryStore
from paicli.memory.stores.json_file import JsonFileStore

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def memory() -> LongTermMemory:
    return LongTermMemory(InMemoryStore(), clock=Clock())


def fact(text: str, entry_id: str = "", **values: object) -> MemoryEntry:
    details = {"id": entry_id} if entry_id else {}
    return MemoryEntry(text, MemoryType.FACT, timestamp=NOON, **details, **values)  # type: ignore[arg-type]


def texts(memory: LongTermMemory) -> list[str]:
    return [entry.content for entry in memory]


def test_a_fact_is_in_a_new_process_with_its_date(tmp_path: Path) -> None:
    stored = LongTermMemory.open(tmp_path).store(fact("项目用 JDK 17"))
    (entry,) = LongTermMemory.open(tmp_path)
    assert entry == stored
    assert entry.timestamp == NOON


def test_the_configured_place_is_opened_at_the_first_use(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = LongTermMemory()
    monkeypatch.setenv("PAICLI_MEMORY_DIR", str(home / "chosen"))
    assert len(memory) == 0
    assert not home.exists()
    memory.store(fact("x"))
    assert memory.location == str(home / "chosen" / "long_term_memory.json")
    assert Path(memory.location).is_file()
    memory.close()


def test_the_same_fact_in_other_spelling_is_kept_once(memory: LongTermMemory) -> None:
    first = memory.store(fact("用户喜欢 Java"))
    for again in ("用户喜欢Java。", " 用户喜欢　java ！", "我喜欢 Java"):
        kept = memory.store(fact(again))
        assert (kept.id, kept.content, kept.timestamp) == (first.id, first.content, first.timestamp)
        assert kept.updated is not None
    assert texts(memory) == ["用户喜欢 Java"]
    assert [change.kind for change in memory.changes()] == [ChangeKind.ADDED]


def test_the_same_fact_in_another_scope_is_another_fact(memory: LongTermMemory) -> None:
    memory.store(fact("用 pnpm", scope="project:a"))
    memory.store(fact("用 pnpm", scope="project:b"))
    assert len(memory) == 2
    assert len(memory.entries(["project:a", "user"])) == 1


def test_saving_a_drawn_out_fact_makes_it_the_users_and_can_be_undone(memory: LongTermMemory) -> None:
    memory.store(fact("用户喜欢茶", origin=Origin.MODEL), automatic=True)
    assert memory.store(fact("用户喜欢茶", origin=Origin.USER, kind=FactKind.PREFERENCE)).origin is Origin.USER
    memory.undo()
    assert [entry.origin for entry in memory] == [Origin.MODEL]


def test_an_entry_with_a_known_id_and_another_text_is_an_update(memory: LongTermMemory) -> None:
    memory.store(fact("old", "a"))
    memory.store(fact("new", "a"))
    memory.store(fact("new", "a"))
    assert texts(memory) == ["new"]
    assert [change.kind for change in memory.changes()] == [ChangeKind.ADDED, ChangeKind.UPDATED]


@pytest.mark.parametrize("text", ["", "   ", "\0", "\n"])
def test_nothing_is_not_stored(memory: LongTermMemory, text: str) -> None:
    with pytest.raises(EmptyContent):
        memory.store(fact(text))


def test_a_secret_never_reaches_any_file(tmp_path: Path) -> None:
    memory = LongTermMemory.open(tmp_path)
    kept = memory.store(fact("生产库口令 Zx9!demo，令牌 sk-demo0000000000000000000000"))
    assert kept.content == "生产库口令 [redacted:password]，令牌 [redacted:api-key]"
    memory.replace(kept.with_content("password=hunter2"))
    memory.undo()
    written = "".join(path.read_text("utf-8") for path in tmp_path.iterdir())
    for secret in ("Zx9!demo", "sk-demo", "hunter2"):
        assert secret not in written
    assert [notice.code for notice in memory.take_notices()] == ["redacted", "redacted"]


def test_unfit_characters_are_replaced_and_the_rest_is_kept(tmp_path: Path) -> None:
    memory = LongTermMemory.open(tmp_path)
    memory.store(fact("a\ud83db🧩\0c\x1b]0;x\x07\u202e"))
    assert texts(LongTermMemory.open(tmp_path)) == ["a\ufffdb🧩c\x1b]0;x\x07\u202e"]


def test_forgotten_is_gone_everywhere_at_once_and_can_be_added_again(tmp_path: Path) -> None:
    memory, other = LongTermMemory.open(tmp_path), LongTermMemory.open(tmp_path)
    entry = memory.store(fact("项目用 pnpm"))
    assert other.search("pnpm") == [entry]
    assert memory.forget(entry.id) == entry
    assert other.search("pnpm") == other.entries() == []
    assert other.get(entry.id) is None
    again = memory.store(fact("项目用 pnpm"))
    assert other.search("pnpm") == [again]


def test_an_unknown_id_is_an_error_and_makes_nothing(tmp_path: Path) -> None:
    memory = LongTermMemory.open(tmp_path / "memory")
    with pytest.raises(UnknownEntry):
        memory.forget("none")
    with pytest.raises(UnknownEntry):
        memory.replace(fact("x", "none"))
    assert not memory.delete("none")
    assert memory.undo() is None
    memory.clear()
    assert list(tmp_path.iterdir()) == []


def test_an_entry_is_found_by_the_start_of_its_id(memory: LongTermMemory) -> None:
    for name in ("abc", "abd", "ab"):
        memory.store(fact(f"text {name}", name))
    assert memory.find("abc").id == memory.find(" abc ").id == "abc"
    assert memory.find("ab").id == "ab"
    with pytest.raises(AmbiguousEntry, match="abc, abd"):
        memory.find("a")
    for unknown in ("", "x", "abcd"):
        with pytest.raises(UnknownEntry):
            memory.find(unknown)


def test_undo_takes_back_one_change_after_the_other(memory: LongTermMemory) -> None:
    entry = memory.store(fact("one", "a"))
    memory.replace(entry.with_content("two"))
    memory.forget("a")
    undone = []
    while change := memory.undo():
        undone.append((change.kind, texts(memory)))
    assert undone == [
        (ChangeKind.FORGOTTEN, ["two"]),
        (ChangeKind.UPDATED, ["one"]),
        (ChangeKind.ADDED, []),
    ]
    assert [change.undoes for change in memory.changes()][:3] == ["", "", ""]


def test_undo_of_a_session_leaves_the_others_alone() -> None:
    store = InMemoryStore()
    mine, theirs = LongTermMemory(store, session="mine"), LongTermMemory(store, session="theirs")
    mine.store(fact("of mine"))
    theirs.store(fact("of theirs"))
    change = mine.undo(session="mine")
    assert change is not None
    assert change.entry.content == "of mine"
    assert texts(mine) == ["of theirs"]
    assert mine.undo(session="mine") is None


def test_undo_leaves_out_what_has_no_effect_any_more() -> None:
    store = InMemoryStore()
    mine, theirs = LongTermMemory(store, session="mine"), LongTermMemory(store, session="theirs")
    mine.store(fact("one", "a"))
    mine.store(fact("two", "b"))
    theirs.forget("b")
    change = mine.undo(session="mine")
    assert change is not None
    assert change.entry.id == "a"
    mine.store(fact("two", "c"))
    assert theirs.undo(session="theirs") is None
    assert texts(mine) == ["two"]


def test_clear_forgets_all_and_each_can_come_back(memory: LongTermMemory) -> None:
    memory.store(fact("one"))
    memory.store(fact("two"))
    memory.clear()
    assert len(memory) == 0
    memory.undo()
    assert texts(memory) == ["two"]


def test_an_expired_fact_applies_no_more_and_again_when_it_is_said_again(memory: LongTermMemory) -> None:
    kept = memory.store(fact("demo on Friday", expires=NOON))
    assert memory.entries() == []
    assert memory.get(kept.id) == kept
    memory.store(fact("demo on Friday"))
    assert texts(memory) == ["demo on Friday"]


def test_what_can_not_be_written_is_kept_for_the_session(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memory = LongTermMemory.open(tmp_path / "file" / "memory")
    with pytest.raises(StoreUnavailable):
        memory.store(fact("用户喜欢茶"))
    kept = memory.keep_for_session(fact("用户喜欢茶"))
    assert memory.keep_for_session(fact("用户喜欢茶。")) == kept
    assert memory.search("茶") == list(memory.session_only) == [kept]
    edited = memory.replace(kept.with_content("用户喜欢咖啡"))
    assert memory.find(kept.id) == edited
    assert memory.forget(kept.id) == edited
    assert len(memory) == 0


def test_a_memory_that_can_not_be_read_goes_on_and_says_so_once(tmp_path: Path) -> None:
    (tmp_path / "long_term_memory.json").mkdir()
    memory = LongTermMemory.open(tmp_path)
    assert memory.search("x") == memory.entries() == []
    assert [notice.code for notice in memory.take_notices()] == ["store-unreadable"]
    assert memory.take_notices() == []
    assert isinstance(memory.problem, StoreUnavailable)
    (tmp_path / "long_term_memory.json").rmdir()
    assert len(memory) == 0
    assert memory.problem is None


def test_a_memory_for_reading_only_writes_nothing(tmp_path: Path) -> None:
    LongTermMemory.open(tmp_path / "m").store(fact("one", "a"))
    before = sorted((path.name, path.read_bytes()) for path in (tmp_path / "m").iterdir())
    memory = LongTermMemory(JsonFileStore(tmp_path / "m", read_only=True), read_only=True)
    for write in (lambda: memory.store(fact("x")), lambda: memory.forget("a"), memory.undo, memory.clear):
        with pytest.raises(StoreReadOnly):
            write()
    assert texts(memory) == ["one"]
    assert sorted((path.name, path.read_bytes()) for path in (tmp_path / "m").iterdir()) == before


def test_what_another_process_adds_is_found_at_once(tmp_path: Path) -> None:
    memory, other = LongTermMemory.open(tmp_path), LongTermMemory.open(tmp_path)
    assert memory.search("pnpm") == []
    other.store(fact("项目用 pnpm"))
    assert [entry.content for entry in memory.search("pnpm")] == ["项目用 pnpm"]
    path = tmp_path / "long_term_memory.json"
    path.write_text(path.read_text("utf-8").replace("pnpm", "yarn"), "utf-8")
    assert memory.search("pnpm") == []
    assert [entry.content for entry in memory.search("yarn")] == ["项目用 yarn"]


def test_search_looks_into_metadata_and_stops_at_its_limit(memory: LongTermMemory) -> None:
    memory.store(fact("ran a command", metadata={"tool": "mvn package"}))
    for number in range(5):
        memory.store(fact(f"mvn fact {number}"))
    assert len(memory.search("mvn")) == 6
    assert len(memory.search("mvn", limit=2)) == 2
    assert memory.search("mvn", limit=0) == memory.search("") == []
    assert memory.token_count == sum(entry.token_count for entry in memory)


@pytest.mark.parametrize("place", ["sqlite:///x.db", "postgresql://u:secret@host/db", "postgres://host/db"])
def test_a_database_is_an_error_that_says_so_without_the_password(place: str) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        LongTermMemory.open(place)
    assert "secret" not in str(caught.value)


def test_dates_without_offset_are_local_and_the_file_always_has_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import time

    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        naive = datetime(2026, 1, 31, 20)  # noqa: DTZ001 - a naive date is the point
        east = datetime.fromisoformat("2026-01-31T20:00:00+08:00")
        memory = LongTermMemory.open(tmp_path)
        for number, date in enumerate((naive, east, NOON)):
            memory.store(MemoryEntry(f"fact {number}", MemoryType.FACT, timestamp=date))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert {entry.timestamp for entry in LongTermMemory.open(tmp_path)} == {NOON}
    assert (tmp_path / "long_term_memory.json").read_text().count('"2026-01-31T12:00:00Z"') == 3
