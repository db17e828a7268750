"""What each feature of a text costs in a model's tokens: a guess at first, then learned from what providers report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from paicli.memory.tokens.features import FEATURES, Counts

_TYPICAL: Mapping[str, tuple[float, float]] = {
    "han": (0.61, 0.3),
    "han_run": (0.2, 0.3),
    "syllable": (0.93, 0.3),
    "cjk_mark": (1.0, 0.3),
    "word": (0.74, 0.08),
    "letter": (0.07, 0.02),
    "digit": (0.22, 0.25),
    "digit_group": (1.0, 0.15),
    "digit_space": (1.0, 0.2),
    "mark_run": (0.21, 0.06),
    "mark": (0.52, 0.06),
    "line_end": (1.35, 0.3),
    "indent": (0.25, 0.2),
    "blob": (0.12, 0.06),
    "accented": (1.6, 0.8),
    "foreign_letter": (0.48, 0.35),
    "symbol": (1.4, 0.6),
    "emoji": (3.1, 1.0),
    "message": (5.0, 3.0),
    "call": (20.0, 12.0),
    "tool": (10.0, 15.0),
    "request": (5.0, 60.0),
}
"""Tokens for one of each feature, and how far vocabularies lie apart in it.

Mean and spread of least-squares fits to seven vocabularies (cl100k, o200k, Qwen, Qwen 3.6, DeepSeek V4, Tekken, Claude)
over prose, dialogues, code, JSON, logs and tables in Chinese and English; Han nearer to those of the presets, and not
below 0.6. The last four allow for the chat templates; a provider may put a prompt of its own before a request with tools.
"""

_FIRST = tuple(_TYPICAL[name][0] for name in FEATURES)
_DEVIATIONS = tuple(_TYPICAL[name][1] for name in FEATURES)
_LOWEST = tuple(max(0.35 * mean, mean - 3 * deviation) for mean, deviation in zip(_FIRST, _DEVIATIONS, strict=True))
_HIGHEST = tuple(mean + 6 * deviation for mean, deviation in zip(_FIRST, _DEVIATIONS, strict=True))
"""No rate is outside these in any of the vocabularies; nor in older ones, with two tokens for a Han character."""

_NOISE = 0.05
"""What the features leave unexplained, as a share of a request: two texts of equal counts differ by so much."""

_SURPRISE = 2.0
"""From so many standard deviations on a report counts for less, the farther off the less."""

_FORGETTING = 0.004
"""The share of certainty that is lost with each report: so a model that gets another vocabulary is learned anew."""

_CAUTION = 2.6
"""Standard deviations between the expected size and the upper bound: 0.5 % of a normal distribution lie above."""

Spread = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class TokenRates:
    """What the features cost one model: the expected rates, their covariance, and how many reports they rest on."""

    mean: tuple[float, ...] = _FIRST
    spread: Spread = tuple(
        tuple(deviation**2 if row == column else 0.0 for column in range(len(FEATURES)))
        for row, deviation in enumerate(_DEVIATIONS)
    )
    reports: int = 0

    def tokens(self, counts: Counts) -> float:
        """Returns the expected size of what has these counts."""
        return _product(self.mean, counts)

    def upper_bound(self, counts: Counts) -> float:
        """Returns a size that is passed in fewer than 1 % of requests."""
        expected = self.tokens(counts)
        return expected + _CAUTION * math.sqrt(self._variance(counts) + (_NOISE * expected) ** 2)

    def learned(self, counts: Counts, actual: int) -> TokenRates:
        """Returns the rates as corrected by one report; these, where the report can't be true.

        A step of recursive least squares (a Kalman filter without dynamics), starting from the typical rates. A report
        far from what was expected moves them little (Huber's weights), and what is long past is slowly forgotten.

        Args:
            counts: The counts of the request.
            actual: The size that the provider reported, tokens read from its cache included.
        """
        if not is_credible(counts, actual):
            return self
        expected, gain = self.tokens(counts), [_product(row, counts) for row in self.spread]
        known, noise = max(0.0, _product(gain, counts)), (_NOISE * actual) ** 2
        error = actual - expected
        surprise = abs(error) / math.sqrt(known + noise)
        total = known + noise * max(1.0, surprise / _SURPRISE) ** 2
        mean = tuple(
            min(max(rate + part * error / total, low), high)
            for rate, part, low, high in zip(self.mean, gain, _LOWEST, _HIGHEST, strict=True)
        )
        return TokenRates(mean, _narrowed(self.spread, gain, total), self.reports + 1)

    def to_row(self) -> dict[str, Any]:
        """Returns the rates as plain values, for a store."""
        lower = [value for row, values in enumerate(self.spread) for value in values[: row + 1]]
        return {
            "features": list(FEATURES),
            "reports": self.reports,
            "mean": [_short(value) for value in self.mean],
            "spread": [_short(value) for value in lower],
        }

    @classmethod
    def from_row(cls, row: object) -> TokenRates | None:
        """Returns the rates in a row; None where it is none, is damaged, or counts other features."""
        if not isinstance(row, Mapping) or row.get("features") != list(FEATURES):
            return None
        mean, lower, reports = row.get("mean"), row.get("spread"), row.get("reports")
        size = len(FEATURES)
        if not (_are_numbers(mean, size) and _are_numbers(lower, size * (size + 1) // 2)):
            return None
        if not isinstance(reports, int) or isinstance(reports, bool) or reports < 0:
            return None
        spread = _symmetric(lower)
        if not (_are_possible(mean) and _is_covariance(spread)):
            return None
        return cls(tuple(map(float, mean)), spread, reports)

    def _variance(self, counts: Counts) -> float:
        return max(0.0, sum(count * _product(row, counts) for count, row in zip(counts, self.spread, strict=True)))


def is_credible(counts: Counts, actual: int) -> bool:
    """Returns whether a request of these counts can have the size that was reported, in any vocabulary."""
    return _product(_LOWEST, counts) <= actual <= _product(_HIGHEST, counts)


def _product(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(map(float.__mul__, map(float, left), map(float, right)))


def _narrowed(spread: Spread, gain: Sequence[float], total: float) -> Spread:
    """Returns the covariance after a report, with a little of the first one mixed in again."""
    kept = 1 - _FORGETTING
    return tuple(
        tuple(
            kept * (value - gain[row] * gain[column] / total)
            + (_FORGETTING * _DEVIATIONS[row] ** 2 if row == column else 0.0)
            for column, value in enumerate(values)
        )
        for row, values in enumerate(spread)
    )


def _short(value: float) -> float:
    """Returns a number rounded to seven significant digits: more would only make files longer."""
    return float(f"{value:.7g}")


def _are_numbers(values: object, count: int) -> TypeGuard[Sequence[float]]:
    return (
        isinstance(values, Sequence)
        and not isinstance(values, str)
        and len(values) == count
        and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
        and all(abs(value) < 1e9 for value in values)  # neither infinite nor NaN
    )


def _symmetric(lower: Sequence[float]) -> Spread:
    size = len(FEATURES)

    def at(row: int, column: int) -> float:
        high, low = max(row, column), min(row, column)
        return float(lower[high * (high + 1) // 2 + low])

    return tuple(tuple(at(row, column) for column in range(size)) for row in range(size))


def _are_possible(mean: Sequence[float]) -> bool:
    limits = zip(_LOWEST, mean, _HIGHEST, strict=True)
    return all(0.999 * low <= rate <= 1.001 * high for low, rate, high in limits)


def _is_covariance(spread: Spread) -> bool:
    """Returns whether the numbers can be variances and covariances no wider than the first ones."""
    variances = [row[index] for index, row in enumerate(spread)]
    if not all(0 < value <= 1.001 * first**2 for value, first in zip(variances, _DEVIATIONS, strict=True)):
        return False
    return all(
        spread[row][column] ** 2 <= 1.001 * variances[row] * variances[column]
        for row in range(len(FEATURES))
        for column in range(row)
    )
