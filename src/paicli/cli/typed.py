"""What people type and pipe in, read as UTF-8 whatever the locale says: another encoding would lose their words."""

from __future__ import annotations

import argparse
import io
import locale
import os
import sys
from contextlib import suppress
from pathlib import Path

_WORDS = ("text", "prompt", "id", "resume")
"""The options that hold words. Those that hold paths stay as they are: so the system finds the bytes of the name."""


def decoded(data: bytes, encoding: str) -> str:
    """Returns bytes as text: UTF-8; what mostly isn't, in `encoding`, if it fits; else broken bytes become U+FFFD.

    >>> decoded("喜欢".encode(), "gbk"), decoded("喜欢".encode("gbk"), "gbk"), decoded(b"a\\xff", "ascii")
    ('喜欢', '喜欢', 'a\ufffd')
    """
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    others = sum(not character.isascii() for character in text) - broken
    if broken and broken >= others:
        with suppress(UnicodeDecodeError, LookupError):
            return data.decode(encoding)
    return text


def recover_words(options: argparse.Namespace) -> None:
    """Decodes the words of the command line again, from the bytes that they were."""
    for name in _WORDS:
        value = getattr(options, name, None)
        if isinstance(value, str):
            setattr(options, name, _word(value))
        elif isinstance(value, list):
            setattr(options, name, [_word(word) for word in value])


def _word(word: str) -> str:
    if word.isascii():
        return word
    try:
        return decoded(os.fsencode(word), sys.getfilesystemencoding())
    except UnicodeEncodeError:  # not from the system: it was no bytes before
        return word


def recover_line(line: str) -> str:
    """Decodes a line again that stdin, opened by `open_streams`, could not decode; its bytes are still in it."""
    try:
        data = line.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # halves of a pair, from the terminal of another system
        return line
    encoding = os.environ.get("PYTHONIOENCODING", "").partition(":")[0] or locale.getencoding()
    return decoded(data, encoding)


def open_streams() -> None:
    """Puts nothing in the place of a standard stream that is closed, and has stdin keep every byte it can't decode."""
    # Open until the process ends. In the order of their numbers, for each takes the lowest that is free.
    nothing = Path(os.devnull)
    sys.stdin = sys.stdin or nothing.open(encoding="utf-8")
    sys.stdout = sys.stdout or nothing.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nothing.open("w", encoding="utf-8")
    if isinstance(sys.stdin, io.TextIOWrapper):
        with suppress(io.UnsupportedOperation):  # something has been read of it already
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
