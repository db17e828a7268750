"""Grounding: what of a model's proposals the user really said, in which words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from paicli.memory.entry import USER_SCOPE, FactKind, MemoryEntry, MemoryType, Origin, Provenance
from paicli.memory.facts.candidate import Candidate
from paicli.memory.facts.kind import classify
from paicli.memory.facts.passing import Clause, clauses, is_negated, is_passing, is_reversal, sentence_ends
from paicli.memory.search.words import MemoryQueryTokenizer, index_words, normalise

LEAST_SUPPORT = 0.5
"""The share of a fact's words that the user must have used."""
_MOST_TRIED = 20
"""So many places with the words are looked at for one that is a lasting statement."""
LONGEST_QUOTE = 1_000
"""Words of so many characters are no statement of one fact, but a text."""
_GENERIC = (
    "用户 偏好 喜欢 使用 保持 要求 希望 想要 选择 需要 决定 版本 习惯 默认 采用 一直 记住 记 叫 名字 user users prefer prefers preferred preference "
    "use uses used using want wants like likes keep keeps kept stay stays stick sticks version named name called require requires need needs "
    "project projects set default"
)
"""Words that say nothing of what a fact is about."""
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_HAN = re.compile(r"[一-鿿]")
_CAPITALISED = re.compile(r"(?<=[\w,] )[A-Z][\w.+#-]*")


@dataclass(frozen=True, slots=True)
class GroundedFact:
    """A fact with the user's words that say so, and the message they stand in."""

    content: str
    quote: str
    message_id: str
    kind: FactKind

    def as_entry(self, *, scope: str = USER_SCOPE, session: str = "") -> MemoryEntry:
        """Returns the entry that keeps this fact, with its provenance."""
        source = Provenance(session, self.message_id, self.quote)
        return MemoryEntry(
            self.content, MemoryType.FACT, scope=scope, origin=Origin.MODEL, kind=self.kind, source=source
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """Words in a user's message that are a lasting statement, and those beside them that are none."""

    entry: MemoryEntry
    text: str
    left_out: str = ""


def ground(candidate: Candidate, said: Sequence[MemoryEntry]) -> GroundedFact | None:
    """Returns the candidate as a fact if the user's messages `said` bear it out; None where they don't.

    A quote must stand in one of the messages, whatever its spacing and punctuation. Without a quote the messages are
    looked through for one that has the fact's words. Numbers must be the user's. What is asked, guessed, told by
    others, pasted or wanted once is no fact: of such a message only the lasting clauses count. Where the model's words
    are not the user's, or lost a negation or a change, the user's own stand in.
    """
    passage = _quoted(candidate.quote, said) if candidate.quote else _supporting(candidate.fact, said)
    if passage is None or _says_too_little(passage.text):
        return None
    if not _numbers(candidate.fact) <= _numbers("\n".join(entry.content for entry in said)):
        return None
    content = candidate.fact
    if not _is_faithful(content, passage.text) or not _is_supported(content, passage, said):
        content = passage.text.strip("，,。.；; \n")
        if classify(content) is FactKind.OTHER and not (is_negated(content) or is_reversal(content)):
            return None
    return GroundedFact(content, passage.text, passage.entry.id, candidate.kind or classify(content))


def _says_too_little(text: str) -> bool:
    return classify(text) is FactKind.OTHER and len(MemoryQueryTokenizer.tokenize(text)) < 2


def meaningful_words(text: str) -> frozenset[str]:
    """Returns the words of a statement that tell it from others: without who says it and that it is a preference."""
    return frozenset(MemoryQueryTokenizer.tokenize(text)) - _generic()


def _quoted(quote: str, said: Sequence[MemoryEntry]) -> Passage | None:
    """Returns the newest lasting statement with the words of a quote."""
    key = "".join(character for character, _ in _folded(quote))
    if len(key) < 2:
        return None
    places = (
        _passage(entry, folded[start][1], folded[start + len(key) - 1][1] + 1)
        for entry in reversed(said)
        for folded in [_folded(entry.content)]
        for start in _places("".join(character for character, _ in folded), key)
    )
    return next(filter(None, islice(places, _MOST_TRIED)), None)


def _places(text: str, words: str) -> Iterator[int]:
    start = text.find(words)
    while start >= 0:
        yield start
        start = text.find(words, start + 1)


def _folded(text: str) -> list[tuple[str, int]]:
    """Returns the letters and digits of a text without case and width, each with its place in the text."""
    return [
        (character, place)
        for place, original in enumerate(text)
        for character in normalise(original).casefold()
        if character.isalnum()
    ]


def _passage(entry: MemoryEntry, start: int, end: int) -> Passage | None:
    """Returns the lasting statement in words of a message: all of them, or the clauses that are one; None without any.

    Where a clause turns round what the words in it say, all of it stands: "用 Redis" out of "我们不用 Redis".
    """
    if end - start > LONGEST_QUOTE:
        return None
    found = list(clauses(entry.content, start, end))
    lasting = [clause for clause in found if not is_passing(clause)]
    parts = [_words_in(clause, start, end) for clause in lasting]
    if len(lasting) == len(found) and all(whole == part for part, whole in parts):
        return Passage(entry, entry.content[start:end].strip())
    text = "".join(whole for _, whole in parts).strip().strip("，,：:；;").strip()
    left_out = "".join(clause.text for clause in found if clause not in lasting)
    return Passage(entry, text, left_out) if text else None


def _words_in(clause: Clause, start: int, end: int) -> tuple[str, str]:
    """Returns the part of a clause within some words, and the same or all of the clause where that changes the sense."""
    part = clause.message[max(start, clause.start) : min(end, clause.end)]
    is_turned = is_negated(part) is not is_negated(clause.text) or is_reversal(part) is not is_reversal(clause.text)
    return part, clause.text if is_turned else part


def _supporting(fact: str, said: Sequence[MemoryEntry]) -> Passage | None:
    """Returns the lasting statement with most of the fact's words, the newest of several: all its Latin ones are the user's."""
    words = meaningful_words(fact)
    known = _words_of(said)
    if not words or any(word.isascii() and word not in known for word in words):
        return None
    sentences: list[tuple[float, int, int, int]] = []
    for place, entry in enumerate(said):
        start = 0
        for end in sentence_ends(entry.content):
            share = len(words.intersection(index_words(entry.content[start:end]))) / len(words)
            if share >= LEAST_SUPPORT:
                sentences.append((share, place, start, end))
            start = end
    best = sorted(sentences, reverse=True)[:_MOST_TRIED]
    return next(filter(None, (_passage(said[place], start, end) for _, place, start, end in best)), None)


@lru_cache(maxsize=1)
def _generic() -> frozenset[str]:
    return frozenset(MemoryQueryTokenizer.tokenize(_GENERIC))


def _words_of(said: Sequence[MemoryEntry]) -> frozenset[str]:
    return frozenset[str]().union(*(index_words(entry.content) for entry in said))


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(normalise(text)))


