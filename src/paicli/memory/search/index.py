"""The index of a collection: which entries have a word, how often, and who stands beside whom."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from paicli.memory.entry import MemoryEntry
from paicli.memory.search.passage import Passage, passage_of
from paicli.memory.search.seating import Seating, seat_of

SATURATION = 0.9
"""BM25's k1: how soon more of the same word stops to count. With `LENGTH_SHARE` as measured for short texts (Lin et al., Anserini)."""
LENGTH_SHARE = 0.4
"""BM25's b: how much a long text is marked down."""
USUAL_LENGTH = 20
"""The length, in words, that is marked neither up nor down. A constant, so that what a posting weighs never changes."""
_STEPS = 64
"""Postings keep their impact in so many steps for each whole."""
ASKED = 0x80
"""The bit of a posting that says: the word stands only in the question that the message ends with."""
IMPACT = 0x7F
FREQUENT = 64
"""A word with so many postings has its greatest impact kept, so that a search can tell when the word can't change the result."""

IMPACTS = tuple(step / _STEPS for step in range(IMPACT + 1))


class WordIndex(Protocol):
    """What the ranking asks of an index, in memory or in a database. Slots number the entries; some may be free.

    A posting is one number: `slot << 8 | asked << 7 | impact`.
    """

    @property
    def seats(self) -> Seating:
        """Where the entries stand, by slot."""

    def __len__(self) -> int:
        """Returns how many entries there are."""

    def postings(self, word: str) -> Sequence[int]:
        """Returns the postings of a word, by rising slot."""

    def peak(self, word: str) -> float:
        """Returns an impact that no posting of the word exceeds."""

    def entry(self, slot: int) -> MemoryEntry:
        """Returns the entry in a slot that is in use."""


def rarity(index: WordIndex, word: str, least: int) -> float:
    """Returns the inverse document frequency of BM25, `ln(1 + (n − df + 0.5) / (df + 0.5))`, of at least `least` entries.

    A word that no entry has weighs as one that a single entry has.
    """
    count = max(len(index), least)
    frequency = max(1, len(index.postings(word)))
    return math.log1p((count - frequency + 0.5) / (frequency + 0.5))


def postings_of(slot: int, passage: Passage) -> Iterator[tuple[str, int]]:
    """Yields the words of an entry, each with its posting."""
    norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * passage.length / USUAL_LENGTH)
    for word, count in passage.counts.items():
        impact = count * (SATURATION + 1) / (count + norm)
        asked = ASKED if word in passage.asked else 0
        yield word, slot << 8 | asked | min(IMPACT, max(1, round(impact * _STEPS)))


class EntryIndex:
    """A `WordIndex` in memory, which takes entries one by one.

    Slots rise with each addition; a word with one posting is kept as the bare number, one with several as an array. Not safe
    for use by several threads at once.

    Args:
        entries: What to begin with.
        as_talk: Whether the messages among the entries are seen as parts of a talk; else each stands for itself.
    """

    def __init__(self, entries: Iterable[MemoryEntry] = (), *, as_talk: bool = True) -> None:
        self._as_talk = as_talk
        self.seats = Seating()
        self._entries: list[MemoryEntry | None] = []
        self._slots: dict[str, int] = {}
        self._postings: dict[str, int | array[int]] = {}
        self._peaks: dict[str, int] = {}
        for entry in entries:
            self.add(entry)

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._slots

    def add(self, entry: MemoryEntry) -> None:
        """Adds an entry; one with its id that is there already is replaced."""
        self.discard(entry.id)
        passage = passage_of(entry, as_talk=self._as_talk)
        slot = len(self._entries)
        self._slots[entry.id] = slot
        self._entries.append(entry)
        self.seats.put(slot, seat_of(entry, passage))
        for word, posting in postings_of(slot, passage):
            self._post(word, posting)

    def follow(self, entries: Sequence[MemoryEntry]) -> None:
        """Brings the index in step with a collection: what is new or changed is added, what is gone taken out."""
        known = self._entries
        current = set()
        for entry in entries:
            slot = self._slots.get(entry.id)
            if slot is None or (known[slot] is not entry and known[slot] != entry):
                self.add(entry)
            current.add(entry.id)
        for entry_id in self._slots.keys() - current:
            self.discard(entry_id)

    def discard(self, entry_id: str) -> None:
        """Takes an entry out, if it is there."""
        slot = self._slots.pop(entry_id, None)
        if slot is None:
            return
        entry = self.entry(slot)
        self._entries[slot] = None
        self.seats.remove(slot)
        for word in passage_of(entry, as_talk=self._as_talk).counts:
            self._unpost(word, slot)

    def entry(self, slot: int) -> MemoryEntry:
        """Returns the entry in a slot that is in use."""
        entry = self._entries[slot]
        if entry is None:
            raise LookupError(f"Slot {slot} is empty.")
        return entry

    def postings(self, word: str) -> Sequence[int]:
        """Returns the postings of a word, by rising slot."""
        found = self._postings.get(word, ())
        return (found,) if isinstance(found, int) else found

    def peak(self, word: str) -> float:
        """Returns an impact that no posting of the word exceeds."""
        return IMPACTS[self._peaks.get(word, IMPACT)]

    def _post(self, word: str, posting: int) -> None:
        there = self._postings.get(word)
        if there is None:
            self._postings[word] = posting
        elif isinstance(there, int):
            self._postings[word] = array("I", (there, posting))
        else:
            there.append(posting)
            impact = posting & IMPACT
            if len(there) >= FREQUENT and word not in self._peaks:
                self._peaks[word] = max(one & IMPACT for one in there)
            elif impact > self._peaks.get(word, IMPACT):
                self._peaks[word] = impact

    def _unpost(self, word: str, slot: int) -> None:
        there = self._postings.get(word)
        if isinstance(there, array) and len(there) > 1:
            del there[bisect_left(there, slot << 8)]
        else:
            self._postings.pop(word, None)
