"""Laws of the one history: whatever happens to it, a request is valid and nothing is lost."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from wire import QUIRKS, faults

from paicli.memory import ConversationMemory, InMemoryStore, LongTermMemory, MemoryEntry, MemoryManager, MemoryType
from paicli.memory.conversation import role_of
from paicli.memory.message import Message, Quirks, ToolCall, render
from paicli.memory.tokens.estimate import EstimatingCounter
from paicli.testing import ScriptedModel

IDS = st.sampled_from(["", "0", "1", "call_0", "call_0-2", "x"])
TEXTS = st.one_of(st.sampled_from(["", " \n", "hello", "中文" * 20, '{"a": 1} %s']), st.text(max_size=40))
ARGUMENTS = st.one_of(st.sampled_from(["{}", "", '{"path": "a', "[1]", "null", '{"a": "b"}']), st.text(max_size=20))
CALLS = st.lists(st.builds(ToolCall, IDS, st.sampled_from(["read_file", "shell"]), ARGUMENTS), max_size=4)
MESSAGES = st.one_of(
    st.builds(Message, st.just("user"), TEXTS),
    st.builds(Message, st.just("system"), TEXTS),
    st.builds(
        lambda text, calls, thinking: Message("assistant", text, tuple(calls), thinking=thinking), TEXTS, CALLS, TEXTS
    ),
    st.builds(lambda text, call_id: Message("tool", text, call_id=call_id), TEXTS, IDS),
)


@given(st.lists(MESSAGES, max_size=14), QUIRKS)
def test_what_is_rendered_is_always_valid(messages: list[Message], quirks: Quirks) -> None:
    wire = render(messages, quirks)
    assert faults(wire, quirks) == []


@given(st.lists(MESSAGES, max_size=14), QUIRKS)
def test_every_text_of_the_user_is_in_the_request_byte_for_byte(messages: list[Message], quirks: Quirks) -> None:
    sent = [message["content"] for message in render(messages, quirks) if message["role"] == "user"]
    said = [message.text for message in messages if message.role == "user" and message.text.strip()]
    assert "\n\n".join(sent) == "\n\n".join(said) if quirks.alternate_roles else sent == said


ROLES = st.sampled_from(["user", "assistant", "tool", "call"])


@given(st.lists(st.tuples(ROLES, st.integers(0, 60)), max_size=40), st.integers(1, 120))
def test_what_was_evicted_and_what_is_kept_are_what_was_stored(entries: list[tuple[str, int]], budget: int) -> None:
    memory = ConversationMemory(budget)
    stored: list[MemoryEntry] = []
    evicted: list[MemoryEntry] = []
    for role, size in entries:
        calls = (ToolCall("1", "read_file"),) if role == "call" else ()
        message = Message("assistant" if role == "call" else role, "x" * size, calls, "1" if role == "tool" else "")  # type: ignore[arg-type]
        entry = MemoryEntry(message.text, MemoryType.CONVERSATION, message=message)
        stored.append(entry)
        left = memory.store(entry)
        assert [one.id for one in left] == [one.id for one in stored if one in left]
        evicted += left
        newest = next((one for one in reversed(stored) if role_of(one) == "user"), None)
        assert newest is None or newest in list(memory)
    assert sorted(one.id for one in [*evicted, *memory]) == sorted(one.id for one in stored)
    assert [one.id for one in memory] == [one.id for one in stored if one not in evicted]
    assert memory.compressed_summaries == evicted


SIZES = st.sampled_from([0, 3, 40, 400, 4_000, 40_000])
DEEDS = st.lists(
    st.tuples(st.sampled_from(["user", "assistant", "calls", "results"]), SIZES, st.integers(1, 12)), max_size=25
)


def live(memory: MemoryManager, deeds: list[tuple[str, int, int]], newest: int) -> str:
    """Plays a session, and returns its newest user message."""
    open_calls: list[str] = []
    for number, (deed, size, count) in enumerate(deeds):
        if deed == "user":
            memory.add_user_message(f"question {number} " + "中" * min(size, 300))
        elif deed == "assistant":
            memory.add_assistant_message("a" * size)
        elif deed == "calls":
            open_calls = [f"c{index}" for index in range(count)]
            arguments = json.dumps({"content": "x" * size})
            memory.add_assistant_message(
                "", [ToolCall(call_id, "write_file", arguments) for call_id in open_calls], "t" * size
            )
        else:
            for call_id in open_calls[:count]:
                memory.add_tool_result("write_file", "r" * size, call_id=call_id)
    text = "  the newest 问题 \n" + "q" * newest
    memory.add_user_message(text)
    return text


@settings(max_examples=max(150, settings.default.max_examples if settings.default else 0))
@given(
    DEEDS,
    st.integers(1_500, 30_000),
    st.sampled_from([None, 50, 2_000, 10**6]),
    QUIRKS,
    st.sampled_from(["notes", "", "long " * 2_000, RuntimeError("boom")]),
    st.integers(0, 1_000),
    st.integers(0, 900),
)
def test_a_request_is_never_over_the_window_and_holds_the_newest_message(  # noqa: PLR0917
    deeds: list[tuple[str, int, int]],
    window: int,
    budget: int | None,
    quirks: Quirks,
    summary: Any,
    newest: int,
    block: int,
) -> None:
    model = ScriptedModel(lambda _messages, _tools: summary)
    memory = MemoryManager(model, LongTermMemory(InMemoryStore()), budget, window)
    tools = [{"type": "function", "function": {"name": "write_file"}}]
    memory.prepare("prompt", tools)
    text = live(memory, deeds, newest)
    wire = render(memory.request("prompt", tools, quirks, "b" * block), quirks)
    counter = EstimatingCounter()
    assert counter.count(wire, tools) <= memory.budget.request_limit
    assert wire[-1]["role"] == "user"
    assert wire[-1]["content"].endswith(text)
    assert faults(wire, quirks) == []
    assert all(counter.count(render(request.messages)) <= window for request in model.requests)