def _is_supported(fact: str, passage: Passage, said: Sequence[MemoryEntry]) -> bool:
    """Returns whether at least half of a fact's words and all its names are the user's, none of them said in passing."""
    words = meaningful_words(fact)
    if not words:
        return False
    known = _words_of(said)
    return (
        len(words & known) >= len(words) * LEAST_SUPPORT
        and not words.isdisjoint(index_words(passage.entry.content))
        and words.isdisjoint(index_words(passage.left_out) - index_words(passage.text))
        and _names(fact, words) <= known
    )


def _names(fact: str, words: Collection[str]) -> frozenset[str]:
    """Returns the names in a fact: amid Chinese every Latin word, else what is capitalised within a sentence."""
    if _HAN.search(fact):
        return frozenset(word for word in words if word.isascii())
    capitalised = frozenset[str]().union(*map(MemoryQueryTokenizer.tokenize, _CAPITALISED.findall(fact)))
    return capitalised.intersection(words)


def _is_faithful(fact: str, quote: str) -> bool:
    """Returns whether a fact keeps a negation or a change in the user's words, and their names where it is in another language."""
    if is_negated(quote) is not is_negated(fact) or (is_reversal(quote) and not is_reversal(fact)):
        return False
    if _HAN.search(quote) and not _HAN.search(fact):
        return not any(_HAN.search(word) for word in meaningful_words(quote))
    return True
