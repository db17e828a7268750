"""Whatever a model calls, it gets an outcome it can work with, and nothing but Ctrl-C gets out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.llm.model import ToolSpec
from paicli.memory.message import ToolCall
from paicli.tools import Toolbox, default_tools
from paicli.tools.registry import MAX_RESULT_CHARACTERS


class FakeTool:
    """Answers with what it is made with."""

    def __init__(self, action: Callable[[], Any], name: str = "fake") -> None:
        self.spec = ToolSpec(name, "A fake.", {"type": "object", "properties": {"n": {"type": "integer"}}})
        self._action = action

    def run(self, arguments: Mapping[str, Any]) -> Any:
        return self._action()


def fail(error: BaseException) -> Callable[[], Any]:
    def action() -> Any:
        raise error

    return action


def test_the_five_tools_are_described_in_full(tools: Toolbox) -> None:
    specs = tools.specs()
    assert [spec.name for spec in specs] == ["read_file", "write_file", "list_dir", "execute_command", "create_project"]
    for spec in specs:
        assert spec.description
        assert len(spec.description) < 250
        json.dumps(spec.schema())
        for parameter in spec.parameters["properties"].values():
            assert parameter["type"]
            assert parameter["description"]
        assert set(spec.parameters.get("required", ())) <= set(spec.parameters["properties"])


@pytest.mark.parametrize("arguments", ['{"path": "a', "{", "[1", '{"path": "a"} trailing', "nonsense", "[" * 100_000])
def test_half_json_is_answered_with_what_is_wrong(tools: Toolbox, arguments: str) -> None:
    outcome = tools.run(ToolCall("1", "read_file", arguments))
    assert not outcome.ok
    assert "The arguments of read_file are not complete JSON" in outcome.text
    assert "Nothing was done" in outcome.text
    assert len(outcome.text) < 500


@pytest.mark.parametrize("arguments", ["[]", "7", "null", '"\\"x\\""'])
def test_json_that_is_no_object_is_answered(tools: Toolbox, arguments: str) -> None:
    outcome = tools.run(ToolCall("1", "list_dir", arguments))
    assert not outcome.ok
    assert "must be a JSON object" in outcome.text


@pytest.mark.parametrize("arguments", ["", "  ", "{}", '"{}"'])
def test_no_arguments_at_all_are_none(tools: Toolbox, arguments: str) -> None:
    assert tools.run(ToolCall("1", "list_dir", arguments)).text == "[the folder is empty]"


def test_an_unknown_tool_is_answered_with_the_nearest_and_the_list(tools: Toolbox) -> None:
    outcome = tools.run(ToolCall("1", "readFile", "{}"))
    assert not outcome.ok
    assert "There is no tool 'readFile'. Did you mean 'read_file'?" in outcome.text
    assert "create_project" in outcome.text
    assert "Did you mean" not in tools.run(ToolCall("1", "zzzz", "{}")).text
    assert "The tools are: none" in Toolbox().run(ToolCall("1", "zzzz", "{}")).text


def test_a_wrong_type_is_answered_before_the_tool_runs() -> None:
    box = Toolbox([FakeTool(fail(AssertionError("ran")))])
    assert "'n' has value 'x'" in box.run(ToolCall("1", "fake", '{"n": "x"}')).text


def test_a_tool_that_breaks_is_an_outcome() -> None:
    outcome = Toolbox([FakeTool(fail(ZeroDivisionError("by zero {brace}")))]).run(ToolCall("1", "fake"))
    assert (outcome.ok, outcome.text) == (False, "fake failed: ZeroDivisionError: by zero {brace}")


def test_ctrl_c_is_the_only_thing_that_gets_out() -> None:
    with pytest.raises(KeyboardInterrupt):
        Toolbox([FakeTool(fail(KeyboardInterrupt()))]).run(ToolCall("1", "fake"))


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ("", "[no output]"),
        ("\x1b[2J\ud83d中", "\\x1b[2J\ufffd中"),
        (7, "7"),
        ({"role": "system"}, "{'role': 'system'}"),
    ],
)
def test_a_result_is_plain_text_and_nothing_else(result: Any, text: str) -> None:
    outcome = Toolbox([FakeTool(lambda: result)]).run(ToolCall("1", "fake"))
    assert (outcome.ok, outcome.text) == (True, text)
    assert outcome.seconds >= 0


def test_a_result_of_any_size_is_limited_with_a_marker() -> None:
    outcome = Toolbox([FakeTool(lambda: "x" * 1_000_000)]).run(ToolCall("1", "fake"))
    assert len(outcome.text) < MAX_RESULT_CHARACTERS + 100
    assert f"[… {1_000_000 - MAX_RESULT_CHARACTERS} characters left out …]" in outcome.text


def test_two_tools_of_one_name_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="two tools are named 'fake'"):
        Toolbox([FakeTool(str), FakeTool(str)])


@given(st.sampled_from(["read_file", "list_dir", "write_file", "create_project", "execute_command"]), st.text())
def test_any_text_as_arguments_gives_an_outcome(name: str, arguments: str) -> None:
    box = default_tools(Path.cwd(), lambda approval: False)
    box.run(ToolCall("1", name, arguments)).text.encode("utf-8")


@given(st.dictionaries(st.sampled_from(["path", "command", "name", "type", "content"]), st.text() | st.integers()))
def test_any_values_give_an_outcome(arguments: dict[str, Any]) -> None:
    box = default_tools(Path.cwd() / "nowhere", lambda approval: False)
    for name in ("read_file", "list_dir", "execute_command"):
        assert box.run(ToolCall("1", name, json.dumps(arguments))).text


def test_where_nothing_may_be_written_there_are_only_tools_that_read(tmp_path: Path) -> None:
    toolbox = default_tools(tmp_path, lambda _: True, read_only=True)
    assert [spec.name for spec in toolbox.specs()] == ["read_file", "list_dir"]
    assert not toolbox.run(ToolCall("1", "write_file", '{"path": "a", "content": "b"}')).ok
    assert list(tmp_path.iterdir()) == []
