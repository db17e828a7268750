"""How well entries match a question: their own words, what was said around them, who said it and when. No clock, no disk."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from paicli.memory.search.dates import day_of, nearness
from paicli.memory.search.index import ASKED, IMPACT, IMPACTS, WordIndex, rarity
from paicli.memory.search.pruning import top_slots
from paicli.memory.search.question import Answer, Question
from paicli.memory.search.seating import NOBODY
from paicli.memory.search.words import PAIR_WEIGHT, question_words

WORDS_THAT_COUNT = 5
"""So many of a question's words, the weightiest, make a full match: a long question must not ask more of an entry."""
SMALLEST_COLLECTION = 20
"""Rarity among fewer entries says nothing: it is reckoned as if there were so many."""
NEXT, AFTER_NEXT = 0.6, 0.3
"""What a message's words count for the next one, and the one after that: what is told goes on."""
PREVIOUS, BEFORE_PREVIOUS = 0.2, 0.1
"""The same for the messages before it."""
ASKED_ITSELF, ANSWERED = 0.4, 1.2
"""What a word that a message asks with counts for the message itself, and for the next one, which answers."""
SESSION = 0.2
"""What the best place of each word in a session counts for all its messages."""
ASKING = 0.9
"""The factor of a message that ends with a question."""
SPEAKER = 1.5
"""The factor of messages by the speaker that a question names, the first where it names several."""
OFFERS_ANSWER = 1.3
"""The factor of a message that has a date, a number or a title in it where the question asks for one."""
NAMED_DAY = 8.0
"""What is added to the factor of 1 for a message from a day that the question names (`dates.nearness` of it)."""
DAY_ALONE = 0.2
"""The match of a message of whose words none is asked for, in a question that names a day."""
_KINDS = (Answer.TIME, Answer.NUMBER, Answer.TITLE)


@dataclass(slots=True)
class Match:
    """How well an entry matches, and why: `value == (words + session) * factor`.

    Args:
        words: The share of the question's weight that the entry's own words and those of its neighbours have.
        session: What the rest of its session adds.
        factor: What speaker, day, and kind of answer make of it.
        own: Whether the entry itself has a word of the question, or is from a day that it names.
    """

    words: float
    session: float = 0.0
    factor: float = 1.0
    own: bool = True

    @property
    def value(self) -> float:
        return (self.words + self.session) * self.factor


@dataclass(slots=True)
class Found:
    """What a question found: the value of each slot's match, and the match where it is more than a share of words."""

    values: Mapping[int, float]
    details: Mapping[int, Match] = field(default_factory=dict)

    def match(self, slot: int) -> Match:
        """Returns the parts of a slot's match."""
        return self.details.get(slot) or Match(self.values[slot])


def matches(index: WordIndex, question: Question, least: float = 0.0, keep: int = 0) -> Found:
    """Returns the matches of a question.

    Args:
        index: Where to look.
        question: What to look for.
        least: Slots with a smaller match may be left out.
        keep: Where above 0, only slots that can be among the `keep` best once recency is reckoned in need to be there.
    """
    if index.seats.members:
        found = message_matches(index, question)
        return Found({slot: match.value for slot, match in found.items()}, found)
    weights = word_weights(index, question)
    full = full_weight(weights)
    totals = top_slots(index, weights, least * full, keep)
    return Found({slot: total / full for slot, total in totals.items()})


def full_weight(weights: Mapping[str, float]) -> float:
    """Returns the weight of a full match: that of the weightiest words."""
    return sum(sorted(weights.values(), reverse=True)[:WORDS_THAT_COUNT]) or 1.0


def message_matches(index: WordIndex, question: Question) -> dict[int, Match]:
    """Returns the matches of messages: what was said around them, by whom and when counts too."""
    weights = word_weights(index, question)
    heard = _Heard(index)
    for word, weight in weights.items():
        heard.add(word, weight)
    factors = Factors(index, question)
    on_named_days = factors.on_named_days()
    for slot in on_named_days:
        heard.slots.setdefault(slot, 0.0)
    own = heard.own.union(on_named_days)
    full = full_weight(weights)
    day = DAY_ALONE if factors.dated else 0.0
    return {
        slot: Match(total / full + day, SESSION * heard.around(slot) / full, factors.of(slot), slot in own)
        for slot, total in heard.slots.items()
    }


