"""Inside the project tools work freely; at its border, and for every command, the user is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paicli.errors import ToolError
from paicli.tools import Approval, Ask, Guard, Reason

ASKED_OUTSIDE = [
    ("absolute", "/etc/hosts"),
    ("parent", "../x"),
    ("hidden parent", "a/../../x"),
    ("home", "~/notes"),
    ("link", "link/x"),
    ("neighbour with the same beginning", "../project2/x"),
]


def saying_yes(asked: list[Approval]) -> Ask:
    def ask(approval: Approval) -> bool:
        asked.append(approval)
        return True

    return ask


@pytest.fixture
def guard(root: Path, asked: list[Approval]) -> Guard:
    (root / "link").symlink_to(root.parent)
    return Guard(root, saying_yes(asked))


@pytest.mark.parametrize("text", [".", "a", "a/../b", "./a/b", "新 文件.txt"])
def test_a_path_inside_needs_no_question(guard: Guard, asked: list[Approval], root: Path, text: str) -> None:
    assert guard.path("read_file", "read", text).is_relative_to(root.resolve())
    assert asked == []


@pytest.mark.parametrize("text", [text for _, text in ASKED_OUTSIDE], ids=[name for name, _ in ASKED_OUTSIDE])
def test_a_path_outside_is_asked_for_by_its_real_name(guard: Guard, asked: list[Approval], text: str) -> None:
    path = guard.path("read_file", "read", text)
    assert asked == [Approval("read_file", "read", str(path), Reason.OUTSIDE_ROOT)]
    assert ".." not in path.parts
    assert "~" not in path.parts


def test_a_link_that_stays_inside_needs_no_question(guard: Guard, asked: list[Approval], root: Path) -> None:
    (root / "real").mkdir()
    (root / "alias").symlink_to("real")
    assert guard.path("list_dir", "list", "alias") == root.resolve() / "real"
    assert asked == []


def test_a_root_that_is_a_link_is_its_target(root: Path, asked: list[Approval]) -> None:
    alias = root.parent / "alias"
    alias.symlink_to(root)
    guard = Guard(alias, saying_yes(asked))
    assert guard.path("read_file", "read", str(root / "x")) == root.resolve() / "x"
    assert asked == []


def test_writing_into_the_git_folder_is_asked_for_because_hooks_are_commands(
    guard: Guard, asked: list[Approval]
) -> None:
    guard.path("read_file", "read", ".git/config")
    assert asked == []
    guard.path("write_file", "write", "sub/.GIT/hooks/pre-commit")
    assert [approval.reason for approval in asked] == [Reason.GIT_FOLDER]


def test_every_command_is_asked_for_and_shown_whole(guard: Guard, asked: list[Approval]) -> None:
    command = "echo \x1b[2J\u202e" + "x" * 5000 + "\nrm -rf build"
    guard.command("execute_command", command)
    assert asked[0].reason is Reason.COMMAND
    assert asked[0].detail == "echo \\x1b[2J\\u202e" + "x" * 5000 + "\nrm -rf build"


def test_a_no_becomes_an_error_that_says_so(root: Path) -> None:
    guard = Guard(root, lambda approval: False)
    with pytest.raises(ToolError, match="refused by the user: run make"):
        guard.command("execute_command", "make")
    with pytest.raises(ToolError, match="refused by the user: read /etc/hosts"):
        guard.path("read_file", "read", "/etc/hosts")


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "a\ud83db", "~no-such-user-here/x"])
def test_what_is_no_path_is_explained_without_a_question(guard: Guard, asked: list[Approval], text: str) -> None:
    with pytest.raises(ToolError, match=r"'path' (is empty|has value)"):
        guard.path("read_file", "read", text)
    assert asked == []


def test_ctrl_c_at_the_question_passes_through(root: Path) -> None:
    def ask(approval: Approval) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Guard(root, ask).command("execute_command", "make")


def test_a_result_names_paths_from_the_root(guard: Guard, root: Path) -> None:
    assert guard.shown(root.resolve() / "a" / "b") == "a/b"
    assert guard.shown(Path("/etc/a\nb")) == "/etc/a\\nb"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_file", {"path": "../secret"}),
        ("list_dir", {"path": ".."}),
        ("write_file", {"path": "../new", "content": "x"}),
        ("create_project", {"name": "new", "type": "node", "path": ".."}),
        ("execute_command", {"command": "touch ../new"}),
    ],
)
def test_no_tool_does_anything_after_a_no(
    run: Any, answer: dict[str, bool], root: Path, tool: str, arguments: dict[str, str]
) -> None:
    (root.parent / "secret").write_text("hidden")
    answer["yes"] = False
    outcome = run(tool, **arguments)
    assert not outcome.ok
    assert "refused by the user" in outcome.text
    assert "hidden" not in outcome.text
    assert sorted(path.name for path in root.parent.iterdir()) == ["project", "secret"]


@pytest.mark.parametrize("text", [".ssh/id_ed25519", "~/.config/tokens", ".paicli/keys.json"])
def test_what_is_hidden_at_home_is_asked_for_where_the_home_is_the_root(asked: list[Approval], text: str) -> None:
    Guard(Path.home(), saying_yes(asked)).path("read_file", "read", text)
    assert [approval.reason for approval in asked] == [Reason.PRIVATE]


def test_the_home_itself_and_what_is_not_hidden_in_it_needs_no_question(asked: list[Approval]) -> None:
    guard = Guard(Path.home(), saying_yes(asked))
    guard.path("list_dir", "list", ".")
    guard.path("create_project", "create", "myapp")
    assert asked == []


def test_a_private_folder_inside_the_root_is_asked_for(root: Path, asked: list[Approval]) -> None:
    Guard(root, saying_yes(asked), private=[root / "secret"]).path("read_file", "read", "secret/keys.json")
    assert [approval.reason for approval in asked] == [Reason.PRIVATE]
