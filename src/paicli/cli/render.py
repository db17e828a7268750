"""Shows what an agent does while it does it: text as it streams in, thinking apart, a line for each tool call."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from paicli.agents.events import (
    Answered,
    Event,
    Interrupted,
    Noticed,
    PlanMade,
    Recalled,
    Remembered,
    TaskFinished,
    TaskStarted,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
)
from paicli.agents.plan import Plan
from paicli.cli.escape import one_line, visible
from paicli.cli.terminal import Terminal
from paicli.cli.wording import outcome_text
from paicli.memory.context_block import ContextBlock
from paicli.memory.keeper import Kept
from paicli.memory.message import ToolCall

_CARD_LENGTH = 100
_WITHDRAWN = "withdrawn"
_FAILURE_LENGTH = 160


class AnswerPrinter:
    """Prints the events of an agent.

    Args:
        terminal: Where to print.
        tell_remembered: Prints what was remembered by rule.
        show_text: Whether the answer is printed as it comes; else only what happens around it.
    """

    def __init__(
        self, terminal: Terminal, tell_remembered: Callable[[Sequence[Kept]], None], *, show_text: bool = True
    ) -> None:
        self._terminal = terminal
        self._tell_remembered = tell_remembered
        self.receipt = ContextBlock()
        """What went along with the question of long-term memory."""
        self.has_told_stop = False
        """Whether the user was told what became of an answer that did not come to its end."""
        self.asked_seconds = 0.0
        """How long the user was asked during the running call of a tool."""
        self._show_text = show_text
        self._running = ""
        self._answer_shown = False
        self._printers: dict[type, Callable[[Any], None]] = {
            TextDelta: lambda event: self._stream("text", event.text),
            ThinkingDelta: lambda event: self._stream("thinking", event.text),
            ToolStarted: self._tool_started,
            ToolFinished: self._tool_finished,
            Answered: self._answered,
            Recalled: self._recall,
            Remembered: self._remember,
            Noticed: self._notice,
            Interrupted: self._interrupted,
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
        """Ends the line that is being printed, if there is one, and the waiting."""
        self._terminal.wait_no_longer()
        self._end_line()

    def _end_line(self) -> None:
        if self._running:
            self._terminal.write("\n")
            self._running = ""

    def _recall(self, event: Recalled) -> None:
        self.receipt = event.block

    def _remember(self, event: Remembered) -> None:
        self._end_line()
        self._tell_remembered([event.kept])

    def _notice(self, event: Noticed) -> None:
        if event.notice.code == _WITHDRAWN and not self._terminal.dialogue:
            return  # there is no next input in which it could be sent again
        self._end_line()
        self.has_told_stop = self.has_told_stop or event.notice.code == _WITHDRAWN
        self._terminal.notice(event.notice)

    def _interrupted(self, event: Interrupted) -> None:
        if event.text.strip():
            self._note("answer-stopped")
        elif not self.has_told_stop:
            self._note("stopped")
        self.has_told_stop = True

    def _stream(self, kind: str, text: str) -> None:
        thinking = kind == "thinking"
        if not text or not self._show_text or (thinking and not self._terminal.dialogue):
            return
        self._terminal.wait_no_longer()
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
        self._answer_shown, self.asked_seconds = False, 0.0
        if self._terminal.dialogue:
            self._terminal.write(self._terminal.styled(self._card(event.call), "accent"))
            self._running = "tool"

    def _tool_finished(self, event: ToolFinished) -> None:
        outcome = event.outcome
        code = "session.tool-done" if outcome.ok else "session.tool-failed"
        detail = outcome_text(outcome, self._terminal.language, _FAILURE_LENGTH)
        seconds = max(0.0, outcome.seconds - self.asked_seconds)
        took = self._terminal.text(code, seconds=seconds, detail=detail)
        if self._running == "tool":
            self._terminal.write(self._terminal.styled(f" · {took}", "dim" if outcome.ok else "bad"))
            self.end()
        else:
            card = one_line(event.call.name, 40) if self._terminal.dialogue else self._card(event.call)
            self._note("tool", card=card, took=took)
        self._terminal.wait()

    def _card(self, call: ToolCall) -> str:
        return f"{one_line(call.name, 40)} {one_line(summary(call.arguments), _CARD_LENGTH)}".rstrip()

    def _task_started(self, event: TaskStarted) -> None:
        self.end()
        self._answer_shown = False
        self._note("task", style="bold", number=event.task.id, title=one_line(event.task.description, _CARD_LENGTH))
        self._terminal.wait()

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


def print_plan(terminal: Terminal, plan: Plan) -> None:
    """Prints the tasks of a plan in the order in which they will be carried out."""
    terminal.say("session.plan-title", style="bold", count=len(plan.tasks))
    for task in plan.in_order():
        needed = one_line(f"← {', '.join(task.depends_on)}") if task.depends_on else ""
        terminal.line(f"  {one_line(task.id)}. {one_line(task.description)}  {terminal.styled(needed, 'dim')}".rstrip())
