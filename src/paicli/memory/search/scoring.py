"""The score of an entry for a question: match × recency × source weight. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest
from itertools import groupby

from paicli.memory.entry import MemoryEntry
from paicli.memory.search.index import EntryIndex, WordIndex
from paicli.memory.search.question import understand
from paicli.memory.search.ranking import Found, Match, matches
from paicli.memory.search.recency import (
    EXPLICIT_RECENCY_FLOOR,
    RECENCY_SHARE,
    combined,
    dated,
    entry_recency,
    weight_of_age,
)

RELEVANCE_FLOOR = 0.25
"""The least match that counts as relevant: more than one of five words that tell as much as each other."""


@dataclass(frozen=True, slots=True)
class ScoredEntry:
    """An entry with its score and the parts it is made of.

    `score == combined(match, recency, source_weight, share)`, and `match == parts.value` where there are parts.
    """

    entry: MemoryEntry
    score: float
    match: float
    recency: float
    source_weight: float
    share: float = RECENCY_SHARE
    from_long_term: bool = True
    parts: Match | None = None


def order(entry: MemoryEntry, score: float) -> tuple[float, float, str]:
    """Returns the sort key that puts the best first, of equals the newest, and always in the same order."""
    return (-score, -dated(entry).timestamp(), entry.id)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of a search.

    Args:
        limit: The most entries.
        floor: The least match that counts as relevant; 0 takes all that have a word of the question.
        accept: Tells whether an entry may be returned: its scope, its date. None takes all.
        source_weight: The factor of the memory the entries are from.
        from_long_term: Whether that is the long-term memory.
    """

    limit: int
    floor: float = RELEVANCE_FLOOR
    accept: Callable[[MemoryEntry], bool] | None = None
    source_weight: float = 1.0
    from_long_term: bool = True


def best(index: WordIndex, text: str, now: datetime, wanted: Wanted) -> list[ScoredEntry]:
    """Returns the best entries for a question, best first; ties newest first, then by id."""
    if wanted.limit <= 0:
        return []
    question = understand(text, now)
    kept = _chosen(index, matches(index, question, wanted.floor, 2 * wanted.limit), now, wanted)
    if len(kept) < wanted.limit and wanted.accept:  # what was not accepted may have hidden others
        kept = _chosen(index, matches(index, question, wanted.floor), now, wanted)
    return kept


def _chosen(index: WordIndex, found: Found, now: datetime, wanted: Wanted) -> list[ScoredEntry]:
    kept: list[ScoredEntry] = []
    for slot in _ordered(index, found, now, wanted):
        entry = index.entry(slot)
        if wanted.accept is None or wanted.accept(entry):
            kept.append(_scored(entry, found.match(slot), now, wanted))
        if len(kept) == wanted.limit:
            break
    return sorted(kept, key=lambda one: order(one.entry, one.score))


def _ordered(index: WordIndex, found: Found, now: datetime, wanted: Wanted) -> Iterator[int]:
    """Yields the slots in the order of `order`; only as many are sorted as are looked at."""
    moment, seats = now.timestamp(), index.seats
    rows: list[tuple[float, float, int]] = []
    for slot, match in found.values.items():
        if match > 0.0 and match >= wanted.floor:
            when = seats.when[slot]
            weight = weight_of_age((moment - when) / 3600)
            if seats.lasting[slot] and weight < EXPLICIT_RECENCY_FLOOR:
                weight = EXPLICIT_RECENCY_FLOOR
            rows.append((-combined(match, weight), -when, slot))
    first = nsmallest(2 * wanted.limit, rows)
    if len(first) < len(rows):
        score, when, _ = first[-1]  # those that equal the last one belong to the first as well: their ids decide
        first = [row for row in first if row[0] != score or row[1] != when]
        first += [row for row in rows if row[0] == score and row[1] == when]
    yield from _by_id(index, first)
    if len(first) < len(rows):
        taken = {row[-1] for row in first}
        yield from _by_id(index, sorted(row for row in rows if row[-1] not in taken))


def _by_id(index: WordIndex, rows: Sequence[tuple[float, float, int]]) -> Iterator[int]:
    """Yields the slots of rows that are in order, those of equal rows by the ids of their entries."""
    for _, equal in groupby(rows, key=lambda row: row[:2]):
        slots = [row[-1] for row in equal]
        yield from sorted(slots, key=lambda slot: index.entry(slot).id) if len(slots) > 1 else slots


def _scored(entry: MemoryEntry, match: Match, now: datetime, wanted: Wanted) -> ScoredEntry:
    weight = entry_recency(entry, now)
    return ScoredEntry(
        entry,
        combined(match.value, weight, wanted.source_weight),
        match.value,
        weight,
        wanted.source_weight,
        from_long_term=wanted.from_long_term,
        parts=match,
    )


def rank(query: str, entries: Sequence[MemoryEntry], now: datetime) -> list[tuple[MemoryEntry, float]]:
    """Returns the entries that have a word of the question with their scores, best first; each stands for itself."""
    index = EntryIndex(entries, as_talk=False)
    return [(one.entry, one.score) for one in best(index, query, now, Wanted(len(entries), floor=0.0))]


def scored(
    query: str, entries: Sequence[MemoryEntry], now: datetime, *, source_weight: float, from_long_term: bool
) -> list[ScoredEntry]:
    """Returns the entries that are relevant to a question, best first; each stands for itself."""
    wanted = Wanted(len(entries), source_weight=source_weight, from_long_term=from_long_term)
    return best(EntryIndex(entries, as_talk=False), query, now, wanted)
