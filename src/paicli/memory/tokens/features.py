"""What in a text costs tokens: Han characters, words, digits, marks, line ends … counted in a single vector."""

from __future__ import annotations

import re
from functools import lru_cache

Counts = tuple[float, ...]
"""How often each of `FEATURES` occurs, in their order."""

FEATURES = (
    "han",
    "han_run",
    "syllable",
    "cjk_mark",
    "word",
    "letter",
    "digit",
    "digit_group",
    "digit_space",
    "mark_run",
    "mark",
    "line_end",
    "indent",
    "blob",
    "accented",
    "foreign_letter",
    "symbol",
    "emoji",
    "message",
    "call",
    "tool",
    "request",
)
"""What is counted. Vocabularies differ in what these cost, hardly in that these are what costs.

- han, han_run: Chinese characters, and runs of them: a long run has more pairs that are one token
- syllable: kana, hangul, full-width letters and digits; cjk_mark: Chinese punctuation, typographic quotes
- word: words, and parts of them as `camelCase` and `snake_case` have; letter: A to Z
- digit, digit_group: digits, and groups of up to three: some vocabularies have tokens for digits, others for groups
- digit_space: spaces before a digit, which never become one token with it
- mark_run, mark: runs of ASCII punctuation and control characters, and in them runs of one character
- line_end: runs of line ends; indent: white space of two and more
- blob: characters of base64, hex and the like, which cost more than their words and digits do
- accented: é, ö; foreign_letter: other alphabets; symbol, emoji: what is left, below U+10000 and from there on
- message, call, tool, request: what the chat template adds for each
"""

_TEXT_FEATURES = FEATURES.index("message")
_BLOB_CHARACTERS = 32
_LONGEST_INDENT = 64
"""Long runs of one character are a token for every 16 to 128 of them."""

_HAN = "\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SYLLABLE = "\u1100-\u11ff\u3040-\u318f\u31a0-\u31bf\u31f0-\u31ff\ua960-\ua97f\uac00-\ud7ff"
_FULL_WIDTH = "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdf"
_CJK_MARK = "\u2018-\u201d\u2026\u2e80-\u3004\u3008-\u3020\u3030\u303d-\u303f\u3190-\u319f\u31c0-\u31ef\u3200-\u33ff"
_CJK_MARK_WIDE = "\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffef"
_MARK = r"!-/:-@\[-`{-~\x00-\x08\x0b\x0c\x0e-\x1f\x7f"

_ASCII_PATTERNS = tuple(
    map(
        re.compile,
        (
            "[A-Z]?[a-z]+|[A-Z]+",
            "[A-Za-z]",
            "[0-9]",
            "[0-9]{1,3}",
            " (?=[0-9])",
            f"[{_MARK}]+",
            rf"([{_MARK}])\1{{0,15}}",
            "[\r\n]+",
            rf"[ \t]{{2,{_LONGEST_INDENT}}}|\t",
        ),
    )
)
"""From `word` to `indent`."""

_HAN_PATTERN = re.compile(f"[{_HAN}]")
_HAN_RUN = re.compile(f"[{_HAN}]+")
_SYLLABLE_PATTERN = re.compile(f"[{_SYLLABLE}{_FULL_WIDTH}]")
_CJK_MARK_PATTERN = re.compile(f"[{_CJK_MARK}{_CJK_MARK_WIDE}]")
_ACCENTED_PATTERN = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_NON_ASCII = re.compile("[^\x00-\x7f]+")
_FOREIGN_LETTER = re.compile(r"[^\W\d_]")
_EMOJI_PATTERN = re.compile("[\U00010000-\U0010ffff]")
_BLOB_RUN = re.compile("[A-Za-z0-9+/=_-]+")
_DIGIT = re.compile("[0-9]")
_LETTER = re.compile("[A-Za-z]")


@lru_cache(maxsize=8192)
def text_features(text: str) -> Counts:
    """Returns the counts of a text, in time proportional to its length."""
    ascii_counts = [len(pattern.findall(text)) for pattern in _ASCII_PATTERNS]
    others = "" if text.isascii() else "".join(_NON_ASCII.findall(text))
    counts = []
    for pattern in (_HAN_PATTERN, _SYLLABLE_PATTERN, _CJK_MARK_PATTERN, _ACCENTED_PATTERN):
        rest = pattern.sub("", others) if others else ""
        counts.append(len(others) - len(rest))
        others = rest
    han, syllables, marks, accented = counts
    foreign = len(_FOREIGN_LETTER.findall(others))
    emoji = len(_EMOJI_PATTERN.findall(others))
    symbols = max(0, len(others) - foreign - emoji)
    blobs = _blob_characters(text)
    runs = len(_HAN_RUN.findall(text)) if han else 0
    return (han, runs, syllables, marks, *ascii_counts, blobs, accented, foreign, symbols, emoji, 0, 0, 0, 0)


def overhead(*, messages: int, calls: int, tools: int) -> Counts:
    """Returns the counts of what a chat template adds to the texts of a request."""
    return (*(0.0 for _ in range(_TEXT_FEATURES)), messages, calls, tools, 1)


def _blob_characters(text: str) -> int:
    """Returns how many characters of a text are base64, hex and the like: long runs in which letters and digits mix."""
    count = 0
    for piece in text.split():
        if len(piece) < _BLOB_CHARACTERS:
            continue
        for run in _BLOB_RUN.findall(piece):
            for start in range(0, len(run) - _BLOB_CHARACTERS + 1, _BLOB_CHARACTERS):
                part = run[start : start + _BLOB_CHARACTERS]
                if len(_DIGIT.findall(part)) >= 2 and len(_LETTER.findall(part)) >= 4:
                    count += _BLOB_CHARACTERS
    return count
