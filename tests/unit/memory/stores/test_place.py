from __future__ import annotations

from pathlib import Path

import pytest

from paicli.errors import StoreUnavailable
from paicli.memory.stores.place import default_place, default_store, open_store, paicli_home


def test_the_home_is_a_folder_of_the_users_unless_it_is_set(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert paicli_home() == home
    monkeypatch.delenv("PAICLI_HOME")
    assert paicli_home() == home
    assert paicli_home({"PAICLI_HOME": "~/other"}) == home.parent / "other"
    assert paicli_home({"PAICLI_HOME": " "}) == home


def test_the_place_follows_the_home_unless_it_is_set(home: Path) -> None:
    assert default_place() == str(home / "memory")
    assert default_place({"PAICLI_MEMORY_DIR": "/elsewhere"}) == "/elsewhere"
    assert default_store().location == str(home / "memory" / "long_term_memory.json")


def test_a_place_is_a_folder_or_a_json_file_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder.json").mkdir()
    assert open_store(tmp_path).location == str(tmp_path / "long_term_memory.json")
    assert open_store(tmp_path / "team.json").location == str(tmp_path / "team.json")
    assert open_store(tmp_path / "folder.json").location == str(tmp_path / "folder.json" / "long_term_memory.json")
    monkeypatch.chdir(tmp_path)
    assert open_store("below").location == str(tmp_path / "below" / "long_term_memory.json")


def test_the_home_of_nobody_is_no_place() -> None:
    for ask in (
        lambda: open_store("~nobody-has-this-name/x"),
        lambda: paicli_home({"PAICLI_HOME": "~nobody-has-this-name"}),
    ):
        with pytest.raises(StoreUnavailable, match="~nobody-has-this-name"):
            ask()
