"""When two texts state the same fact: the same words, however they are spaced, punctuated or written. Pure."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from functools import lru_cache

from paicli.memory.entry import FactKind, MemoryEntry, Origin

_SUPERSCRIPT = re.compile(r"[⁰¹²³⁴-⁹]+")
_INVISIBLE = re.compile(r"[\u200b\u2060\ufeff\ufe0e\ufe0f\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_QUOTES = re.compile(r"[\"'`“”‘’„«»「」『』【】《》〈〉()]")
_CJK = "\u2e80-\u2fff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
# Marks that only part or end a sentence. Between two characters of one word (3.11, a?b, 10:30) they belong to it.
_SEPARATORS = re.compile(rf"[,;、，；。！？：…—・!]+(?!=)|[.?:~]+(?=[\s.?:~,;!{_CJK}]|$)|(?<!\S)[?:]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_BESIDE_CJK = re.compile(rf"(?<=[{_CJK}])[\s:?]+|[\s:]+(?=[{_CJK}])")
_LETTER_DIGIT_GAP = re.compile(r"(?<=[^\W\d_]) (?=\d)|(?<=\d) (?=[^\W\d_])")
_PARTICLES = "哦喔噢呢啊呀啦嘛哟"
_LIKES = re.compile(r"^(?:用户|我)(不?)(?:喜欢|偏好|偏爱)(?!的)|^(?:the user|user|i) (?:likes?|prefers?) ")


@lru_cache(maxsize=16_384)
def fact_key(text: str) -> str:
    """Returns what is left of a statement when its spelling is folded: equal keys, same fact.

    Folded: width and compatibility forms (NFKC), case, white space, quotes, marks and particles at the end, who says it
    ("我喜欢 Java" and "用户偏好 Java"). Kept: letters of all scripts, digits, negations, symbols that tell names apart
    (`C`, `C++`, `C#`, `.NET`; 3.1 and 3.11). Empty only for a text without a visible character.

    >>> fact_key("用户喜欢　java ！") == fact_key("我偏好 Java。")
    True
    >>> fact_key("C++") == fact_key("C#")
    False
    """
    plain = _normalised(text)
    folded = _fold(plain)
    return folded or "".join(plain.split()) or "".join(text.split())


def same_fact(first: str, second: str) -> bool:
    """Returns whether two texts state the same fact."""
    return fact_key(first) == fact_key(second)


def merged(known: MemoryEntry, again: MemoryEntry, *, is_expired: bool) -> MemoryEntry:
    """Returns a known entry with what the same statement, made again, adds to it; id, text and first date stay.

    Args:
        known: The entry that is there.
        again: The new one that says the same.
        is_expired: Whether the known one does not apply any more, so that the new one's expiry holds.
    """
    is_upgrade = again.origin is Origin.USER and known.origin is not Origin.USER
    has_kind = known.kind not in (None, FactKind.OTHER)
    return replace(
        known,
        pinned=known.pinned or again.pinned,
        origin=again.origin if is_upgrade else known.origin,
        source=again.source if is_upgrade and again.source else known.source,
        kind=known.kind if has_kind else again.kind or known.kind,
        expires=again.expires if is_expired or again.expires else known.expires,
        metadata={**again.metadata, **known.metadata},
    )


def _normalised(text: str) -> str:
    # NFKC makes 2⁵ a 25: powers are marked before.
    marked = _SUPERSCRIPT.sub(r"^\g<0>", text)
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", marked).casefold()))


def _fold(text: str) -> str:
    words = _QUOTES.sub(" ", _THOUSANDS.sub("", text)) if len(text) > 1 else text
    words = " ".join(_SEPARATORS.sub(" ", words).split())
    words = _LETTER_DIGIT_GAP.sub("", _BESIDE_CJK.sub("", words))
    stem = words.rstrip(_PARTICLES)
    if len(stem) > 1:
        words = stem
    return _LIKES.sub(lambda found: "@dislikes " if found[1] else "@likes ", words).strip()
