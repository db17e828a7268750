"""What a question asks for: words with their weights, dates, a kind of answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Flag, auto
from functools import lru_cache

from paicli.memory.search.dates import Span, day_of, named_dates
from paicli.memory.search.vocabulary import FRAME_WORDS
from paicli.memory.search.words import normalise, question_words

FRAME_WEIGHT = 0.5
"""Words that frame a question (记得, 提到, mention, kind) say less about the answer than the others."""
NAME_WEIGHT = 2.0
"""A Latin word amid Chinese is a name, and says most about what the answer is about."""
_HAN = re.compile(r"[一-鿿]")
_LATIN = re.compile(r"\.?[a-z]")
_WHEN = re.compile(
    r"\b(?:when|(?:what|which) (?:date|day|year|month|time))\b|什么时候|何时|哪[一]?[天年月]|几[号月点]|日期",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow (?:many|much|long|often|old)\b|多少|多久|多长|几(?=[个次天岁年种位本])", re.IGNORECASE)
_NAME = re.compile(
    r"\b(?:names?|called|titled?|(?:which|what) (?:\w+ )?(?:book|movie|film|song|game|show|series|band|novel)s?)\b"
    r"|名字|名称|叫什么|哪[一两几]?[部本首款家]|(?:哪些|什么)(?:书|电影|歌)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|recently|since|morning|19\d\d|20\d\d)\b"
    r"|昨[天晚]|前天|今[天晚]|明天|周[一二三四五六日末]|星期|[上下这]个?[周月]|[去今明]年|\d[月日号年]",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|once|couple|dozen|few|several|hundred)\b|[一两二三四五六七八九十百千几]",
    re.IGNORECASE,
)
_TITLE = re.compile(r"[《「『]|[\"“][A-Z]")


class Answer(Flag):
    """What a text offers, or a question asks for, besides its words."""

    NONE = 0
    TIME = auto()
    NUMBER = auto()
    TITLE = auto()


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the ranking sees it.

    `words` are for single facts; `undated_words` leave out the dates that the question names, which choose messages by
    the day they were said.
    """

    text: str
    words: Mapping[str, float]
    undated_words: Mapping[str, float]
    dates: tuple[Span, ...]
    asks_for: Answer


def understand(text: str, now: datetime) -> Question:
    """Returns what a question asks for; `now` places dates like 上周 and "last Friday"."""
    plain = normalise(text)
    dates, rest = named_dates(plain, day_of(now))
    words = _weighted(plain)
    undated = (_weighted(rest) or words) if dates else words
    return Question(text, words, undated, dates, asked_for(plain))


def asked_for(text: str) -> Answer:
    """Returns the kinds of answer that a question asks for."""
    return _kinds(text, _WHEN, _HOW_MANY, _NAME)


@lru_cache(maxsize=5_000)
def offered(text: str) -> Answer:
    """Returns the kinds of answer that a text has in it."""
    return _kinds(text, _TIME, _NUMBER, _TITLE)


def _kinds(text: str, *patterns: re.Pattern[str]) -> Answer:
    found = Answer.NONE
    for kind, pattern in zip((Answer.TIME, Answer.NUMBER, Answer.TITLE), patterns, strict=True):
        if pattern.search(text):
            found |= kind
    return found


def _weighted(text: str) -> Mapping[str, float]:
    name = NAME_WEIGHT if _HAN.search(text) else 1.0
    return {word: weight * _importance(word, name) for word, weight in question_words(text).items()}


def _importance(word: str, name: float) -> float:
    if word in FRAME_WORDS:
        return FRAME_WEIGHT
    return name if _LATIN.match(word) else 1.0
