from __future__ import annotations

import json
import os
import stat
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from paicli.errors import StoreBusy, StoreReadOnly, StoreUnavailable
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.stores.json_file import JsonFileStore
from paicli.testing.store_contract import change, fact, ids, put

FILE = "long_term_memory.json"
HISTORY = "long_term_history.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "memory"


@pytest.fixture
def store(folder: Path) -> JsonFileStore:
    return JsonFileStore(folder)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_reading_makes_nothing(store: JsonFileStore, folder: Path) -> None:
    assert list(store.entries()) == []
    assert list(store.changes()) == []
    assert not folder.parent.exists()


def test_all_that_is_made_is_private(store: JsonFileStore, folder: Path) -> None:
    put(store, fact(1))
    with store.transaction() as transaction:
        transaction.record(change(2))
        transaction.put(fact(2))
    assert mode(folder) == mode(folder.parent) == 0o700
    assert {path.name for path in folder.iterdir()} == {".lock", FILE, f"{FILE}.bak", HISTORY}
    assert {mode(path) for path in folder.iterdir()} == {0o600}


def test_the_file_is_a_list_in_the_originals_format_for_people_to_read(store: JsonFileStore, folder: Path) -> None:
    put(store, MemoryEntry("用户喜欢 Java", MemoryType.FACT, "a", metadata={"k": "v"}))
    text = (folder / FILE).read_text("utf-8")
    assert '\n    "content": "用户喜欢 Java",\n' in text
    (row,) = json.loads(text)
    assert list(row)[:6] == ["id", "content", "type", "timestamp", "metadata", "tokenCount"]
    assert row["timestamp"].endswith("Z")


def test_rows_that_did_not_change_are_written_back_as_they_were(store: JsonFileStore, folder: Path) -> None:
    folder.mkdir(parents=True)
    odd = '{"id":"a",  "content":"x", "type":"FACT", "scope":"user", "big":1e999, "n":1.0, "timestamp":"2023-05-01"}'
    (folder / FILE).write_text(f"[{odd}]")
    put(store, fact(1))
    assert f"  {odd},\n" in (folder / FILE).read_text()
    assert ids(store) == ["a", "id-1"]


def test_keys_that_are_not_known_stay_when_their_entry_changes(store: JsonFileStore, folder: Path) -> None:
    folder.mkdir(parents=True)
    row = {"id": "a", "content": "x", "type": "FACT", "scope": "user", "theirs": {"deep": [1, None]}}
    (folder / FILE).write_text(json.dumps([row]))
    put(store, store.entries()[0].with_content("y"))
    (kept,) = json.loads((folder / FILE).read_text())
    assert (kept["content"], kept["theirs"]) == ("y", {"deep": [1, None]})


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_byte_order_mark_and_any_line_ends_are_fine(store: JsonFileStore, folder: Path, mark: str, end: str) -> None:
    put(store, fact(1))
    text = (folder / FILE).read_text("utf-8")
    (folder / FILE).write_bytes((mark + text.replace("\n", end)).encode())
    put(store, fact(2))
    assert ids(JsonFileStore(folder)) == ["id-1", "id-2"]
    assert store.take_notices() == []


def test_rows_that_are_not_understood_stay_in_their_place_and_are_counted(store: JsonFileStore, folder: Path) -> None:
    folder.mkdir(parents=True)
    foreign = ["文本", None, 7, {"id": "no content"}, {"content": " "}, {"content": "x", "type": "NEW"}]
    good = [{"id": name, "content": f"good {name}", "type": "FACT", "scope": "user"} for name in "ab"]
    date = {"id": "d", "content": "wrong date", "type": "FACT", "scope": "user", "timestamp": 17, "pinned": "x"}
    before = [good[0], *foreign, good[1], date]
    (folder / FILE).write_text(json.dumps(before, ensure_ascii=False), "utf-8")
    assert ids(store) == ["a", "b", "d"]
    (notice,) = store.take_notices()
    assert (notice.code, notice.values["count"]) == ("rows-skipped", 6)
    put(store, fact(1))
    assert json.loads((folder / FILE).read_text("utf-8"))[:-1] == before
    assert store.take_notices() == []


def test_of_two_rows_with_one_id_the_later_gets_another(store: JsonFileStore, folder: Path) -> None:
    folder.mkdir(parents=True)
    rows = [{"id": "a", "content": text, "type": "FACT", "scope": "user"} for text in ("one", "two", "three")]
    (folder / FILE).write_text(json.dumps(rows))
    assert ids(store) == ids(JsonFileStore(folder)) == ["a", "a-2", "a-3"]
    put(store, fact(1))
    assert [row["id"] for row in json.loads((folder / FILE).read_text())] == ["a", "a-2", "a-3", "id-1"]


