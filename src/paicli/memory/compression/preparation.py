"""Preparation: a summary that is being written in a thread, on a snapshot, while the conversation goes on."""

from __future__ import annotations

import threading
import time

from paicli.errors import CompressionFailed
from paicli.memory.compression.compressor import ContextCompressor
from paicli.memory.compression.plan import CompressionPlan
from paicli.memory.compression.summary import Summary


class Preparation:
    """Writes the summary of a plan, from its making on. It changes nothing: who wants the summary takes it.

    The thread never keeps the program from ending.

    Args:
        compressor: Writes it.
        plan: What is to be summarised.
    """

    def __init__(self, compressor: ContextCompressor, plan: CompressionPlan) -> None:
        self.plan = plan
        self.summary: Summary | None = None
        self.error: CompressionFailed | None = None
        self.seconds = 0.0
        self._compressor = compressor
        self._done = threading.Event()
        threading.Thread(target=self._write, name="summary", daemon=True).start()

    def is_done(self, *, wait: bool = False) -> bool:
        """Returns whether it has ended; waits for that where asked to."""
        return self._done.wait(None if wait else 0)

    def _write(self) -> None:
        start = time.monotonic()
        try:
            self.summary = self._compressor.summarise(self.plan)
        except CompressionFailed as error:
            self.error = error
        except BaseException as error:
            self.error = CompressionFailed(reason=f"{type(error).__name__}: {error}")
        finally:
            self.seconds = time.monotonic() - start
            self._done.set()
