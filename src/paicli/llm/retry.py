"""Backoff: tries a model call again where that can help, and waits in between."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from paicli.errors import EmptyReply, ModelError, ModelUnreachable, RateLimited, ServerFailed

T = TypeVar("T")
TRIES: dict[type[ModelError], int] = {RateLimited: 4, ServerFailed: 4, ModelUnreachable: 2, EmptyReply: 3}
"""How often a call is made in all while it fails in this way; other failures are final."""
FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 30.0
"""A provider that asks for more than this is not waited for."""


class Backoff:
    """Runs a call until it succeeds or fails for good; waits 1, 2, 4 … s (± 20 %), or what the provider asks for.

    Args:
        sleep: Waits for a number of seconds.
        on_wait: Is told the failure and the seconds before each wait.
    """

    def __init__(
        self,
        *,
        sleep: Callable[[float], None] = time.sleep,
        on_wait: Callable[[ModelError, float], None] | None = None,
    ) -> None:
        self._sleep = sleep
        self._on_wait = on_wait

    def run(self, attempt: Callable[[int], T]) -> T:
        """Returns what `attempt` returns; it is given its number, from 1 on.

        Raises:
            ModelError: As the last attempt raised it.
        """
        number = 1
        while True:
            try:
                return attempt(number)
            except ModelError as error:
                seconds = wait_seconds(error, number)
                if seconds is None:
                    raise
                if self._on_wait:
                    self._on_wait(error, seconds)
                self._sleep(seconds)
            number += 1


def wait_seconds(error: ModelError, attempts: int) -> float | None:
    """Returns how long to wait before the next attempt; None where there should be none."""
    if attempts >= TRIES.get(type(error), 1):
        return None
    if isinstance(error, EmptyReply):
        return None if error.values.get("final") else 0.0
    asked = error.values.get("retry_after")
    if isinstance(asked, float):
        return asked if asked <= LONGEST_WAIT_SECONDS else None
    # Calls that run side by side must not come back in step.
    return float(FIRST_WAIT_SECONDS * 2 ** (attempts - 1) * random.uniform(0.8, 1.2))  # noqa: S311