def test_a_row_without_an_id_has_the_same_one_at_each_reading(store: JsonFileStore, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / FILE).write_text('[{"content": "by hand"}]')
    assert ids(store) == ids(JsonFileStore(folder)) != [""]


def test_escaped_halves_of_characters_can_be_used(store: JsonFileStore, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / FILE).write_text(r'[{"id": "a", "content": "x\ud83d", "type": "FACT", "scope": "user"}]')
    assert store.entries()[0].content == "x\ufffd"


def test_our_keys_come_back_after_a_program_that_does_not_know_them(store: JsonFileStore, folder: Path) -> None:
    ours = MemoryEntry("项目用 pnpm", MemoryType.FACT, "a", scope="project:x", pinned=True, extra={"theirs": 1})
    with store.transaction() as transaction:
        transaction.record(change(1))
        transaction.record(type(change(1))("c", change(1).kind, ours.timestamp, ours))
        transaction.put(ours)
    row = json.loads((folder / FILE).read_text("utf-8"))[0]
    theirs = {key: row[key] for key in ("id", "content", "type", "timestamp", "metadata", "tokenCount")}
    theirs["newer"] = 2
    other = {**theirs, "id": "b", "content": "theirs"}
    (folder / FILE).write_text(json.dumps([theirs, other], ensure_ascii=False), "utf-8")
    assert [(entry.scope, entry.pinned) for entry in store.entries()] == [("project:x", True), ("user", False)]
    assert store.entries()[0].extra == {"theirs": 1, "newer": 2}


def test_an_edit_by_hand_is_seen_at_once_and_kept(store: JsonFileStore, folder: Path) -> None:
    put(store, fact(1))
    text = (folder / FILE).read_text()
    (folder / FILE).write_text(text.replace("Service 1", "Service one"))
    assert store.entries()[0].content.startswith("Service one")
    put(store, fact(2))
    assert "Service one" in (folder / FILE).read_text()


def test_an_edit_by_hand_in_the_middle_of_a_transaction_is_kept(store: JsonFileStore, folder: Path) -> None:
    put(store, fact(1), fact(2))
    with store.transaction() as transaction:
        transaction.put(fact(3))
        transaction.remove("id-2")
        text = (folder / FILE).read_text()
        (folder / FILE).write_text(text.replace("Service 1", "Service one"))
    assert [entry.content[:11] for entry in store.entries()] == ["Service one", "Service 3 l"]
    assert store.entries() == JsonFileStore(folder).entries()


def test_the_last_version_is_kept(store: JsonFileStore, folder: Path) -> None:
    put(store, fact(1))
    before = (folder / FILE).read_bytes()
    put(store, fact(2))
    assert (folder / f"{FILE}.bak").read_bytes() == before


