from __future__ import annotations

from pathlib import Path

import pytest

from paicli.memory.protocols import MemoryStore
from paicli.memory.stores.in_memory import InMemoryStore
from paicli.memory.stores.json_file import JsonFileStore
from paicli.testing.store_contract import StoreContract


class TestInMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return InMemoryStore()


class TestJsonFileStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> MemoryStore:
        return JsonFileStore(tmp_path / "memory")

    def open_again(self, store: MemoryStore) -> MemoryStore:
        return JsonFileStore(Path(store.location).parent)
