"""Guard: the border of the project, and the question to the user before a tool crosses it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from paicli.errors import ToolError
from paicli.tools.text import one_line, path_text, to_path, visible

Action = Literal["read", "write", "list", "create", "run"]


class Reason(StrEnum):
    """Why the user is asked."""

    OUTSIDE_ROOT = "outside-root"
    GIT_FOLDER = "git-folder"
    PRIVATE = "private"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Approval:
    """What the user is asked to allow.

    Args:
        tool: The tool's name.
        action: What it is about to do.
        detail: The whole path with symbolic links resolved, or the whole command; control sequences spelled out.
        reason: Why it needs a yes.
    """

    tool: str
    action: Action
    detail: str
    reason: Reason


Ask = Callable[[Approval], bool]


class Guard:
    """Lets a tool work inside `root`; for anything else, and for every command, it asks.

    Args:
        root: The project's folder. Relative paths start from it.
        ask: Puts the question to the user; True is a yes. It may raise KeyboardInterrupt, and
            ToolError where nobody can answer.
        private: Folders it asks about even inside the root, such as the one with the keys. What is hidden in the user's
            home is private as well.
    """

    def __init__(self, root: Path, ask: Ask, private: Sequence[Path] = ()) -> None:
        self.root = Path(os.path.realpath(root))
        self._ask = ask
        self._private = tuple(Path(os.path.realpath(folder)) for folder in private)

    def path(self, tool: str, action: Action, text: str) -> Path:
        """Returns the path that `text` means, `~`, `..` and symbolic links resolved.

        Raises:
            ToolError: It is no path, or the user said no.
        """
        path = self._resolved(tool, text)
        reason = self._reason(action, path)
        if reason:
            self._allow(Approval(tool, action, path_text(path), reason))
        return path

    def command(self, tool: str, command: str) -> None:
        """Asks whether the command may run.

        Raises:
            ToolError: The user said no.
        """
        self._allow(Approval(tool, "run", visible(command), Reason.COMMAND))

    def shown(self, path: Path) -> str:
        """Returns the path as a result names it: from the root where it is inside."""
        return path_text(path.relative_to(self.root) if path.is_relative_to(self.root) else path)

    def _resolved(self, tool: str, text: str) -> Path:
        if not text.strip():
            raise ToolError(reason=f"{tool}: 'path' is empty; '.' is the project's folder.")
        try:
            return Path(os.path.realpath(self.root / to_path(text).expanduser()))
        except (OSError, RuntimeError, ValueError) as error:
            raise ToolError(
                reason=f"{tool}: 'path' has value '{one_line(text)}', which is no path: {error}."
            ) from error

    def _reason(self, action: Action, path: Path) -> Reason | None:
        if not path.is_relative_to(self.root):
            return Reason.OUTSIDE_ROOT
        if any(path.is_relative_to(folder) for folder in self._private) or self._is_hidden_at_home(path):
            return Reason.PRIVATE
        folders = {part.casefold() for part in path.relative_to(self.root).parts}
        if action in ("write", "create") and ".git" in folders:
            return Reason.GIT_FOLDER  # a hook or a setting there is a command that git runs later
        return None

    def _is_hidden_at_home(self, path: Path) -> bool:
        """Returns whether a path is in `~/.ssh` and the like, where the home itself, or a folder above, is the root."""
        home = Path(os.path.realpath(Path.home()))
        if not home.is_relative_to(self.root) or not path.is_relative_to(home):
            return False
        return path.relative_to(home).parts[:1] != () and path.relative_to(home).parts[0].startswith(".")

    def _allow(self, approval: Approval) -> None:
        if not self._ask(approval):
            raise ToolError(
                reason=f"refused by the user: {approval.action} {one_line(approval.detail)}. "
                "Don't try it another way; ask what to do instead.",
                problem="refused",
            )
