"""`paicli demo`: what the memory does, played by a scripted model over the real memory, in a temporary home."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from paicli.cli.demo import article, crash, receipt, window
from paicli.cli.demo.stage import Stage
from paicli.cli.terminal import Terminal

_COMMAND_VARIABLE = "PAICLI_COMMAND"
"""Says how the program was started, where its own name is no command: by make."""
SCENES = (article.play, window.play, crash.play, receipt.play)


def play(terminal: Terminal) -> int:
    """Plays all scenes; returns 0 where each showed what it claims, else 1."""
    terminal.dialogue = True
    with TemporaryDirectory(prefix="paicli-demo-") as folder:
        stage = Stage(terminal, Path(folder))
        terminal.say("demo.title", style="bold")
        terminal.say("demo.label", style="warn", folder=folder)
        kept = [scene(stage) for scene in SCENES]
    terminal.line()
    if all(kept):
        terminal.say("demo.end", style="good", command=_start_command())
        return 0
    terminal.say("demo.failed", style="bad")
    return 1


def _start_command() -> str:
    """Returns the command that starts a session where the demonstration was started."""
    told = os.environ.get(_COMMAND_VARIABLE, "")
    started_as_module = Path(sys.argv[0]).name == "__main__.py"
    return told or ("python -m paicli" if started_as_module else "paicli")
