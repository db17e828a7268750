"""What the ranking takes from an entry: its words, where it stands in a talk, who says it, what it offers as an answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.search.dates import day_of
from paicli.memory.search.question import Answer, offered
from paicli.memory.search.words import counted_words

METADATA_WEIGHT = 0.6
"""A word in a metadata value counts less than one in the text."""
STRUCTURE = frozenset("speaker session turn source call_id day date time role id index".split())
"""Metadata that says where an entry stands, not what it is about."""
_SEAT = frozenset({"speaker", "session", "turn"})
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?。！？]+|\n|$)\s*")
_QUESTION_MARKS = ("?", "？")
_LAST_NUMBER = re.compile(r"\d+$")
_CAPTION = re.compile(r"\s*\[[^\[\]]*\]\s*$")


@dataclass(frozen=True, slots=True)
class Passage:
    """An entry as the index sees it. `asked`: words that stand only in the question it ends with."""

    counts: Mapping[str, float]
    length: int
    asked: frozenset[str] = frozenset()
    ends_asking: bool = False
    offers: Answer = Answer.NONE
    session: str = ""
    place: float = 0.0
    speaker: str = ""


def passage_of(entry: MemoryEntry, *, as_talk: bool = True) -> Passage:
    """Returns what the index needs of an entry; of a message, unless it is to stand for itself, its place in the talk too."""
    if not as_talk or (entry.type is not MemoryType.CONVERSATION and _SEAT.isdisjoint(entry.metadata)):
        return Passage(*_field_counts(entry, frozenset()))
    counts, length = _field_counts(entry, STRUCTURE)
    speaker = entry.metadata.get("speaker", "").casefold()
    text = said(entry)
    body, tail = split_question(text)
    asked = counted_words(tail)[0].keys() - counted_words(body)[0].keys() if tail else ()
    session, place = _seat(entry)
    return Passage(counts, length, frozenset(asked), bool(tail), offered(text), session, place, speaker)


def said(entry: MemoryEntry) -> str:
    """Returns what a message says, without the name of its speaker before it."""
    speaker = entry.metadata.get("speaker")
    return entry.content.removeprefix(f"{speaker}: ") if speaker else entry.content


def split_question(text: str) -> tuple[str, str]:
    """Returns a text without the questions it ends with, and these: what is asked is for the next message to answer.

    A caption in brackets at the end belongs to the first part.

    >>> split_question("Great trip! Where did you stay?")
    ('Great trip! ', 'Where did you stay?')
    """
    caption = _CAPTION.search(text)
    bare = text[: caption.start()] if caption else text.rstrip()
    sentences = [found[0] for found in _SENTENCE.finditer(bare) if found[0].strip()]
    kept = len(sentences)
    while kept and sentences[kept - 1].rstrip().endswith(_QUESTION_MARKS):
        kept -= 1
    body, tail = "".join(sentences[:kept]), "".join(sentences[kept:])
    return (body + caption[0] if caption else body), tail


def _field_counts(entry: MemoryEntry, left_out: Collection[str]) -> tuple[Mapping[str, float], int]:
    words, length = counted_words(said(entry))
    counts: dict[str, float] = dict(words)
    for key, value in entry.metadata.items():
        if key not in left_out:
            for word, count in counted_words(value)[0].items():
                counts[word] = counts.get(word, 0.0) + METADATA_WEIGHT * count
    return counts, length


def _seat(entry: MemoryEntry) -> tuple[str, float]:
    """Returns the session of a message and its place there; without a session the day it was said stands for it."""
    turn = _LAST_NUMBER.search(entry.metadata.get("turn", ""))
    place = float(turn[0]) if turn else entry.timestamp.timestamp()
    session = entry.metadata.get("session") or (entry.source.session if entry.source else "")
    return session or day_of(entry.timestamp).isoformat(), place
