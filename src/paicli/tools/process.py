"""Runs a shell command: in a process group of its own, for a limited time, keeping a limited part of its output."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Self

from paicli.tools.text import encodable

HEAD_BYTES = 8_000
TAIL_BYTES = 12_000
GRACE_SECONDS = 2.0  # between asking a group to end and killing it
DRAIN_SECONDS = 0.3  # for what is still in the pipe when the shell has ended
TICK_SECONDS = 0.05
_PIECE_BYTES = 65_536
_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
# There is nobody to turn pages, answer prompts or see colours.
_ENVIRONMENT = {"PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "TERM": "dumb"}


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended.

    Args:
        output: Standard output and errors in the order of writing, the middle left out where it was long.
        exit_code: The shell's; negative for the signal that ended it; None if it could not be ended.
        timed_out: Whether it was ended because its time was over.
        left_behind: Whether processes of it were still running when the shell had ended; they were ended too.
    """

    output: str
    exit_code: int | None
    timed_out: bool = False
    left_behind: bool = False


def run_shell(command: str, folder: Path, timeout_seconds: float) -> Finished:
    """Runs the command in `folder` with no input, and returns when it and all that it started have ended.

    Only a process that has left the group by itself (`setsid`) may live on.

    Raises:
        OSError: The shell can't be started.
        ValueError: The command holds a NUL.
        KeyboardInterrupt: Passed on, after the group has been ended.
        SystemExit: The program was told to end, or its terminal is gone; the group has been ended.
    """
    with _Interruption() as interruption:
        group = _Group(_started(command, folder))
        in_time = left_behind = False
        try:
            in_time = group.follow(timeout_seconds, lambda: group.shell_ended() or bool(interruption.seen))
            if in_time:
                group.follow(DRAIN_SECONDS, lambda: group.output_ended() or bool(interruption.seen))
        finally:
            left_behind = group.end()
    return Finished(group.output.text(), group.exit_code, not in_time, in_time and left_behind)


class HeadAndTail:
    """The beginning and the end of a stream of bytes of any length."""

    def __init__(self, head_bytes: int = HEAD_BYTES, tail_bytes: int = TAIL_BYTES) -> None:
        self._head_bytes = head_bytes
        self._tail_bytes = tail_bytes
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Takes up a piece."""
        room = self._head_bytes - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        surplus = len(self._tail) - self._tail_bytes
        if surplus > 0:
            self._dropped += surplus
            del self._tail[:surplus]

    def text(self) -> str:
        """Returns both, as UTF-8 with replacements; a marker between them says how many bytes are left out."""
        if not self._dropped:
            return (self._head + self._tail).decode("utf-8", "replace")
        head, tail = _without_broken_end(self._head), _without_broken_start(self._tail)
        dropped = self._dropped + len(self._head) - len(head) + len(self._tail) - len(tail)
        marker = f"\n[… {dropped} bytes of output left out …]\n"
        return head.decode("utf-8", "replace") + marker + tail.decode("utf-8", "replace")


def _without_broken_start(data: bytes | bytearray) -> bytes:
    count = 0
    while count < min(3, len(data)) and data[count] & 0xC0 == 0x80:
        count += 1
    return bytes(data[count:])


def _without_broken_end(data: bytes | bytearray) -> bytes:
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 == 0x80:
            continue
        wanted = 1 if byte < 0xC0 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
        return bytes(data[:-back] if wanted > back else data)
    return bytes(data)


_Handler = Callable[[int, FrameType | None], object] | int | None


class _Interruption:
    """Holds signals that end the program back until the block's end, so that none leaves a process behind.

    A Ctrl-C, a request to end, and a terminal that was closed: what is told first happens when the block has ended.
    Python takes signals in the main thread only; in others it does nothing.
    """

    def __init__(self) -> None:
        self.seen = 0
        self._before: dict[int, _Handler] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in _ENDING:
                handler = signal.getsignal(number)
                if handler not in (signal.SIG_IGN, None):  # ignored, as `nohup` does, or not Python's
                    self._before[number] = handler
                    signal.signal(number, self._note)
        return self

    def __exit__(self, *raised: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if not self.seen:
            return
        handler = self._before[self.seen]
        if callable(handler):
            handler(self.seen, None)
        else:  # the default is to end at once; the program may leave properly, with the status of that
            raise SystemExit(128 + self.seen)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.seen = self.seen or number


class _Group:
    """A running shell with the processes it started, and the output of them all."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.output = HeadAndTail()
        self._process = process
        self._pipe: IO[bytes] | None = process.stdout
        self._selector = selectors.DefaultSelector()
        if self._pipe:
            self._selector.register(self._pipe, selectors.EVENT_READ)

    @property
    def exit_code(self) -> int | None:
        return self._process.returncode

    def shell_ended(self) -> bool:
        return self._process.poll() is not None

    def output_ended(self) -> bool:
        return self._pipe is None

    def follow(self, seconds: float, done: Callable[[], bool]) -> bool:
        """Takes up output until `done`, but no longer than `seconds`; returns whether it is done."""
        until = time.monotonic() + seconds
        while not done():
            remaining = until - time.monotonic()
            if remaining <= 0:
                return False
            self._read(min(remaining, TICK_SECONDS))
        return True

    def _read(self, seconds: float) -> None:
        if self._pipe is None:
            time.sleep(seconds)
        elif self._selector.select(seconds):
            data = os.read(self._pipe.fileno(), _PIECE_BYTES)
            self.output.add(data)
            if not data:
                self._pipe = None

    def end(self) -> bool:
        """Ends what still runs, first asking; returns whether anything did."""
        left = not self._gone()
        if left:
            self._signal(signal.SIGTERM)
            self.follow(GRACE_SECONDS, self._gone)
        if left and not self._gone():
            self._signal(signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):  # another user's process (`exec sudo …`) can't be ended
                self._process.wait(GRACE_SECONDS)
        self._selector.close()
        if self._process.stdout:
            self._process.stdout.close()
        return left

    def _gone(self) -> bool:
        return self.shell_ended() and not self._signal(0)

    def _signal(self, number: int) -> bool:
        """Returns whether there was a process to send it to."""
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True


def _started(command: str, folder: Path) -> subprocess.Popen[bytes]:
    """Starts the shell in a session of its own: Ctrl-C in the terminal is ours to pass on, and it has no terminal."""
    shell = shutil.which("bash") or "/bin/sh"
    return subprocess.Popen(  # noqa: S603 -- a shell tool runs what the user has allowed
        [shell, "-c", encodable(command).encode("utf-8")],
        cwd=folder,
        env={**os.environ, **_ENVIRONMENT},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
        start_new_session=True,
    )
