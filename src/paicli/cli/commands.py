"""The commands of the CLI: their names, how a line is read as one, and what is said of an unknown one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_COMMAND = re.compile(r"[/／]([^\s/／.]+)(?:[\s　]+(.*))?$", re.DOTALL)

FIRST = ("help", "memory", "save", "clear", "compact", "context", "plan", "recall", "resume", "model", "lang", "exit")
"""The commands that `/help` shows."""
FURTHER = ("why", "cost")
"""The commands that only `/help all` shows."""
MEMORY_ACTIONS = ("list", "search", "show", "forget", "undo", "why", "cost", "add")
_OTHER_NAMES = {"quit": "exit", "q": "exit", "?": "help", "h": "help", "退出": "exit", "帮助": "help", "记忆": "memory"}


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as it was typed: its name in lower case, and what follows it."""

    name: str
    rest: str = ""


def as_command(line: str) -> Typed | None:
    """Returns the command a line is; None for a message.

    Case, space around it and a full-width slash don't matter. Several lines are never a command, for they were pasted;
    nor is a path (`/usr/bin`), nor what begins with two slashes.
    """
    text = line.strip().strip("　")
    if "\n" in text:
        return None
    match = _COMMAND.match(text)
    if match is None:
        return None
    name = match[1].casefold()
    return Typed(_OTHER_NAMES.get(name, name), (match[2] or "").strip())


def as_message(line: str) -> str:
    """Returns a line as the message it is: as typed, without the first of two slashes at its start."""
    return line[1:] if line.startswith("//") else line


def nearest(name: str, names: Sequence[str]) -> str:
    """Returns the name that was probably meant; empty where none is near."""
    from difflib import get_close_matches

    starting = [known for known in names if known.startswith(name)]
    return next(iter(starting or get_close_matches(name, names, n=1, cutoff=0.5)), "")
