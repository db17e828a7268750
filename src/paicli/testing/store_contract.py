"""What every store must do, as tests that a store of your own inherits."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from paicli.memory.change import Change, ChangeKind
from paicli.memory.duplicates import fact_key
from paicli.memory.entry import FactKind, MemoryEntry, MemoryType, Origin, Provenance
from paicli.memory.protocols import MemoryStore

MORNING = datetime(2026, 1, 31, 9, 45, 2, 123456, UTC)
FULL_ENTRY = MemoryEntry(
    "用户喜欢 “Java” 🧩\nand {braces}, %s, \\ and \x1b[2J",
    MemoryType.FACT,
    "full23456z",
    MORNING,
    {"tool": "read_file", "来源": "手册"},
    17,
    scope="project:abc",
    origin=Origin.USER,
    kind=FactKind.PREFERENCE,
    updated=MORNING + timedelta(days=1),
    pinned=True,
    expires=MORNING + timedelta(days=400),
    source=Provenance("20260131-094502-k3xq", "m1", "我喜欢 Java"),
    extra={"unknownKey": [1, 2.5, {"deep": None}]},
)


class StoreContract:
    """Tests of a `MemoryStore`, for any store.

    Inherit them, and add a fixture `store` that gives a new, empty one:

        class TestMyStore(StoreContract):
            @pytest.fixture
            def store(self, tmp_path):
                return MyStore(tmp_path)

            def open_again(self, store):  # only where entries outlive the object
                return MyStore(store.folder)
    """

    def open_again(self, store: MemoryStore) -> MemoryStore:
        """Returns another object over the same entries; the same object where entries end with it."""
        return store

    def test_a_new_store_is_empty(self, store: MemoryStore) -> None:
        assert list(store.entries()) == []
        assert list(store.changes()) == []
        assert store.take_notices() == []
        assert store.location

    def test_an_entry_comes_back_unchanged(self, store: MemoryStore) -> None:
        put(store, FULL_ENTRY)
        (entry,) = self.open_again(store).entries()
        assert entry == FULL_ENTRY

    def test_entries_keep_the_order_in_which_they_were_added(self, store: MemoryStore) -> None:
        put(store, *(fact(number) for number in (3, 1, 2)))
        assert ids(self.open_again(store)) == ["id-3", "id-1", "id-2"]

    def test_an_entry_with_a_known_id_takes_the_place_of_the_old_one(self, store: MemoryStore) -> None:
        put(store, *(fact(number) for number in range(3)))
        put(store, fact(1).with_content("newer"))
        again = self.open_again(store)
        assert ids(again) == ["id-0", "id-1", "id-2"]
        assert [entry.content for entry in again.entries()][1] == "newer"

    def test_a_removed_entry_is_gone_at_once_and_can_be_added_again(self, store: MemoryStore) -> None:
        put(store, fact(1), fact(2))
        with store.transaction() as transaction:
            transaction.remove("id-1")
            transaction.remove("unknown")
            assert transaction.get("id-1") is None
        assert ids(self.open_again(store)) == ["id-2"]
        put(store, fact(1))
        assert ids(self.open_again(store)) == ["id-2", "id-1"]

    def test_a_transaction_sees_what_it_did(self, store: MemoryStore) -> None:
        with store.transaction() as transaction:
            transaction.put(fact(1))
            transaction.record(change(1))
            assert transaction.get("id-1") == fact(1)
            assert transaction.same_as(fact_key(fact(1).content), "user") == fact(1)
            assert [entry.id for entry in transaction.changes()] == ["change-1"]

    def test_an_error_in_a_transaction_leaves_everything_as_it_was(self, store: MemoryStore) -> None:
        put(store, fact(1))
        with suppress(KeyError), store.transaction() as transaction:
            transaction.put(fact(2))
            transaction.remove("id-1")
            transaction.record(change(2))
            raise KeyError("in the middle")
        assert ids(store) == ids(self.open_again(store)) == ["id-1"]
        assert list(store.changes()) == list(self.open_again(store).changes()) == []

    def test_an_entry_is_found_by_what_it_says_in_its_scope_only(self, store: MemoryStore) -> None:
        put(store, fact(1), MemoryEntry("项目用 pnpm", MemoryType.FACT, "p", scope="project:a"))
        key = fact_key("项目用  pnpm。")
        with store.transaction() as transaction:
            found = transaction.same_as(key, "project:a")
            assert found is not None
            assert found.id == "p"
            assert transaction.same_as(key, "user") is None
            assert transaction.same_as(fact_key("something else"), "project:a") is None

    def test_an_entry_is_not_found_by_what_it_no_longer_says(self, store: MemoryStore) -> None:
        put(store, fact(1), fact(2))
        with store.transaction() as transaction:
            transaction.put(fact(1).with_content("newer"))
            transaction.remove("id-2")
        with self.open_again(store).transaction() as transaction:
            assert transaction.same_as(fact_key(fact(1).content), "user") is None
            assert transaction.same_as(fact_key(fact(2).content), "user") is None
            assert transaction.same_as("newer", "user") is not None

    def test_changes_come_back_unchanged_and_in_order(self, store: MemoryStore) -> None:
        full = Change("c0", ChangeKind.UPDATED, MORNING, FULL_ENTRY, fact(1), "session", automatic=True, undoes="b")
        for recorded in (full, change(1), change(2)):
            with store.transaction() as transaction:
                transaction.record(recorded)
        assert list(self.open_again(store).changes()) == [full, change(1), change(2)]

    def test_another_object_sees_each_change_at_once(self, store: MemoryStore) -> None:
        other = self.open_again(store)
        for number in range(3):
            put(store, fact(number))
            assert ids(other)[-1] == f"id-{number}"
            put(other, fact(number + 10))
            assert ids(store)[-1] == f"id-{number + 10}"

    def test_threads_do_not_undo_each_other(self, store: MemoryStore) -> None:
        stores = [store, self.open_again(store)]
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number: put(stores[number % 2], fact(number)), range(20)))
        assert sorted(ids(store)) == sorted(f"id-{number}" for number in range(20))


def put(store: MemoryStore, *entries: MemoryEntry) -> None:
    """Puts entries into a store, in one transaction."""
    with store.transaction() as transaction:
        for entry in entries:
            transaction.put(entry)


def fact(number: int) -> MemoryEntry:
    """Returns the entry `id-NUMBER`."""
    return MemoryEntry(f"Service {number} listens on port {8000 + number}.", MemoryType.FACT, f"id-{number}", MORNING)


def change(number: int) -> Change:
    """Returns the change `change-NUMBER`, which adds `fact(NUMBER)`."""
    return Change(f"change-{number}", ChangeKind.ADDED, MORNING + timedelta(seconds=number), fact(number))


def ids(store: MemoryStore) -> list[str]:
    """Returns the ids of a store's entries, in their order."""
    return [entry.id for entry in store.entries()]
