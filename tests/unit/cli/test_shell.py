from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from paicli.memory.entry import MemoryEntry, MemoryType, utc_now
from paicli.memory.message import Message
from paicli.memory.session.record import Whereabouts, message_record, session_record
from paicli.memory.stores.transcript import Transcript


def test_a_fact_is_added_listed_found_shown_forgotten_and_brought_back(shell: Any) -> None:
    status, out, _ = shell("memory", "add", "用户喜欢", "Java")
    assert (status, "Saved" in out, "用户喜欢 Java" in out, "everywhere" in out) == (0, True, True, True)
    entry_id = json.loads(shell("memory", "list", "--json")[1])[0]["id"]
    assert "用户喜欢 Java" in shell("memory", "list")[1]
    assert "用户喜欢 Java" in shell("memory", "search", "java")[1]
    assert entry_id in shell("memory", "show", entry_id[:4])[1]
    status, out, _ = shell("memory", "forget", entry_id[:5])
    assert (status, "paicli memory undo" in out) == (0, True)
    assert json.loads(shell("memory", "list", "--json")[1]) == []
    assert "Brought back" in shell("memory", "undo")[1]
    assert json.loads(shell("memory", "list", "--json")[1])[0]["id"] == entry_id


def test_the_same_fact_in_other_words_of_punctuation_is_already_known(shell: Any) -> None:
    shell("memory", "add", "用户喜欢 Java")
    status, out, _ = shell("memory", "add", " 用户喜欢　java ！")
    assert (status, out.startswith("Already known")) == (0, True)
    assert len(json.loads(shell("memory", "list", "--json")[1])) == 1


def test_search_as_json_gives_the_score_and_its_parts_best_first(shell: Any) -> None:
    shell("memory", "add", "服务跑在 JDK 17")
    shell("memory", "add", "猫叫咪咪")
    found = json.loads(shell("memory", "search", "JDK 17", "--json", "--limit", "5")[1])
    assert [row["content"] for row in found] == ["服务跑在 JDK 17"]
    assert found[0]["score"] == pytest.approx(
        found[0]["match"] * (1 - found[0]["share"] + found[0]["share"] * found[0]["recency"]) * found[0]["sourceWeight"]
    )


def test_no_hit_is_an_empty_list_and_no_failure(shell: Any) -> None:
    shell("memory", "add", "猫叫咪咪")
    assert shell("memory", "search", "weather", "--json")[:2] == (0, "[]\n")
    status, out, err = shell("memory", "search", "weather")
    assert (status, out, "weather" in err) == (0, "", True)


def test_limit_keeps_the_newest_and_says_how_many_more_there_are(shell: Any) -> None:
    for number in range(4):
        shell("memory", "add", f"fact number {number} about birds")
    _, out, err = shell("memory", "list", "--limit", "2")
    assert [line.split("  ")[-1] for line in out.splitlines()] == [
        "fact number 2 about birds",
        "fact number 3 about birds",
    ]
    assert "2 earlier" in err
    assert len(json.loads(shell("memory", "list", "--limit", "2", "--json")[1])) == 2


@pytest.mark.parametrize("action", ["show", "forget"])
def test_an_unknown_id_is_an_error(action: str, shell: Any) -> None:
    status, out, err = shell("memory", action, "nothing")
    assert (status, out) == (1, "")
    assert "nothing" in err
    assert "paicli memory list" in err


def test_undo_with_nothing_to_undo_is_no_success(shell: Any) -> None:
    status, _, err = shell("memory", "undo")
    assert (status, "no change" in err) == (1, True)


def test_a_project_fact_is_found_in_the_project_and_its_subfolders_only(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a/.git", "a/sub", "b/.git"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a")
    assert "project a" in shell("memory", "add", "本项目用 pnpm")[1]
    shell("memory", "add", "我喜欢简短回答")
    for folder, hits in (("a", 1), ("a/sub", 1), ("b", 0)):
        monkeypatch.chdir(tmp_path / folder)
        assert len(json.loads(shell("memory", "search", "pnpm", "--json")[1])) == hits
        assert len(json.loads(shell("memory", "search", "简短", "--json")[1])) == 1
    assert len(json.loads(shell("memory", "search", "pnpm", "--all", "--json")[1])) == 1
    listed = shell("memory", "list")[1]
    assert "other project a" in listed
    assert "project:" not in listed
    assert shell("memory", "list", "--all")[1] == listed
    assert "1 fact of other projects: paicli memory search --all" in shell("memory", "search", "pnpm")[2]


