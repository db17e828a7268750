"""The scripted model answers what it was told to, and tells when it is asked too often."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from paicli.errors import ServerFailed
from paicli.llm.model import ChatModel, Delta, ToolSpec
from paicli.memory.message import Message, Reply, ToolCall, Usage
from paicli.testing.scripted import ScriptedModel, ScriptExhausted

HELLO = [Message("system", "Be brief."), Message("user", "hello")]


def test_it_is_a_chat_model() -> None:
    model: ChatModel = ScriptedModel(["hi"], name="toy", context_window=2000)
    assert (model.name, model.context_window) == ("toy", 2000)


def test_replies_come_in_order_and_requests_are_kept() -> None:
    model = ScriptedModel(
        ["one", Reply("two"), ToolCall("a", "ls"), lambda messages, tools: f"three of {len(messages)}"]
    )
    tool = ToolSpec("ls", "Lists.")
    replies = [model.chat(HELLO, tools=[tool], purpose="facts", max_tokens=9) for _ in range(4)]
    assert [reply.text for reply in replies] == ["one", "two", "", "three of 2"]
    assert replies[2].tool_calls == (ToolCall("a", "ls"),)
    request = model.requests[0]
    assert (request.purpose, request.tools, request.max_tokens) == ("facts", (tool,), 9)
    assert (request.system, request.user) == ("Be brief.", "hello")


def test_one_function_answers_all() -> None:
    model = ScriptedModel(lambda messages, tools: messages[-1].text.upper())
    assert [model.chat([Message("user", text)]).text for text in "ab"] == ["A", "B"]


def test_each_purpose_can_have_its_own_replies() -> None:
    model = ScriptedModel(["chat"], by_purpose={"facts": ["facts"], "summary": lambda messages, tools: "summary"})
    assert [model.chat(HELLO, purpose=purpose).text for purpose in ("facts", "summary", "chat")] == [
        "facts",
        "summary",
        "chat",
    ]


def test_pieces_are_told_as_they_would_arrive() -> None:
    pieces: list[Delta] = []
    ScriptedModel([Reply("a long enough answer", thinking="hm")]).chat(HELLO, on_delta=pieces.append)
    assert [piece.thinking for piece in pieces if piece.thinking] == ["hm"]
    texts = [piece.text for piece in pieces if piece.text]
    assert "".join(texts) == "a long enough answer"
    assert len(texts) == 2


def test_usage_is_estimated_unless_it_is_scripted() -> None:
    model = ScriptedModel(["four", Reply("four", usage=Usage(100, 7))])
    estimated, told = model.chat(HELLO).usage, model.chat(HELLO).usage
    assert estimated
    assert estimated.estimated
    assert estimated.input_tokens > 0
    assert told == Usage(100, 7)


def test_errors_are_raised() -> None:
    model = ScriptedModel([ServerFailed(endpoint="e", status=500, attempts=1, detail="d"), KeyboardInterrupt()])
    with pytest.raises(ServerFailed):
        model.chat(HELLO)
    with pytest.raises(KeyboardInterrupt):
        model.chat(HELLO)


def test_being_asked_too_often_is_told_with_the_question() -> None:
    model = ScriptedModel(["only one"])
    model.chat(HELLO)
    with pytest.raises(ScriptExhausted, match=r"no reply left for call 2 .*'chat'.*hello"):
        model.chat(HELLO)


def test_a_single_text_instead_of_a_list_is_refused() -> None:
    with pytest.raises(TypeError, match="not a list"):
        ScriptedModel("hello")


def test_threads_get_different_replies() -> None:
    model = ScriptedModel([str(number) for number in range(50)])
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _: model.chat(HELLO).text, range(50)))
    assert sorted(texts, key=int) == [str(number) for number in range(50)]
    assert len(model.requests) == 50
