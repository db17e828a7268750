"""The score of an entry for a question: keyword match × recency × source weight. Pure functions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from paicli.memory.entry import MemoryEntry, Origin
from paicli.memory.words import MemoryQueryTokenizer, index_words

RECENCY_SHARE = 0.3
"""How much of the score recency decides; 1 is the article's formula."""
RELEVANCE_FLOOR = 0.2
"""The least match that counts as relevant: one of five words that tell as much as each other."""
WORDS_THAT_COUNT = 5
"""So many of a question's words, the weightiest, make a full match: a long question must not ask more of an entry."""
_SMALLEST_COLLECTION = 20
"""Rarity among fewer entries says nothing: it is reckoned as if there were so many."""
EXPLICIT_RECENCY_FLOOR = 0.9
"""What the user saved in so many words fades no further."""
_HOURS_A_DAY = 24.0
_LATER_EXPONENT = 0.15


def recency(age: timedelta) -> float:
    """Returns the weight of an age, in 0..1: the article's 1.0 → 0.5 over 24 hours, then `0.5 × (24 / hours) ** 0.15`.

    The second part carries the line on: 0.30 after a month, 0.21 after a year. A date up to a day ahead counts as now
    (a clock that is off); one further ahead is no date to trust, and weighs 0.5.
    """
    hours = age.total_seconds() / 3600
    if hours < -_HOURS_A_DAY:
        return 0.5
    if hours <= _HOURS_A_DAY:
        return 1.0 - max(hours, 0.0) / (2 * _HOURS_A_DAY)
    return 0.5 * float((_HOURS_A_DAY / hours) ** _LATER_EXPONENT)


def entry_recency(entry: MemoryEntry, now: datetime) -> float:
    """Returns an entry's weight by age: what the user saved in so many words, or pinned, not below 0.9."""
    weight = recency(now - (entry.updated or entry.timestamp))
    return max(weight, EXPLICIT_RECENCY_FLOOR) if entry.pinned or entry.origin is Origin.USER else weight


def combined(match: float, recency_weight: float, source_weight: float = 1.0, share: float = RECENCY_SHARE) -> float:
    """Returns `match × (1 − share + share × recency) × source weight`."""
    return match * (1.0 - share + share * recency_weight) * source_weight


def searchable(entry: MemoryEntry) -> frozenset[str]:
    """Returns the words an entry is found under: those of its content and of its metadata values."""
    return index_words(entry.content).union(*(index_words(value) for value in entry.metadata.values()))


def matches(query: str, entries: Sequence[MemoryEntry]) -> list[tuple[MemoryEntry, float]]:
    """Returns the entries that have a word of the question, each with its match in 0..1, in the given order.

    The match is the weight of the words that the entry has, measured by that of the question's five weightiest words.
    A word weighs more the rarer it is among the entries: the inverse document frequency of BM25,
    `ln(1 + (n − df + 0.5) / (df + 0.5))` (Robertson and Zaragoza 2009).
    """
    words = MemoryQueryTokenizer.tokenize(query)
    if not words:
        return []
    found = [(entry, searchable(entry).intersection(words)) for entry in entries]
    weights = word_weights(words, (hits for _, hits in found), len(entries))
    total = sum(sorted(weights.values(), reverse=True)[:WORDS_THAT_COUNT])
    return [(entry, min(1.0, sum(weights[word] for word in hits) / total)) for entry, hits in found if hits]


def word_weights(words: Collection[str], hits: Iterable[Collection[str]], count: int) -> Mapping[str, float]:
    """Returns each word's weight by rarity. A word that no entry has weighs as much as one that a tenth of them have."""
    frequency = Counter(word for entry_hits in hits for word in entry_hits)
    count = max(count, _SMALLEST_COLLECTION)
    return {word: _rarity(frequency[word] or count / 10, count) for word in words}


def _rarity(frequency: float, count: int) -> float:
    return math.log1p((count - frequency + 0.5) / (frequency + 0.5))


def rank(query: str, entries: Sequence[MemoryEntry], now: datetime) -> list[tuple[MemoryEntry, float]]:
    """Returns the entries that have a word of the question with their scores, best first; ties newest first, then by id."""
    scored = [(entry, combined(match, entry_recency(entry, now))) for entry, match in matches(query, entries)]
    return sorted(scored, key=lambda pair: order(pair[0], pair[1]))


def order(entry: MemoryEntry, score: float) -> tuple[float, float, str]:
    """Returns the sort key that puts the best first, and always in the same order."""
    return (-score, -entry.timestamp.timestamp(), entry.id)


@dataclass(frozen=True, slots=True)
class ScoredEntry:
    """An entry with its score and the parts it is made of.

    `score == combined(match, recency, source_weight, share)`.
    """

    entry: MemoryEntry
    score: float
    match: float
    recency: float
    source_weight: float
    share: float = RECENCY_SHARE
    from_long_term: bool = True


def scored(
    query: str, entries: Sequence[MemoryEntry], now: datetime, *, source_weight: float, from_long_term: bool
) -> list[ScoredEntry]:
    """Returns the entries that are relevant to a question (match at least `RELEVANCE_FLOOR`), in the given order."""
    return [
        ScoredEntry(
            entry,
            combined(match, weight, source_weight),
            match,
            weight,
            source_weight,
            from_long_term=from_long_term,
        )
        for entry, match in matches(query, entries)
        if match >= RELEVANCE_FLOOR
        for weight in (entry_recency(entry, now),)
    ]
