from __future__ import annotations

import pytest

from paicli.cli.commands import FIRST, FURTHER, Typed, as_command, as_message, nearest


@pytest.mark.parametrize("line", [" /memory ", "／memory", "/Memory", "/MEMORY", "　/memory　", "\t/memory"])
def test_space_case_and_a_full_width_slash_do_not_matter(line: str) -> None:
    assert as_command(line) == Typed("memory")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("/save  用户喜欢 Java", Typed("save", "用户喜欢 Java")),
        ("/save　用户喜欢 Java", Typed("save", "用户喜欢 Java")),
        ("/quit", Typed("exit")),
        ("/sav x", Typed("sav", "x")),
        ("/记忆 list", Typed("memory", "list")),
    ],
)
def test_what_follows_a_command_is_its_rest(line: str, command: Typed) -> None:
    assert as_command(line) == command


@pytest.mark.parametrize(
    "line", ["hello", "a /clear", "/usr/bin is full", "/etc", "//clear", "/", "one\n/clear\nthree"]
)
def test_what_is_no_command_is_a_message(line: str) -> None:
    assert (as_command(line) is None) == (line != "/etc")


def test_a_paste_that_begins_with_a_command_is_no_command() -> None:
    assert as_command("/clear\n/exit") is None


def test_two_slashes_send_a_text_that_begins_with_one() -> None:
    assert as_message("//clear does what?") == "/clear does what?"
    assert as_message("{x} %s") == "{x} %s"


@pytest.mark.parametrize(("typed", "meant"), [("sav", "save"), ("modle", "model"), ("contxt", "context"), ("zzz", "")])
def test_the_nearest_command_is_found(typed: str, meant: str) -> None:
    assert nearest(typed, (*FIRST, *FURTHER)) == meant
