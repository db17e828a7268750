"""The text in a file's bytes: which encoding it has, whether it is text at all, and the lines that are asked for."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark begins in the same way
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 8_192
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\b\x1b"))
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_CHINESE = re.compile(r"[\u2010-\u2026\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text; `note` says what was done where it is not plain UTF-8."""

    text: str
    note: str = ""


def is_binary(data: bytes) -> bool:
    """Whether the bytes are no text in any encoding that `decoded` knows."""
    if any(data.startswith(mark) for mark, _ in _MARKS):
        return False
    sample = data[:_SAMPLE_BYTES]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return b"\0" in sample or controls * 10 > len(sample)


def decoded(data: bytes, *, complete: bool = True) -> Decoded:
    """Returns the text of the bytes; what has no meaning in any encoding stays visible as `\\xNN`.

    Args:
        data: The file, or its beginning.
        complete: False where the bytes may end in the middle of a character.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = codecs.getincrementaldecoder(encoding)("backslashreplace").decode(data, complete)
            return Decoded(text, f"decoded as {encoding.removesuffix('-sig')} with a byte order mark")
    try:
        return Decoded(codecs.getincrementaldecoder("utf-8")().decode(data, complete))
    except UnicodeDecodeError:
        return _not_utf8(data, complete=complete)


def _not_utf8(data: bytes, *, complete: bool) -> Decoded:
    """GB18030 accepts much that it is not, so it counts only where nearly all that it yields is ordinary Chinese."""
    try:
        text = codecs.getincrementaldecoder("gb18030")().decode(data, complete)
    except UnicodeDecodeError:
        text = ""
    if len(_CHINESE.findall(text)) * 10 > len(_NOT_ASCII.findall(text)) * 9:
        return Decoded(text, "not UTF-8; decoded as gb18030")
    return Decoded(data.decode("utf-8", "backslashreplace"), "not UTF-8; unreadable bytes are shown as \\xNN")


def lines_of(text: str) -> list[str]:
    r"""Returns the lines with their ends; only a line feed ends one.

    >>> lines_of("a\r\n\nb")
    ['a\r\n', '\n', 'b']
    """
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + parts[-1:] * bool(parts[-1])


def fitting(lines: Sequence[str], max_characters: int) -> int:
    """Returns how many of the lines, from the first, have at most `max_characters` together."""
    used = 0
    for count, line in enumerate(lines):
        used += len(line)
        if used > max_characters:
            return count
    return len(lines)
