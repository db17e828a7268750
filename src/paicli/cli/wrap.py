"""Breaks a text into lines of a terminal's width, where a Chinese character takes two columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_PIECES = re.compile(r"\s+|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]+|\S")
_NO_START = frozenset("，。；：！？、）》」』】”’…·,.;:!?)]}%")
_NO_END = frozenset("（《「『【“‘([{")


def columns_of(text: str) -> int:
    """Returns how many columns of a terminal a text takes.

    >>> columns_of("a中b")
    4
    """
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character) or character == "\u200d":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrapped(text: str, columns: int, indent: str = "") -> str:
    r"""Returns a text whose lines take at most so many columns; a word that is longer stays whole.

    Args:
        text: What to break; its own line ends stay.
        columns: The width of the terminal.
        indent: What each further line of a line begins with.

    >>> wrapped("记忆在磁盘上，很安全", 10)
    '记忆在磁盘\n上，很安全'
    >>> wrapped("one two three", 8, "  ")
    'one two\n  three'
    """
    return "\n".join("\n".join(_broken(line, columns, indent)) for line in text.split("\n"))


def _broken(line: str, columns: int, indent: str) -> Iterator[str]:
    current = ""
    for piece in _pieces(line):
        if current.strip() and columns_of(current) + columns_of(piece.rstrip()) > columns:
            yield current.rstrip()
            current = indent + piece.lstrip()
        else:
            current += piece
    yield current.rstrip() if line.strip() else line


def _pieces(line: str) -> Iterator[str]:
    """Yields what must not be broken: words, and characters with the punctuation that belongs to them."""
    held = ""
    for piece in _PIECES.findall(line):
        if held and not (piece[0] in _NO_START or held[-1] in _NO_END):
            yield held
            held = ""
        held += piece
    if held:
        yield held
