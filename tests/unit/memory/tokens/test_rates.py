"""The features of texts, the rates that are learned of them, and the counter that uses both."""

from __future__ import annotations

import json
from threading import Thread
from typing import Any

import pytest

from paicli.memory.message import Message, ToolCall, render
from paicli.memory.tokens.counter import CalibratedCounter, request_counts
from paicli.memory.tokens.features import FEATURES, overhead, text_features
from paicli.memory.tokens.rates import TokenRates, is_credible

CHINESE = "今天下午我们把支付网关的方案重新整理了一遍，请大家有空的时候看一下。"
ENGLISH = "We rewrote the plan of the payment gateway this afternoon; please have a look when you can. "
CODE = "    if (user.isActive && retryCount < 3) {\n        return await client.fetchOrders(user.id);\n    }\n"
JSON = json.dumps(
    [{"id": 48213, "createdAt": "2025-03-12T08:41:00Z", "tags": ["cache", "error"], "note": None}], indent=2
)
TEXTS = [CHINESE, ENGLISH, CODE, JSON, CHINESE + CODE]
SCHEMA = {"type": "function", "function": {"name": "read_file", "description": "Reads a file.", "parameters": {}}}


def counted(text: str) -> dict[str, float]:
    return {name: count for name, count in zip(FEATURES, text_features(text), strict=True) if count}


def asked(*texts: str) -> list[dict[str, Any]]:
    return render([Message("user", text) for text in texts])


class Vocabulary:
    """A made-up model: what it takes is the typical size with some features cheaper or dearer."""

    def __init__(self, **factors: float) -> None:
        typical = TokenRates().mean
        self.rates = [rate * factors.get(name, 1) for name, rate in zip(FEATURES, typical, strict=True)]

    def size(self, messages: list[dict[str, Any]]) -> int:
        return round(sum(rate * count for rate, count in zip(self.rates, request_counts(messages), strict=True)))


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", {}),
        ("你好，世界", {"han": 4, "han_run": 2, "cjk_mark": 1}),
        ("こんにちは 안녕", {"syllable": 7}),
        ("readFileName HTTPServer", {"word": 5, "letter": 22}),
        ("12345 and 6", {"digit": 6, "digit_group": 3, "digit_space": 1, "word": 1, "letter": 3}),
        ("});\n\n----", {"mark_run": 2, "mark": 4, "line_end": 1}),
        ("\t    x  ", {"indent": 2, "word": 1, "letter": 1}),
        ("café", {"word": 1, "letter": 3, "accented": 1}),
        ("привет", {"foreign_letter": 6}),
        ("→ 👍🏽", {"symbol": 1, "emoji": 2}),
        ("\x1b[0m", {"mark_run": 1, "mark": 2, "digit": 1, "digit_group": 1, "word": 1, "letter": 1}),
    ],
)
def test_features_are_counted(text: str, counts: dict[str, float]) -> None:
    assert counted(text) == counts


@pytest.mark.parametrize(
    ("text", "is_blob"),
    [
        ("aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0" * 2, True),
        ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", True),
        ("a_very_long_name_of_a_function_that_has_no_digits_in_it", False),
        ("1" * 64, False),
        ("src/paicli/memory/stores/token_rates.py", False),
    ],
)
def test_a_blob_is_a_long_run_of_mixed_letters_and_digits(text: str, *, is_blob: bool) -> None:
    assert (counted(f"key: {text} end").get("blob", 0) > 0) is is_blob


def test_a_lone_surrogate_does_no_harm() -> None:
    assert counted("\ud83d") == {"symbol": 1}


def test_a_request_counts_calls_schemas_and_each_message() -> None:
    call = ToolCall("call-1", "read_file", json.dumps({"path": "x" * 400}))
    counter = CalibratedCounter()
    plain = counter.count(asked("hi"))
    calling = counter.count(render([Message("user", "hi"), Message("assistant", tool_calls=(call,))]))
    assert plain > counter.count_text("hi")
    assert calling > plain + 25
    assert counter.count(asked("hi"), [SCHEMA]) > plain + 15
    assert overhead(messages=2, calls=1, tools=3)[-4:] == (2, 1, 3, 1)


def test_thinking_is_counted_and_a_message_without_text_does_no_harm() -> None:
    counter = CalibratedCounter()
    silent = {"role": "assistant", "content": None, "tool_calls": None}
    assert counter.count([silent]) < counter.count([{**silent, "reasoning_content": ENGLISH}])


def test_nothing_has_no_tokens_and_a_first_guess_is_never_below_six_tenths_per_han_character() -> None:
    counter = CalibratedCounter()
    assert counter.count_text("") == 0
    assert 60 <= counter.count_text("你好世界" * 25) <= 80
    assert counter.count_text(CHINESE * 30) >= 0.6 * len(CHINESE) * 30


def test_reports_correct_the_rates_of_what_they_are_about() -> None:
    model = Vocabulary(han=1.8, word=0.9, mark=1.15)
    counter = CalibratedCounter("m")
    before = [abs(counter.count(asked(text * 40)) / model.size(asked(text * 40)) - 1) for text in TEXTS]
    for number in range(20):
        request = asked(TEXTS[number % 5] * (10 + number))
        assert counter.learn(request, (), model.size(request))
    after = [abs(counter.count(asked(text * 40)) / model.size(asked(text * 40)) - 1) for text in TEXTS]
    assert max(before) > 0.3
    assert max(after) < 0.04


