"""Grounding: what of a model's proposals the user really said, in which words."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from paicli.memory.candidate import Candidate
from paicli.memory.entry import USER_SCOPE, FactKind, MemoryEntry, MemoryType, Origin, Provenance
from paicli.memory.kind import classify
from paicli.memory.passing import is_negated, is_passing
from paicli.memory.words import MemoryQueryTokenizer, index_words, normalise

LEAST_SUPPORT = 0.5
"""The share of a fact's words that the user must have used."""
_GENERIC = frozenset(
    "用户 偏好 喜欢 使用 保持 要求 希望 想要 选择 需要 决定 版本 习惯 默认 采用 一直 记住 记 叫 名字 user users prefer prefers preferred preference "
    "use uses used using want wants like likes keep keeps kept stay stays stick sticks version named name called require requires need needs "
    "project projects set default s t".split()
)
_SENTENCE_END = re.compile(r"[。！？!?\n；;]|(?<=[a-z0-9])\.(?=\s|$)")
_CLAUSE_END = re.compile(r"[，,、：:。！？!?\n；;]")
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
    """Words in a user's message.

    Args:
        entry: The message.
        text: The words.
        clause: The clauses they stand in.
        sentence: The sentences they stand in, with their ends.
    """

    entry: MemoryEntry
    text: str
    clause: str
    sentence: str


def ground(candidate: Candidate, said: Sequence[MemoryEntry]) -> GroundedFact | None:
    """Returns the candidate as a fact if the user's messages `said` bear it out; None where they don't.

    A quote must stand in one of the messages, whatever its spacing and punctuation. Without a quote the messages are
    looked through for one that has the fact's words. Numbers must be the user's. A question and a one-off request are
    no fact. Where the model's words are not the user's, or lost a negation, the user's own stand in.
    """
    passage = _quoted(candidate.quote, said) if candidate.quote else _supporting(candidate.fact, said)
    if passage is None or is_passing(passage.text, passage.clause, passage.sentence):
        return None
    if not _numbers(candidate.fact) <= _numbers("\n".join(entry.content for entry in said)):
        return None
    content = candidate.fact
    if not _is_faithful(content, passage.text) or not _is_supported(content, passage, said):
        content = passage.text.strip("，,。.；; \n")
        if classify(content) is FactKind.OTHER:
            return None
    return GroundedFact(content, passage.text, passage.entry.id, candidate.kind or classify(content))


def meaningful_words(text: str) -> frozenset[str]:
    """Returns the words of a statement that tell it from others: without who says it and that it is a preference."""
    return frozenset(MemoryQueryTokenizer.tokenize(text)) - _GENERIC


def _quoted(quote: str, said: Sequence[MemoryEntry]) -> Passage | None:
    key = "".join(character for character, _ in _folded(quote))
    if len(key) < 2:
        return None
    for entry in reversed(said):
        folded = _folded(entry.content)
        start = "".join(character for character, _ in folded).find(key)
        if start >= 0:
            return _passage(entry, folded[start][1], folded[start + len(key) - 1][1] + 1)
    return None


def _folded(text: str) -> list[tuple[str, int]]:
    """Returns the letters and digits of a text without case and width, each with its place in the text."""
    return [
        (character, place)
        for place, original in enumerate(text)
        for character in normalise(original).casefold()
        if character.isalnum()
    ]


def _passage(entry: MemoryEntry, start: int, end: int) -> Passage:
    text = entry.content
    clause = max((match.end() for match in _CLAUSE_END.finditer(text, 0, start)), default=0)
    first = max((match.end() for match in _SENTENCE_END.finditer(text, 0, start)), default=0)
    clause_end, last = (
        after.end() if (after := pattern.search(text, max(start, end - 1))) else len(text)
        for pattern in (_CLAUSE_END, _SENTENCE_END)
    )
    return Passage(entry, text[start:end].strip(), text[clause:clause_end].strip(), text[first:last].strip())


def _supporting(fact: str, said: Sequence[MemoryEntry]) -> Passage | None:
    """Returns the newest sentence that has most of the fact's words: at least half, and all its Latin ones are the user's."""
    words = meaningful_words(fact)
    known = _words_of(said)
    if not words or any(word.isascii() and word not in known for word in words):
        return None
    best, found = 0.0, None
    for entry in said:
        start = 0
        for end in [*(match.end() for match in _SENTENCE_END.finditer(entry.content)), len(entry.content)]:
            share = len(words.intersection(index_words(entry.content[start:end]))) / len(words)
            if share >= max(best, LEAST_SUPPORT):
                best, found = share, _passage(entry, start, end)
            start = end
    return found


def _words_of(said: Sequence[MemoryEntry]) -> frozenset[str]:
    return frozenset[str]().union(*(index_words(entry.content) for entry in said))


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(normalise(text)))


def _is_supported(fact: str, passage: Passage, said: Sequence[MemoryEntry]) -> bool:
    """Returns whether at least half of a fact's words and all its names are the user's, and one of them is the quote's."""
    words = meaningful_words(fact)
    if not words:
        return False
    known = _words_of(said)
    return (
        len(words & known) >= len(words) * LEAST_SUPPORT
        and not words.isdisjoint(index_words(passage.entry.content))
        and _names(fact, words) <= known
    )


def _names(fact: str, words: Collection[str]) -> frozenset[str]:
    """Returns the names in a fact: amid Chinese every Latin word, else what is capitalised within a sentence."""
    if _HAN.search(fact):
        return frozenset(word for word in words if word.isascii())
    capitalised = (word.casefold() for word in _CAPITALISED.findall(fact))
    return frozenset(word for word in capitalised if word in words)


def _is_faithful(fact: str, quote: str) -> bool:
    """Returns whether a fact keeps the polarity of the user's words, and their names where it is in another language."""
    if is_negated(quote) is not is_negated(fact):
        return False
    if _HAN.search(quote) and not _HAN.search(fact):
        return not any(_HAN.search(word) for word in meaningful_words(quote))
    return True
