"""ConversationMemory: order, rounds, budget and eviction."""

from __future__ import annotations

import functools
import operator
import threading

import pytest

from paicli.memory import ConversationMemory, MemoryEntry, MemoryType
from paicli.memory.conversation import as_message, call_of, evictable, role_of, rounds, steps
from paicli.memory.message import Message, ToolCall


def user(text: str = "u" * 40) -> MemoryEntry:
    return MemoryEntry(text, MemoryType.CONVERSATION, message=Message("user", text))


def answer(text: str = "a" * 40, *ids: str, tool: str = "read_file") -> MemoryEntry:
    message = Message("assistant", text, tool_calls=tuple(ToolCall(call_id, tool) for call_id in ids))
    return MemoryEntry(text, MemoryType.CONVERSATION, message=message)


def result(call_id: str, text: str = "r" * 40, tool: str = "read_file") -> MemoryEntry:
    message = Message("tool", text, call_id=call_id, tool_name=tool)
    return MemoryEntry(
        text, MemoryType.TOOL_RESULT, metadata={"tool": tool, "arguments": '{"path": "pom.xml"}'}, message=message
    )


def summary() -> MemoryEntry:
    return MemoryEntry("[Conversation summary] before", MemoryType.SUMMARY)


def of(*entries: MemoryEntry, max_tokens: int = 1_000_000) -> ConversationMemory:
    memory = ConversationMemory(max_tokens)
    for entry in entries:
        memory.append(entry)
    return memory


def test_entries_stay_in_the_order_they_came() -> None:
    entries = [user("1"), answer("2"), user("3")]
    memory = of(*entries)
    assert list(memory) == entries
    assert len(memory) == 3
    assert memory.get(entries[1].id) == entries[1]
    assert memory.get("nothing") is None


def test_the_budget_must_be_positive() -> None:
    with pytest.raises(ValueError, match="0"):
        ConversationMemory(0)


def test_the_usage_ratio_is_the_share_of_the_budget() -> None:
    memory = of(user(), answer(), max_tokens=40)
    assert memory.token_count == 20
    assert memory.usage_ratio == 0.5


def test_the_oldest_leaves_first_and_store_returns_it() -> None:
    memory = ConversationMemory(30)
    first, second, third, fourth = (user() for _ in range(4))
    assert memory.store(first) == memory.store(second) == memory.store(third) == []
    assert memory.store(fourth) == [first]
    assert list(memory) == [second, third, fourth]


def test_what_has_left_waits_to_be_summarised() -> None:
    memory = ConversationMemory(30)
    entries = [user() for _ in range(6)]
    for entry in entries:
        memory.store(entry)
    assert memory.compressed_summaries == entries[:3]
    assert list(memory) == entries[3:]


def test_a_whole_round_leaves_at_once() -> None:
    memory = of(user("q1"), answer("x" * 400), user("q2"), answer("y" * 400), max_tokens=150)
    assert [entry.content[:2] for entry in memory.evict()] == ["q1", "xx"]


def test_the_newest_user_message_never_leaves() -> None:
    memory = ConversationMemory(10)
    memory.store(user())
    large = user("x" * 4_000)
    memory.store(large)
    assert list(memory) == [large]
    assert memory.store(answer()) == []
    assert large in list(memory)


def test_of_a_single_round_the_oldest_steps_leave_and_calls_keep_their_results() -> None:
    entries = [user("q")]
    for number in range(6):
        entries += [answer("", str(number)), result(str(number), "x" * 400)]
    memory = of(*entries, max_tokens=250)
    left = memory.evict()
    assert left == entries[1:9]
    assert list(memory) == [entries[0], *entries[9:]]


def test_the_last_step_stays_however_large_it_is() -> None:
    entries = [user("q"), answer("", "1", "2"), result("1", "x" * 4_000), result("2", "x" * 4_000)]
    memory = of(*entries, max_tokens=10)
    assert memory.evict() == []
    assert list(memory) == entries


def test_in_the_last_three_rounds_tool_results_leave_before_what_the_user_said() -> None:
    turns = [[user(f"q{n}"), answer("", str(n)), result(str(n), "x" * 400), answer(f"so {n}")] for n in range(3)]
    memory = of(*functools.reduce(operator.iadd, turns, []), max_tokens=150)
    left = memory.evict()
    assert left == [*turns[0][1:3], *turns[1][1:3]]
    assert [entry for entry in memory if role_of(entry) == "user"] == [turn[0] for turn in turns]


def test_of_more_than_three_rounds_the_oldest_leaves_whole() -> None:
    turns = [[user(f"q{n}"), answer("", str(n)), result(str(n), "x" * 400), answer(f"so {n}")] for n in range(4)]
    assert of(*functools.reduce(operator.iadd, turns, []), max_tokens=400).evict() == turns[0]