def word_weights(index: WordIndex, question: Question) -> dict[str, float]:
    """Returns the weight of each word of a question by its rarity; among messages without the names of who speaks, and dates.

    A pair of characters across words, or a word that only frames the question, says nothing where no entry has it.
    """
    words = _without_speakers(index, question.undated_words) if index.seats.members else question.words
    return {
        word: weight * rarity(index, word, SMALLEST_COLLECTION)
        for word, weight in words.items()
        if weight > PAIR_WEIGHT or index.postings(word)
    }


def _without_speakers(index: WordIndex, words: Mapping[str, float]) -> Mapping[str, float]:
    names: set[str] = set()
    for speaker in index.seats.speakers:
        names.update(question_words(speaker))
    return {word: weight for word, weight in words.items() if word not in names}


class _Heard:
    """What the words of a question are worth to each message, by its slot, and to each session: the best place of each word."""

    def __init__(self, index: WordIndex) -> None:
        self._index = index
        self._sessions: dict[int, float] = {}
        self.slots: dict[int, float] = {}
        self.own: set[int] = set()

    def add(self, word: str, weight: float) -> None:
        """Adds what a word is worth to the messages that have it and to their neighbours."""
        index = self._index
        best: dict[int, float] = {}
        in_session: dict[int, float] = {}
        for posting in index.postings(word):
            slot, worth = posting >> 8, weight * IMPACTS[posting & IMPACT]
            self.own.add(slot)
            for place, share in _spread(index, slot, asked=bool(posting & ASKED)):
                best[place] = max(best.get(place, 0.0), share * worth)
            session = index.seats.session[slot]
            in_session[session] = max(in_session.get(session, 0.0), worth)
        _add_to(self.slots, best)
        in_session.pop(NOBODY, None)
        _add_to(self._sessions, in_session)

    def around(self, slot: int) -> float:
        """Returns what the words are worth to the session of a message."""
        return self._sessions.get(self._index.seats.session[slot], 0.0)


def _add_to(totals: dict[int, float], worth: Mapping[int, float]) -> None:
    for key, value in worth.items():
        totals[key] = totals.get(key, 0.0) + value


def _spread(index: WordIndex, slot: int, *, asked: bool) -> list[tuple[int, float]]:
    """Returns the places where a word of a message counts, with its share there."""
    places = [(slot, ASKED_ITSELF if asked else 1.0)]
    seats = index.seats
    after, before = seats.after[slot], seats.before[slot]
    if after != NOBODY:
        places.append((after, ANSWERED if asked else NEXT))
        places.append((seats.after[after], AFTER_NEXT))
    if before != NOBODY:
        places.append((before, PREVIOUS))
        places.append((seats.before[before], BEFORE_PREVIOUS))
    return [(place, share) for place, share in places if place != NOBODY]


class Factors:
    """What speaker, day and kind of answer make of a message's match to one question."""

    def __init__(self, index: WordIndex, question: Question) -> None:
        self._index = index
        self._asks_for = question.asks_for
        self.dated = bool(question.dates)
        self._nearness = self._session_nearness(question)
        named = named_speakers(index.seats.speakers, question.text)
        self._speaker = index.seats.speakers[named[0]] if named else NOBODY

    def of(self, slot: int) -> float:
        index = self._index
        session = index.seats.session[slot]
        if session == NOBODY:
            return 1.0
        factor = SPEAKER if self._speaker != NOBODY and index.seats.speaker[slot] == self._speaker else 1.0
        if index.seats.asks[slot]:
            factor *= ASKING
        if self._asks_for:
            offers = Answer(index.seats.offers[slot])
            for kind in _KINDS:
                if kind in self._asks_for and kind in offers:
                    factor *= OFFERS_ANSWER
        return factor * (1.0 + NAMED_DAY * self._nearness.get(session, 0.0))

    def on_named_days(self) -> list[int]:
        """Returns the messages of the sessions on the days that the question names."""
        return [
            slot
            for session, near in self._nearness.items()
            if near == 1.0
            for _, slot in self._index.seats.members[session]
        ]

    def _session_nearness(self, question: Question) -> dict[int, float]:
        if not question.dates:
            return {}
        days: dict[int, float] = {}
        for session, row in enumerate(self._index.seats.members):
            if row and (near := nearness(question.dates, self._day(row[0][1]))):
                days[session] = near
        return days

    def _day(self, slot: int) -> date:
        return day_of(datetime.fromtimestamp(self._index.seats.when[slot], UTC))


def named_speakers(speakers: Collection[str], text: str) -> list[str]:
    """Returns the speakers that a text names, in the order it names them."""
    folded = text.casefold()
    return sorted((speaker for speaker in speakers if speaker in folded), key=folded.index)
