from __future__ import annotations

import pytest

from paicli.agents.events import (
    Answered,
    Event,
    Interrupted,
    Noticed,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
)
from paicli.cli.render import AnswerPrinter, summary
from paicli.cli.terminal import Terminal
from paicli.memory.message import ToolCall
from paicli.memory.notice import Notice
from paicli.tools.registry import ToolOutcome

CALL = ToolCall("1", "read_file", '{"path": "a.txt", "lines": [1, 2]}')


def printed(capsys: pytest.CaptureFixture[str], *events: Event, dialogue: bool = True) -> tuple[str, str]:
    terminal = Terminal("en", dialogue=dialogue, environ={"NO_COLOR": "1"})
    printer = AnswerPrinter(terminal, lambda _: None)
    for event in events:
        printer.emit(event)
    printer.end()
    both = capsys.readouterr()
    return both.out, both.err


def test_text_is_printed_as_it_comes_and_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, TextDelta("one "), TextDelta("two"), Answered("one two"))[0] == "one two\n"


def test_an_answer_that_did_not_stream_is_printed_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, Answered("all at once"))[0] == "all at once\n"


def test_thinking_stands_apart(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = printed(capsys, ThinkingDelta("hm"), ThinkingDelta("m"), TextDelta("\n\nyes"), Answered("yes"))
    assert out == "thinking: hmm\nyes\n"


def test_thinking_is_left_out_where_nobody_sits_in_front(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, ThinkingDelta("hm"), TextDelta("yes"), Answered("yes"), dialogue=False) == ("yes\n", "")


def test_a_tool_call_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    done = ToolFinished(CALL, ToolOutcome("text", ok=True, seconds=0.25))
    out, _ = printed(capsys, TextDelta("let me see"), ToolStarted(CALL), done)
    assert out == "let me see\nread_file path=a.txt lines=[1, 2] · 0.2 s\n"


def test_a_failed_call_says_why_and_goes_to_stderr_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    failed = ToolFinished(CALL, ToolOutcome("no such\nfile", ok=False, seconds=0))
    out, err = printed(capsys, ToolStarted(CALL), failed, dialogue=False)
    assert out == ""
    assert err == "read_file path=a.txt lines=[1, 2] · failed: no such file\n"


def test_an_interruption_ends_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, TextDelta("half"), Interrupted("half"))[0].startswith("half\n(stopped")


def test_what_a_model_writes_can_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    nasty = "a\x1b[2J\x1b]0;title\x07b\u202e"
    call = ToolCall("1", nasty, f'{{"x": "{nasty}"}}')
    out, _ = printed(
        capsys,
        ThinkingDelta(nasty),
        TextDelta(nasty),
        ToolStarted(call),
        ToolFinished(call, ToolOutcome(nasty, ok=False, seconds=0)),
    )
    assert not {"\x1b", "\x07", "\u202e"} & set(out)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [("", ""), ("{half", "{half"), ("[1]", "[1]"), ('{"a": "x\\ny", "b": {"c": 1}}', 'a=x y b={"c": 1}')],
)
def test_arguments_are_summed_up(arguments: str, shown: str) -> None:
    assert summary(arguments) == shown


def test_the_time_of_a_call_is_without_that_of_the_users_answer(capsys: pytest.CaptureFixture[str]) -> None:
    printer = AnswerPrinter(Terminal("en", dialogue=True, environ={"NO_COLOR": "1"}), lambda _: None)
    printer.emit(ToolStarted(CALL))
    printer.asked_seconds = 7.0
    printer.emit(ToolFinished(CALL, ToolOutcome("text", ok=True, seconds=7.5)))
    assert capsys.readouterr().out.endswith(" · 0.5 s\n")


def test_what_is_told_to_the_model_alone_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    refused = ToolOutcome("refused by the user: x. Don't try it another way", ok=False, seconds=0, problem="refused")
    out, _ = printed(capsys, ToolStarted(CALL), ToolFinished(CALL, refused))
    assert out.endswith("failed: you said no\n")


def test_stopping_says_one_thing_and_the_right_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert "what was shown stays" in printed(capsys, Interrupted("half"))[0]
    assert printed(capsys, Interrupted(""))[0] == "Stopped\n"
    out, _ = printed(capsys, Noticed(Notice("withdrawn")), Interrupted(""))
    assert len(out.splitlines()) == 1
    assert "withdrawn" in out
