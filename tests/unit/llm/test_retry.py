"""Which failures are tried again, how often, and after how long."""

from __future__ import annotations

import pytest

from paicli.errors import (
    EmptyReply,
    KeyRejected,
    ModelError,
    ModelUnreachable,
    RateLimited,
    RequestRefused,
    ServerFailed,
)
from paicli.llm.retry import Backoff, wait_seconds

VALUES = {"endpoint": "e", "status": 1, "detail": "d", "attempts": 1, "key": "k"}


@pytest.mark.parametrize(
    ("kind", "calls"),
    [
        (RateLimited, 4),
        (ServerFailed, 4),
        (ModelUnreachable, 2),
        (EmptyReply, 3),
        (RequestRefused, 1),
        (KeyRejected, 1),
    ],
)
def test_each_kind_has_its_number_of_tries(kind: type[ModelError], calls: int) -> None:
    made: list[int] = []
    waits: list[float] = []

    def attempt(number: int) -> None:
        made.append(number)
        raise kind(**VALUES)

    with pytest.raises(kind):
        Backoff(sleep=waits.append).run(attempt)
    assert made == list(range(1, calls + 1))
    assert len(waits) == calls - 1


def test_the_waits_double() -> None:
    waits = [wait_seconds(ServerFailed(**VALUES), attempts) or 0 for attempts in (1, 2, 3)]
    for wait, middle in zip(waits, (1, 2, 4), strict=True):
        assert 0.8 * middle <= wait <= 1.2 * middle


def test_a_listener_hears_of_each_wait() -> None:
    heard: list[tuple[str, float]] = []
    error = RateLimited(**VALUES, retry_after=2.0)
    replies = iter([error, "done"])

    def attempt(number: int) -> str:
        reply = next(replies)
        if isinstance(reply, ModelError):
            raise reply
        return reply

    backoff = Backoff(
        sleep=lambda seconds: None, on_wait=lambda failure, seconds: heard.append((failure.code, seconds))
    )
    assert backoff.run(attempt) == "done"
    assert heard == [("rate-limited", 2.0)]


def test_ctrl_c_ends_a_wait() -> None:
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    def attempt(number: int) -> None:
        raise ServerFailed(**VALUES)

    with pytest.raises(KeyboardInterrupt):
        Backoff(sleep=interrupt).run(attempt)
