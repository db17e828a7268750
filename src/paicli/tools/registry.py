"""Toolbox: the tools of an agent by name. Whatever a model calls, it gets an answer that it can work with."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paicli.errors import PaicliError, ToolError
from paicli.llm.model import ToolSpec
from paicli.memory.message import ToolCall
from paicli.tools.files import ListDir, ReadFile, WriteFile
from paicli.tools.guard import Ask, Guard
from paicli.tools.projects import CreateProject
from paicli.tools.shell import ExecuteCommand
from paicli.tools.text import shortened, visible
from paicli.tools.tool import Tool, checked, nearest, shown

MAX_RESULT_CHARACTERS = 40_000


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a call came to.

    Args:
        text: What the model reads: plain text, at most about `MAX_RESULT_CHARACTERS`.
        ok: Whether the tool did what it was asked. A command that fails did not.
        seconds: How long it took, the user's answer to a question included.
        problem: A code for why it failed, where the interface has words of its own for it.
        values: What those words need.
    """

    text: str
    ok: bool
    seconds: float
    problem: str = ""
    values: Mapping[str, object] = field(default_factory=dict)


class Toolbox:
    """The tools a model may call.

    Args:
        tools: Each with a name of its own.
    """

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.spec.name in self._tools:
                raise ValueError(f"two tools are named '{tool.spec.name}'")
            self._tools[tool.spec.name] = tool

    def specs(self) -> tuple[ToolSpec, ...]:
        """Returns what a model is told, in a stable order."""
        return tuple(tool.spec for tool in self._tools.values())

    def run(self, call: ToolCall) -> ToolOutcome:
        """Runs the call. Nothing is raised but KeyboardInterrupt: a failure is an outcome that says what to do."""
        start, values = time.monotonic(), dict[str, object]()
        try:
            text, ok = self._run(call), True
        except PaicliError as error:
            text, ok, values = str(error), False, error.values
        except Exception as error:
            text, ok = f"{shown(call.name)} failed: {type(error).__name__}: {error}", False
        text = shortened(visible(text), MAX_RESULT_CHARACTERS)
        seconds = time.monotonic() - start
        return ToolOutcome(text or "[no output]", ok, seconds, str(values.get("problem", "")), values)

    def _run(self, call: ToolCall) -> str:
        tool = self._tools.get(call.name.strip())
        if tool is None:
            alike = nearest(call.name, list(self._tools))
            hint = f"Did you mean '{alike}'? " if alike else ""
            names = ", ".join(self._tools) or "none"
            raise ToolError(
                reason=f"There is no tool '{shown(call.name)}'. {hint}The tools are: {names}.",
                problem="no-tool",
                name=call.name,
            )
        return str(tool.run(checked(tool.spec, parsed_arguments(call))))


def parsed_arguments(call: ToolCall) -> Mapping[str, Any]:
    """Returns the arguments of a call; no text at all means none.

    Raises:
        ToolError: They are no JSON object, or only half of one.
    """
    try:
        value = json.loads(call.arguments) if call.arguments.strip() else {}
        if isinstance(value, str):  # some models wrap the object into a JSON text
            value = json.loads(value)
    except (ValueError, RecursionError) as error:
        raise ToolError(
            reason=f"The arguments of {shown(call.name)} are not complete JSON ({error}): '{shown(call.arguments)}'. "
            "Nothing was done; send the call again with the whole JSON object.",
            problem="half-json",
        ) from error
    if not isinstance(value, dict):
        raise ToolError(
            reason=f"The arguments of {shown(call.name)} must be a JSON object, not '{shown(call.arguments)}'."
        )
    return value


def default_tools(
    root: Path, ask: Ask, private: Sequence[Path] = (), more: Sequence[Tool] = (), *, read_only: bool = False
) -> Toolbox:
    """Returns the tools of the CLI.

    Args:
        root: The folder the five tools for files, commands and projects work in.
        ask: Is asked before anything beyond it.
        private: Folders that are asked for even inside of it.
        more: Further tools.
        read_only: Whether nothing may be written: then there are only the tools that read.
    """
    guard = Guard(root, ask, private)
    reading: list[Tool] = [ReadFile(guard), ListDir(guard)]
    own: list[Tool] = [ReadFile(guard), WriteFile(guard), ListDir(guard), ExecuteCommand(guard), CreateProject(guard)]
    return Toolbox([*(reading if read_only else own), *more])
