"""PastMessage: something that was said once, and which of many such messages a text is found in. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

from paicli.memory.entry import MemoryEntry, MemoryType, parse_time
from paicli.memory.search.dates import day_of, nearness
from paicli.memory.search.english import roots
from paicli.memory.search.index import EntryIndex
from paicli.memory.search.question import understand
from paicli.memory.search.ranking import message_matches
from paicli.memory.search.words import MemoryQueryTokenizer, normalise

RECALL_TOOL = "recall"
"""The name of the tool that finds past messages."""
SNIPPET_LENGTH = 240
_LONGEST_SEARCHED = 4_000
"""Of a longer message only the passages round the words are weighed, to so many characters."""
_MOST_WEIGHED = 300
_MOST_PLACES = 20
_REACH = 2
"""So many messages before and after one count for it."""
_LEAST_BESIDE = 0.75
"""A message without a word of the query is found by those beside it alone where it matches nearly as well as the best: an answer."""
_MARKS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class PastMessage:
    """A message of a transcript, whole, without secrets.

    Args:
        id: The entry's id.
        session: The session's id.
        at: When it was said, in ISO 8601.
        role: Who said it: user, assistant or tool.
        text: All of it, where the window had less.
        tool: The tool that answered.
        arguments: What the tool was called with.
        project: The scope of the project it was said in; empty outside of one, and where it was not yet registered.
        root: The project's folder; empty outside of one; None where nobody knows.
        task: The task of a plan it belongs to.
    """

    id: str
    session: str
    at: str
    role: str
    text: str
    tool: str = ""
    arguments: str = ""
    project: str = ""
    root: str | None = None
    task: str = ""

    @property
    def moment(self) -> datetime:
        """When it was said; 1970 where that can't be read."""
        try:
            return parse_time(self.at)
        except (ValueError, OverflowError):
            return datetime.fromtimestamp(0, UTC)

    @cached_property
    def day(self) -> date:
        """The day it was said, where the user is."""
        return day_of(self.moment)

    @property
    def searchable(self) -> str:
        """The text a search looks into."""
        return f"{self.text}\n{self.tool} {self.arguments}" if self.tool else self.text

    @cached_property
    def folded(self) -> str:
        """That text in lower case, full-width characters made ordinary."""
        return normalise(self.searchable).casefold()

    @cached_property
    def glued(self) -> str:
        """That text without marks and spaces besides."""
        return squashed(self.searchable)


@dataclass(frozen=True, slots=True)
class PastHit:
    """A past message that a search found: how well it matches, and the part of it that does."""

    message: PastMessage
    match: float
    snippet: str


def past_messages(records: Iterable[Mapping[str, Any]], session: str) -> list[PastMessage]:
    """Returns what was said in a session, in order.

    Left out are empty messages, and all that came before a `/clear --forget`.
    """
    said: list[PastMessage] = []
    place: Mapping[str, Any] = {}
    for record in records:
        kind = record.get("kind")
        if kind in ("session", "resumed"):
            place = record
        elif kind == "message":
            said += _message(record, place, session)
        elif kind == "forgotten":
            said.clear()
    return said


def _message(record: Mapping[str, Any], place: Mapping[str, Any], session: str) -> Iterator[PastMessage]:
    text, tool = str(record.get("text") or ""), str(record.get("tool_name") or "")
    if not text.strip():
        return
    details = record.get("metadata")
    root = place.get("root", place.get("cwd"))
    yield PastMessage(
        id=str(record.get("id") or ""),
        session=session,
        at=str(record.get("at") or ""),
        role=str(record.get("role") or "user"),
        text=text,
        tool=tool,
        arguments=str(details.get("arguments") or "") if isinstance(details, Mapping) else "",
        project=str(place.get("project") or ""),
        root=None if root is None else str(root),
        task=str(record.get("task") or ""),
    )


