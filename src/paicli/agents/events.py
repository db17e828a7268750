"""What an agent tells while it works; the terminal decides how to show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from paicli.agents.plan import Plan, Task
from paicli.errors import PaicliError
from paicli.memory.context_block import ContextBlock
from paicli.memory.keeper import Kept
from paicli.memory.message import ToolCall
from paicli.memory.notice import Notice
from paicli.tools.registry import ToolOutcome


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """A piece of the model's thinking, which is no part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """The notes from long-term memory that go along with the question."""

    block: ContextBlock


@dataclass(frozen=True, slots=True)
class Remembered:
    """A statement of the user that was kept by rule."""

    kept: Kept


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool is about to run."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool has run."""

    call: ToolCall
    outcome: ToolOutcome


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer is complete."""

    text: str


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The user stopped the answer; what was shown of it is in the history."""

    text: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something the user should hear of that is no error."""

    notice: Notice


@dataclass(frozen=True, slots=True)
class PlanMade:
    """A plan is ready to be confirmed."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """A task of the plan begins."""

    task: Task


@dataclass(frozen=True, slots=True)
class TaskFinished:
    """A task of the plan has ended, or was skipped; `text` is its result or the reason, `error` where one was it."""

    task: Task
    text: str
    ok: bool
    error: PaicliError | None = None


Event = (
    TextDelta
    | ThinkingDelta
    | Recalled
    | Remembered
    | ToolStarted
    | ToolFinished
    | Answered
    | Interrupted
    | Noticed
    | PlanMade
    | TaskStarted
    | TaskFinished
)
Emit = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Takes an event and does nothing."""
