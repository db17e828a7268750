from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paicli.memory.stores.archive import unextracted
from paicli.testing.replies import Call, HttpError
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules


def paicli(*arguments: str, text: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "paicli", *arguments]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, env={**os.environ, **environ}, timeout=60, check=False
    )


def test_one_question_gets_its_answer_on_stdout_and_nothing_else(shell: Any) -> None:
    with ChatServer([Call("list_dir", {"path": "."}), "four"]) as server:
        status, out, err = shell("-p", "two and two?", "--base-url", server.base_url, "--context-window", "9000")
    assert (status, out) == (0, "four\n")
    assert "list_dir" in err
    assert server.violations == []


def test_one_question_without_a_model_fails_with_the_way_out(shell: Any) -> None:
    status, out, err = shell("-p", "hello")
    assert (status, out) == (1, "")
    assert "GLM_API_KEY" in err


def test_one_question_that_the_server_refuses_fails(shell: Any) -> None:
    with ChatServer([HttpError(400, {"error": {"message": "no such model"}})]) as server:
        status, out, err = shell("-p", "hello", "--base-url", server.base_url, "--context-window", "9000")
    assert (status, out) == (1, "")
    assert "no such model" in err


def test_a_command_is_refused_where_nobody_can_say_yes(shell: Any, tmp_path: Path) -> None:
    made = tmp_path / "made"
    with ChatServer([Call("execute_command", {"command": f"touch {made}"}), "ok"]) as server:
        err = shell("-p", "do it", "--base-url", server.base_url, "--context-window", "9000")[2]
    assert "--yes" in err
    assert not made.exists()


def test_lines_of_a_pipe_are_inputs_commands_included_and_the_end_is_exit() -> None:
    done = paicli("--lang", "zh", text="我喜欢猫\n／memory list\n/nonsense\nnever mind\n")
    assert done.returncode == 0
    assert "我喜欢猫" in done.stdout
    assert "没有 /nonsense 这个命令" in done.stderr
    assert "还没有连接模型" in done.stderr


def test_a_pipe_with_a_model_streams_answers_to_stdout_and_refuses_to_ask() -> None:
    def reply(request: dict[str, Any]) -> Any:
        return '{"facts": []}' if "quote" in str(request["messages"][0]) else "an answer"

    with ChatServer(reply) as server:
        done = paicli("--lang", "en", "--base-url", server.base_url, "--context-window", "9000", text="hello\n")
    assert (done.returncode, done.stdout) == (0, "an answer\n")
    assert server.violations == []


def test_clear_without_a_yes_clears_nothing_in_a_pipe() -> None:
    def reply(request: dict[str, Any]) -> Any:
        return HttpError(400, {"error": {"message": "no"}}) if "quote" in str(request["messages"][0]) else "an answer"

    with ChatServer(reply) as server:
        options = ("--lang", "en", "--base-url", server.base_url, "--context-window", "9000")
        kept = paicli(*options, text="hello\n/clear\n/memory\n")
        cleared = paicli(*options, "--yes", text="hello\n/clear\n/memory\n")
    assert "nobody is there" in kept.stderr
    assert "2 entries in 1 round" in kept.stdout
    assert "0 entries in 0 rounds" in cleared.stdout


def test_a_locale_that_knows_little_degrades_the_output_and_never_crashes() -> None:
    for encoding in ("gbk", "ascii", "latin-1"):
        done = subprocess.run(
            [sys.executable, "-m", "paicli", "--lang", "zh"],
            input="/save 端口 8080 \U0001f9e9\n/memory list\n/help all\n".encode("gbk", "replace"),
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"},
            timeout=60,
            check=False,
        )
        assert done.returncode == 0
        assert b"8080" in done.stdout
        assert b"Traceback" not in done.stderr


def test_an_undecodable_byte_is_replaced_and_saved_without_error(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "paicli", "--lang", "en"],
        input=b"/save broken \xff byte\n/memory list\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=60,
        check=True,
    )
    assert "broken \ufffd byte".encode() in done.stdout
    assert (home / "memory" / "long_term_memory.json").exists()