def test_a_link_stays_a_link_and_a_mode_stays(store: JsonFileStore, folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.json"
    target.write_text("[]")
    target.chmod(0o640)
    folder.mkdir(parents=True)
    (folder / FILE).symlink_to(target)
    put(store, fact(1))
    assert (folder / FILE).is_symlink()
    assert json.loads(target.read_text())[0]["id"] == "id-1"
    assert mode(target) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere.json", "home"]


def test_a_temporary_file_left_by_a_killed_process_goes_with_the_next_write(store: JsonFileStore, folder: Path) -> None:
    put(store, fact(1))
    (folder / f".{FILE}.tmp").write_text("half")
    put(store, fact(2))
    assert {path.name for path in folder.iterdir()} == {".lock", FILE, f"{FILE}.bak"}


def test_another_file_name_has_a_history_of_its_own(folder: Path) -> None:
    store = JsonFileStore(folder, file_name="team.json")
    with store.transaction() as transaction:
        transaction.record(change(1))
        transaction.put(fact(1))
    assert {path.name for path in folder.iterdir()} == {".lock", "team.json", "team_history.jsonl"}


def test_a_store_for_reading_only_writes_nothing(store: JsonFileStore, folder: Path) -> None:
    put(store, fact(1))
    (folder / FILE).write_text("[{broken")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    reader = JsonFileStore(folder, read_only=True)
    list(reader.entries())
    with pytest.raises(StoreReadOnly), reader.transaction():
        pass
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [notice.code for notice in reader.take_notices()] == ["damaged"]


def test_a_held_lock_is_waited_for_and_then_an_error(folder: Path) -> None:
    first, second = JsonFileStore(folder), JsonFileStore(folder, lock_seconds=0.05)
    with first.transaction() as transaction:
        with pytest.raises(StoreBusy) as caught, second.transaction():
            pass
        transaction.put(fact(1))
    assert caught.value.values["place"] == second.location
    put(second, fact(2))
    assert ids(first) == ["id-1", "id-2"]


def unusable(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "file").write_text("")
    yield tmp_path / "file"
    yield tmp_path / "file" / "below"
    (tmp_path / "in-the-way" / FILE).mkdir(parents=True)
    yield tmp_path / "in-the-way"
    (tmp_path / "locked" / ".lock").mkdir(parents=True)
    yield tmp_path / "locked"


@pytest.mark.parametrize("number", range(4))
def test_a_place_that_can_not_be_used_is_one_error_that_names_it(tmp_path: Path, number: int) -> None:
    store = JsonFileStore(list(unusable(tmp_path))[number])
    with pytest.raises(StoreUnavailable) as caught, store.transaction() as transaction:
        transaction.put(fact(1))
    assert caught.value.values["place"] == store.location


@pytest.mark.skipif(not hasattr(os, "fork") or os.getuid() != 0, reason="gives up root's rights in a child")
def test_a_folder_of_another_user_is_an_error_and_stays_as_it_was(store: JsonFileStore, folder: Path) -> None:
    put(store, fact(1))
    before = (folder / FILE).read_bytes()
    for path in (folder, *folder.parents):
        if path.stat().st_mode & 0o555 != 0o555:
            path.chmod(path.stat().st_mode | 0o555)
    (folder / FILE).chmod(0o644)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks while threads run: the child only writes
        pid = os.fork()
    if pid == 0:
        os.setuid(65534)
        try:
            entries = len(store.entries())
            with store.transaction() as transaction:
                transaction.put(fact(2))
        except StoreUnavailable:
            os._exit(10 + entries)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 11
    assert (folder / FILE).read_bytes() == before


@pytest.mark.parametrize("working_writes", [0, 1])
def test_a_full_disk_leaves_file_and_history_as_they_were(
    store: JsonFileStore, folder: Path, monkeypatch: pytest.MonkeyPatch, working_writes: int
) -> None:
    add(store, 1)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    write, calls = os.write, iter(range(1000))

    def full(descriptor: int, data: bytes) -> int:
        number = next(calls)
        if number > working_writes:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[: len(data) // 2] if number == working_writes else data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(StoreUnavailable, match="No space left"):
            add(store, 2)
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert after == before
    add(store, 2)
    assert ids(store) == ["id-1", "id-2"]
    assert [recorded.id for recorded in store.changes()] == ["change-1", "change-2"]


def add(store: JsonFileStore, number: int) -> None:
    with store.transaction() as transaction:
        transaction.record(change(number))
        transaction.put(fact(number))


def test_data_is_on_disk_before_its_name_and_the_name_before_the_call_returns(
    store: JsonFileStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, fact(1))
    log: list[tuple[str, str]] = []
    sync, replace = os.fsync, Path.replace

    def recorded_sync(descriptor: int) -> None:
        log.append(("sync", Path(f"/proc/self/fd/{descriptor}").readlink().name))
        sync(descriptor)

    def recorded_replace(self: Path, target: Path) -> Path:
        log.append(("rename", target.name))
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", recorded_sync)
    monkeypatch.setattr(Path, "replace", recorded_replace)
    with store.transaction() as transaction:
        transaction.record(change(2))
        transaction.put(fact(2))
    assert log == [
        ("sync", HISTORY),
        ("sync", folder.name),  # the history's own name
        ("sync", f".{FILE}.tmp"),
        ("rename", f"{FILE}.bak"),
        ("rename", FILE),
        ("sync", folder.name),
    ]


def test_a_transaction_that_changes_nothing_writes_nothing(store: JsonFileStore, folder: Path) -> None:
    put(store, fact(1))
    before = (folder / FILE).stat()
    with store.transaction() as transaction:
        transaction.remove("unknown")
    assert (folder / FILE).stat().st_mtime_ns == before.st_mtime_ns


def test_a_thread_waits_for_the_transaction_of_another(store: JsonFileStore) -> None:
    entered = threading.Event()

    def other() -> None:
        entered.set()
        put(store, fact(2))

    thread = threading.Thread(target=other)
    with store.transaction() as transaction:
        thread.start()
        entered.wait()
        transaction.put(fact(1))
    thread.join()
    assert ids(store) == ["id-1", "id-2"]
