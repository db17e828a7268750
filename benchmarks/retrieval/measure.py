"""Figures of an adapter on cases: recall, hit, MRR and latency."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean, quantiles
from typing import Protocol

from dataset import Case, Question
from paicli.memory.entry import MemoryEntry

DEPTHS = (1, 5, 10, 20)


class Adapter(Protocol):
    """A way to find entries: is given a store's entries, then asked."""

    name: str

    def load(self, entries: Sequence[MemoryEntry], now: datetime) -> None: ...
    def ask(self, question: str, limit: int) -> list[str]:
        """Returns the ids of the `limit` best entries, best first."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What an adapter found for a question."""

    case: str
    question: Question
    found: tuple[str, ...]
    seconds: float

    def recall(self, depth: int) -> float:
        return len(self.question.gold.intersection(self.found[:depth])) / len(self.question.gold)

    def hit(self, depth: int) -> bool:
        return not self.question.gold.isdisjoint(self.found[:depth])

    def reciprocal_rank(self, depth: int = 10) -> float:
        return next(
            (1 / rank for rank, entry_id in enumerate(self.found[:depth], 1) if entry_id in self.question.gold), 0.0
        )


def measure(adapter: Adapter, cases: Sequence[Case], limit: int = 20) -> list[Answered]:
    """Asks an adapter all questions of the cases, each in a store of its own."""
    answered = []
    for case in cases:
        adapter.load(case.entries, case.now)
        for question in case.questions:
            start = time.perf_counter()
            found = adapter.ask(question.text, limit)
            answered.append(Answered(case.name, question, tuple(found), time.perf_counter() - start))
    return answered


def row(name: str, answered: Sequence[Answered], groups: Collection[str] | None = None) -> str:
    """Returns a line of a table: recall at each depth, hit@1, MRR@10, median and 95th percentile of the latency in ms."""
    chosen = [one for one in answered if groups is None or one.question.group in groups]
    recalls = " ".join(f"{fmean(one.recall(depth) for one in chosen):.3f}" for depth in DEPTHS)
    hit = fmean(one.hit(1) for one in chosen)
    rank = fmean(one.reciprocal_rank() for one in chosen)
    cuts = quantiles([1000 * one.seconds for one in chosen], n=20)
    return f"{name:34s} {recalls}  {hit:.3f} {rank:.3f}  {cuts[9]:6.2f} {cuts[18]:6.2f}  n={len(chosen)}"


HEAD = f"{'':34s} {' '.join(f'R@{depth:<3d}' for depth in DEPTHS)}  hit@1 MRR    p50 ms p95 ms"
