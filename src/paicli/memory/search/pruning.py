"""The best slots for a question's words, without looking at those that can't be among them (MaxScore, Turtle and Flood 1995)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from heapq import nlargest

from paicli.memory.search.index import IMPACT, IMPACTS, WordIndex
from paicli.memory.search.recency import RECENCY_SHARE

_WORTH_PRUNING = 256
"""Fewer postings than that are looked at faster than they are spared."""


def top_slots(index: WordIndex, weights: Mapping[str, float], least: float, keep: int) -> dict[int, float]:
    """Returns the weight of the words that each slot has: of all slots, but those that certainly have less than `least`.

    Where `keep` is above 0, slots may also be left out that can't be among the `keep` best once recency is reckoned in.
    """
    words = sorted(weights, key=lambda word: -weights[word])
    bounds = [weights[word] * index.peak(word) for word in words]
    rest = sum(bounds)
    spent = 0.0
    totals: dict[int, float] = {}
    selective = False
    for number, word in enumerate(words):
        postings = index.postings(word)
        if not selective and len(postings) >= _WORTH_PRUNING and (rest < least or rest < spent):
            least = max(least, _least_of_best(totals, keep))
            selective = rest < least
            if selective:
                totals = {slot: total for slot, total in totals.items() if total + rest >= least}
        (_add_to_known if selective else _add)(totals, postings, weights[word])
        rest -= bounds[number]
        spent += bounds[number]
    return {slot: total for slot, total in totals.items() if total >= least}


def _least_of_best(totals: Mapping[int, float], keep: int) -> float:
    if not keep or len(totals) < keep:
        return 0.0
    return nlargest(keep, totals.values())[-1] * (1.0 - RECENCY_SHARE)


def _add(totals: dict[int, float], postings: Sequence[int], weight: float) -> None:
    worth = [weight * impact for impact in IMPACTS]
    if not totals:
        totals.update({posting >> 8: worth[posting & IMPACT] for posting in postings})
        return
    known = totals.get
    for posting in postings:
        slot = posting >> 8
        totals[slot] = known(slot, 0.0) + worth[posting & IMPACT]


def _add_to_known(totals: dict[int, float], postings: Sequence[int], weight: float) -> None:
    """Adds a word's worth to the slots that are there already."""
    if 4 * len(totals) > len(postings):
        for posting in postings:
            slot = posting >> 8
            if slot in totals:
                totals[slot] += weight * IMPACTS[posting & IMPACT]
        return
    end = len(postings)
    for slot in totals:
        place = bisect_left(postings, slot << 8)
        if place < end and postings[place] >> 8 == slot:
            totals[slot] += weight * IMPACTS[postings[place] & IMPACT]