def test_those_that_left_are_returned_oldest_first_whatever_left_first() -> None:
    entries = [user("q" * 400), answer("", "1"), result("1", "x" * 400), user("now " * 30)]
    assert of(*entries, max_tokens=40).evict() == entries[:3]


def test_a_summary_does_not_leave() -> None:
    memory = of(summary(), user("x" * 400), user("x" * 400), max_tokens=120)
    memory.evict()
    assert [role_of(entry) for entry in memory] == ["summary", "user"]


def test_nothing_can_leave_an_empty_history() -> None:
    assert evictable([]) == []
    assert evictable([summary()]) == []


def test_a_round_is_a_user_message_and_all_until_the_next() -> None:
    entries = [answer("hello"), user("1"), answer("", "a"), result("a"), answer("so"), user("2")]
    assert rounds([summary(), *entries]) == [entries[:1], entries[1:5], entries[5:]]


def test_a_step_is_an_assistant_message_and_its_results() -> None:
    entries = [user("1"), answer("", "a", "b"), result("a"), result("b"), answer("so")]
    assert steps(entries) == [entries[1:4], entries[4:]]


def test_search_finds_words_of_content_and_of_metadata_values() -> None:
    memory = of(user("用 Maven 构建"), answer("", "1"), result("1"), user("天气"))
    assert [entry.content for entry in memory.search("maven")] == ["用 Maven 构建"]
    assert [entry.type for entry in memory.search("pom.xml")] == [MemoryType.TOOL_RESULT]
    assert [entry.type for entry in memory.search("read_file")] == [MemoryType.TOOL_RESULT]
    assert memory.search("maven", 0) == []
    assert memory.search("") == []


def test_an_entry_can_be_taken_out() -> None:
    entry = user()
    memory = of(entry)
    assert memory.delete(entry.id)
    assert not memory.delete(entry.id)
    assert len(memory) == 0


def test_clear_forgets_what_waits_too() -> None:
    memory = ConversationMemory(10)
    for _ in range(3):
        memory.store(user())
    memory.clear()
    assert (len(memory), memory.token_count, memory.compressed_summaries) == (0, 0, [])


def test_a_summary_takes_the_place_of_what_it_stands_for() -> None:
    memory = ConversationMemory(20)
    entries = [user() for _ in range(4)]
    for entry in entries:
        memory.store(entry)
    note = summary()
    memory.replace({entry.id for entry in entries[:3]}, note)
    assert list(memory) == [note, entries[3]]
    assert memory.compressed_summaries == []


def test_a_history_can_be_put_back_as_it_was() -> None:
    memory = of(user(), answer())
    before, waiting = list(memory), [user("old")]
    memory.clear()
    memory.restore(before, waiting)
    assert list(memory) == before
    assert memory.compressed_summaries == waiting


def test_a_bare_entry_is_the_users_or_its_sources() -> None:
    assert as_message(MemoryEntry("hi", MemoryType.CONVERSATION)) == Message("user", "hi")
    assert as_message(MemoryEntry("hi", MemoryType.CONVERSATION, metadata={"source": "assistant"})).role == "assistant"
    assert as_message(MemoryEntry("hi", MemoryType.CONVERSATION, metadata={"source": "moon"})).role == "user"
    assert as_message(MemoryEntry("hi", MemoryType.TOOL_RESULT, metadata={"tool": "x"})) == Message(
        "tool", "hi", tool_name="x"
    )


def test_a_result_without_an_id_belongs_to_the_oldest_unanswered_call_of_the_tool() -> None:
    calls = answer("", "1", "2", "3")
    assert getattr(call_of([user(), calls], "read_file"), "id", "") == "1"
    assert getattr(call_of([user(), calls, result("1")], "read_file"), "id", "") == "2"
    assert call_of([user(), calls], "write_file") is None
    assert call_of([user(), calls, result("1"), result("2"), result("3")], "read_file") is None


def test_an_interrupted_call_of_an_earlier_step_takes_no_result_any_more() -> None:
    entries = [user(), answer("", "old"), user(), answer("", "new")]
    assert getattr(call_of(entries, "read_file"), "id", "") == "new"


def test_an_id_that_a_model_uses_again_is_unanswered_again() -> None:
    entries = [user(), answer("", "0"), result("0"), answer("", "0")]
    assert getattr(call_of(entries, "read_file"), "id", "") == "0"
    assert getattr(call_of(entries, "read_file", "0"), "id", "") == "0"


def test_several_threads_lose_no_entry() -> None:
    memory = ConversationMemory(1_000)

    def add() -> None:
        for _ in range(100):
            memory.store(user())

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(memory) + len(memory.compressed_summaries) == 400
