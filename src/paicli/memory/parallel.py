"""Calls that wait for something, made at the same time, in threads that never keep the program from ending."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")


def in_parallel(call: Callable[[_T], _R], values: Sequence[_T], most: int) -> list[_R]:
    """Returns `call(value)` for each of the values, in their order, with at most so many calls at a time.

    The first error of a call, an interrupt included, is raised here; calls not yet begun are not made then.
    """
    if len(values) < 2:
        return [call(value) for value in values]
    work = _Work(call, values)
    for number in range(min(most, len(values))):
        threading.Thread(target=work.run, name=f"parallel-{number}", daemon=True).start()
    try:
        work.done.wait()
    finally:
        work.stop()
    if work.error:
        raise work.error
    return [work.results[index] for index in range(len(values))]


class _Work(Generic[_T, _R]):
    """Values that wait for a call, and what has come of the others."""

    def __init__(self, call: Callable[[_T], _R], values: Sequence[_T]) -> None:
        self.done = threading.Event()
        self.error: BaseException | None = None
        self.results: dict[int, _R] = {}
        self._call = call
        self._values = values
        self._next = 0
        self._lock = threading.Lock()

    def run(self) -> None:
        while True:
            with self._lock:
                index = self._next
                self._next += 1
            if index >= len(self._values):
                return
            try:
                result = self._call(self._values[index])
            except BaseException as error:
                self._fail(error)
                return
            with self._lock:
                self.results[index] = result
                if len(self.results) == len(self._values):
                    self.done.set()

    def stop(self) -> None:
        with self._lock:
            self._next = len(self._values)

    def _fail(self, error: BaseException) -> None:
        with self._lock:
            self.error = self.error or error
            self._next = len(self._values)
        self.done.set()