def test_the_upper_bound_holds_before_and_comes_closer_with_reports() -> None:
    model, counter = Vocabulary(han=1.7, digit=3), CalibratedCounter("m")
    request = asked(CHINESE * 40, JSON * 5)
    size = model.size(request)
    first = counter.upper_bound(request)
    for _ in range(20):
        counter.learn(request, (), size)
    assert size < counter.upper_bound(request) < 1.2 * size < first
    assert counter.count(request) < counter.upper_bound(request)


def test_what_no_report_was_about_keeps_a_wide_bound() -> None:
    model, counter = Vocabulary(han=1.8), CalibratedCounter("m")
    for _ in range(30):
        counter.learn(asked(ENGLISH * 40), (), model.size(asked(ENGLISH * 40)))
    assert counter.upper_bound(asked(CHINESE * 40)) > model.size(asked(CHINESE * 40))


@pytest.mark.parametrize("actual", [-5, 0, 1, 100_000])
def test_a_size_that_no_vocabulary_can_give_is_passed_over(actual: int) -> None:
    counter = CalibratedCounter("m")
    assert not counter.learn(asked(ENGLISH * 40), (), actual)
    assert counter.rates == {}
    rates = TokenRates()
    assert rates.learned(request_counts(asked(ENGLISH * 40)), actual) is rates


def test_a_prompt_that_the_provider_adds_is_no_reason_to_doubt_a_small_request() -> None:
    assert is_credible(request_counts(asked("hi"), [SCHEMA]), 300)


def test_a_few_wrong_reports_do_little_harm() -> None:
    model, counter = Vocabulary(han=0.8), CalibratedCounter("m")
    for number in range(25):
        request = asked(TEXTS[number % 5] * 20)
        counter.learn(request, (), int(model.size(request) * (1.6 if number % 6 == 5 else 1)))
    for text in TEXTS:
        assert counter.count(asked(text * 20)) == pytest.approx(model.size(asked(text * 20)), rel=0.08)


def test_a_model_that_gets_another_vocabulary_is_learned_anew() -> None:
    old, new, counter = Vocabulary(han=1.7), Vocabulary(han=0.8), CalibratedCounter("m")
    for model in (old, new):
        for number in range(60):
            request = asked(TEXTS[number % 5] * 20)
            counter.learn(request, (), model.size(request))
    for text in TEXTS:
        assert counter.count(asked(text * 20)) == pytest.approx(new.size(asked(text * 20)), rel=0.05)


def test_each_model_has_rates_of_its_own() -> None:
    counter, request = CalibratedCounter("a"), asked(CHINESE * 40)
    typical = counter.count(request)
    counter.learn(request, (), typical * 2, model="b")
    assert counter.count(request) == typical
    counter.model = "b"
    assert counter.count(request) > typical * 1.5
    assert CalibratedCounter("b", counter.rates).count(request) == counter.count(request)


def test_threads_lose_no_report() -> None:
    counter, request = CalibratedCounter("m"), asked(ENGLISH * 20)
    size = counter.count(request)
    threads = [Thread(target=lambda: [counter.learn(request, (), size) for _ in range(25)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.rates["m"].reports == 100


def learned_rates() -> TokenRates:
    model, counter = Vocabulary(han=1.5, word=0.9), CalibratedCounter("m")
    for text in TEXTS * 3:
        counter.learn(asked(text * 30), (), model.size(asked(text * 30)))
    return counter.rates["m"]


def test_rates_survive_the_way_through_a_row() -> None:
    rates = learned_rates()
    again = TokenRates.from_row(json.loads(json.dumps(rates.to_row())))
    assert again
    assert again.reports == rates.reports == 15
    for text in TEXTS:
        counts = request_counts(asked(text * 30))
        assert again.tokens(counts) == pytest.approx(rates.tokens(counts), rel=1e-4)
        assert again.upper_bound(counts) == pytest.approx(rates.upper_bound(counts), rel=1e-3)


def test_a_row_says_what_it_counts_and_stays_small() -> None:
    row = learned_rates().to_row()
    assert row["features"] == list(FEATURES)
    assert len(json.dumps(row)) < 6000


@pytest.mark.parametrize(
    "change",
    [
        {"features": ["han"]},
        {"mean": None},
        {"mean": "x" * len(FEATURES)},
        {"mean": [1.0]},
        {"mean": [float("nan")] * len(FEATURES)},
        {"mean": [1e9] * len(FEATURES)},
        {"mean": [10**400] * len(FEATURES)},
        {"mean": [True] * len(FEATURES)},
        {"spread": [0.0] * (len(FEATURES) * (len(FEATURES) + 1) // 2)},
        {"spread": [1e-4] * (len(FEATURES) * (len(FEATURES) + 1) // 2 - 1) + [-1.0]},
        {"spread": [9e-5, 0.1] + [9e-5] * (len(FEATURES) * (len(FEATURES) + 1) // 2 - 2)},
        {"reports": -1},
        {"reports": True},
        {"reports": "many"},
    ],
)
def test_a_damaged_row_is_no_row(change: dict[str, Any]) -> None:
    assert TokenRates.from_row({**learned_rates().to_row(), **change}) is None


@pytest.mark.parametrize("row", [None, [], "x", {}, 7])
def test_another_value_is_no_row(row: object) -> None:
    assert TokenRates.from_row(row) is None
