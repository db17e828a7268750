"""HistoryCompression: when the history is compressed, in which way, and that it is not tried for ever."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from paicli.errors import CompressionFailed
from paicli.memory.budget import Pressure, pressure
from paicli.memory.compression.compressor import ContextCompressor
from paicli.memory.compression.excerpt import excerpt
from paicli.memory.compression.plan import CompressionPlan
from paicli.memory.compression.preparation import Preparation
from paicli.memory.compression.shrinking import old_results, recent_results
from paicli.memory.compression.summary import Summary, finished
from paicli.memory.compression.undo import CompressionPast, Step
from paicli.memory.conversation import ConversationMemory, role_of
from paicli.memory.entry import MemoryEntry
from paicli.memory.notice import Notice
from paicli.memory.report import CompressionReport
from paicli.memory.session.log import SessionLog

MOST_FAILURES = 3
"""After so many failures in a row no model is asked on its own any more."""
LEAST_SHARE = 0.02
"""Less than this share of the history's budget is not worth a summary: the next messages would need another."""
Size = Callable[[Sequence[MemoryEntry]], int]


class HistoryCompression:
    """Makes one history smaller: on its own where that is needed and can succeed, or because the user asks.

    First old tool results are shortened, without a model; where that is not enough, old rounds are summarised. What
    fails leaves the history as it was.

    Args:
        history: What is compressed.
        size: Tells the size of entries in tokens.
        log: Is told of what happens.
        bound: Tells a size that they hardly pass: it decides. `size` where None.
    """

    def __init__(self, history: ConversationMemory, size: Size, log: SessionLog, *, bound: Size | None = None) -> None:
        self.compressor: ContextCompressor | None = None
        self.in_background = False
        self.notices: list[Notice] = []
        self._history = history
        self._size = size
        self._bound = bound or size
        self._log = log
        self._past = CompressionPast()
        self._preparation: Preparation | None = None
        self._failures = 0
        self._failed: set[frozenset[str]] = set()
        self._told_paused = False
        self._held = False
        self._warned = False
        self._last_round = ""

    @property
    def pressure(self) -> Pressure:
        """How full the history is."""
        return self._pressure_of(list(self._history))

    def if_needed(self) -> CompressionReport | None:
        """Compresses where the history takes more than 80 % of its budget, or where entries have left it.

        With `in_background` the summary is written in a thread: it takes effect at a later call, and only above 95 % a
        call waits for it. A failure changes nothing: it is told in `notices`, and the model is not asked again with the
        same content, nor after three failures in a row. Above 95 % an excerpt takes the place of the summary then.
        """
        report = self._take_prepared(wait=self.pressure is Pressure.HARD)
        level = self.pressure
        self._warn(level)
        if level < Pressure.HARD and (report or self._held):
            return report
        if level < Pressure.COMPRESS and not self._waits():
            return None
        return self._relieve(level) or report

    def now(self, focus: str = "") -> CompressionReport | None:
        """Compresses because the user asks for it; None where there is too little.

        Raises:
            CompressionFailed: No model, or no usable summary; the history is as it was.
        """
        if not self.compressor:
            raise CompressionFailed(reason="no model is connected")
        self._preparation = None
        plan = self.compressor.plan(self._history, focus=focus)
        return self._summarised(self.compressor, plan) if plan else None

    def undo(self) -> CompressionReport | None:
        """Takes the newest compression of this process back, and returns its report; None where there is none.

        The history is what it was, byte for byte, followed by what has come since. From then on nothing is compressed on
        its own before 95 %.
        """
        step = self._past.newest()
        if step is None:
            return None
        self._preparation = None
        before = {entry.id: entry for entry in (*self._history, *self._history.compressed_summaries)}
        step.take_back(self._history)
        if step.summary:
            self._log.undone(step.summary)
        else:
            self._log.window(self._history, self._history.compressed_summaries)
            self._log.shrunk([entry for entry in self._history if entry != before.get(entry.id)])
        self._held = True
        return step.report

    def shrink_recent(self) -> None:
        """Shortens tool results of the last rounds, oldest first, until the history is under 80 %; not of the newest step.

        It comes before anything has to leave.
        """
        short = recent_results(list(self._history))
        few = next((few for few in range(1, len(short)) if self._pressure_with(short[:few]) < Pressure.COMPRESS), None)
        if short:
            self._shrink(short[:few])

    def reset(self) -> None:
        """Lets the model be asked again: something has changed."""
        self._failures = 0
        self._failed.clear()
        self._told_paused = False

    def clear(self) -> None:
        """Forgets what can be taken back and what is being prepared: the history is another one."""
        self._past.clear()
        self._preparation = None
        self._held = False
        self.reset()

    def _relieve(self, level: Pressure) -> CompressionReport | None:
        short = old_results(list(self._history)) if level >= Pressure.COMPRESS else []
        if short and self._pressure_with(short) is Pressure.NONE:
            return self._shrink(short)
        if not self.compressor:
            return self._shrink(short) if short else None
        report = self._summarise_if_it_helps(self.compressor, level)
        if report or level < Pressure.HARD:
            return report
        if short and self._pressure_with(short) < Pressure.HARD:
            return self._shrink(short)
        return self._excerpt(self.compressor)

    def _summarise_if_it_helps(self, compressor: ContextCompressor, level: Pressure) -> CompressionReport | None:
        plan = compressor.plan(self._history) if self._failures < MOST_FAILURES else None
        if plan is None or plan.replaced in self._failed:
            return None
        if plan.new_tokens < LEAST_SHARE * self._history.max_tokens and not self._waits():
            return None
        if self.in_background and level < Pressure.HARD:
            self._preparation = self._preparation or Preparation(compressor, plan)
            return None
        try:
            return self._summarised(compressor, plan)
        except CompressionFailed as error:
            self._take_failure(plan, error)
            return None

    def _summarised(self, compressor: ContextCompressor, plan: CompressionPlan) -> CompressionReport:
        start = time.monotonic()
        summary = compressor.summarise(plan)
        self._refuse_larger(plan, summary)
        self.reset()
        return self._swap_in(plan, summary, time.monotonic() - start)

    def _take_prepared(self, *, wait: bool = False) -> CompressionReport | None:
        """Puts the summary that was prepared in its place, if what it stands for is still there."""
        preparation = self._preparation
        if preparation is None or not preparation.is_done(wait=wait):
            return None
        self._preparation = None
        if preparation.error:
            self._take_failure(preparation.plan, preparation.error)
        there = {entry.id for entry in (*self._history, *self._history.compressed_summaries)}
        if preparation.summary is None or not preparation.plan.replaced <= there:
            return None
        try:
            self._refuse_larger(preparation.plan, preparation.summary)
        except CompressionFailed as error:
            self._take_failure(preparation.plan, error)
            return None
        self.reset()
        return self._swap_in(preparation.plan, preparation.summary, preparation.seconds)

    def _refuse_larger(self, plan: CompressionPlan, summary: Summary) -> None:
        """Raises CompressionFailed where the history, with what waits, would not be smaller with a summary in it."""
        entries = [*self._history.compressed_summaries, *self._history]
        before = self._size(entries)
        after = self._size([summary.entry, *(entry for entry in entries if entry.id not in plan.replaced)])
        if after >= before:
            raise CompressionFailed(reason=f"with the summary the history has {after} tokens, without it {before}")

    def _excerpt(self, compressor: ContextCompressor) -> CompressionReport | None:
        """Puts an excerpt in the place of the old rounds, where the model failed at them and that makes them smaller."""
        plan = compressor.plan(self._history)
        if plan is None or not (self._failures >= MOST_FAILURES or plan.replaced in self._failed):
            return None
        start = time.monotonic()
        try:
            summary = finished(plan, excerpt(plan), "excerpt")
            self._refuse_larger(plan, summary)
        except CompressionFailed:
            return None
        return self._swap_in(plan, summary, time.monotonic() - start)

    def _swap_in(self, plan: CompressionPlan, summary: Summary, seconds: float) -> CompressionReport:
        window, waiting = list(self._history), self._history.compressed_summaries
        before = self._size(window)
        self._history.replace(plan.replaced, summary.entry)
        self._log.summary(summary.entry, sorted(plan.replaced))
        report = CompressionReport(
            before,
            self._size(list(self._history)),
            len(plan.replaced),
            summary.entry.content,
            rounds=plan.rounds,
            rules=summary.kept.rules,
            put_back=summary.kept.put_back,
            left_out=summary.kept.left_out,
            seconds=seconds,
            tokens_spent=summary.tokens_spent,
            made_by=summary.made_by,
        )
        self._last_round = self._newest_user_message()
        self._end(Step(tuple(window), tuple(waiting), plan.replaced, summary.entry.id, report))
        return report

    def _shrink(self, short: Sequence[MemoryEntry]) -> CompressionReport:
        window, waiting = list(self._history), self._history.compressed_summaries
        before = self._size(window)
        self._history.rewrite(short)
        self._log.shrunk(short)
        after = self._size(list(self._history))
        report = CompressionReport(before, after, 0, "", shrunk=len(short), made_by="shrinking")
        self._end(Step(tuple(window), tuple(waiting), frozenset(), "", report))
        return report

    def _end(self, step: Step) -> None:
        self._past.add(step)
        self._held = False
        self.notices += notices_of(step.report)

    def _take_failure(self, plan: CompressionPlan, error: CompressionFailed) -> None:
        self._failures += 1
        self._failed.add(plan.replaced)
        self.notices.append(Notice("compression-failed", error.values))
        if self._failures == MOST_FAILURES and not self._told_paused:
            self._told_paused = True
            self.notices.append(Notice("compression-paused", {"failures": self._failures}))

    def _warn(self, level: Pressure) -> None:
        if level is Pressure.WARN and not self._warned:
            share = round(100 * self._size(list(self._history)) / self._history.max_tokens)
            self.notices.append(Notice("history-filling", {"share": share}))
        self._warned = level is not Pressure.NONE

    def _waits(self) -> bool:
        """Returns whether what has left the history is to be summarised: once a round, or where it has become much."""
        waiting = self._history.compressed_summaries
        much = sum(entry.token_count for entry in waiting) >= LEAST_SHARE * self._history.max_tokens
        return bool(waiting) and (much or self._last_round != self._newest_user_message())

    def _newest_user_message(self) -> str:
        return next((entry.id for entry in reversed(list(self._history)) if role_of(entry) == "user"), "")

    def _pressure_of(self, entries: Sequence[MemoryEntry]) -> Pressure:
        return pressure(self._bound(entries), self._history.max_tokens)

    def _pressure_with(self, changed: Sequence[MemoryEntry]) -> Pressure:
        by_id = {entry.id: entry for entry in changed}
        return self._pressure_of([by_id.get(entry.id, entry) for entry in self._history])


def notices_of(report: CompressionReport) -> list[Notice]:
    """Returns what the user hears of a compression."""
    codes = {"model": "compressed", "excerpt": "compressed-without-model", "shrinking": "results-shortened"}
    values = {
        "before": report.tokens_before,
        "after": report.tokens_after,
        "rounds": report.rounds,
        "shrunk": report.shrunk,
        "rules": report.rules,
        "put_back": report.put_back,
        "seconds": round(report.seconds, 1),
        "spent": report.tokens_spent,
    }
    notices = [Notice(codes[report.made_by], values)]
    if report.left_out:
        notices.append(Notice("atoms-left-out", {"count": report.left_out}))
    return notices
