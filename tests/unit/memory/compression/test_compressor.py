"""ContextCompressor: map-reduce over old rounds, or everything stays as it was."""

from __future__ import annotations

import threading

import pytest

from paicli.errors import CompressionFailed, RateLimited
from paicli.memory import ContextCompressor, ConversationMemory, InMemoryStore, LongTermMemory, MemoryEntry, MemoryType
from paicli.memory.compression.plan import Limits, piece_of, plan_compression
from paicli.memory.message import Message, Reply, ToolCall
from paicli.memory.tokens.estimate import estimate_tokens
from paicli.testing import ScriptedModel


def user(text: str) -> MemoryEntry:
    return MemoryEntry(text, MemoryType.CONVERSATION, message=Message("user", text))


def answer(text: str, *calls: ToolCall, thinking: str = "") -> MemoryEntry:
    return MemoryEntry(
        text, MemoryType.CONVERSATION, message=Message("assistant", text, tool_calls=calls, thinking=thinking)
    )


def talk(count: int, text: str = "what shall we do about the order service now") -> ConversationMemory:
    """Returns a conversation of so many rounds of two entries."""
    memory = ConversationMemory(1_000_000)
    for number in range(count):
        memory.append(user(f"{text} {number}"))
        memory.append(answer(f"we keep going with it, step {number}"))
    return memory


@pytest.mark.parametrize("count", [0, 1, 3])
def test_three_rounds_are_too_little_and_no_model_is_asked(count: int) -> None:
    memory, model = talk(count), ScriptedModel([])
    before = list(memory)
    assert ContextCompressor(model).compress(memory) is None
    assert list(memory) == before
    assert model.requests == []


def test_a_round_is_a_round_and_not_an_entry() -> None:
    memory = ConversationMemory(10_000)
    memory.append(user("one question"))
    for number in range(8):
        memory.append(answer(f"step {number}"))
    assert ContextCompressor(ScriptedModel([])).compress(memory) is None


def test_the_last_three_rounds_are_not_touched() -> None:
    memory = talk(5)
    before = list(memory)
    summary = ContextCompressor(ScriptedModel(["notes"])).compress(memory)
    assert summary == "notes"
    assert list(memory)[1:] == before[4:]
    assert next(iter(memory)).type is MemoryType.SUMMARY


def test_how_many_rounds_stay_and_how_large_a_group_is_can_be_set_by_position() -> None:
    memory = talk(4)
    ContextCompressor(ScriptedModel(["a", "b", "c", "ab c"]), 1, 2).compress(memory)
    assert len(memory) == 3


@pytest.mark.parametrize(
    ("text", "start"),
    [("订单服务接下来怎么办", "[历史对话摘要] "), ("what about the order service", "[Conversation summary] ")],
)
def test_the_summary_starts_with_the_marker_of_the_language(text: str, start: str) -> None:
    memory = ConversationMemory(10_000)
    for number in range(5):
        memory.append(user(f"{text} {number}"))
        memory.append(answer(text))
    ContextCompressor(ScriptedModel(["x"])).compress(memory)
    assert next(iter(memory)).content == f"{start}x"


def test_entries_are_mapped_in_groups_of_five_and_the_summaries_reduced() -> None:
    memory = talk(10)
    model = ScriptedModel(lambda messages, _: f"n{len(messages[1].text) % 7}")
    ContextCompressor(model).compress(memory)
    maps = [request.messages[1].text for request in model.requests[:-1]]
    assert sorted(text.count("User: ") + text.count("Assistant: ") for text in maps) == [4, 5, 5]
    assert all(f"now {number}\n" in "\n".join(maps) + "\n" for number in range(7))
    assert "now 7" not in "".join(maps)
    assert "[1/3]" in model.requests[-1].messages[1].text
    assert {request.purpose for request in model.requests} == {"summary"}


def test_summaries_are_merged_in_the_order_of_time() -> None:
    model = ScriptedModel(
        lambda messages, _: "first" if "now 0" in messages[1].text else "later" if "User" in messages[1].text else "all"
    )
    assert ContextCompressor(model).compress(talk(8)) == "all"
    merged = model.requests[-1].messages[1].text
    assert merged.index("first") < merged.index("later")


