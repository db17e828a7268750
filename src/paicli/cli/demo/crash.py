"""Scene: a process that stores facts is killed with `kill -9`; nothing it had acknowledged is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from paicli.cli.demo.stage import Stage
from paicli.memory.long_term import LongTermMemory

KILLS = 3
FEWEST_ACKNOWLEDGED = 20
"""A process is killed after so many stored facts, the next one after 13 more."""


def play(stage: Stage) -> bool:
    """Plays the scene; returns whether every acknowledged fact was there afterwards."""
    stage.scene("crash")
    lost = 0
    for number in range(1, KILLS + 1):
        folder = stage.folder / f"killed-{number}"
        acknowledged = _stored_until_killed(folder, FEWEST_ACKNOWLEDGED + 13 * (number - 1))
        memory = LongTermMemory.open(folder)
        there = {entry.content for entry in memory.entries()}
        memory.close()
        missing = [fact for fact in acknowledged if fact not in there]
        lost += len(missing)
        stage.tell(
            "killed", style="", number=number, acknowledged=len(acknowledged), there=len(there), lost=len(missing)
        )
    stage.tell("nothing-lost" if not lost else "lost", style="good" if not lost else "bad", count=lost)
    return lost == 0


def _stored_until_killed(folder: Path, count: int) -> list[str]:
    """Returns the facts that a process named as stored before it was killed, `count` of them at least."""
    command = [sys.executable, "-m", "paicli.cli.demo.writer", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  our own program
        output = process.stdout
        if output is None:
            return []
        lines = [output.readline() for _ in range(count)]
        process.kill()
        lines += output.readlines()
    return [f"fact {line.strip()}" for line in lines if line.endswith("\n")]