class PastSearch:
    """A search through past messages, which are handed in one after the other, the newest first.

    A message is a candidate where it holds a word of the query, in any of its forms, as a part of its text, or was said
    on a day that the query names: that is quick, and what the ranking would find is among them. Where few hold all the
    words, words that are parted by marks or spaces are looked for as well (`Spring Boot` for springboot).

    Args:
        query: What is looked for.
        now: The present moment; it places dates like 上周.
    """

    def __init__(self, query: str, now: datetime) -> None:
        self._query = query
        self._now = now
        words = MemoryQueryTokenizer.tokenize(query) or filter(None, [normalise(query).casefold().strip()])
        self._roots = {word: roots(word) for word in words}
        self._dates = understand(query, now).dates
        self._taken: list[PastMessage] = []
        self._candidates: dict[str, tuple[int, int]] = {}
        self.full = 0
        """How many of the candidates hold every word."""

    def take(self, message: PastMessage) -> None:
        """Takes a message, older than those before; what the `recall` tool found is not found again."""
        if message.tool == RECALL_TOOL:
            return
        self._taken.append(message)
        count = sum(self._holds(message, word) for word in self._roots)
        if self._dates and nearness(self._dates, message.day) == 1.0:
            count += 1
        self._count(len(self._taken) - 1, count)

    def _holds(self, message: PastMessage, word: str) -> bool:
        return any(root in message.folded for root in self._roots[word])

    def _count(self, place: int, count: int) -> None:
        text = self._taken[place].folded
        known, same = self._candidates.get(text, (0, place))
        if count > known:
            self._candidates[text] = (count, same)
            self.full += count == len(self._roots)

    def hits(self, limit: int) -> list[PastHit]:
        """Returns what was found, best first; the same text once."""
        glued = {word: squashed(word) for word in self._roots if word.isascii() and squashed(word)}
        if self.full < limit and glued:
            for place, message in enumerate(self._taken):
                held = [self._holds(message, word) or glued.get(word, "\0") in message.glued for word in self._roots]
                self._count(place, sum(held))
        best = sorted(self._candidates.values(), key=lambda pair: -pair[0])[:_MOST_WEIGHED]
        messages = [self._taken[place] for place in self._with_neighbours([place for _, place in best])]
        found: dict[str, PastHit] = {}
        for hit in ranked(self._query, messages[::-1], self._now):
            found.setdefault(hit.message.folded, hit)
        return list(found.values())[: max(0, limit)]

    def _with_neighbours(self, places: Collection[int]) -> list[int]:
        """Returns places with those of the messages that were said right before and after: what they say counts there."""
        reached: set[int] = set()
        for place in places:
            near = range(max(0, place - _REACH), min(len(self._taken), place + _REACH + 1))
            reached.update(other for other in near if self._taken[other].session == self._taken[place].session)
        return sorted(reached)


def ranked(query: str, messages: Sequence[PastMessage], now: datetime) -> list[PastHit]:
    """Returns the messages that a query is found in, best first, the newer first where they match alike.

    What was said around a message and when counts too (`ranking.message_matches`): the answer to a question is found by
    the words of the question. A query without words is looked for as it is written.

    Args:
        query: What is looked for.
        messages: Where to look; those of a session in the order they were said.
        now: The present moment; it places dates like 上周.
    """
    words = [root for word in MemoryQueryTokenizer.tokenize(query) for root in roots(word)]
    if not words:
        wanted = query.strip().casefold()
        found = [(message, 1.0) for message in messages if wanted and wanted in message.searchable.casefold()]
    else:
        index = EntryIndex(_entry(number, message, words) for number, message in enumerate(messages))
        matched = message_matches(index, understand(query, now))
        least = _LEAST_BESIDE * max((match.value for match in matched.values()), default=0.0)
        found = [(messages[slot], match.value) for slot, match in matched.items() if match.own or match.value >= least]
    found.sort(key=lambda pair: pair[0].at, reverse=True)
    found.sort(key=lambda pair: round(pair[1], 3), reverse=True)
    return [PastHit(message, match, snippet(message.searchable, words or [query])) for message, match in found]


def _entry(number: int, message: PastMessage, words: Collection[str]) -> MemoryEntry:
    text = message.searchable
    if len(text) > _LONGEST_SEARCHED:
        text = normalise(text)
        reach = _LONGEST_SEARCHED // (2 * _MOST_PLACES)
        passages = " … ".join(text[max(0, at - reach) : at + reach] for at in sorted(_places(text, words)))
        text = (passages or text)[: 2 * _LONGEST_SEARCHED]
    seat = {"session": f"{message.session} {message.day}", "turn": f"{number}"}
    return MemoryEntry(text, MemoryType.CONVERSATION, f"{number}", message.moment, seat, token_count=0)


def snippet(text: str, words: Collection[str], length: int = SNIPPET_LENGTH) -> str:
    """Returns the part of a text, of `length` characters at most, in which the most of the words stand."""
    if len(text) <= length:
        return text
    places = _places(text, words)
    reach = length * 3 // 4
    near = {at: {word for other, word in places.items() if at <= other < at + reach} for at in places}
    first = min(near, key=lambda at: (-len(near[at]), at), default=0)
    start = max(0, min(first - length // 4, len(text) - length))
    end = start + length
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


def _places(text: str, words: Collection[str]) -> dict[int, str]:
    """Returns where words stand in a text, some places of each."""
    places: dict[int, str] = {}
    for word in words:
        for count, found in enumerate(re.finditer(re.escape(word), text, re.IGNORECASE)):
            if count == _MOST_PLACES:
                break
            places.setdefault(found.start(), word)
    return places


def squashed(text: str) -> str:
    """Returns a text in lower case without marks and spaces."""
    return _MARKS.sub("", normalise(text).casefold())
