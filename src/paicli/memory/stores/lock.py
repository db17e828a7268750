"""A lock between processes, which one that has died can't hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paicli.errors import StoreBusy, StoreUnavailable

_POLL_SECONDS = 0.02


@contextmanager
def file_lock(path: Path, *, timeout_seconds: float, place: str) -> Iterator[None]:
    """Holds the lock `path` (made where it is missing, in a folder that exists) while its block runs.

    Raises:
        StoreBusy: Another process, or another lock object of this one, held it for `timeout_seconds`.
        StoreUnavailable: The lock's file can't be made.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, mode=0o600)
    try:
        lock.acquire(timeout=timeout_seconds, poll_interval=_POLL_SECONDS)
    except Timeout as error:
        raise StoreBusy(place=place, seconds=f"{timeout_seconds:g}") from error
    except OSError as error:
        raise StoreUnavailable(place=place, reason=error.strerror or str(error)) from error
    try:
        yield
    finally:
        lock.release()