def test_a_scope_can_be_asked_for(shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a")
    assert "project a" in shell("memory", "add", "-p", "tabs are 4 wide")[1]
    assert "everywhere" in shell("memory", "add", "-g", "the project uses pnpm")[1]


def test_a_secret_is_not_kept_and_the_user_is_told(shell: Any, home: Path) -> None:
    secret = "sk-demo0000000000000000000000"
    status, out, err = shell("memory", "add", f"the token is {secret}")
    assert status == 0
    assert secret not in out + err
    assert "1 secret left out" in err
    assert all(secret.encode() not in path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_nothing_is_said_to_be_saved_where_it_can_not_be(shell: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    status, out, err = shell("--memory-dir", str(tmp_path / "file" / "memory"), "memory", "add", "a fact")
    assert (status, out) == (1, "")
    assert "nothing was written" in err
    assert "Saved" not in out + err


def test_read_only_writes_nothing(shell: Any, home: Path) -> None:
    status, out, err = shell("--read-only", "memory", "add", "a fact")
    assert (status, out) == (1, "")
    assert "read-only" in err
    assert not home.exists()


def test_a_database_address_is_refused_with_the_way_out(shell: Any) -> None:
    status, _, err = shell("--memory-dir", "sqlite:///x.db", "memory", "list")
    assert status == 1
    assert "--memory-dir" in err


def test_control_characters_of_a_memory_are_shown_and_not_obeyed(shell: Any) -> None:
    shell("memory", "add", "bad \x1b[2J \x1b]0;x\x07 \u202e \ud83d 🧩 text")
    for arguments in (
        ("list",),
        ("search", "text"),
        ("show", json.loads(shell("memory", "list", "--json")[1])[0]["id"]),
    ):
        out = shell("memory", *arguments)[1]
        assert "🧩" in out
        assert not {"\x1b", "\x07", "\u202e"} & set(out)


def test_sessions_are_listed_and_shown(shell: Any, home: Path) -> None:
    assert "no sessions" in shell("sessions", "list")[2]
    transcript = Transcript(home / "sessions", "20260101-101010-abcd")
    transcript.append(session_record("20260101-101010-abcd", utc_now(), Whereabouts("/x")))
    said = MemoryEntry("hello \x1b[2J", MemoryType.CONVERSATION, message=Message("user", "hello \x1b[2J"))
    transcript.append(message_record(said))
    transcript.close()
    assert "20260101-101010-abcd" in shell("sessions", "list")[1]
    assert json.loads(shell("sessions", "list", "--json")[1])[0]["messages"] == 1
    status, out, _ = shell("sessions", "show", "20260101")
    assert (status, "user: hello" in out, "\x1b" in out) == (0, True, False)
    assert len(json.loads(shell("sessions", "show", "20260101", "--json")[1])) == 2
    status, _, err = shell("sessions", "show", "1999")
    assert (status, "1999" in err) == (1, True)


def test_config_show_says_where_each_value_comes_from(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLM_API_KEY", "sk-0123456789abcdef0123")
    monkeypatch.setenv("PAICLI_CONTEXT_WINDOW", "9000")
    out = shell("config", "show", "--model", "glm")[1]
    assert "PAICLI_CONTEXT_WINDOW" in out
    assert "GLM_API_KEY" in out
    assert "…0123" in out
    assert "sk-0123456789abcdef0123" not in out
    values = json.loads(shell("config", "show", "--json")[1])
    assert values["context_window"] == {"value": "9000", "source": "PAICLI_CONTEXT_WINDOW"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--context-window", "12"], "--context-window has the value '12'"),
        (["--context-window", "many"], "'many'"),
        (["--base-url", "localhost"], "--base-url has the value 'localhost'"),
    ],
)
def test_a_bad_setting_names_itself_its_value_and_the_way_out(arguments: list[str], said: str, shell: Any) -> None:
    status, _, err = shell(*arguments, "memory", "list")
    assert (status, said in err) == (2, True)


def test_json_stays_exact_where_stdout_can_not_show_it(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess
    import sys

    shell("memory", "add", "主力语言 C++ 🧩")
    environ = {**os.environ, "PYTHONIOENCODING": "gbk", "PYTHONUTF8": "0", "LC_ALL": "C"}
    run = subprocess.run(
        [sys.executable, "-m", "paicli", "memory", "list", "--json"], capture_output=True, env=environ, check=True
    )
    assert json.loads(run.stdout)[0]["content"] == "主力语言 C++ 🧩"
    listed = subprocess.run(
        [sys.executable, "-m", "paicli", "memory", "list"], capture_output=True, env=environ, check=True
    )
    assert "主力语言 C++ ?" in listed.stdout.decode("gbk")


def test_a_fact_can_come_through_stdin(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("the harbour has gate 4711\n"))
    assert '"the harbour has gate 4711"' in shell("memory", "add", "-")[1]


@pytest.mark.parametrize(("name", "content"), [("notes.txt", "my notes"), ("package.json", '{"name": "shop"}')])
def test_a_file_that_is_no_memory_is_an_error_and_stays_as_it_is(
    name: str, content: str, shell: Any, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(content)
    for command in (("list",), ("add", "a fact")):
        status, out, err = shell("--memory-dir", str(file), "memory", *command)
        assert (status, out, str(file) in err, "no memory" in err) == (1, "", True, True)
    assert file.read_text() == content


def test_undo_shows_the_text_it_takes_out_where_that_was_edited_since_and_once_more_brings_it_back(
    shell: Any, home: Path
) -> None:
    shell("memory", "add", "the port is 80")
    file = home / "memory" / "long_term_memory.json"
    file.write_text(file.read_text().replace("the port is 80", "the port is 8080"))
    out = shell("memory", "undo")[1]
    assert '"the port is 8080" is no longer remembered (edited since; it was saved as "the port is 80")' in out
    assert "the port" not in shell("memory", "list")[1]
    assert '"the port is 8080"' in shell("memory", "undo")[1]
    assert "the port is 8080" in shell("memory", "list")[1]


def test_settings_and_lines_that_are_not_understood_are_told_with_their_file(
    shell: Any, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir(mode=0o755, parents=True)
    home.chmod(0o755)
    (home / "config.toml").write_text('modle = "glm"\n')
    (tmp_path / ".env").write_text("GOOD=1\nthis is no assignment!\n")
    monkeypatch.chdir(tmp_path)
    status, out, err = shell("memory", "list", "--json")
    assert (status, json.loads(out)) == (0, [])
    assert f"The setting modle in {home / 'config.toml'} is not known and not used (known: model)" in err
    assert f"Line 2 of {tmp_path / '.env'} can't be read" in err
    assert "python-dotenv" not in err
    assert f"{home} was open to others" in err
    assert home.stat().st_mode & 0o777 == 0o700
    assert "open to others" not in shell("memory", "list")[2]
