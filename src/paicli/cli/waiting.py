"""WaitingLine: says that something is being waited for, and for how long; gone as soon as there is something to show."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_TICK_SECONDS = 1.0
_ERASE = "\r\x1b[2K"


class WaitingLine:
    """A line at the bottom of a capable terminal that counts the seconds.

    Args:
        write: Prints text, control sequences included.
        text: Returns what the line says after so many seconds.
        clock: Tells seconds.
    """

    def __init__(
        self, write: Callable[[str], None], text: Callable[[int], str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._write = write
        self._text = text
        self._clock = clock
        self._lock = threading.RLock()
        self._since: float | None = None
        self._is_shown = False
        self._stopped = threading.Event()

    def start(self) -> None:
        """Shows the line, from 0 seconds on, where it isn't there yet."""
        with self._lock:
            if self._since is not None:
                return
            self._since = self._clock()
            self._stopped = threading.Event()
            self.tick()
        threading.Thread(target=self._run, args=(self._stopped,), name="waiting-line", daemon=True).start()

    def stop(self) -> None:
        """Takes the line away; it stays away."""
        with self._lock:
            self._since = None
            self._stopped.set()
            self.hide()

    def hide(self) -> None:
        """Takes the line away for something else to be printed; the next tick shows it again below that."""
        with self._lock:
            if self._is_shown:
                self._write(_ERASE)
                self._is_shown = False

    def tick(self) -> None:
        """Shows the line as it is now."""
        with self._lock:
            if self._since is not None:
                self._write(_ERASE + self._text(int(self._clock() - self._since)))
                self._is_shown = True

    def _run(self, stopped: threading.Event) -> None:
        while not stopped.wait(_TICK_SECONDS):
            self.tick()
