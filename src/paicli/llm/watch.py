"""Watch: ends a stream in which nothing arrives, even while the server keeps the connection alive."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self


class Watch:
    """Calls `hang_up` once, from a thread of its own, when a block of `waiting` takes too long.

    A time limit of the socket can't do this: the comments some providers send while a request waits (`: keep-alive`)
    count as data there.

    Args:
        hang_up: Ends the connection.
    """

    def __init__(self, hang_up: Callable[[], None]) -> None:
        self.expired = False
        self.seconds = 0.0
        """The limit of the latest wait."""
        self._hang_up = hang_up
        self._changed = threading.Condition()
        self._deadline: float | None = None
        self._sleeps_until: float | None = None
        self._done = False
        self._thread = threading.Thread(target=self._run, name="paicli-stream-watch", daemon=True)

    @contextmanager
    def waiting(self, seconds: float) -> Iterator[None]:
        """Gives the block inside that many seconds."""
        with self._changed:
            self.seconds, self._deadline = seconds, time.monotonic() + seconds
            if self._sleeps_until is None or self._sleeps_until > self._deadline:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._deadline = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._changed:
            self._done = True
            self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while not self._done and not self.expired:
                now, deadline = time.monotonic(), self._deadline
                if deadline is None:
                    # Woken by the next wait, if it is still asleep then: not for each of the many short ones.
                    self._sleep(self.seconds or None, now)
                elif deadline > now:
                    self._sleep(deadline - now, now)
                else:
                    self.expired = True
        if self.expired:
            self._hang_up()

    def _sleep(self, seconds: float | None, now: float) -> None:
        self._sleeps_until = None if seconds is None else now + seconds
        self._changed.wait(seconds)
