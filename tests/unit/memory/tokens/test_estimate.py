"""estimate_tokens and the counter of whole requests."""

from __future__ import annotations

import json

import pytest

from paicli.memory import estimate_tokens
from paicli.memory.message import Message, ToolCall, render
from paicli.memory.tokens.estimate import EstimatingCounter


@pytest.mark.parametrize("text", [None, ""])
def test_nothing_has_no_tokens(text: str | None) -> None:
    assert estimate_tokens(text) == 0


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("a", 1), ("abcd", 1), ("abcde", 2), ("你好", 2), ("你好世界", 3), ("你好世界" * 25, 67), ("用户偏好 JDK 17", 5)],
)
def test_the_articles_rule_holds(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.mark.parametrize(
    "character",
    ["一", "㐀", "𠀀", "豈", "あ", "カ", "한", "，", "。", "「", "Ａ", "１", "々", "〇", "ㄅ", "鿿", "\U00030000"],
)
def test_every_cjk_character_counts_as_one(character: str) -> None:
    assert estimate_tokens(character * 3) == 2
    assert estimate_tokens(character * 150) == 100


@pytest.mark.parametrize("emoji", ["🧩", "😀", "☀", "✂", "⌚", "⭐", "🇨", "⏰"])
def test_an_emoji_is_at_least_one_token(emoji: str) -> None:
    assert estimate_tokens(emoji * 10) >= 10


def test_latin_letters_with_marks_are_no_cjk() -> None:
    assert estimate_tokens("éöß" * 4) == 3


def test_a_lone_surrogate_does_no_harm() -> None:
    assert estimate_tokens("\ud83d" * 4) == 1


def test_han_text_is_never_below_six_tenths_of_a_token_a_character() -> None:
    assert estimate_tokens("这是一个用来估算的中文段落" * 80) >= 0.6 * 13 * 80


def test_a_request_counts_overheads_calls_ids_and_schemas() -> None:
    counter = EstimatingCounter()
    call = ToolCall("call-12345678", "read_file", json.dumps({"path": "x" * 400}))
    plain = counter.count(render([Message("user", "hi")]))
    calling = counter.count(render([Message("user", "hi"), Message("assistant", tool_calls=(call,))]))
    assert plain > estimate_tokens("hi")
    assert calling > plain + 100
    assert counter.count(render([Message("user", "hi")]), [{"name": "x" * 400}]) > plain + 100


def test_the_counter_counts_a_text_as_the_estimate_does() -> None:
    assert EstimatingCounter().count_text("你好 world") == estimate_tokens("你好 world")
