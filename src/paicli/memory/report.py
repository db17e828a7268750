"""What the memory tells about itself: of a compression, an extraction, and its present state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from paicli.memory.budget import UsageTotal
from paicli.memory.keeper import Kept


@dataclass(frozen=True, slots=True)
class CompressionReport:
    """What a compression did: tokens of the history before and after, entries it took, and the summary."""

    tokens_before: int
    tokens_after: int
    entries: int
    summary: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extraction kept, how many proposals it rejected, and why it could not go on; empty where it could."""

    kept: tuple[Kept, ...] = ()
    rejected: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """The memory at a glance. Sizes in tokens; `waiting` counts entries that have left the history unsummarised."""

    short_term_tokens: int
    short_term_limit: int
    entries: int
    rounds: int
    waiting: int
    facts: int
    location: str
    usage: UsageTotal
    by_purpose: Mapping[str, UsageTotal] = field(default_factory=dict)

    @property
    def usage_ratio(self) -> float:
        """The share of the short-term budget that is taken: 1.0 is full."""
        return self.short_term_tokens / self.short_term_limit if self.short_term_limit else 0.0

    def __str__(self) -> str:
        waiting = f", {self.waiting} waiting for a summary" if self.waiting else ""
        share = f"{self.short_term_tokens} / {self.short_term_limit} tokens ({self.usage_ratio:.0%})"
        cost = f"calls {self.usage.calls} | input {self.usage.input_tokens} | output {self.usage.output_tokens}"
        return (
            f"Short-term memory: {share}, {self.entries} entries in {self.rounds} rounds{waiting}\n"
            f"Long-term memory: {self.facts} facts in {self.location}\n"
            f"Tokens: {cost}"
        )
