"""Sizes in tokens: the article's estimate, put right, and the counter of whole requests."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

HAN_CHARACTERS_PER_TOKEN = 1.5
OTHER_CHARACTERS_PER_TOKEN = 4.0
MESSAGE_OVERHEAD_TOKENS = 4
"""Role and separators of a message: 3–4 in the chat templates of OpenAI, GLM, Qwen and DeepSeek."""

_CJK = re.compile(
    "["
    "\u1100-\u11ff"  # hangul jamo
    "\u2e80-\u303f"  # radicals, CJK punctuation
    "\u3040-\u33ff"  # kana, bopomofo, compatibility jamo, enclosed
    "\u3400-\u4dbf"  # extension A
    "\u4e00-\u9fff"  # unified ideographs, 一 included
    "\ua960-\ua97f"  # hangul jamo extended
    "\uac00-\ud7ff"  # hangul syllables
    "\uf900-\ufaff"  # compatibility ideographs
    "\ufe30-\ufe4f"  # vertical forms
    "\uff00-\uffef"  # full-width forms
    "\U00020000-\U0003ffff"  # extensions B and later
    "]"
)
_EMOJI = re.compile("[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")


def estimate_tokens(text: str | None) -> int:
    """Returns about how many tokens a text has: 1.5 Han, kana or hangul characters a token, 4 other characters a token.

    The rule of the article (`ceil(han / 1.5 + other / 4)`), with all CJK ranges, full-width punctuation included, and an
    emoji counted as at least 1. Empty or None gives 0.
    """
    if not text:
        return 0
    if text.isascii():
        return math.ceil(len(text) / OTHER_CHARACTERS_PER_TOKEN)
    without_cjk = _CJK.sub("", text)
    other = len(_EMOJI.sub("", without_cjk))
    han, emoji = len(text) - len(without_cjk), len(without_cjk) - other
    return math.ceil(han / HAN_CHARACTERS_PER_TOKEN + emoji + other / OTHER_CHARACTERS_PER_TOKEN)


@lru_cache(maxsize=4096)
def _cached_estimate(text: str) -> int:
    return estimate_tokens(text)


class EstimatingCounter:
    """A `TokenCounter` that knows no tokenizer: estimates by `estimate_tokens`, overheads included."""

    def count(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()) -> int:
        """Returns the size in tokens of a rendered request with the tool schemas that go with it."""
        size = sum(MESSAGE_OVERHEAD_TOKENS + self._size(message) for message in messages)
        return size + (_cached_estimate(json.dumps(list(tools), ensure_ascii=False)) if tools else 0)

    def upper_bound(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()) -> int:
        """Returns the size that `count` tells: the estimate knows of no error."""
        return self.count(messages, tools)

    def learn(self, _: Sequence[Mapping[str, Any]], _tools: Sequence[Mapping[str, Any]], _actual: int) -> bool:
        """Returns False: a fixed rule learns nothing."""
        return False

    def count_text(self, text: str) -> int:
        """Returns the size in tokens of a text."""
        return estimate_tokens(text)

    def _size(self, message: Mapping[str, Any]) -> int:
        values = (value for key, value in message.items() if key not in ("role", "tool_calls"))
        size = sum(_cached_estimate(value) for value in values if isinstance(value, str))
        return size + sum(self._call_size(call) for call in message.get("tool_calls") or ())

    def _call_size(self, call: Mapping[str, Any]) -> int:
        function = call["function"]
        return MESSAGE_OVERHEAD_TOKENS + _cached_estimate(call["id"] + function["name"] + function["arguments"])
