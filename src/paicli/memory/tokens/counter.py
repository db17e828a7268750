"""The counter of whole requests that learns from the usage a provider reports."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

from paicli.memory.tokens.features import Counts, overhead, text_features
from paicli.memory.tokens.rates import TokenRates, is_credible

Wire = Mapping[str, Any]
"""A rendered message, or a tool's schema."""


class CalibratedCounter:
    """A `TokenCounter` that starts from typical rates and learns those of each model from its reports.

    Any thread may use it. It keeps nothing by itself: `rates` is what a store keeps between sessions.

    >>> counter = CalibratedCounter("some-model")
    >>> request = [{"role": "user", "content": "你好，世界" * 50}]
    >>> before = counter.count(request)
    >>> for _ in range(20):
    ...     believed = counter.learn(request, (), 120)
    >>> before > 140, abs(counter.count(request) - 120) < 6, counter.upper_bound(request) > 120
    (True, True, True)
    """

    def __init__(self, model: str = "", rates: Mapping[str, TokenRates] | None = None) -> None:
        """Args: the model that is counted for (`model` may be set anew at any time), and what was learned before."""
        self.model = model
        self._rates = dict(rates or {})
        self._lock = Lock()

    @property
    def rates(self) -> dict[str, TokenRates]:
        """What has been learned, by model."""
        with self._lock:
            return dict(self._rates)

    def count(self, messages: Sequence[Wire], tools: Sequence[Wire] = ()) -> int:
        """Returns the expected size in tokens of a rendered request with the tool schemas that go with it."""
        return math.ceil(self._current.tokens(request_counts(messages, tools)))

    def count_text(self, text: str) -> int:
        """Returns the expected size in tokens of a text, without what a chat template adds."""
        return math.ceil(self._current.tokens(text_features(text)))

    def upper_bound(self, messages: Sequence[Wire], tools: Sequence[Wire] = ()) -> int:
        """Returns a size in tokens that fewer than 1 % of such requests pass: far off at first, close after some reports."""
        return math.ceil(self._current.upper_bound(request_counts(messages, tools)))

    def learn(self, messages: Sequence[Wire], tools: Sequence[Wire], actual: int, model: str | None = None) -> bool:
        """Takes a provider's report of a request's size into account.

        Args:
            messages: The request, as it was sent.
            tools: The tool schemas that were sent with it.
            actual: The prompt tokens that were reported, cached ones included. Never an estimate.
            model: The model, where it is not the present one.

        Returns whether it was believed: a size that no vocabulary can give is passed over.
        """
        counts, name = request_counts(messages, tools), self.model if model is None else model
        if not is_credible(counts, actual):
            return False
        with self._lock:
            self._rates[name] = self._rates.get(name, _TYPICAL).learned(counts, actual)
        return True

    @property
    def _current(self) -> TokenRates:
        return self._rates.get(self.model, _TYPICAL)


_TYPICAL = TokenRates()


def request_counts(messages: Sequence[Wire], tools: Sequence[Wire] = ()) -> Counts:
    """Returns the counts of a rendered request: of all its texts and of what a chat template adds."""
    texts = [text_features(text) for message in messages for text in _texts(message)]
    texts += [text_features(json.dumps(tool, ensure_ascii=False)) for tool in tools]
    calls = sum(len(message.get("tool_calls") or ()) for message in messages)
    extra = overhead(messages=len(messages), calls=calls, tools=len(tools))
    return tuple(map(sum, zip(extra, *texts, strict=True)))


def _texts(message: Wire) -> Iterator[str]:
    """Yields the texts of a message that a model is given. The ids of calls are part of what a call costs."""
    for key, value in message.items():
        if isinstance(value, str) and key not in ("role", "tool_call_id"):
            yield value
    for call in message.get("tool_calls") or ():
        yield call["function"]["name"]
        yield call["function"]["arguments"]
