"""Where the user's input comes from: the line editor, a plain terminal, or lines of a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Protocol

from paicli.cli.typed import recover_line

STDIN = "-"
"""Stands for what comes through stdin in the place of a text."""
_YES = frozenset(("y", "yes", "是", "是的", "好", "好的", "对", "可以", "行", "同意", "确认", "ok"))


class Reader(Protocol):
    """Reads one input after the other."""

    @property
    def is_dialogue(self) -> bool:
        """Whether someone is there to answer questions."""

    def read(self, prompt: str) -> str | None:
        """Returns the next input; None at its end. KeyboardInterrupt passes through."""

    def confirm(self, question: str) -> bool:
        """Returns whether the question was answered with yes."""

    def secret(self, question: str) -> str:
        """Returns what was typed without being shown; empty where nobody is there."""


class PipeReader:
    """Reads one input a line from a stdin that is no terminal. Nobody answers questions."""

    is_dialogue = False

    def read(self, prompt: str) -> str | None:  # noqa: ARG002  the protocol's
        line = sys.stdin.readline()
        return clean(line.rstrip("\r\n")) if line else None

    def confirm(self, question: str) -> bool:  # noqa: ARG002  the protocol's
        return False

    def secret(self, question: str) -> str:  # noqa: ARG002  the protocol's
        return ""


class PlainReader:
    """Reads from a terminal that can do no more than print lines.

    Args:
        when_ready: Is called once, when the first prompt is about to be shown.
    """

    is_dialogue = True

    def __init__(self, when_ready: Callable[[], None] = lambda: None) -> None:
        self._when_ready: Callable[[], None] | None = when_ready

    def read(self, prompt: str) -> str | None:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        if self._when_ready:
            self._when_ready()
            self._when_ready = None
        try:
            return clean(input())
        except EOFError:
            return None

    def confirm(self, question: str) -> bool:
        return confirm_on_terminal(question)

    def secret(self, question: str) -> str:
        return secret_on_terminal(question)


def read_all() -> str:
    """Returns all of stdin; empty where there is none."""
    try:
        return clean(sys.stdin.read()).strip() if sys.stdin else ""
    except OSError:
        return ""


def with_stdin(text: str) -> str:
    """Returns a question with what comes through a pipe after it; `-` is what comes alone."""
    if text.strip() == STDIN:
        return read_all()
    piped = "" if sys.stdin is None or sys.stdin.isatty() else read_all()
    return f"{text}\n\n{piped}" if piped else text


def confirm_on_terminal(question: str) -> bool:
    """Asks on the terminal; the end of the input is a no. KeyboardInterrupt passes through."""
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    try:
        return is_yes(clean(input()))
    except EOFError:
        sys.stderr.write("\n")
        return False


def secret_on_terminal(question: str) -> str:
    """Returns what is typed without showing it; empty at the end of the input."""
    from getpass import getpass

    try:
        return getpass(question).strip()
    except EOFError:
        return ""


def is_yes(answer: str) -> bool:
    """Returns whether an answer is a yes, in Chinese or English."""
    return answer.strip().strip("。.!！").casefold() in _YES


def clean(text: str) -> str:
    """Returns the input with what no encoding can express replaced: an undecodable byte of the terminal."""
    return recover_line(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", "")
