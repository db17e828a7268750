"""Dialogue: the session as the commands see it: the connected objects, the terminal, and who is there to answer."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from paicli.app import App
from paicli.cli.memory_view import labels
from paicli.cli.reader import Reader
from paicli.cli.terminal import Terminal
from paicli.cli.told import first_time
from paicli.cli.wording import scope_name
from paicli.errors import ModelError, ToolError
from paicli.memory.entry import USER_SCOPE, MemoryEntry
from paicli.memory.keeper import Kept
from paicli.memory.scope import Scopes
from paicli.tools.guard import Approval

_ONCE = "window-unknown"
"""A notice that is given once for each model."""
_WORTH_A_WORD = frozenset(("rate-limited", "server-failed", "model-unreachable"))


@dataclass
class Dialogue:
    """What a command works on.

    Args:
        app: The connected objects.
        terminal: Where to print.
        reader: Who answers questions.
        plan_next: Whether the next input is to be carried out as a plan.
        leaving: Whether the session is to end.
        last_saved: What the user saved last.
        offered: The ids of the sessions in the list that was shown last.
        has_told_stop: Whether the user, who has just stopped something, was told what became of it.
        told_core: The ids of the memories that every request carries, as the user was told last.
    """

    app: App
    terminal: Terminal
    reader: Reader
    plan_next: bool = field(default=False, init=False)
    leaving: bool = field(default=False, init=False)
    last_saved: MemoryEntry | None = field(default=None, init=False)
    has_told_stop: bool = field(default=False, init=False)
    told_core: frozenset[str] = field(default=frozenset(), init=False)
    offered: list[str] = field(default_factory=list, init=False)
    _told_unsaved: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.app.on_wait = self.tell_wait

    def tell_wait(self, error: ModelError, seconds: float) -> None:
        """Prints that the model is asked again in a while; work behind the prompt waits in silence."""
        if seconds >= 1 and threading.current_thread() is threading.main_thread():
            code = error.code if error.code in _WORTH_A_WORD else "other"
            self.terminal.note(f"session.waiting-{code}", seconds=round(seconds))

    def confirm(self, question: str) -> bool:
        """Returns whether the user says yes: `--yes` says it in advance, and where nobody is there it is a no."""
        if self.app.settings.yes:
            self.terminal.note("session.agreed", question=question)
            return True
        if not self.reader.is_dialogue:
            self.terminal.note("session.needs-yes", style="warn", question=question)
            return False
        return self.reader.confirm(self.terminal.styled(question, "warn"))

    def approve(self, approval: Approval) -> bool:
        """Asks whether a tool may do what it is about to do.

        Raises:
            ToolError: Nobody is there to say yes.
        """
        if not self.app.settings.yes and not self.reader.is_dialogue:
            reason = f"{approval.tool}: nobody is there to say yes to: {approval.detail}. Don't try it another way."
            raise ToolError(reason=reason, problem="nobody")
        return self.confirm(self.terminal.text(f"session.allow-{approval.action}", detail=approval.detail))

    def tell_notices(self) -> None:
        """Prints what the layers below want to be told."""
        for notice in self.app.take_notices():
            if notice.code != _ONCE or first_time(self.app.settings, f"{_ONCE}: {notice.values.get('model')}"):
                self.terminal.notice(notice)

    def tell_saved(self, kept: Kept) -> None:
        """Prints what became of a fact the user saved, its scope, and how to change that."""
        terminal, entry = self.terminal, kept.entry
        self.last_saved = entry
        if kept.error:
            _tell_unsaved(terminal, kept)
            return
        scope = scope_name(entry.scope, self.app.scopes, terminal.language)
        line = terminal.text("memory.saved" if kept.is_new else "memory.known", scope=scope, **labels(entry))
        if kept.is_new and self.app.scopes.in_project:
            where = "user" if entry.scope == USER_SCOPE else "project"
            line += terminal.text(f"memory.saved-hint-{where}")
        terminal.line(line, "good")

    def tell_remembered(self, kept: Sequence[Kept]) -> None:
        """Prints what was remembered without the user having asked for it by a command."""
        tell_remembered(self.terminal, kept, self.app.scopes, why_unsaved=not self._told_unsaved)
        self._told_unsaved = self._told_unsaved or any(one.error for one in kept)


def tell_remembered(
    terminal: Terminal, kept: Iterable[Kept], scopes: Scopes | None = None, *, why_unsaved: bool = True
) -> None:
    """Prints what was remembered without the user having asked for it by a command, and how to take it back."""
    for one in kept:
        if one.error:
            _tell_unsaved(terminal, one, why=why_unsaved)
        else:
            code = "memory.remembered" if one.is_new else "memory.remembered-known"
            if one.is_reworded:
                code = "memory.reworded"
            if one.is_new and one.entry.scope != USER_SCOPE:
                code = "memory.remembered-here"
            scope = scope_name(one.entry.scope, scopes or Scopes(), terminal.language)
            terminal.note(
                code, style="good" if one.is_new or one.is_reworded else "dim", scope=scope, **labels(one.entry)
            )


def _tell_unsaved(terminal: Terminal, kept: Kept, *, why: bool = True) -> None:
    if kept.error and why:
        terminal.error(kept.error)
    terminal.note("memory.kept-for-session", style="warn", **labels(kept.entry))
