"""Dates that a question names, absolute and relative, in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

_MONTHS = "january february march april may june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTH = "|".join([*_MONTHS, "sept", *(month[:3] for month in _MONTHS)])
_NUMBERS = {word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)}
_NUMBERS |= {"a": 1, "an": 1, "两": 2} | {word: number for number, word in enumerate("一二三四五六七八九十", 1)}
_COUNT = r"(?P<count>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|[一二两三四五六七八九十])"


@dataclass(frozen=True, slots=True)
class Span:
    """The days from `first` to `last`, both included."""

    first: date
    last: date


def day_of(moment: datetime) -> date:
    """Returns the day of a moment where the user is; midnight in UTC stands for a date without a time, the same everywhere."""
    in_utc = moment.astimezone(UTC)
    return in_utc.date() if in_utc.time() == time.min else moment.astimezone().date()


def named_dates(text: str, today: date) -> tuple[tuple[Span, ...], str]:
    """Returns the spans of days that a text names, and the text without them.

    A date without a year is the latest one that is not after `today`; weeks start on Monday.

    >>> named_dates("5月2日我们聊了什么", date(2023, 5, 6))
    ((Span(first=datetime.date(2023, 5, 2), last=datetime.date(2023, 5, 2)),), ' 我们聊了什么')
    >>> named_dates("what did I say last week", date(2023, 5, 10))[0]
    (Span(first=datetime.date(2023, 5, 1), last=datetime.date(2023, 5, 7)),)
    """
    spans: list[Span] = []
    for pattern, read in _READERS:

        def take(found: re.Match[str], read: Callable[[re.Match[str], date], Span] = read) -> str:
            try:
                spans.append(read(found, today))
            except (ValueError, OverflowError):
                return found[0]
            return " "

        text = pattern.sub(take, text)
    return tuple(spans), text


def nearness(spans: tuple[Span, ...], day: date) -> float:
    """Returns how near a day is to the nearest of the spans, in 0..1.

    1 within it; what is told in the days after it may tell of it, so these count a little (0.15 for three days, 0.1 for a
    week, 0.05 for two weeks), as does the day before (0.1).
    """
    return max((_near(span, day) for span in spans), default=0.0)


def _near(span: Span, day: date) -> float:
    if span.first <= day <= span.last:
        return 1.0
    after = (day - span.last).days
    if after < 0:
        return 0.1 if (span.first - day).days == 1 else 0.0
    return 0.15 if after <= 3 else 0.1 if after <= 7 else 0.05 if after <= 14 else 0.0


def _day(year: str | None, month: int, day: int, today: date) -> Span:
    if year:
        moment = date(int(year), month, day)
    else:
        moment = next(found for found in _past_years(month, day, today) if found <= today + timedelta(days=1))
    return Span(moment, moment)


def _past_years(month: int, day: int, today: date) -> Iterator[date]:
    for back in range(9):  # the 29th of February comes at least every eighth year
        try:
            yield date(today.year - back, month, day)
        except ValueError:
            continue
    raise ValueError(f"There is no day {day} in month {month}.")


def _whole_month(year: str | None, month: int, today: date) -> Span:
    first = date(int(year) if year else today.year - (month > today.month), month, 1)
    return Span(first, _next_month(first) - timedelta(days=1))


def _next_month(first: date) -> date:
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1)


def _month_number(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, 1) if month.startswith(name.casefold()[:3]))


def _back(days: int) -> Callable[[re.Match[str], date], Span]:
    return lambda _, today: Span(today - timedelta(days), today - timedelta(days))


def _week(weeks_back: int, first: int = 0, last: int = 6) -> Callable[[re.Match[str], date], Span]:
    def read(_: re.Match[str], today: date) -> Span:
        monday = today - timedelta(days=today.weekday() + 7 * weeks_back)
        return Span(monday + timedelta(first), monday + timedelta(last))

    return read


def _weekday_of_last_week(found: re.Match[str], today: date) -> Span:
    day = "一二三四五六日天".index(found["day"]) % 7 if found["day"] != "天" else 6
    return _week(1, day, day)(found, today)


def _last_weekday(found: re.Match[str], today: date) -> Span:
    back = (today.weekday() - _DAYS.index(found["day"].casefold()) - 1) % 7 + 1
    return Span(today - timedelta(back), today - timedelta(back))


def _last_month(_: re.Match[str], today: date) -> Span:
    last = today.replace(day=1) - timedelta(days=1)
    return Span(last.replace(day=1), last)


def _year(back: int) -> Callable[[re.Match[str], date], Span]:
    return lambda _, today: Span(date(today.year - back, 1, 1), date(today.year - back, 12, 31))


def _ago(found: re.Match[str], today: date) -> Span:
    """Returns the days that `three weeks ago` may mean: half a unit around the day it is reckoned to."""
    count = int(found["count"]) if found["count"].isdigit() else _NUMBERS[found["count"].casefold()]
    unit = {"d": 1, "天": 1, "w": 7, "周": 7, "星": 7, "m": 30, "个": 30, "月": 30}[found["unit"][0].casefold()]
    middle = today - timedelta(days=count * unit)
    return Span(middle - timedelta(days=unit // 2), middle + timedelta(days=unit // 2))


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Span]], ...] = (
    (re.compile(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b"), lambda m, t: _day(m[1], int(m[2]), int(m[3]), t)),
    (re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]"), lambda m, t: _day(m[1], int(m[2]), int(m[3]), t)),
    (re.compile(r"(?:(\d{4})年)?(\d{1,2})月份?(?!\d)"), lambda m, t: _whole_month(m[1], int(m[2]), t)),
    (
        _words(rf"(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b\.?(?:,? (\d{{4}}))?"),
        lambda m, t: _day(m[3], _month_number(m[2]), int(m[1]), t),
    ),
    (
        _words(rf"({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?"),
        lambda m, t: _day(m[3], _month_number(m[1]), int(m[2]), t),
    ),
    (_words(rf"({_MONTH})\.?,? (\d{{4}})"), lambda m, t: _whole_month(m[2], _month_number(m[1]), t)),
    (
        _words(rf"(?:in|during|since|this|late|early) ({_MONTH})"),
        lambda m, t: _whole_month(None, _month_number(m[1]), t),
    ),
    (re.compile(rf"{_COUNT}\s?(?P<unit>天|周|个?星期|个月)(?:以前|之前|前)"), _ago),
    (_words(rf"{_COUNT} (?P<unit>days?|weeks?|months?) ago"), _ago),
    (re.compile(r"上(?:个)?(?:周|星期|礼拜)末|last weekend", re.IGNORECASE), _week(1, 5, 6)),
    (re.compile(r"上(?:个)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])"), _weekday_of_last_week),
    (re.compile(r"上(?:个)?(?:周|星期|礼拜)|last week", re.IGNORECASE), _week(1)),
    (re.compile(r"[这本](?:个)?(?:周|星期|礼拜)|this week", re.IGNORECASE), _week(0)),
    (_words(rf"last (?P<day>{'|'.join(_DAYS)})"), _last_weekday),
    (re.compile(r"上(?:个)?月|last month", re.IGNORECASE), _last_month),
    (re.compile(r"去年|last year", re.IGNORECASE), _year(1)),
    (re.compile(r"前天|the day before yesterday", re.IGNORECASE), _back(2)),
    (re.compile(r"昨[天晚日]|yesterday|last night", re.IGNORECASE), _back(1)),
    (re.compile(r"今[天早晚日]|\btoday\b|\btonight\b|this morning", re.IGNORECASE), _back(0)),
)