def test_a_single_group_is_not_reduced() -> None:
    model = ScriptedModel(["only notes"])
    assert ContextCompressor(model).compress(talk(5)) == "only notes"
    assert len(model.requests) == 1


def test_the_summary_so_far_is_merged_and_not_summarised_again() -> None:
    memory = talk(5)
    ContextCompressor(ScriptedModel(["first notes"])).compress(memory)
    for entry in talk(1):
        memory.append(entry)
    model = ScriptedModel(["new notes", "first and new notes"])
    assert ContextCompressor(model).compress(memory) == "first and new notes"
    assert "first notes" not in model.requests[0].messages[1].text
    assert "first notes" in model.requests[1].messages[1].text
    assert "[Conversation summary]" not in model.requests[1].messages[1].text
    assert [entry.type for entry in memory].count(MemoryType.SUMMARY) == 1


def test_what_has_left_the_history_is_summarised_too() -> None:
    memory = ConversationMemory(60)
    for entry in talk(4):
        memory.store(entry)
    waiting = memory.compressed_summaries
    assert waiting
    model = ScriptedModel(["notes"])
    assert ContextCompressor(model).compress(memory) == "notes"
    assert waiting[0].content in model.requests[0].messages[1].text
    assert memory.compressed_summaries == []


def failing(number: int, failure: object, count: int = 12) -> ScriptedModel:
    """Returns a model whose call of this number (from 0) gives something else than notes."""
    replies: list[object] = ["notes"] * count
    replies[number] = failure
    return ScriptedModel(replies)  # type: ignore[arg-type]


LONG = " ".join(f"word{number}" for number in range(4_000))


