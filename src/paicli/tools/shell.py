"""The tool execute_command: a shell command, after the user's yes."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from typing import Any

from paicli.errors import ToolError
from paicli.llm.model import ToolSpec
from paicli.tools.guard import Guard
from paicli.tools.process import Finished, run_shell
from paicli.tools.text import plain_output
from paicli.tools.tool import checked

DEFAULT_SECONDS = 60
MAX_SECONDS = 600


class ExecuteCommand:
    """Runs a shell command in the project's folder. Every one needs a yes."""

    spec = ToolSpec(
        "execute_command",
        "Run a shell command in the project's folder and get its output and exit code. It has no input and no terminal; "
        "what it leaves running in the background is ended with it. The middle of a long output is left out.",
        {
            "type": "object",
            "properties": {
                "command": {"type": "string", "description": "The command line, for bash."},
                "timeout_seconds": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MAX_SECONDS,
                    "default": DEFAULT_SECONDS,
                    "description": "After this many seconds it is ended.",
                },
            },
            "required": ["command"],
            "additionalProperties": False,
        },
    )

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def run(self, arguments: Mapping[str, Any]) -> str:
        """Returns the output and, in brackets, how it ended.

        Raises:
            ToolError: It failed, took too long or could not be started; the text holds its output too.
        """
        given = checked(self.spec, arguments)
        command: str = given["command"]
        if not command.strip():
            raise ToolError(reason=f"{self.spec.name}: 'command' is empty.")
        if os.name == "nt":
            raise ToolError(reason=f"{self.spec.name} needs Linux, macOS or WSL.")
        self._guard.command(self.spec.name, command)
        try:
            finished = run_shell(command, self._guard.root, given["timeout_seconds"])
        except (OSError, ValueError) as error:
            raise ToolError(reason=f"The command can't be started: {error}.") from error
        text = _worded(finished, given["timeout_seconds"])
        if finished.exit_code or finished.timed_out:
            raise ToolError(reason=text)
        return text


def _worded(finished: Finished, timeout_seconds: int) -> str:
    output = plain_output(finished.output)
    if output and not output.endswith("\n"):
        output += "\n"
    return (output or "[no output]\n") + "\n".join(_endings(finished, timeout_seconds))


def _endings(finished: Finished, timeout_seconds: int) -> list[str]:
    if finished.timed_out:
        hint = f"timeout_seconds can be up to {MAX_SECONDS}" if timeout_seconds < MAX_SECONDS else "do it in parts"
        ended = "could not be ended" if finished.exit_code is None else "ended"
        return [f"[{ended} after {timeout_seconds} s, its time limit; {hint}]"]
    if finished.exit_code is not None and finished.exit_code < 0:
        ending = f"[ended by signal {-finished.exit_code}, {signal.strsignal(-finished.exit_code)}]"
    else:
        ending = f"[exit code {finished.exit_code}]"
    return [ending] + ["[what it left running in the background was ended]"] * finished.left_behind
