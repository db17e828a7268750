"""What the memory tells about itself: of a compression, an extraction, and its present state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from paicli.memory.budget import UsageTotal
from paicli.memory.keeper import Kept

Maker = Literal["model", "excerpt", "shrinking"]
"""What made a history smaller: a model's summary, an excerpt without a model, or shortened tool results."""


@dataclass(frozen=True, slots=True)
class CompressionReport:
    """What a compression did.

    Args:
        tokens_before: The history's size before, in tokens.
        tokens_after: Its size after.
        entries: How many entries the summary stands for.
        summary: The content of the summary; empty where only tool results were shortened.
        rounds: How many rounds it stands for.
        shrunk: How many tool results were shortened.
        rules: How many of the user's rules stand beside the summary.
        put_back: How many names and values the summary lacked and that stand beside it.
        left_out: For how many more there was no room; `recall` finds them.
        seconds: How long it took.
        tokens_spent: What the model calls for it have cost, in and out.
        made_by: A model's summary, an excerpt without a model, or shortened tool results only.
    """

    tokens_before: int
    tokens_after: int
    entries: int
    summary: str
    rounds: int = 0
    shrunk: int = 0
    rules: int = 0
    put_back: int = 0
    left_out: int = 0
    seconds: float = 0.0
    tokens_spent: int = 0
    made_by: Maker = "model"


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
