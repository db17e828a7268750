"""Someone at a terminal: runs the program in a pseudo-terminal, types, and reads the screen."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pexpect
import pyte

PATIENCE_SECONDS = 60
COLUMNS, LINES = 80, 400


class Person:
    """Runs `paicli` with arguments, in a folder, and sees a screen of 80 columns that never scrolls away."""

    def __init__(self, arguments: Sequence[str], *, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.Stream(self._screen)
        self.process = pexpect.spawn(
            sys.executable,
            ["-m", "paicli", *arguments],
            cwd=str(folder),
            env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", **(environment or {})},  # type: ignore[arg-type]
            dimensions=(LINES, COLUMNS),
            encoding="utf-8",
            codec_errors="replace",
            timeout=PATIENCE_SECONDS,
        )

    @property
    def screen(self) -> str:
        """What stands on the screen now."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def types(self, line: str) -> None:
        """Types a line and presses Enter."""
        self.process.send(line + "\r")

    def sees(self, text: str) -> None:
        """Waits until a text stands on the screen, line breaks of the terminal aside."""
        self.waits_until(lambda: text.replace(" ", "") in "".join(self.screen.split()).replace(" ", ""), text)

    def waits_until(self, holds: Callable[[], bool], what: str) -> None:
        """Reads the screen until something holds."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            self.looks()
            if time.monotonic() > deadline or not (self.process.isalive() or holds()):
                raise AssertionError(f"{what!r} never came. The screen:\n{self.screen}")

    def looks(self, seconds: float = 0.1) -> None:
        """Takes in what has come."""
        try:
            self._stream.feed(self.process.read_nonblocking(65_536, timeout=seconds))
        except pexpect.TIMEOUT:
            return
        except pexpect.EOF:
            time.sleep(seconds)

    def leaves(self) -> int:
        """Says `/exit` and returns the exit status."""
        self.types("/exit")
        return self.waits_for_the_end()

    def waits_for_the_end(self) -> int:
        """Waits until the program has ended and returns its exit status."""
        self.waits_until(lambda: not self.process.isalive(), "the end")
        self.process.close()
        return int(self.process.exitstatus if self.process.exitstatus is not None else -1)
