"""TokenBudget: how the model's window is shared out, and what its calls have cost."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

CONTEXT_WINDOW = 200_000
WARNING_RATIO = 0.7
"""The share of the conversation's budget above which the user hears that it will be compressed soon."""
COMPRESSION_RATIO = 0.8
"""The share of the conversation's budget above which it is compressed (the article's)."""
HARD_RATIO = 0.95
"""The share above which nothing waits: a few messages more, and something would have to leave."""
SMALL_WINDOW_SHARES = (0.05, 0.08, 0.20)
"""The largest share of a window that system prompt, tools and reply are given in advance."""
LEAST_CONVERSATION_SHARE = 0.1
"""The share of a window below which the conversation is given what the reserves do not really need."""
LARGEST_BLOCK_SHARE = 0.125
"""The largest share of a window that facts from long-term memory take in a request."""


class Pressure(IntEnum):
    """How full a history is."""

    NONE = 0
    WARN = 1
    COMPRESS = 2
    HARD = 3


def pressure(tokens: int, budget: int) -> Pressure:
    """Returns how full a history of so many tokens is.

    >>> [pressure(tokens, 100).name for tokens in (70, 71, 81, 96)]
    ['NONE', 'WARN', 'COMPRESS', 'HARD']
    """
    ratios = (WARNING_RATIO, COMPRESSION_RATIO, HARD_RATIO)
    return Pressure(sum(tokens > budget * ratio for ratio in ratios))


class _Sized(Protocol):
    @property
    def token_count(self) -> int: ...


@dataclass(frozen=True, slots=True)
class UsageTotal:
    """The cost of some model calls: how many, tokens in and out, and how many of the calls were only estimated."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated_calls: int = 0

    def plus(self, input_tokens: int, output_tokens: int, *, estimated: bool) -> UsageTotal:
        """Returns the total with one more call."""
        return UsageTotal(
            self.calls + 1,
            self.input_tokens + input_tokens,
            self.output_tokens + output_tokens,
            self.estimated_calls + int(estimated),
        )


@dataclass(slots=True)
class TokenBudget:
    """Shares a context window out between prompt, tools, reply and conversation; keeps account of the calls.

    Args:
        context_window: Tokens the model takes in all.
        reserved_for_system: Tokens kept for the system prompt.
        reserved_for_tools: Tokens kept for the tools' schemas.
        reserved_for_response: Tokens kept for the reply.

    Where the three reserves take more than a third of the window together, each is cut to its share: 5, 8 and 20 %.
    `measure` replaces the first two by what prompt and tools really need.

    Raises:
        ValueError: The window is not positive, or a reserve is negative.
    """

    context_window: int = CONTEXT_WINDOW
    reserved_for_system: int = 500
    reserved_for_tools: int = 800
    reserved_for_response: int = 2_000
    by_purpose: dict[str, UsageTotal] = field(default_factory=dict, init=False)
    _measured: tuple[int, int] = field(default=(0, 0), init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.context_window <= 0:
            raise ValueError(f"context_window is {self.context_window}: it must be at least 1.")
        if min(self.reserved_for_system, self.reserved_for_tools, self.reserved_for_response) < 0:
            raise ValueError("A reserve of the token budget is negative.")

    def measure(self, system_tokens: int, tools_tokens: int) -> None:
        """Sets what system prompt and tool schemas really need, in tokens; the reserves are not below it."""
        self._measured = (system_tokens, tools_tokens)

    @property
    def reserves(self) -> tuple[int, int, int]:
        """The tokens kept for system prompt, tools and reply."""
        wanted = (self.reserved_for_system, self.reserved_for_tools, self.reserved_for_response)
        if sum(wanted) > self.context_window * sum(SMALL_WINDOW_SHARES):
            limits = (int(self.context_window * share) for share in SMALL_WINDOW_SHARES)
            system, tools, response = (min(reserve, limit) for reserve, limit in zip(wanted, limits, strict=True))
        else:
            system, tools, response = wanted
        return max(system, self._measured[0]), max(tools, self._measured[1]), response

    @property
    def available_for_conversation(self) -> int:
        """The tokens left for the conversation; never below 0.

        Where a large prompt leaves hardly any, what is kept for prompt and tools is no more than they were measured to need.
        """
        left = self.context_window - sum(self.reserves)
        if any(self._measured) and left < self.context_window * LEAST_CONVERSATION_SHARE:
            left = self.request_limit - sum(self._measured)
        return max(0, left)

    @property
    def request_limit(self) -> int:
        """The largest request in tokens that leaves room for the reply."""
        return max(0, self.context_window - self.reserves[2])

    @property
    def largest_block(self) -> int:
        """The most tokens that the text about long-term memory takes, however much is asked for."""
        return int(self.context_window * LARGEST_BLOCK_SHARE)

    def needs_compression(self, memory: _Sized) -> bool:
        """Returns whether a memory takes more than 80 % of the tokens available for the conversation."""
        return pressure(memory.token_count, self.available_for_conversation) >= Pressure.COMPRESS

    def record_usage(
        self, input_tokens: int, output_tokens: int, *, purpose: str = "chat", estimated: bool = False
    ) -> None:
        """Takes one model call into account."""
        with self._lock:
            before = self.by_purpose.get(purpose, UsageTotal())
            self.by_purpose[purpose] = before.plus(input_tokens, output_tokens, estimated=estimated)

    @property
    def usage(self) -> UsageTotal:
        """What all calls have cost together."""
        return _sum(self.by_purpose)

    def usage_report(self) -> str:
        """Returns the cost of all calls in a line: calls, tokens in, tokens out."""
        total = self.usage
        mark = f" ({total.estimated_calls} estimated)" if total.estimated_calls else ""
        return f"Tokens: calls {total.calls}{mark} | input {total.input_tokens} | output {total.output_tokens}"


def _sum(totals: Mapping[str, UsageTotal]) -> UsageTotal:
    values = list(totals.values())
    return UsageTotal(
        sum(total.calls for total in values),
        sum(total.input_tokens for total in values),
        sum(total.output_tokens for total in values),
        sum(total.estimated_calls for total in values),
    )
