"""Laws of token counts."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from paicli.memory.message import Message, render
from paicli.memory.tokens.counter import CalibratedCounter, request_counts
from paicli.memory.tokens.features import FEATURES
from paicli.memory.tokens.rates import TokenRates

PIECES = [
    "中文",
    "，",
    "か",
    "한",
    "a",
    "B",
    "Word",
    " ",
    "  ",
    "\t",
    "\n",
    "7",
    "2025",
    "-",
    "--",
    "{",
    "é",
    "ж",
    "→",
    "😀",
]
PIECES += ["0a1B2c3D" * 4, "a" * 40, "=" * 40, " " * 200, "\x00", "\ud800", "\u200d"]
TEXT = st.one_of(
    st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from(PIECES)
)
REPORTS = st.lists(st.tuples(TEXT, st.integers(-10, 100_000)), max_size=8)
EDGE_TOKENS = 8
"""So much can change where two texts meet: a word, a number, a run of marks and of white space become one, a blob begins."""


def taught(reports: Sequence[tuple[str, int]]) -> CalibratedCounter:
    counter = CalibratedCounter("m")
    for text, size in reports:
        counter.learn(render([Message("user", text or "x")]), (), size)
    return counter


@given(REPORTS, TEXT, TEXT)
def test_a_longer_text_is_never_smaller(reports: Sequence[tuple[str, int]], text: str, more: str) -> None:
    counter = taught(reports)
    assert counter.count_text(text) <= counter.count_text(text + more)


@given(TEXT, TEXT)
def test_sizes_add_up(text: str, more: str) -> None:
    counter = CalibratedCounter()
    parts = counter.count_text(text) + counter.count_text(more)
    assert abs(counter.count_text(text + more) - parts) <= EDGE_TOKENS + parts * 0.1


@given(TEXT, st.integers(1, 50))
def test_a_first_guess_is_never_below_six_tenths_per_han_character(text: str, number: int) -> None:
    assert CalibratedCounter().count_text(text + "中" * number) >= 0.6 * number


@given(REPORTS, st.lists(TEXT, max_size=4))
def test_the_bound_is_never_below_the_count(reports: Sequence[tuple[str, int]], texts: Sequence[str]) -> None:
    counter, request = taught(reports), render([Message("user", text) for text in texts])
    assert 0 < counter.count(request) <= counter.upper_bound(request)


@given(REPORTS)
def test_whatever_is_reported_the_rates_can_be_kept(reports: Sequence[tuple[str, int]]) -> None:
    for rates in taught(reports).rates.values():
        assert TokenRates.from_row(rates.to_row())


@given(st.lists(st.tuples(TEXT, st.floats(0.4, 2.0)), min_size=1, max_size=60))
def test_the_uncertainty_never_passes_the_first_one(reports: Sequence[tuple[str, float]]) -> None:
    first = rates = TokenRates()
    for text, factor in reports:
        counts = request_counts(render([Message("user", text or "x")]))
        rates = rates.learned(counts, round(first.tokens(counts) * factor))
    for index in range(len(FEATURES)):
        assert 0 < rates.spread[index][index] <= first.spread[index][index] * 1.0001
