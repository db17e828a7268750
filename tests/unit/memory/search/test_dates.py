"""Dates that a question names."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime

import pytest

from paicli.memory.search.dates import day_of, named_dates, nearness

TODAY = date(2026, 3, 11)
"""A Wednesday."""


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("昨天", "2026-03-10", "2026-03-10"),
        ("前天说的", "2026-03-09", "2026-03-09"),
        ("上周我们为什么否决了方案 B", "2026-03-02", "2026-03-08"),
        ("上周五", "2026-03-06", "2026-03-06"),
        ("上周日", "2026-03-08", "2026-03-08"),
        ("这周", "2026-03-09", "2026-03-15"),
        ("上个月", "2026-02-01", "2026-02-28"),
        ("去年", "2025-01-01", "2025-12-31"),
        ("三天前", "2026-03-08", "2026-03-08"),
        ("5月2日", "2025-05-02", "2025-05-02"),
        ("2024年2月29日", "2024-02-29", "2024-02-29"),
        ("2月29日", "2024-02-29", "2024-02-29"),
        ("yesterday", "2026-03-10", "2026-03-10"),
        ("last Friday", "2026-03-06", "2026-03-06"),
        ("last Wednesday", "2026-03-04", "2026-03-04"),
        ("last weekend", "2026-03-07", "2026-03-08"),
        ("two weeks ago", "2026-02-22", "2026-02-28"),
        ("on 8 May, 2023", "2023-05-08", "2023-05-08"),
        ("May 8th", "2025-05-08", "2025-05-08"),
        ("in February", "2026-02-01", "2026-02-28"),
        ("since 2026-01-05", "2026-01-05", "2026-01-05"),
    ],
)
def test_a_date_is_the_days_it_stands_for(text: str, first: str, last: str) -> None:
    ((span,), rest) = named_dates(text, TODAY)
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)
    assert rest != text


@pytest.mark.parametrize(
    "text", ["2026-13-45", "2月31日", "31 February", "maybe", "Python 3.11.4", "99999999999 days ago", ""]
)
def test_what_is_no_date_stays_in_the_text(text: str) -> None:
    assert named_dates(text, TODAY) == ((), text)


def test_the_days_after_a_date_count_a_little_and_the_one_before() -> None:
    spans, _ = named_dates("2026-03-05", TODAY)
    days = [4, 5, 6, 10, 15, 25]
    assert [nearness(spans, date(2026, 3, day)) for day in days] == [0.1, 1.0, 0.15, 0.1, 0.05, 0.0]
    assert nearness((), TODAY) == 0.0


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system can't change the time zone of a process")
def test_a_day_is_the_users_but_a_date_without_a_time_is_the_same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        for zone, day in (("Asia/Shanghai", 12), ("UTC", 11)):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            assert day_of(datetime(2026, 3, 11, 20, tzinfo=UTC)) == date(2026, 3, day)
            assert day_of(datetime(2026, 3, 11, tzinfo=UTC)) == date(2026, 3, 11)
    finally:
        monkeypatch.undo()
        time.tzset()
