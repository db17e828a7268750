"""Shows what an agent does while it does it: text as it streams in, thinking apart, a line for each tool call."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from paicli.agents.events import (
    Answered,
    Event,
    Interrupted,
    PlanMade,
    TaskFinished,
    TaskStarted,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
)
from paicli.cli.escape import one_line, visible
from paicli.cli.terminal import Terminal

_CARD_LENGTH = 100
_FAILURE_LENGTH = 160


class AnswerPrinter:
    """Prints the events of an agent.

    Args:
        terminal: Where to print.
        show_text: Whether the answer is printed as it comes; else only what happens around it.
    """

    def __init__(self, terminal: Terminal, *, show_text: bool = True) -> None:
        self._terminal = terminal
        self._show_text = show_text
        self._running = ""
        self._answer_shown = False
        self._printers: dict[type, Callable[[Any], None]] = {
            TextDelta: lambda event: self._stream("text", event.text),
            ThinkingDelta: lambda event: self._stream("thinking", event.text),
            ToolStarted: self._tool_started,
            ToolFinished: self._tool_finished,
            Answered: self._answered,
            Interrupted: lambda _: self._note("answer-stopped"),
            PlanMade: lambda event: print_plan(terminal, event.plan),
            TaskStarted: self._task_started,
            TaskFinished: self._task_finished,
        }

    def emit(self, event: Event) -> None:
        """Prints an event; what it does not know it leaves out."""
        show = self._printers.get(type(event))
        if show:
            show(event)

    def end(self) -> None:
        """Ends the line that is being printed, if there is one."""
        if self._running:
            self._terminal.write("\n")
            self._running = ""

    def _stream(self, kind: str, text: str) -> None:
        thinking = kind == "thinking"
        if not text or not self._show_text or (thinking and not self._terminal.dialogue):
            return
        if self._running != kind:
            self.end()
            text = text.lstrip("\n")
            if not text:
                return
            if thinking:
                text = self._terminal.text("session.thinking") + text
        self._running = kind
        self._answer_shown = self._answer_shown or not thinking
        self._terminal.write(self._terminal.styled(visible(text), "dim" if thinking else ""))

    def _answered(self, event: Answered) -> None:
        if not self._answer_shown and event.text:
            self._stream("text", event.text)
        self.end()
        self._answer_shown = False

    def _tool_started(self, event: ToolStarted) -> None:
        self.end()
        self._answer_shown = False
        detail = one_line(summary(event.call.arguments), _CARD_LENGTH)
        self._note("tool", style="accent", tool=one_line(event.call.name, 40), detail=detail)

    def _tool_finished(self, event: ToolFinished) -> None:
        outcome = event.outcome
        detail = one_line(outcome.text, _FAILURE_LENGTH)
        self._note("tool-done" if outcome.ok else "tool-failed", seconds=outcome.seconds, detail=detail)

    def _task_started(self, event: TaskStarted) -> None:
        self.end()
        self._answer_shown = False
        self._note("task", style="bold", number=event.task.id, title=one_line(task_title(event.task), _CARD_LENGTH))

    def _task_finished(self, event: TaskFinished) -> None:
        self.end()
        if not event.ok:
            self._note("task-failed", style="bad")

    def _note(self, code: str, *, style: str = "dim", **values: object) -> None:
        self.end()
        self._terminal.note(f"session.{code}", style=style, **values)


def summary(arguments: str) -> str:
    """Returns the arguments of a call as `name=value …`; as they are where they are no JSON object."""
    try:
        values = json.loads(arguments or "{}")
    except ValueError:
        return arguments
    if not isinstance(values, dict):
        return arguments
    return " ".join(f"{name}={_shortened(value)}" for name, value in values.items())


def _shortened(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return one_line(text, 60)


def print_plan(terminal: Terminal, plan: Any) -> None:
    """Prints the tasks of a plan in order."""
    terminal.say("session.plan-title", style="bold", count=len(plan.tasks))
    for task in plan.tasks:
        terminal.line(f"  {one_line(str(task.id))}. {one_line(task_title(task))}")


def task_title(task: Any) -> str:
    """Returns what a task is about."""
    return str(task.title)