def test_a_reader_that_goes_away_is_no_complaint() -> None:
    for number in range(3):
        paicli("memory", "add", f"fact number {number}")
    done = subprocess.run(
        f"{shlex.quote(sys.executable)} -m paicli memory list --json | head -c 1",
        shell=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == b""


def test_starting_loads_neither_the_client_nor_the_dictionary_before_the_first_input() -> None:
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom paicli.app import App\nfrom paicli.config import read_settings\n"
        "from paicli.cli import session\n"
        "App(read_settings({'base_url': 'http://127.0.0.1:9/v1'}), Path.cwd())\n"
        "sys.stdout.write(' '.join(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"openai", "rjieba", "pydantic", "rich", "numpy"} & set(loaded)


@pytest.mark.parametrize("broken", ["unexpected"])
def test_a_fault_in_the_program_is_one_line_and_status_1(
    broken: str, shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import paicli.cli.shell

    def fail(*_: object) -> int:
        raise RuntimeError(broken)

    monkeypatch.setattr(paicli.cli.shell, "run_command", fail)
    status, out, err = shell("memory", "list")
    assert (status, out) == (1, "")
    assert err.strip() == f"An unexpected error (RuntimeError): {broken}. What was saved is not affected"


def test_what_is_piped_in_comes_after_the_question_and_a_dash_stands_for_it(
    shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChatServer(lambda request: request["messages"][-1]["content"]) as server:
        options = ("--base-url", server.base_url, "--context-window", "9000")
        for question, answer in (("sum it up", "sum it up\n\none\ntwo\n"), ("-", "one\ntwo\n")):
            monkeypatch.setattr(sys, "stdin", io.StringIO("one\ntwo\n"))
            assert shell("-p", question, *options)[:2] == (0, answer)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    status, _, err = shell("-p", "-", *options)
    assert (status, "no text after -p" in err) == (2, True)


def test_one_question_leaves_nothing_over_for_the_next_start_but_what_it_asks_to_remember(
    shell: Any, home: Path
) -> None:
    with ChatServer(["noted"]) as server:
        question = "remember that the harbour has gate 4711"
        assert shell("-p", question, "--base-url", server.base_url, "--context-window", "9000")[0] == 0
    assert [request for request in server.requests if not request.get("tools")] == []
    assert unextracted(home / "sessions") == []
    assert "gate 4711" in shell("memory", "list")[1]


def test_where_nobody_can_say_yes_the_result_says_so_in_the_language_of_the_interface(shell: Any) -> None:
    with ChatServer(_touch_or_quote) as server:
        options = ("-p", "do it", "--base-url", server.base_url, "--context-window", "9000")
        english = shell(*options)
        chinese = shell("--lang", "zh", *options)[2]
    assert "failed: nobody is there to say yes (use --yes)" in english[2]
    assert "没有成功：没有人可以点头（可用 --yes）" in chinese
    assert "nobody is there to say yes" in english[1]  # the model was told so too
    assert "refused by the user" not in "".join(english[1:])


def _touch_or_quote(request: dict[str, Any]) -> Any:
    last = request["messages"][-1]
    return last["content"] if last["role"] == "tool" else Call("execute_command", {"command": "touch made"})


@pytest.mark.parametrize(("key", "said"), [("", "wants a key"), ("sk-wrong0000000000000000", "refused the key …0000")])
def test_a_key_that_is_missing_or_wrong_is_told_with_the_ways_out_that_the_shell_has(
    key: str, said: str, shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAICLI_API_KEY", key)
    with ChatServer([], rules=Rules(key="sk-right0000000000000000")) as server:
        status, _, err = shell("-p", "hi", "--base-url", server.base_url, "--context-window", "9000")
    assert (status, said in err, "PAICLI_API_KEY" in err, "/model" in err) == (1, True, True, False)


def test_an_address_without_v1_and_a_server_that_is_down_are_told_as_such(shell: Any) -> None:
    with ChatServer([]) as server:
        address = server.base_url
        err = shell("-p", "hi", "--base-url", address.removesuffix("/v1"), "--context-window", "9000")[2]
    assert f"try {address}" in err
    assert "Is the server running?" in shell("-p", "hi", "--base-url", address, "--context-window", "9000")[2]


def test_the_window_that_nobody_knows_is_told_once_for_each_model(shell: Any) -> None:
    with ChatServer(["a", "b", "c"]) as server:
        told = [
            "is not known" in shell("-p", "hi", "--base-url", server.base_url, "--model", name)[2]
            for name in ("m", "m", "n")
        ]
    assert told == [True, False, True]
