"""What happens when a file or variable can't be used: said, with the way out, and it stops only what needs it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from paicli.cli.texts import sentence
from paicli.cli.wording import error_text
from paicli.config import SMALLEST_WINDOW
from paicli.errors import MessageTooLarge, RequestRefused

READING = [("list",), ("list", "--json"), ("search", "x"), ("search", "x", "--json"), ("show", "x"), ("forget", "x")]


def make_folder(path: Path) -> None:
    path.mkdir(parents=True)


def make_pipe(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


@pytest.mark.parametrize("spoil", [make_folder, make_pipe])
@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_a_memory_that_can_not_be_read_is_a_failure_and_not_empty(
    shell: Any, home: Path, arguments: tuple[str, ...], spoil: Any
) -> None:
    spoil(home / "memory" / "long_term_memory.json")
    status, out, err = shell("memory", *arguments)
    assert (status, out) == (1, "")
    assert err.count("long_term_memory.json") == 1


def test_a_folder_that_is_a_file_is_a_failure_too(shell: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    status, out, err = shell("memory", "list", "--memory-dir", str(tmp_path / "file" / "memory"))
    assert (status, out) == (1, "")
    assert "Not a directory" in err


def test_a_session_says_that_it_can_not_be_read_and_shows_what_is_kept_in_it(talk: Any, home: Path) -> None:
    make_folder(home / "memory" / "long_term_memory.json")
    out = talk("/memory list", "/save a fact", "/memory list")
    assert "Nothing is remembered yet" not in out
    assert out.count("Is a directory") >= 2
    assert "a fact" in out.splitlines()[-2] + out.splitlines()[-1] + out.splitlines()[-3]


def spoil_config(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (home / "config.toml").write_text('lang = "en"\nmodel = = "glm"\n')
    return "config.toml"


def spoil_config_encoding(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (home / "config.toml").write_bytes("model = 'glm' # 模型".encode("gbk"))
    return "config.toml"


def spoil_setting(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (home / "config.toml").write_text("model = []\nlang = 'de'\ncontext_window = 'many'\n")
    return "many"


def spoil_dotenv(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (folder / ".env").write_bytes("GLM_API_KEY=钥匙".encode("gbk"))
    return ".env"


def spoil_key(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PAICLI_API_KEY", "ключ")
    return "U+043A"


def spoil_address(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PAICLI_BASE_URL", "localhost")
    return "PAICLI_BASE_URL"


def spoil_window(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PAICLI_CONTEXT_WINDOW", "512")
    return str(SMALLEST_WINDOW)


SPOILT = [
    spoil_config,
    spoil_config_encoding,
    spoil_setting,
    spoil_dotenv,
    spoil_key,
    spoil_address,
    spoil_window,
]


@pytest.mark.parametrize("spoil", SPOILT)
def test_what_only_a_model_needs_does_not_keep_the_memory_from_working(
    shell: Any, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Any
) -> None:
    home.mkdir(exist_ok=True)
    monkeypatch.chdir(tmp_path)
    word = spoil(home, tmp_path, monkeypatch)
    assert shell("memory", "add", "I like tea")[0] == 0
    status, out, err = shell("memory", "list", "--json")
    assert (status, [row["content"] for row in json.loads(out)]) == (0, ["I like tea"])
    assert word in err
    status, out, err = shell("config", "show")
    assert status == 0
    assert word in err
    status, out, err = shell("-p", "hello")
    assert (status, out) == (2, "")
    assert word in err or spoil is spoil_setting


def test_a_broken_configuration_file_still_says_where_the_memory_is(shell: Any, home: Path, tmp_path: Path) -> None:
    home.mkdir()
    place = tmp_path / "elsewhere"
    (home / "config.toml").write_text(f'memory_dir = "{place}"\nmodel = "glm\n')
    shell("memory", "add", "I like tea")
    assert (place / "long_term_memory.json").exists()


@pytest.mark.parametrize("place", ["~nobody-has-this-name/memory", "", "  "])
def test_a_place_that_is_none_is_wrong_usage(shell: Any, place: str) -> None:
    status, out, err = shell("memory", "list", "--memory-dir", place)
    assert (status, out) == (2, "")
    assert f"--memory-dir has the value '{place.strip()}'" in err


def test_a_home_that_nobody_has_is_one_line(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAICLI_HOME", "~nobody-has-this-name/paicli")
    status, out, err = shell("memory", "list")
    assert (status, out) == (1, "")
    assert "~nobody-has-this-name/paicli" in err


def test_a_window_without_room_for_a_message_is_refused_with_the_smallest_that_has(shell: Any) -> None:
    status, _, err = shell("-p", "hello", "--context-window", str(SMALLEST_WINDOW - 1))
    assert status == 2
    assert str(SMALLEST_WINDOW) in err


def test_json_stays_json_where_a_row_has_a_number_that_is_none(shell: Any, home: Path) -> None:
    shell("memory", "add", "I like tea")
    file = home / "memory" / "long_term_memory.json"
    row = json.loads(file.read_text("utf-8"))[0]
    extra = '"metadata": {"a": NaN}, "note": NaN, "scores": [-Infinity, 1e999, 1.5]'
    file.write_text(f'[{{"id": "{row["id"]}", "content": "I like tea", "type": "FACT", {extra}}}]', "utf-8")

    def parse(text: str) -> Any:
        return json.loads(text, parse_constant=pytest.fail)

    for arguments in (("list",), ("search", "tea"), ("show", row["id"])):
        status, out, _ = shell("memory", *arguments, "--json")
        parsed = parse(out)
        found = parsed[0] if isinstance(parsed, list) else parsed
        assert (status, found["content"], found["note"], found["scores"]) == (0, "I like tea", None, [None, None, 1.5])
    shell("memory", "add", "I like coffee")
    assert len(parse(file.read_text("utf-8"))) == 2


def test_the_name_of_the_model_is_blamed_only_where_the_server_speaks_of_it() -> None:
    def told(detail: str, **more: Any) -> str:
        error = RequestRefused(endpoint="http://e/v1", status=400, detail=detail)
        return error_text(error, "en", **more)

    assert told("content is empty").endswith("content is empty")
    assert "/model" in told("The model gtp-5 does not exist")
    assert "--model" in told("The model gtp-5 does not exist", in_shell=True)


def test_a_window_that_the_prompt_fills_is_not_blamed_on_the_message() -> None:
    error = MessageTooLarge(tokens=9, window=512, limit=0)
    assert error_text(error, "en") == sentence("errors.window-too-small", "en", window=512)


def test_a_truncated_registry_is_told_once_and_facts_of_projects_stay_found(
    shell: Any, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    shell("memory", "add", "-p", "the port is 8080")
    registry = home / "projects.json"
    registry.write_bytes(registry.read_bytes()[:20])
    found = [shell("memory", "search", "port", "--json") for _ in range(2)]
    assert [len(json.loads(out)) for _, out, _ in found] == [1, 1]
    assert ["projects.json.damaged-" in err for _, _, err in found] == [True, False]
