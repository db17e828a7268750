"""Calls made at the same time."""

from __future__ import annotations

import threading

import pytest

from paicli.memory.parallel import in_parallel


@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_results_come_in_the_order_of_the_values(count: int) -> None:
    assert in_parallel(lambda value: value * 2, list(range(count)), 3) == [value * 2 for value in range(count)]


def test_so_many_run_at_a_time() -> None:
    meeting = threading.Barrier(4, timeout=20)
    in_parallel(lambda _: meeting.wait(), list(range(8)), 4)


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt()])
def test_an_error_is_raised_and_what_has_not_begun_is_not_done(error: BaseException) -> None:
    begun: list[int] = []

    def call(value: int) -> None:
        begun.append(value)
        raise error

    with pytest.raises(type(error)):
        in_parallel(call, list(range(50)), 2)
    assert len(begun) <= 2
