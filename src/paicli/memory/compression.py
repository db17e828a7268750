"""HistoryCompression: when the history is compressed, and that it is not tried for ever."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paicli.errors import CompressionFailed
from paicli.memory.budget import COMPRESSION_RATIO
from paicli.memory.compressor import CompressionPlan, ContextCompressor, summary_entry
from paicli.memory.conversation import ConversationMemory
from paicli.memory.entry import MemoryEntry
from paicli.memory.notice import Notice
from paicli.memory.report import CompressionReport

MOST_FAILURES = 3
"""After so many failures in a row no compression is tried on its own any more."""


class HistoryCompression:
    """Compresses one history: on its own where that is needed and can succeed, or because the user asks.

    Args:
        history: What is compressed.
        size: Tells the history's present size in tokens.
        on_summary: Is told of each summary and the ids of the entries it replaced.
    """

    def __init__(
        self,
        history: ConversationMemory,
        size: Callable[[], int],
        on_summary: Callable[[MemoryEntry, Sequence[str]], None],
    ) -> None:
        self.compressor: ContextCompressor | None = None
        self.notices: list[Notice] = []
        self._history = history
        self._size = size
        self._on_summary = on_summary
        self._failures = 0
        self._failed: set[frozenset[str]] = set()

    def if_needed(self) -> CompressionReport | None:
        """Compresses where the history takes more than 80 % of its budget, or where entries have left it.

        A failure changes nothing: it is told in `notices`, and not tried again with the same content, nor after
        three failures in a row.
        """
        over = self._size() > self._history.max_tokens * COMPRESSION_RATIO
        if not self.compressor or not (over or self._history.compressed_summaries):
            return None
        plan = self.compressor.plan(self._history)
        if plan is None or self._failures >= MOST_FAILURES or plan.replaced in self._failed:
            return None
        try:
            return self._run(self.compressor, plan)
        except CompressionFailed as error:
            self._take_failure(plan, error)
            return None

    def now(self, focus: str = "") -> CompressionReport | None:
        """Compresses because the user asks for it; None where there is too little.

        Raises:
            CompressionFailed: No model, or no usable summary; the history is as it was.
        """
        if not self.compressor:
            raise CompressionFailed(reason="no model is connected")
        plan = self.compressor.plan(self._history, focus=focus)
        return self._run(self.compressor, plan) if plan else None

    def reset(self) -> None:
        """Lets compressions be tried again: something has changed."""
        self._failures = 0
        self._failed.clear()

    def _run(self, compressor: ContextCompressor, plan: CompressionPlan) -> CompressionReport:
        before = self._size()
        summary = summary_entry(compressor.summarise(plan), plan.language)
        self._history.replace(plan.replaced, summary)
        self._on_summary(summary, sorted(plan.replaced))
        self.reset()
        report = CompressionReport(before, self._size(), len(plan.replaced), summary.content)
        self.notices.append(Notice("compressed", {"before": report.tokens_before, "after": report.tokens_after}))
        return report

    def _take_failure(self, plan: CompressionPlan, error: CompressionFailed) -> None:
        self._failures += 1
        self._failed.add(plan.replaced)
        self.notices.append(Notice("compression-failed", error.values))
        if self._failures >= MOST_FAILURES:
            self.notices.append(Notice("compression-paused", {"failures": self._failures}))
