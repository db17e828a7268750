from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from paicli.errors import StoreUnavailable
from paicli.memory.entry import MemoryEntry, MemoryType, to_row
from paicli.memory.long_term import LongTermMemory
from paicli.memory.stores.json_file import JsonFileStore
from paicli.testing.store_contract import MORNING, fact, ids, put

FILE = "long_term_memory.json"


def chinese(number: int) -> MemoryEntry:
    return MemoryEntry(
        f"第 {number} 条：服务在端口 {number}", MemoryType.FACT, f"id-{number}", MORNING, {"来源": "手册"}
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a folder with a file of ten facts that no history or earlier version knows."""
    rows = [to_row(chinese(number)) for number in range(10)]
    (tmp_path / FILE).write_text(json.dumps(rows, ensure_ascii=False, indent=2), "utf-8")
    return tmp_path


def asides(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{FILE}.damaged-*"))


def damage(folder: Path, data: bytes) -> None:
    (folder / FILE).write_bytes(data)


def check_set_aside(folder: Path, store: JsonFileStore, data: bytes) -> None:
    (aside,) = asides(folder)
    assert aside.read_bytes() == data
    notices = [notice for notice in store.take_notices() if notice.code == "damaged"]
    assert [notice.values["aside"] for notice in notices] == [str(aside)]
    assert notices[0].values["salvaged"] == len(store.entries())
    assert len(json.loads((folder / FILE).read_text("utf-8"))) == len(store.entries())
    assert JsonFileStore(folder).entries() == store.entries()
    assert asides(folder) == [aside]


@pytest.mark.parametrize("share", [0.1, 0.6, 0.99])
def test_a_truncated_file_gives_back_all_whole_rows(folder: Path, share: float) -> None:
    whole = (folder / FILE).read_bytes()
    damage(folder, data := whole[: int(len(whole) * share)])
    store = JsonFileStore(folder)
    complete = data.count(b'\n    "scope": "user"\n  }')
    assert ids(store) == [f"id-{number}" for number in range(complete)]
    check_set_aside(folder, store, data)


@pytest.mark.parametrize("tail", [b"\0" * 10, b"garbage{", b"]", b"[", b'{"a": 1}', b"\xff\xfe"])
def test_rows_before_trailing_garbage_are_all_there(folder: Path, tail: bytes) -> None:
    damage(folder, data := (folder / FILE).read_bytes() + tail)
    store = JsonFileStore(folder)
    assert len(store.entries()) == 10
    check_set_aside(folder, store, data)


@pytest.mark.parametrize(
    "data", [b"", b"   ", b"null", b"{}", b"7", b'"text"', b"[", b"[" * 100_000, b"\x00" * 50, b"\xff\xff"]
)
def test_a_file_with_nothing_in_it_is_set_aside(folder: Path, data: bytes) -> None:
    damage(folder, data)
    store = JsonFileStore(folder)
    assert list(store.entries()) == []
    check_set_aside(folder, store, data)
    put(store, fact(1))
    assert ids(store) == ["id-1"]


def test_a_file_written_twice_over_has_each_fact_once(folder: Path) -> None:
    damage(folder, data := (folder / FILE).read_bytes() * 2)
    store = JsonFileStore(folder)
    assert len(store.entries()) == 10
    check_set_aside(folder, store, data)


def test_a_list_in_an_object_gives_back_its_rows(folder: Path) -> None:
    damage(folder, data := b'{"memories": ' + (folder / FILE).read_bytes() + b"}")
    store = JsonFileStore(folder)
    assert len(store.entries()) == 10
    check_set_aside(folder, store, data)


@pytest.mark.parametrize(("old", "new"), [(b"  },\n  {", b"  }\n  {"), (b"\n]", b",\n]")])
def test_a_comma_too_few_or_too_many_costs_no_fact(folder: Path, old: bytes, new: bytes) -> None:
    damage(folder, (folder / FILE).read_bytes().replace(old, new, 1))
    assert len(JsonFileStore(folder).entries()) == 10


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "gb18030"])
def test_a_file_in_another_encoding_is_read_and_set_aside(folder: Path, encoding: str) -> None:
    damage(folder, data := (folder / FILE).read_text("utf-8").encode(encoding))
    store = JsonFileStore(folder)
    assert [entry.content for entry in store.entries()] == [chinese(number).content for number in range(10)]
    check_set_aside(folder, store, data)


def test_a_broken_character_costs_its_own_row_only(folder: Path) -> None:
    data = bytearray((folder / FILE).read_bytes())
    data[data.find("第 4".encode()) + 1] = 0xFF
    damage(folder, bytes(data))
    store = JsonFileStore(folder)
    assert ids(store) == [f"id-{number}" for number in range(10) if number != 4]


def test_the_last_version_and_the_history_give_back_what_the_file_lost(tmp_path: Path) -> None:
    memory = LongTermMemory(JsonFileStore(tmp_path))
    kept = [memory.store(fact(number)).id for number in range(5)]
    memory.forget(kept[1])
    damage(tmp_path, b"")
    store = JsonFileStore(tmp_path)
    assert sorted(ids(store)) == [kept[0], *kept[2:]]
    (tmp_path / f"{FILE}.bak").write_bytes(b"")
    damage(tmp_path, b"[{")
    assert sorted(ids(store)) == [kept[0], *kept[2:]]


def test_a_second_damage_on_the_same_second_gets_a_name_of_its_own(folder: Path) -> None:
    store = JsonFileStore(folder)
    for number in range(4):
        damage(folder, f"[{number}".encode())
        store.entries()
    assert len(asides(folder)) == 4


def test_a_damaged_file_that_can_not_be_set_aside_is_read_and_left_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(folder, data := (folder / FILE).read_bytes()[:-30])

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "link", refused)
    monkeypatch.setattr("shutil.copy2", refused)
    store = JsonFileStore(folder)
    assert len(store.entries()) == 9
    assert [notice.values["aside"] for notice in store.take_notices()] == [""]
    assert (folder / FILE).read_bytes() == data


def test_a_damaged_file_is_copied_where_it_can_not_be_linked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damage(folder, data := (folder / FILE).read_bytes()[:-30])

    def refused(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refused)
    store = JsonFileStore(folder)
    assert len(store.entries()) == 9
    check_set_aside(folder, store, data)


def test_a_file_that_is_mended_while_it_is_repaired_stays_as_it_was_mended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (folder / FILE).read_bytes()
    damage(folder, whole[:-30])
    link = os.link

    def link_and_mend(source: Path, target: Path) -> None:
        link(source, target)
        damage(folder, whole)

    monkeypatch.setattr(os, "link", link_and_mend)
    assert len(JsonFileStore(folder).entries()) == 10
    assert (folder / FILE).read_bytes() == whole


def test_a_file_in_the_middle_of_being_saved_is_read_when_it_is_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (folder / FILE).read_bytes()
    damage(folder, whole[:100])
    monkeypatch.setattr("time.sleep", lambda _: damage(folder, whole))
    store = JsonFileStore(folder)
    assert len(store.entries()) == 10
    assert store.take_notices() == []
    assert asides(folder) == []


def test_random_damage_costs_only_the_rows_it_hit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    chance = random.Random(17)
    whole = (folder / FILE).read_bytes()
    texts = [json.dumps(row, ensure_ascii=False, indent=2).replace("\n", "\n  ") for row in json.loads(whole)]
    for _ in range(100):
        data = bytearray(whole)
        start = chance.randrange(len(data))
        match chance.choice(["cut", "flip", "splice"]):
            case "cut":
                del data[start:]
            case "flip":
                data[start] ^= 1 << chance.randrange(8)
            case _:
                data[start : start + chance.randrange(200)] = chance.randbytes(chance.randrange(50))
        damage(folder, bytes(data))
        intact = [f"id-{number}" for number, text in enumerate(texts) if text.encode() in data]
        store = JsonFileStore(folder)
        assert set(intact) <= set(ids(store))
        for path in asides(folder):
            path.unlink()


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes")
@pytest.mark.parametrize("name", [FILE, "long_term_history.jsonl"])
def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    store = JsonFileStore(tmp_path)
    with pytest.raises(StoreUnavailable, match="not a file"):
        store.entries() if name == FILE else store.changes()


def test_a_folder_below_a_file_can_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailable, match="Not a directory"):
        JsonFileStore(tmp_path / "file").entries()
