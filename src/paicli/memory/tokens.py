"""Sizes in tokens: the article's estimate, put right, and the counter of whole requests."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

HAN_CHARACTERS_PER_TOKEN = 1.5
OTHER_CHARACTERS_PER_TOKEN = 4.0
MESSAGE_OVERHEAD_TOKENS = 4
"""Role and separators of a message: 3–4 in the chat templates of OpenAI, GLM, Qwen and DeepSeek."""

_CJK_RANGES = (
    (0x1100, 0x11FF),  # hangul jamo
    (0x2E80, 0x303F),  # radicals, CJK punctuation
    (0x3040, 0x33FF),  # kana, bopomofo, compatibility jamo, enclosed
    (0x3400, 0x4DBF),  # extension A
    (0x4E00, 0x9FFF),  # unified ideographs, 一 included
    (0xA960, 0xA97F),  # hangul jamo extended
    (0xAC00, 0xD7FF),  # hangul syllables
    (0xF900, 0xFAFF),  # compatibility ideographs
    (0xFE30, 0xFE4F),  # vertical forms
    (0xFF00, 0xFFEF),  # full-width forms
    (0x20000, 0x3FFFF),  # extensions B and later
)
_EMOJI_RANGES = ((0x1F000, 0x1FAFF), (0x2600, 0x27BF))


def estimate_tokens(text: str | None) -> int:
    """Returns about how many tokens a text has: 1.5 Han, kana or hangul characters a token, 4 other characters a token.

    The rule of the article (`ceil(han / 1.5 + other / 4)`), with all CJK ranges, full-width punctuation included, and an
    emoji counted as at least 1. Empty or None gives 0.
    """
    if not text:
        return 0
    if text.isascii():
        return math.ceil(len(text) / OTHER_CHARACTERS_PER_TOKEN)
    han = emoji = 0
    for character in text:
        point = ord(character)
        if point < 0x1100:
            continue
        if _within(point, _CJK_RANGES):
            han += 1
        elif _within(point, _EMOJI_RANGES):
            emoji += 1
    other = len(text) - han - emoji
    return math.ceil(han / HAN_CHARACTERS_PER_TOKEN + emoji + other / OTHER_CHARACTERS_PER_TOKEN)


def _within(point: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(low <= point <= high for low, high in ranges)


@lru_cache(maxsize=4096)
def _cached_estimate(text: str) -> int:
    return estimate_tokens(text)


class EstimatingCounter:
    """A `TokenCounter` that knows no tokenizer: estimates by `estimate_tokens`, overheads included."""

    def count(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()) -> int:
        """Returns the size in tokens of a rendered request with the tool schemas that go with it."""
        size = sum(MESSAGE_OVERHEAD_TOKENS + self._size(message) for message in messages)
        return size + (_cached_estimate(json.dumps(list(tools), ensure_ascii=False)) if tools else 0)

    def count_text(self, text: str) -> int:
        """Returns the size in tokens of a text."""
        return _cached_estimate(text)

    def _size(self, message: Mapping[str, Any]) -> int:
        values = (value for key, value in message.items() if key not in ("role", "tool_calls"))
        size = sum(_cached_estimate(value) for value in values if isinstance(value, str))
        return size + sum(self._call_size(call) for call in message.get("tool_calls") or ())

    def _call_size(self, call: Mapping[str, Any]) -> int:
        function = call["function"]
        return MESSAGE_OVERHEAD_TOKENS + _cached_estimate(call["id"] + function["name"] + function["arguments"])
