"""What has been compressed in this process, and how it is taken back."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from paicli.memory.conversation import ConversationMemory
from paicli.memory.entry import MemoryEntry
from paicli.memory.report import CompressionReport

MOST_STEPS = 20
"""So many compressions can be taken back, the newest first."""


@dataclass(frozen=True, slots=True)
class Step:
    """One compression: the history before it, what it replaced, and its report.

    Args:
        window: The history before.
        waiting: What had left it before.
        replaced: The ids of the entries for which the summary stands; none where results were shortened only.
        summary: The id of the summary; empty likewise.
        report: What was told of it.
    """

    window: tuple[MemoryEntry, ...]
    waiting: tuple[MemoryEntry, ...]
    replaced: frozenset[str]
    summary: str
    report: CompressionReport

    def take_back(self, history: ConversationMemory) -> None:
        """Makes the history what it was, followed by what has come since; what was taken out since stays out."""
        now, waiting_now = list(history), history.compressed_summaries
        before = {entry.id for entry in (*self.window, *self.waiting)}
        there = self.replaced | {entry.id for entry in (*now, *waiting_now)}
        window = [entry for entry in self.window if entry.id in there]
        window += [entry for entry in now if entry.id not in before and entry.id != self.summary]
        waiting = [entry for entry in self.waiting if entry.id in there]
        waiting += [entry for entry in waiting_now if entry.id not in before]
        history.restore(window, waiting)


class CompressionPast:
    """The compressions that can be taken back."""

    def __init__(self) -> None:
        self._steps: deque[Step] = deque(maxlen=MOST_STEPS)

    def add(self, step: Step) -> None:
        """Takes a compression in as the newest."""
        self._steps.append(step)

    def newest(self) -> Step | None:
        """Returns the newest compression and forgets it; None where there is none."""
        return self._steps.pop() if self._steps else None

    def clear(self) -> None:
        """Forgets them all."""
        self._steps.clear()
