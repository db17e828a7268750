"""Words for search, from Chinese, English and identifiers alike: what is found is decided here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import rjieba

FUNCTION_WORDS = frozenset(
    """的 了 是 在 我 你 您 他 她 它 们 我们 你们 他们 咱们 吗 呢 吧 啊 呀 哦 么 和 与 或 及 也 都 就 还 要 会 能 可以 应该 把 被 给 让 对 从 到 向 用 以
    这 那 哪 这个 那个 哪个 哪些 哪里 什么 怎么 怎样 怎么样 如何 为什么 多少 几 个 一个 一下 一些 一 只 帮 帮我 请 请问 再 又 很 最 更 没 有 没有 不 别
    上 下 里 中 时 之 其 此 该 等 着 过 得 地 而 但 但是 如果 因为 所以 然后 以及 想 说 做 去 来 好 是否 现在 呗 嘛 谁
    a an the this that these those is are was were be been am do does did doing have has had of to in on at by for with from as and or not no
    i me my we us our you your he she it its they them their what which who whom whose when where why how can could should would will shall may
    please let so if then than there here about into up out just also""".split()
)
UNDIVIDED = frozenset("javascript typescript mongodb mysql postgresql github gitlab graphql nosql youtube".split())
"""Names whose capitals do not part words: Java is not found in JavaScript."""
_PIECE = re.compile(
    r"(?P<han>[㐀-䶿一-鿿豈-﫿々〇\U00020000-\U0003ffff]+)"
    r"|(?P<word>\.?[^\W_](?:[\w.+#/\\-]*[\w+#])?)"
    r"|(?P<symbol>[\U0001F000-\U0001FAFF☀-➿])"
)
_HAN = re.compile(r"[㐀-䶿一-鿿豈-﫿々〇\U00020000-\U0003ffff]+")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+")
_SUBWORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+(?:\.\d+)*|[^\W\d_A-Za-z]+")
_SEPARATORS = re.compile(r"[_.+#/\\-]+")


class MemoryQueryTokenizer:
    """Cuts a text into words for search: jieba for Chinese, identifiers whole and in parts, no function words."""

    @staticmethod
    def tokenize(text: str | None) -> list[str]:
        """Returns the distinct words of a text in lower case, in the order they come; none of None."""
        return list(dict.fromkeys(_words(text or "")))

    @staticmethod
    def matches(text: str | None, words: Collection[str] | str | None) -> bool:
        """Returns whether a text has at least one of the words (a question is cut into words first)."""
        wanted = MemoryQueryTokenizer.tokenize(words) if words is None or isinstance(words, str) else words
        return not index_words(text or "").isdisjoint(wanted)


@lru_cache(maxsize=50_000)
def index_words(text: str) -> frozenset[str]:
    """Returns all words under which a text is found: its own, character pairs, neighbours written together.

    The characters of a word of two count too: 茶 is asked for, 喝茶 was said.
    """
    words = list(_words(text))
    pairs = (run[i : i + 2] for run in _HAN.findall(normalise(text)) for i in range(len(run) - 1))
    characters = (character for word in words if len(word) == 2 and _HAN.fullmatch(word) for character in word)
    return frozenset(words).union(pairs, characters, _joined_neighbours(text)) - FUNCTION_WORDS


def normalise(text: str) -> str:
    """Returns a text with compatibility forms (full width, look-alike ideographs) made ordinary (NFKC)."""
    return unicodedata.normalize("NFKC", text)


def warm_up() -> None:
    """Loads the dictionary, so that the first search need not wait for it."""
    _dictionary()


def _words(text: str) -> Iterator[str]:
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


def _identifier_words(piece: str) -> Iterator[str]:
    """Yields `getUserById` as itself and as get, user, by, id; `JDK17` also as jdk, 17; `3.11.4` also as 3.11."""
    for run in _HAN.split(piece):
        yield from _latin_words(run)
    for run in _HAN.findall(piece):
        yield from _han_words(run)


def _latin_words(run: str) -> Iterator[str]:
    whole = run.casefold().strip("/\\-")
    if not whole or whole in FUNCTION_WORDS:
        return
    yield whole
    if _VERSION.fullmatch(whole):
        yield from _version_prefixes(whole.removeprefix("v"))
        return
    parts = [] if whole in UNDIVIDED else [part.casefold() for part in _SUBWORD.findall(run)]
    if len(parts) > 1 or (parts and parts[0] != whole and not whole.startswith(".") and len(parts[0]) > 1):
        yield from (part for part in parts if part not in FUNCTION_WORDS)
    glued = _SEPARATORS.sub("", whole)
    if glued != whole and len(glued) > 1:
        yield glued
    yield from (stem for stem in map(_singular, [whole, *parts]) if stem)


def _version_prefixes(version: str) -> Iterator[str]:
    numbers = version.split(".")
    for length in range(2, len(numbers) + 1):
        yield ".".join(numbers[:length])


def _singular(word: str) -> str:
    """Returns an English word without its plural or third-person s; empty where it has none."""
    if len(word) > 3 and word.isalpha() and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return ""


def _joined_neighbours(text: str) -> Iterator[str]:
    """Yields neighbouring Latin words and numbers as one: `Spring Boot` is found as springboot, `JDK 17` as jdk17."""
    pieces = re.findall(r"[a-z0-9]+", normalise(text).casefold())
    for first, second in pairwise(pieces):
        if not (first.isdigit() and second.isdigit()):
            yield first + second


@lru_cache(maxsize=1)
def _dictionary() -> rjieba.Jieba:
    import rjieba

    return rjieba.Jieba()
