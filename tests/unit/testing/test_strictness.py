"""The strict server refuses what any provider might refuse, and nothing that `render` makes."""

from __future__ import annotations

from typing import Any

import pytest

from paicli.memory.message import EmptyContent, Message, Quirks, ThinkingEcho, ToolCall, render
from paicli.testing.strictness import Rules, objection

USER = {"role": "user", "content": "hello"}


def call(call_id: Any = "a", arguments: Any = "{}", **fields: Any) -> dict[str, Any]:
    function = {"name": "ls", "arguments": arguments}
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
        **fields,
    }


def result(call_id: str = "a", content: Any = "a.txt") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def body(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages), **fields}


FAULTS = [
    (body(), "no list|not a list"),
    (body("hello"), "not a list"),
    ({"messages": [USER]}, "model is missing"),
    (body({"role": "system", "content": "x"}), "no user message"),
    (body(USER, {"role": "system", "content": "x"}, USER), "not the first"),
    (body({"role": "system", "content": "x"}, {"role": "system", "content": "y"}, USER), "not the first"),
    (body({"role": "developer", "content": "x"}, USER), "unknown role 'developer'"),
    (body({"role": "user", "content": " \n"}), "an empty user message"),
    (body({"role": "user", "content": None}), "an empty user message"),
    (body({"role": "user", "content": ["parts"]}), "content is a list"),
    (body(USER, {"role": "assistant", "content": ""}, USER), "an empty assistant message"),
    (body(USER, {"role": "assistant", "content": "x", "tool_calls": []}, USER), "tool_calls is empty"),
    (body(USER, call(), result(content="")), "an empty tool message"),
    (body(USER, {"role": "assistant", "content": "x"}), "nothing to answer"),
    (body(USER, result()), "a tool result without its call: 'a'"),
    (body(USER, call(), result("b")), "without its call: 'b'"),
    (body(USER, call(), result(), result()), "without its call"),
    (body(USER, call()), "calls without result"),
    (body(USER, call(), USER), "calls without result: a"),
    (body(USER, call(), result(), call(), result()), "used twice: a"),
    (body(USER, call(""), result("")), "without id"),
    (body(USER, call(arguments='{"half'), result()), "no JSON object"),
    (body(USER, call(arguments={}), result()), "no JSON object"),
    (body(USER, call(arguments="[]"), result()), "no JSON object"),
    (body(USER, tools=[]), "tools is an empty list"),
    (body(USER, tools=[{"function": {"name": "a b"}}]), "tool name 'a b'"),
    (body(USER, tools=[{"function": {"name": "a"}}] * 2), "same name"),
]


@pytest.mark.parametrize(("request_body", "reason"), FAULTS)
def test_what_no_provider_takes_is_refused_with_the_reason(request_body: dict[str, Any], reason: str) -> None:
    import re

    assert re.search(reason, objection(request_body))


@pytest.mark.parametrize(
    ("rules", "request_body", "reason"),
    [
        (Rules(reject_null_content=True), body(USER, call(content=None), result()), "content is null"),
        (Rules(reject_empty_content=True), body(USER, call(content=""), result()), "content is empty"),
        (Rules(require_alternate_roles=True), body(USER, USER), "two user messages"),
        (Rules(reject_unknown_fields=True), body({**USER, "extra": 1}), "unknown field extra"),
        (Rules(reject_unknown_fields=True), body(USER, thinking=True), "unknown parameter: thinking"),
        (Rules(require_thinking_echo=True), body(USER, call(), result()), "reasoning_content must be passed back"),
        (Rules(reject_stream_options=True), body(USER, stream_options={}), "stream_options"),
    ],
)
def test_each_rule_refuses_what_it_says_and_is_off_by_default(
    rules: Rules, request_body: dict[str, Any], reason: str
) -> None:
    assert reason in objection(request_body, rules)
    assert objection(request_body) == ""


def test_content_may_be_required() -> None:
    message = call()
    del message["content"]
    assert objection(body(USER, message, result())) == ""
    assert "content is missing" in objection(body(USER, message, result()), Rules(require_content=True))


HISTORY = [
    Message("system", "prompt"),
    Message("user", "hi"),
    Message("user", "are you there"),
    Message("assistant", "", (ToolCall("a", "ls"), ToolCall("a", "cat", '{"half')), thinking="hm"),
    Message("tool", "", call_id="a"),
    Message("system", "late"),
    Message("assistant", ""),
    Message("assistant", "", (ToolCall("a", "ls"),), thinking="hm"),
    Message("tool", "orphan", call_id="zzz"),
    Message("user", "go on"),
]


@pytest.mark.parametrize(
    ("quirks", "rules"),
    [
        (Quirks(), Rules(reject_unknown_fields=True, reject_null_content=True, require_content=True)),
        (Quirks(empty_content=EmptyContent.NULL), Rules(reject_empty_content=True, require_content=True)),
        (Quirks(empty_content=EmptyContent.ABSENT), Rules(reject_empty_content=True, reject_null_content=True)),
        (Quirks(alternate_roles=True), Rules(require_alternate_roles=True)),
        (Quirks(thinking=ThinkingEcho.WITH_CALLS), Rules(require_thinking_echo=True)),
    ],
)
def test_what_render_makes_is_taken_under_the_rules_its_quirks_are_for(quirks: Quirks, rules: Rules) -> None:
    assert objection({"model": "m", "messages": render(HISTORY, quirks)}, rules) == ""
