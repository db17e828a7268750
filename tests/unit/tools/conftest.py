"""A project folder, the five tools at work in it, and the questions they asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from paicli.memory.message import ToolCall
from paicli.tools import Approval, Toolbox, ToolOutcome, default_tools

Run = Callable[..., ToolOutcome]


@pytest.fixture
def root() -> Path:
    folder = Path.cwd() / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def asked() -> list[Approval]:
    """Returns what the user has been asked, oldest first."""
    return []


@pytest.fixture
def answer() -> dict[str, bool]:
    """Returns the user's answer, a yes; a test that wants a no changes it."""
    return {"yes": True}


@pytest.fixture
def tools(root: Path, asked: list[Approval], answer: dict[str, bool]) -> Toolbox:
    def ask(approval: Approval) -> bool:
        asked.append(approval)
        return answer["yes"]

    return default_tools(root, ask)


@pytest.fixture
def run(tools: Toolbox) -> Run:
    """Returns a function that makes a tool call the way a model does: a name and JSON."""
    return lambda tool, /, **arguments: tools.run(ToolCall("call-1", tool, json.dumps(arguments)))
