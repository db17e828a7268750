"""fit: a request is within its limit, whatever has to give way."""

from __future__ import annotations

import json

import pytest

from paicli.errors import MessageTooLarge
from paicli.memory import MemoryEntry, MemoryType
from paicli.memory.message import Message, Quirks, ThinkingEcho, ToolCall, render
from paicli.memory.tokens.estimate import EstimatingCounter, estimate_tokens
from paicli.memory.window import Fixed, cut_middle, fit

COUNTER = EstimatingCounter()


def entry(message: Message) -> MemoryEntry:
    kind = MemoryType.TOOL_RESULT if message.role == "tool" else MemoryType.CONVERSATION
    return MemoryEntry(message.text, kind, message=message)


def user(text: str) -> MemoryEntry:
    return entry(Message("user", text))


def step(arguments: str, *results: str, thinking: str = "") -> list[MemoryEntry]:
    calls = tuple(ToolCall(f"c{n}", "read_file", arguments) for n in range(len(results)))
    answers = [entry(Message("tool", text, call_id=f"c{n}", tool_name="read_file")) for n, text in enumerate(results)]
    return [entry(Message("assistant", "", tool_calls=calls, thinking=thinking)), *answers]


def size(messages: list[Message], quirks: Quirks = Quirks()) -> int:
    return COUNTER.count(render(messages, quirks))


SUMMARY = MemoryEntry("[Conversation summary] " + "earlier things. " * 40, MemoryType.SUMMARY)
BLOCK = "## Long-term memory\n<memory>\n- [2026-01-01] JDK 17\n</memory>"


def test_what_fits_is_sent_as_it_is() -> None:
    entries = [user("hi"), *step("{}", "out"), entry(Message("assistant", "so"))]
    messages = fit(Fixed("prompt"), entries, "", 1_000, COUNTER)
    assert messages == [Message("system", "prompt"), *[one.message for one in entries]]


def test_without_summary_and_block_the_system_message_is_the_plain_prompt() -> None:
    assert fit(Fixed("the prompt\n"), [user("hi")], "", 1_000, COUNTER)[0].text == "the prompt\n"


def test_prompt_summary_and_block_stand_in_one_system_message_in_this_order() -> None:
    messages = fit(Fixed("PROMPT"), [SUMMARY, user("hi")], BLOCK, 1_000, COUNTER)
    assert [message.role for message in messages] == ["system", "user"]
    text = messages[0].text
    assert text.startswith("PROMPT\n\n")
    assert text.index("<summary>") < text.index("</summary>") < text.index("<memory>")


def test_a_large_result_is_cut_in_the_middle_and_says_by_how_much() -> None:
    messages = fit(Fixed(), [user("look"), *step("{}", "head " + "x" * 40_000 + " tail")], BLOCK, 500, COUNTER)
    assert size(messages) <= 500
    text = messages[-1].text
    assert text.startswith("head")
    assert text.endswith("tail")
    assert "characters cut" in text
    assert BLOCK in messages[0].text


def test_of_several_results_the_largest_is_cut_first() -> None:
    messages = fit(Fixed(), [user("look"), *step("{}", "x" * 4_000, "short " * 10)], "", 500, COUNTER)
    assert messages[-1].text == "short " * 10


def test_large_arguments_are_cut_and_still_an_object() -> None:
    arguments = json.dumps({"path": "a.txt", "content": "line\n" * 4_000, "lines": list(range(3_000))})
    messages = fit(Fixed(), [user("write"), *step(arguments, "ok")], "", 400, COUNTER)
    assert size(messages) <= 400
    sent = json.loads(messages[1].tool_calls[0].arguments)
    assert sent["path"] == "a.txt"
    assert "characters cut" in sent["content"]


@pytest.mark.parametrize(
    "arguments", ['{"content": "' + "x" * 9_000, json.dumps({f"k{n}": n for n in range(900)}), "[" * 9_000]
)
def test_arguments_of_any_form_can_be_cut(arguments: str) -> None:
    messages = fit(Fixed(), [user("write"), *step(arguments, "ok")], "", 400, COUNTER)
    assert size(messages) <= 400
    assert isinstance(json.loads(messages[1].tool_calls[0].arguments), dict)


def test_thinking_that_goes_back_is_cut_too() -> None:
    quirks = Quirks(thinking=ThinkingEcho.ALWAYS)
    messages = fit(Fixed(quirks=quirks), [user("hm"), *step("{}", "ok", thinking="think " * 4_000)], "", 400, COUNTER)
    assert size(messages, quirks) <= 400


def test_many_parallel_results_fit_in_complete_pairs() -> None:
    messages = fit(Fixed(), [user("look"), *step("{}", *["x" * 4_000] * 120)], "", 2_000, COUNTER)
    assert size(messages) <= 2_000
    calls = [call.id for message in messages for call in message.tool_calls]
    assert calls == [message.call_id for message in messages if message.role == "tool"]
    assert calls[-1] == "c119"
    assert messages[0].text == "look"


def test_block_and_summary_give_way_before_the_newest_user_message() -> None:
    text = "q " * 700
    messages = fit(Fixed("prompt"), [SUMMARY, user(text)], BLOCK, 400, COUNTER)
    assert size(messages) <= 400
    assert messages[-1].text == text
    assert messages[0].text == "prompt"


def test_earlier_rounds_give_way_before_the_newest_user_message() -> None:
    entries = [user("old " * 300), entry(Message("assistant", "so")), user("q " * 700)]
    messages = fit(Fixed(), entries, "", 400, COUNTER)
    assert messages == [entries[-1].message]


def test_a_user_message_that_does_not_fit_alone_is_an_error_with_the_figures() -> None:
    with pytest.raises(MessageTooLarge) as caught:
        fit(Fixed("prompt"), [user("x" * 4_000)], "", 400, COUNTER)
    assert caught.value.values["tokens"] == 1_000
    assert caught.value.values["limit"] == 390


def test_a_call_without_a_result_can_give_way_too() -> None:
    calls = tuple(ToolCall(f"c{n}", "read_file", '{"path": "abcdefghij"}') for n in range(100))
    messages = fit(Fixed(), [user("look"), entry(Message("assistant", tool_calls=calls))], "", 500, COUNTER)
    assert size(messages) <= 500
    assert messages[0].text == "look"


@pytest.mark.parametrize("text", ["x" * 10_000, "中文" * 5_000, "🧩" * 2_000, "a b\n" * 3_000])
@pytest.mark.parametrize("tokens", [16, 40, 500])
def test_a_text_cut_in_the_middle_has_at_most_so_many_tokens(text: str, tokens: int) -> None:
    assert estimate_tokens(cut_middle(text, tokens, estimate_tokens)) <= tokens


def test_the_marker_counts_what_was_cut() -> None:
    cut = cut_middle("x" * 4_000, 100, estimate_tokens)
    said = int(cut.split("… ")[1].split(" ")[0])
    assert cut.count("x") + said == 4_000


def test_a_text_that_fits_is_not_cut() -> None:
    assert cut_middle("as it is ", 3, estimate_tokens) == "as it is "
