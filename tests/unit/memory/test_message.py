"""render: the wire form is one every provider accepts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from paicli.memory.message import INTERRUPTED_RESULT, EmptyContent, Message, Quirks, ThinkingEcho, ToolCall, render


def calling(*ids: str, text: str = "", thinking: str = "") -> Message:
    calls = tuple(ToolCall(call_id, "read_file", '{"path": "a"}') for call_id in ids)
    return Message("assistant", text, tool_calls=calls, thinking=thinking)


def result(call_id: str, text: str = "done") -> Message:
    return Message("tool", text, call_id=call_id, tool_name="read_file")


def roles(wire: list[dict[str, Any]]) -> list[str]:
    return [message["role"] for message in wire]


USER = Message("user", "go")


def test_system_messages_become_one_at_the_start() -> None:
    wire = render([USER, Message("system", "a"), Message("assistant", "ok"), Message("system", "b")])
    assert roles(wire) == ["system", "user", "assistant"]
    assert wire[0]["content"] == "a\n\nb"


def test_a_users_text_is_sent_byte_for_byte() -> None:
    text = '  {"a": 1} %s {{x}} \\n \ttabs\r\n🧩 　'
    assert render([Message("user", text)])[0]["content"] == text


def test_a_call_is_followed_by_its_result() -> None:
    wire = render([USER, calling("1", "2"), result("2", "second"), result("1", "first"), Message("assistant", "so")])
    assert roles(wire) == ["user", "assistant", "tool", "tool", "assistant"]
    assert [(m["tool_call_id"], m["content"]) for m in wire[2:4]] == [("1", "first"), ("2", "second")]


@pytest.mark.parametrize("after", [[], [Message("user", "go on")], [calling("2"), result("2")]])
def test_a_call_without_a_result_gets_one_that_says_so(after: list[Message]) -> None:
    wire = render([USER, calling("1"), *after])
    assert wire[2] == {"role": "tool", "tool_call_id": "1", "content": INTERRUPTED_RESULT}


def test_a_result_without_a_call_is_left_out() -> None:
    assert roles(render([USER, result("ghost"), Message("assistant", "hi"), result("ghost")])) == ["user", "assistant"]


def test_a_second_result_of_a_call_is_left_out() -> None:
    wire = render([USER, calling("1"), result("1", "first"), result("1", "again")])
    assert [message["content"] for message in wire[2:]] == ["first"]


def test_ids_that_a_model_uses_again_become_different_ones_and_stay_in_pairs() -> None:
    wire = render([USER, calling("0", "0"), result("0", "a"), result("0", "b"), calling("0"), result("0", "c")])
    calls = [call["id"] for message in wire for call in message.get("tool_calls", ())]
    results = [(message["tool_call_id"], message["content"]) for message in wire if message["role"] == "tool"]
    assert len(set(calls)) == 3
    assert [call_id for call_id, _ in results] == calls
    assert [text for _, text in results] == ["a", "b", "c"]


def test_a_call_without_an_id_gets_one() -> None:
    wire = render([USER, calling(""), result("")])
    assert wire[1]["tool_calls"][0]["id"] == wire[2]["tool_call_id"] != ""
    assert wire[2]["content"] == "done"


@pytest.mark.parametrize("message", [Message("assistant", ""), Message("assistant", " \n"), Message("user", "\n")])
def test_a_message_that_says_nothing_is_left_out(message: Message) -> None:
    assert roles(render([USER, message])) == ["user"]


@pytest.mark.parametrize("text", ["", "\n\n"])
@pytest.mark.parametrize(
    ("form", "expected"), [("null", {"content": None}), ("empty", {"content": ""}), ("absent", {})]
)
def test_the_form_of_a_missing_text_is_the_providers(form: str, expected: dict[str, Any], text: str) -> None:
    wire = render([USER, calling("1", text=text), result("1")], Quirks(empty_content=EmptyContent(form)))
    assert {key: value for key, value in wire[1].items() if key == "content"} == expected


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_an_empty_result_says_so(text: str) -> None:
    assert render([USER, calling("1"), result("1", text)])[2]["content"] == "[no output]"


@pytest.mark.parametrize("arguments", ['{"path": "a', "[1]", "null", "rm -rf", "[" * 200_000])
def test_arguments_that_are_no_object_are_sent_as_one(arguments: str) -> None:
    message = Message("assistant", tool_calls=(ToolCall("1", "x", arguments),))
    sent = render([USER, message])[1]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(sent) == {"unreadable_arguments": arguments}


@pytest.mark.parametrize("arguments", ["", "  "])
def test_no_arguments_are_an_empty_object(arguments: str) -> None:
    message = Message("assistant", tool_calls=(ToolCall("1", "x", arguments),))
    assert render([USER, message])[1]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_good_arguments_are_sent_as_the_model_wrote_them() -> None:
    message = Message("assistant", tool_calls=(ToolCall("1", "x", '{ "a":1 }'),))
    assert render([USER, message])[1]["tool_calls"][0]["function"]["arguments"] == '{ "a":1 }'


ALTERNATING = Quirks(alternate_roles=True)


def test_equal_roles_in_a_row_are_joined_where_a_provider_wants_it() -> None:
    wire = render(
        [Message("user", "a"), Message("user", "b"), Message("assistant", "c"), Message("assistant", "d")], ALTERNATING
    )
    assert [(m["role"], m["content"]) for m in wire] == [("user", "a\n\nb"), ("assistant", "c\n\nd")]


def test_a_text_before_a_message_with_calls_is_joined_to_it() -> None:
    wire = render([USER, Message("assistant", "wait"), calling("1", text="reading"), result("1")], ALTERNATING)
    assert roles(wire) == ["user", "assistant", "tool"]
    assert wire[1]["content"] == "wait\n\nreading"
    assert wire[1]["tool_calls"]


def test_results_are_never_joined() -> None:
    wire = render([USER, calling("1", "2"), result("1"), result("2"), Message("assistant", "so")], ALTERNATING)
    assert roles(wire) == ["user", "assistant", "tool", "tool", "assistant"]


@pytest.mark.parametrize(
    ("echo", "places"), [(ThinkingEcho.NEVER, []), (ThinkingEcho.WITH_CALLS, [1]), (ThinkingEcho.ALWAYS, [1, 3])]
)
def test_thinking_goes_back_only_where_the_provider_wants_it(echo: ThinkingEcho, places: list[int]) -> None:
    messages = [USER, calling("1", thinking="hm"), result("1"), Message("assistant", "so", thinking="aha")]
    wire = render(messages, Quirks(thinking=echo))
    assert [place for place, message in enumerate(wire) if "reasoning_content" in message] == places


def test_a_thinking_field_that_is_required_is_there_without_any_thinking() -> None:
    quirks = Quirks(thinking=ThinkingEcho.WITH_CALLS, thinking_field="thought", thinking_required=True)
    assert render([USER, calling("1"), result("1")], quirks)[1]["thought"] == ""


def test_rendering_changes_nothing() -> None:
    messages = [USER, calling("1", "1"), result("1")]
    before = list(messages)
    assert render(messages) == render(messages)
    assert messages == before
