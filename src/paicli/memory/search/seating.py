"""Where entries stand: when each was said, by whom, and which messages stand before and after it."""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from dataclasses import dataclass

from paicli.memory.entry import MemoryEntry
from paicli.memory.search.passage import Passage
from paicli.memory.search.recency import dated, is_lasting

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Seat:
    """What the ranking needs of an entry besides its words.

    Args:
        when: When it was last said or changed, in seconds since 1970.
        lasting: Whether the user saved or pinned it in so many words.
        offers: The kinds of answer it has in it, as the value of `question.Answer`.
        asks: Whether it ends with a question.
        session: The session of a message; empty for what stands for itself.
        place: Where in its session it stands: messages with a smaller place come before it.
        speaker: Who says it, in lower case; empty where nobody is named.
    """

    when: float
    lasting: bool = False
    offers: int = 0
    asks: bool = False
    session: str = ""
    place: float = 0.0
    speaker: str = ""


def seat_of(entry: MemoryEntry, passage: Passage) -> Seat:
    """Returns the seat of an entry with its passage."""
    return Seat(
        dated(entry).timestamp(),
        is_lasting(entry),
        passage.offers.value,
        passage.ends_asking,
        passage.session,
        passage.place,
        passage.speaker,
    )


class Seating:
    """The seats of a collection by slot, in arrays: some thirty bytes each. A slot without an entry has no meaning.

    `session`, `speaker`, `before` and `after` are numbers, `NOBODY` where there is none; `members` are the messages of each
    session as (place, slot), in order.
    """

    def __init__(self) -> None:
        self.session = array("i")
        self.before = array("i")
        self.after = array("i")
        self.speaker = array("i")
        self.when = array("d")
        self.lasting = bytearray()
        self.offers = bytearray()
        self.asks = bytearray()
        self.speakers: dict[str, int] = {}
        self.members: list[list[tuple[float, int]]] = []
        self._sessions: dict[str, int] = {}

    def put(self, slot: int, seat: Seat) -> None:
        """Gives an entry its seat; the slot must be free."""
        self._grow_to(slot + 1)
        self.when[slot] = seat.when
        self.lasting[slot] = seat.lasting
        self.offers[slot] = seat.offers
        self.asks[slot] = seat.asks
        if seat.speaker:
            self.speaker[slot] = self.speakers.setdefault(seat.speaker, len(self.speakers))
        if seat.session:
            self._seat(slot, seat)

    def remove(self, slot: int) -> None:
        """Frees a slot: those who stood beside it stand beside each other."""
        self._join(self.before[slot], self.after[slot])
        if self.session[slot] != NOBODY:
            row = self.members[self.session[slot]]
            row[:] = [seat for seat in row if seat[1] != slot]
        self.session[slot] = self.before[slot] = self.after[slot] = self.speaker[slot] = NOBODY

    def _grow_to(self, size: int) -> None:
        missing = size - len(self.when)
        if missing <= 0:
            return
        nobody = array("i", [NOBODY]) * missing
        for numbers in (self.session, self.before, self.after, self.speaker):
            numbers.extend(nobody)
        self.when.extend(array("d", [0.0]) * missing)
        for flags in (self.lasting, self.offers, self.asks):
            flags.extend(bytes(missing))

    def _seat(self, slot: int, seat: Seat) -> None:
        number = self._sessions.setdefault(seat.session, len(self._sessions))
        self.session[slot] = number
        if number == len(self.members):
            self.members.append([])
        row = self.members[number]
        own = (seat.place, slot)
        insort(row, own)
        index = bisect_left(row, own)
        left = row[index - 1][1] if index else NOBODY
        right = row[index + 1][1] if index + 1 < len(row) else NOBODY
        self._join(left, slot)
        self._join(slot, right)

    def _join(self, left: int, right: int) -> None:
        if left != NOBODY:
            self.after[left] = right
        if right != NOBODY:
            self.before[right] = left
