"""A watch hangs up when nothing comes, and only then."""

from __future__ import annotations

import threading

from paicli.llm.watch import Watch


def test_a_wait_that_takes_too_long_is_ended_once() -> None:
    hung_up = threading.Semaphore(0)
    with Watch(hung_up.release) as watch, watch.waiting(0.01):
        assert hung_up.acquire(timeout=20)
    assert watch.expired
    assert not hung_up.acquire(timeout=0.05)


def test_a_shorter_limit_counts_at_once() -> None:
    hung_up = threading.Event()
    with Watch(hung_up.set) as watch:
        with watch.waiting(1000):
            pass
        with watch.waiting(0.01):
            assert hung_up.wait(20)


def test_time_between_waits_does_not_count() -> None:
    hung_up = threading.Event()
    with Watch(hung_up.set) as watch:
        with watch.waiting(0.05):
            pass
        assert not hung_up.wait(0.3)
        with watch.waiting(1000):
            pass
    assert not watch.expired


def test_a_watch_that_never_waited_never_hangs_up() -> None:
    hung_up = threading.Event()
    with Watch(hung_up.set):
        assert not hung_up.wait(0.05)
