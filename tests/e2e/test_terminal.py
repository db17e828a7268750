"""The interactive CLI as a person sees it: a real process in a pseudo-terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from person import Person

from paicli.testing.replies import Call, HttpError, Slow
from paicli.testing.server import ChatServer

Start = Callable[..., Person]
NO_FACTS = '{"facts": []}'


def is_extraction(request: dict[str, Any]) -> bool:
    return not request.get("tools")


def echo(request: dict[str, Any]) -> Any:
    if is_extraction(request):
        return NO_FACTS
    last = request["messages"][-1]
    if last["role"] == "tool":
        return "the tool said: " + last["content"].splitlines()[0]
    return "you said: " + last["content"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Returns a function that seats a person in front of the program; whatever happens, it ends."""
    people: list[Person] = []

    def seat(*arguments: str, server: ChatServer | None = None, **environment: str) -> Person:
        if server:
            arguments = ("--base-url", server.base_url, "--model", "m", "--context-window", "32000", *arguments)
        person = Person(arguments, folder=tmp_path, environment=environment)
        people.append(person)
        person.sees("> ")
        return person

    yield seat
    for person in people:
        person.process.close(force=True)


def test_in_the_c_locale_the_greeting_is_in_both_languages_and_the_first_input_decides(start: Start) -> None:
    person = start()
    person.sees("还没有连接模型")
    person.sees("No model is connected")
    person.types("我喜欢简短的回答")
    person.sees("已记住")
    assert person.leaves() == 0


def test_the_prompt_comes_before_the_client_is_loaded(start: Start, tmp_path: Path) -> None:
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "openai.py").write_text("import time\ntime.sleep(600)\n")
    path = os.pathsep.join([str(tmp_path / "slow"), os.environ["PYTHONPATH"]])
    person = start("--lang", "en", "--base-url", "http://127.0.0.1:9/v1", PYTHONPATH=path)
    person.types("/memory")
    person.sees("Long-term memory: 0 facts")
    assert person.leaves() == 0


def test_stopping_an_answer_brings_the_prompt_back_and_the_next_request_is_valid(start: Start) -> None:
    def reply(request: dict[str, Any]) -> Any:
        if is_extraction(request):
            return NO_FACTS
        last = request["messages"][-1]["content"]
        return Slow(600, "never", where="stream") if last == "be slow" else "quick again"

    with ChatServer(reply) as server:
        person = start("--lang", "en", server=server)
        person.types("be slow")
        person.waits_until(lambda: len(server.requests) == 1, "the request")
        person.looks(0.5)
        person.process.sendintr()
        person.sees("it was withdrawn from the conversation")
        person.types("go on")
        person.sees("quick again")
        assert person.leaves() == 0
        assert server.violations == []


def test_a_paste_is_one_message_and_nothing_in_it_is_executed(start: Start) -> None:
    with ChatServer(echo) as server:
        person = start("--lang", "en", server=server)
        person.process.send("\x1b[200~first\r\n/clear\r\nthird {a} %s\x1b[201~")
        person.sees("third")
        person.process.send("\r")
        person.sees("you said: first")
        assert person.leaves() == 0
    assert server.requests[0]["messages"][-1]["content"] == "first\n/clear\nthird {a} %s"


def test_ctrl_c_at_the_prompt_says_how_to_leave_and_ctrl_d_leaves(start: Start) -> None:
    person = start("--lang", "en")
    person.process.sendintr()
    person.sees("Ctrl-D, to leave")
    person.process.sendeof()
    assert person.waits_for_the_end() == 0


def test_a_command_runs_only_after_a_yes(start: Start, tmp_path: Path) -> None:
    def reply(request: dict[str, Any]) -> Any:
        last = request["messages"][-1]
        if last["role"] == "user" and not is_extraction(request):
            return Call("execute_command", {"command": "touch made"})
        return echo(request)

    with ChatServer(reply) as server:
        person = start("--lang", "en", server=server)
        person.types("do it")
        person.sees("Run this command?")
        person.types("n")
        person.sees("failed: you said no")
        assert not (tmp_path / "made").exists()
        person.types("do it after all")
        person.waits_until(lambda: person.screen.count("Run this command?") == 2, "the second question")
        person.types("yes")
        person.waits_until((tmp_path / "made").exists, "the file")
        assert person.leaves() == 0


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"NO_COLOR": "1"}])
def test_a_plain_terminal_gets_no_colour(environment: dict[str, str], start: Start) -> None:
    person = start("--lang", "zh", **environment)
    seen: list[str] = []
    read = person.process.read_nonblocking
    person.process.read_nonblocking = lambda *a, **k: seen.append(read(*a, **k)) or seen[-1]  # type: ignore[method-assign,func-returns-value]
    person.types("我喜欢简短的回答")
    person.sees("已记住")
    person.types("/memory list")
    person.sees("编号")
    assert "\x1b[3" not in "".join(seen)
    if environment == {"TERM": "dumb"}:
        assert "\x1b" not in "".join(seen)
    assert person.leaves() == 0


def test_a_table_is_readable_in_eighty_columns_with_wide_characters(start: Start) -> None:
    person = start("--lang", "zh")
    person.types("/save " + "长" * 50)
    person.sees("已保存")
    person.types("/memory list")
    person.sees("编号")
    person.looks(0.5)
    rows = [row.rstrip() for row in person.screen.splitlines()]
    table = rows[next(number for number, row in enumerate(rows) if row.startswith("编号")) :]
    assert [word in table[0] for word in ("编号", "范围", "日期", "内容")] == [True] * 4
    assert table[1].count("长") + table[2].count("长") == 50
    assert table[2].startswith(" ")
    assert person.leaves() == 0


def test_what_an_earlier_session_left_over_is_extracted_behind_the_prompt(start: Start) -> None:
    down = {"now": True}

    def reply(request: dict[str, Any]) -> Any:
        if not is_extraction(request):
            return "noted"
        if down["now"]:
            return HttpError(400, {"error": {"message": "not now"}})
        return '{"facts": [{"fact": "The harbour has gate 4711", "quote": "the harbour has gate 4711"}]}'

    with ChatServer(reply) as server:
        person = start("--lang", "en", server=server)
        person.types("the harbour has gate 4711")
        person.sees("noted")
        person.types("/exit")
        person.waits_for_the_end()
        assert "taken up at the next start" in person.screen
        down["now"] = False
        person = start("--lang", "en", server=server)
        person.sees("1 earlier session was not looked through for facts yet")
        person.sees("Remembered")
        person.sees("The harbour has gate 4711")
        assert person.leaves() == 0


def test_while_an_answer_is_waited_for_a_line_says_so_and_goes_away(start: Start) -> None:
    with ChatServer(
        lambda request: NO_FACTS if is_extraction(request) else Slow(600, "here it is", where="headers")
    ) as server:
        person = start("--lang", "en", server=server)
        person.types("how are you?")
        person.sees("thinking… 1 s")
        server.stopping.set()
        person.sees("here it is")
        assert "thinking" not in person.screen
        assert person.leaves() == 0


def test_on_a_dumb_terminal_notices_come_before_the_prompt(start: Start, tmp_path: Path) -> None:
    with ChatServer(echo) as server:
        person = start("--lang", "en", "--base-url", server.base_url, "--model", "m", TERM="dumb")
        person.looks(1)
        person.types("hello")
        person.sees("is not known")
        person.sees("you said: hello")
        assert not any(line.startswith(">") and "not known" in line for line in person.screen.splitlines())
        assert person.leaves() == 0