@pytest.mark.parametrize(
    "failure",
    [
        "",
        " \n",
        "null",
        "None.",
        "无",
        "<think>I should not say anything",
        Reply("half a summ", finish_reason="length"),
        RuntimeError("boom"),
        ValueError("{braces} %s"),
        RateLimited(endpoint="x", attempts=3, detail="slow down"),
        LONG,
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_failure_leaves_the_history_as_it_was(failure: object) -> None:
    for number in (0, 1, 2, 3):
        memory = talk(10)
        if failure is LONG and number < 3:
            continue  # what the reduce step makes of long notes is what counts
        before = list(memory)
        with pytest.raises(CompressionFailed):
            ContextCompressor(failing(number, failure)).compress(memory)
        assert list(memory) == before


def test_a_failure_keeps_what_waits() -> None:
    memory = ConversationMemory(60)
    for entry in talk(4):
        memory.store(entry)
    before, waiting = list(memory), memory.compressed_summaries
    with pytest.raises(CompressionFailed):
        ContextCompressor(ScriptedModel([""])).compress(memory)
    assert (list(memory), memory.compressed_summaries) == (before, waiting)


@pytest.mark.parametrize("number", [0, 3])
def test_an_interrupt_leaves_the_history_as_it_was_and_passes_on(number: int) -> None:
    memory = talk(10)
    before = list(memory)
    with pytest.raises(KeyboardInterrupt):
        ContextCompressor(failing(number, KeyboardInterrupt())).compress(memory)
    assert list(memory) == before


def test_a_summary_as_long_as_its_source_is_refused() -> None:
    memory = talk(5)
    source = "".join(entry.content for entry in list(memory)[:4])
    with pytest.raises(CompressionFailed, match="tokens"):
        ContextCompressor(ScriptedModel([source])).compress(memory)


def test_the_thinking_of_a_model_is_no_part_of_the_summary() -> None:
    assert ContextCompressor(ScriptedModel(["<think>let me see</think>\nnotes"])).compress(talk(5)) == "notes"


def test_braces_and_percent_signs_reach_the_model_as_they_are() -> None:
    text = '{"a": 1} {} %d {{x}} f"{name}"'
    model = ScriptedModel(["n"])
    ContextCompressor(model).compress(talk(5, text))
    assert text in model.requests[0].messages[1].text


def test_the_focus_is_told_to_the_model() -> None:
    model = ScriptedModel(["n"])
    ContextCompressor(model).compress(talk(5), focus="the {migration}")
    assert "the {migration}" in model.requests[0].messages[0].text


@pytest.mark.parametrize("limit", [200, 1_000])
def test_no_call_reads_more_than_the_limit(limit: int) -> None:
    memory = talk(3)
    for number in range(6):
        call = ToolCall(str(number), "write_file", '{"content": "' + "x" * 20_000 + '"}')
        memory.append(user("中文" * 4_000))
        memory.append(answer("y" * 20_000, *[call] * 30, thinking="t" * 9_000))
        memory.append(
            MemoryEntry(
                "z" * 60_000, MemoryType.TOOL_RESULT, message=Message("tool", "z" * 60_000, call_id=str(number))
            )
        )
    for entry in talk(3):
        memory.append(entry)
    model = ScriptedModel(lambda _messages, _tools: "long notes " * 300)
    ContextCompressor(model, limits=Limits(piece_tokens=limit)).compress(memory)
    assert max(estimate_tokens(request.messages[1].text) for request in model.requests) <= limit + 24
    assert len(model.requests) > 4


def test_a_piece_says_who_speaks_and_what_was_called_and_never_what_was_thought() -> None:
    piece = piece_of(answer("I look", ToolCall("1", "read_file", '{"path": "a"}'), thinking="secret"))
    assert piece == 'Assistant: I look\n(called read_file {"path": "a"})'
    result = MemoryEntry("r", MemoryType.TOOL_RESULT, message=Message("tool", "r", call_id="1", tool_name="read_file"))
    assert piece_of(result) == "Tool result of read_file: r"


def test_of_a_large_tool_result_head_and_tail_are_read() -> None:
    text = "HEAD" + "x" * 50_000 + "TAIL"
    piece = piece_of(MemoryEntry(text, MemoryType.TOOL_RESULT, message=Message("tool", text, call_id="1")))
    assert "HEAD" in piece
    assert "TAIL" in piece
    assert estimate_tokens(piece) < 500


def test_a_plan_is_pure() -> None:
    entries = list(talk(6))
    assert plan_compression(entries) == plan_compression(entries)
    plan = plan_compression(entries)
    assert plan is not None
    assert plan.replaced == {entry.id for entry in entries[:6]}
    assert [len(chunk) for chunk in plan.chunks] == [5, 1]


def test_a_summary_that_is_too_long_is_shortened_by_the_model_and_cut_where_that_does_not_help() -> None:
    memory = talk(3)
    for entry in talk(1, "a very long question " * 4_000):
        memory.append(entry)
    for entry in talk(3):
        memory.append(entry)
    model = ScriptedModel(lambda messages, _: "long " * (200 if "too long" in messages[0].text else 2_500))
    summary = ContextCompressor(model, limits=Limits(summary_tokens=100)).compress(memory)
    assert summary is not None
    assert estimate_tokens(summary) <= 100
    assert "characters cut" in summary
    assert "At most about 400 characters" in model.requests[0].messages[0].text


def test_a_secret_reaches_neither_the_model_nor_the_summary() -> None:
    key = "sk-demo0000000000000000000000"
    memory = talk(5, f"the token is {key} and the port 18443")
    model = ScriptedModel(["notes"])
    ContextCompressor(model).compress(memory)
    assert key not in model.requests[0].messages[1].text
    content = next(iter(memory)).content
    assert key not in content + str(next(iter(memory)).metadata)
    assert "port 18443" in content


def test_groups_are_asked_at_the_same_time() -> None:
    meeting = threading.Barrier(8, timeout=20)

    def notes(messages: list[Message], _: object) -> str:
        if "[1/" not in messages[1].text:
            meeting.wait()
        return "notes"

    assert ContextCompressor(ScriptedModel(notes)).compress(talk(23)) == "notes"


def test_facts_can_be_drawn_out_and_kept() -> None:
    long_term = LongTermMemory(InMemoryStore())
    reply = '{"facts": [{"fact": "我们统一用 Redis 7", "quote": "缓存我们统一用 Redis 7"}]}'
    facts = ContextCompressor(ScriptedModel([reply])).extract_facts([user("缓存我们统一用 Redis 7")], long_term)
    assert facts == ["我们统一用 Redis 7"]
    assert [(entry.content, entry.type) for entry in long_term] == [("我们统一用 Redis 7", MemoryType.FACT)]
