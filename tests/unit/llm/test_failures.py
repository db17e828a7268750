"""What a server said is understood in the words of all providers."""

from __future__ import annotations

from typing import Any

import pytest

from paicli.errors import ContextOverflow, KeyRejected, ModelError, NoBalance, RateLimited, RequestRefused, ServerFailed
from paicli.llm.failures import Caller, Refusal, failure_from, one_line, parse_refusal

CALLER = Caller("https://api.example.com/v1", "sk-0123456789abcdefgh", "m", 200_000, 10, 60, 30)

OVERFLOWS = [
    ("This model's maximum context length is 8192 tokens. However, your messages resulted in 10000 tokens.", 8192),
    (
        "This model's maximum context length is 131,072 tokens. However, you requested 140000 tokens (132000 in the messages, 8000 in the completion).",
        131_072,
    ),
    ("The decoder prompt (length 7000) is longer than the maximum model length of 4096.", 4096),
    ("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096),
    ("Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)", 262_144),
    ("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]", 30_720),
    ("the model is loaded with context length of only 4096 tokens, which is not enough", 4096),
    ("prompt is too long: 210000 tokens > 200000 maximum", 200_000),
    ("input length and `max_tokens` exceed context limit: 195000 + 21333 > 200000, decrease input length", 200_000),
    ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
    ("Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).", 59_862),
    ("The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096),
    ("Requested token count exceeds the model's maximum context length of 131072 tokens.", 131_072),
    ("Prompt 超长，请缩短后重试", None),
    ("输入内容超过模型的最大上下文长度", None),
]


@pytest.mark.parametrize(("text", "window"), OVERFLOWS)
def test_an_overflow_is_understood_in_every_wording(text: str, window: int | None) -> None:
    error = failure_from(Refusal(400, text=text), CALLER)
    assert isinstance(error, ContextOverflow)
    assert error.values["named_window"] == window
    assert error.values["window"] == window or window is None


def test_the_window_of_llama_cpp_is_a_field_of_its_own() -> None:
    body = {"error": {"code": 400, "message": "too long", "type": "exceed_context_size_error", "n_ctx": 4096}}
    error = failure_from(parse_refusal(400, body), CALLER)
    assert isinstance(error, ContextOverflow)
    assert error.values["window"] == 4096


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens is too large: 99999",
        "messages 参数非法",
        "Unknown field: reasoning_content",
        "the model `x` does not exist",
    ],
)
def test_other_refusals_are_no_overflow(text: str) -> None:
    assert type(failure_from(Refusal(400, text=text), CALLER)) is RequestRefused


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        (Refusal(401), KeyRejected),
        (Refusal(403), KeyRejected),
        (Refusal(403, text="Your country is not supported"), RequestRefused),
        (Refusal(402), NoBalance),
        (Refusal(400, ("arrearage",)), NoBalance),
        (Refusal(403, text="Free tier of this model has been exhausted"), NoBalance),
        (Refusal(429, text="Request too large: maximum context length"), RateLimited),
        (Refusal(408), ServerFailed),
        (Refusal(0, text="overloaded"), ServerFailed),
        (Refusal(413, text="request entity too large"), ContextOverflow),
        (Refusal(418), RequestRefused),
    ],
)
def test_each_status_has_its_error(refusal: Refusal, expected: type[ModelError]) -> None:
    assert type(failure_from(refusal, CALLER)) is expected


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"error": {"message": "words", "code": None}}, "words"),
        ({"error": "words"}, "words"),
        ([{"error": {"message": "words"}}], "words"),
        ({"detail": "words"}, "words"),
        ({"code": 500, "msg": "words"}, "words"),
        ({"detail": [{"loc": ["body"]}]}, '{"detail": [{"loc": ["body"]}]}'),
        ("words", "words"),
        ("", ""),
        (None, ""),
        ({}, ""),
        ([], ""),
    ],
)
def test_the_words_are_found_in_every_shape(body: Any, text: str) -> None:
    assert parse_refusal(400, body).text == text


def test_a_status_within_a_stream_counts() -> None:
    assert type(failure_from(parse_refusal(0, {"error": {"code": 429, "message": "busy"}}), CALLER)) is RateLimited


@pytest.mark.parametrize(
    ("header", "seconds"), [("3", 3.0), ("-1", 0.0), ("Wed, 21 Oct 2026 07:28:00 GMT", None), (None, None)]
)
def test_the_wait_that_is_asked_for_is_read(header: str | None, seconds: float | None) -> None:
    headers = {} if header is None else {"retry-after": header}
    assert parse_refusal(429, {}, headers).retry_after == seconds


def test_details_are_one_short_line_without_the_key() -> None:
    detail = one_line(f"bad\r\n\x1b]0;title\x07 {CALLER.key} " + "很" * 400, CALLER.key)
    assert detail.startswith("bad ]0;title …efgh 很")
    assert len(detail) == 300
    assert detail.endswith("…")


def test_a_reason_that_is_missing_is_said_so() -> None:
    assert "no reason given" in str(failure_from(Refusal(400), CALLER))
