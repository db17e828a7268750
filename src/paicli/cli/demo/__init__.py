"""`paicli demo`: what the memory does, played by a scripted model over the real memory, in a temporary home."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from paicli.cli.demo import article, crash, receipt, window
from paicli.cli.demo.stage import Stage
from paicli.cli.terminal import Terminal

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
        terminal.say("demo.end", style="good")
        return 0
    terminal.say("demo.failed", style="bad")
    return 1
