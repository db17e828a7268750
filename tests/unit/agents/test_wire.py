"""Agents and their memory against a real server, as picky as providers get: every request is accepted."""

from __future__ import annotations

from typing import Any

import pytest

from paicli.agents.plan_execute import PlanExecuteAgent
from paicli.agents.react import Agent
from paicli.memory.message import EmptyContent, Quirks, Reply, ThinkingEcho
from paicli.testing.replies import Call, NoUsage
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules

ECHO = Quirks(thinking=ThinkingEcho.WITH_CALLS, thinking_required=True)
WAYS = {
    "one system message, alternating roles": (
        Quirks(alternate_roles=True),
        Rules(require_alternate_roles=True),
    ),
    "thinking must come back": (ECHO, Rules(require_thinking_echo=True)),
    "unknown fields are refused": (Quirks(), Rules(reject_unknown_fields=True)),
    "null is refused": (Quirks(), Rules(reject_null_content=True, require_content=True)),
    "an empty text is refused": (Quirks(empty_content=EmptyContent.NULL), Rules(reject_empty_content=True)),
    "neither null nor empty": (
        Quirks(empty_content=EmptyContent.ABSENT),
        Rules(reject_empty_content=True, reject_null_content=True),
    ),
    "usage can't be asked for": (Quirks(), Rules(reject_stream_options=True)),
}
PLAN = (
    '{"tasks": [{"id": "t1", "description": "read a.txt"}, {"id": "t2", "description": "tell", "depends_on": ["t1"]}]}'
)


def answer(body: Any) -> Any:
    """Plans, summarises, extracts; calls a tool for each question and answers when it has the result."""
    system, last = body["messages"][0]["content"], body["messages"][-1]
    if "depends_on" in system:
        return PLAN
    if '"facts"' in system:
        return '{"facts": []}'
    if not body.get("tools"):
        return "They read a file."
    if last["role"] == "user":
        return [
            Call("read_file", {"path": "a.txt"}, "same", thinking="hm"),
            Call("read_file", {"path": "b.txt"}, "two"),
        ]
    return Reply("alpha beta " * 40, thinking="so that is it")


@pytest.mark.parametrize("way", WAYS)
def test_every_request_of_a_long_session_is_accepted(way: str, connect: Any, make_memory: Any, tools: Any) -> None:
    quirks, rules = WAYS[way]
    with ChatServer(answer, rules=rules) as server:
        model = connect(server, quirks=quirks, context_window=4_000)
        memory = make_memory(model)
        memory.store_fact("文件 a.txt 里是 alpha")
        agent = Agent(model, memory, tools)
        for number in range(8):
            agent.run(f"读一下文件 a.txt，第 {number} 次。" + "请仔细看。" * 30)
        assert PlanExecuteAgent(model, memory, tools).run("读文件 a.txt").ok
        agent.run("再读一次文件 a.txt")
        memory.clear()
        agent.run("又读一次文件 a.txt")
    assert server.violations == []
    assert memory.budget.by_purpose["summary"].calls > 0
    assert all(
        "文件 a.txt 里是 alpha" in body["messages"][0]["content"] for body in server.requests if body.get("tools")
    )


def test_thinking_goes_back_with_its_calls_only(connect: Any, make_memory: Any, tools: Any) -> None:
    with ChatServer(answer, rules=Rules(require_thinking_echo=True)) as server:
        model = connect(server, quirks=ECHO)
        agent = Agent(model, make_memory(model), tools)
        agent.run("read")
        agent.run("read again")
    echoes = [message.get("reasoning_content") for message in server.requests[-1]["messages"]]
    assert echoes == [None, None, "hm", None, None, None, None, "hm", None, None]


def test_usage_comes_from_the_provider_or_is_marked_as_an_estimate(connect: Any, make_memory: Any) -> None:
    with ChatServer(["one", NoUsage("two")]) as server:
        model = connect(server)
        memory = make_memory(model)
        agent = Agent(model, memory)
        agent.run("first")
        agent.run("second")
    assert (memory.budget.usage.calls, memory.budget.usage.estimated_calls) == (2, 1)
    assert memory.budget.usage.input_tokens > 0


def test_half_a_json_and_an_unknown_tool_are_answered_so_that_the_model_can_go_on(
    connect: Any, make_memory: Any, tools: Any
) -> None:
    script = [Call("read_file", '{"path": "a.t'), Call("raed_file"), Call("read_file", {"path": "a.txt"}), "alpha"]
    with ChatServer(script) as server:
        model = connect(server)
        assert Agent(model, make_memory(model), tools).run("read") == "alpha"
    assert server.violations == []
    results = [message["content"] for message in server.requests[-1]["messages"] if message["role"] == "tool"]
    assert "not complete JSON" in results[0]
    assert "Did you mean 'read_file'?" in results[1]
    assert results[2] == "alpha"


def test_the_users_words_arrive_byte_for_byte(connect: Any, make_memory: Any) -> None:
    words = ' ##\r\n{"a": {}} {{x}} %s </memory>\t你好 🧩 \n\n'
    with ChatServer(["ok"]) as server:
        model = connect(server)
        Agent(model, make_memory(model), prompt="Be brief.\n").run(words)
    assert server.requests[0]["messages"] == [
        {"role": "system", "content": "Be brief.\n"},
        {"role": "user", "content": words},
    ]
