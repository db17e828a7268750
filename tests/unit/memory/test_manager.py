"""MemoryManager: messages in, context out; budget, compression and retrieval happen inside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from paicli.errors import MessageTooLarge, StoreUnavailable
from paicli.memory import InMemoryStore, LongTermMemory, MemoryManager, MemoryType
from paicli.memory.conversation import role_of
from paicli.memory.message import INTERRUPTED_RESULT, Message, Quirks, ThinkingEcho, ToolCall, render
from paicli.memory.scope import Scopes
from paicli.memory.session.replay import window_of
from paicli.memory.tokens.estimate import EstimatingCounter
from paicli.testing import ScriptedModel

PROMPT = "You are an assistant."
SCHEMAS = [{"type": "function", "function": {"name": "read_file", "parameters": {"type": "object"}}}]


class Records:
    """A journal that keeps what it is told."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []

    def append(self, record: Mapping[str, Any]) -> None:
        self.all.append(dict(record))

    def kinds(self) -> list[str]:
        return [record["kind"] for record in self.all]


def make(
    model: ScriptedModel | None = None, window: int = 200_000, budget: int | None = None, **options: Any
) -> MemoryManager:
    return MemoryManager(model, LongTermMemory(InMemoryStore()), budget, window, **options)


def sent(memory: MemoryManager, **options: Any) -> list[dict[str, Any]]:
    """Returns the wire form of the next request, checked against the window."""
    quirks = options.get("quirks", Quirks())
    wire = render(memory.request(PROMPT, SCHEMAS, **options), quirks)
    assert EstimatingCounter().count(wire, SCHEMAS) <= memory.budget.context_window
    return wire


def notes(_messages: list[Message], _tools: object) -> str:
    return "notes"


def test_the_articles_arguments_work_by_position() -> None:
    long_term = LongTermMemory(InMemoryStore())
    memory = MemoryManager(ScriptedModel([]), long_term, 5_000, 100_000)
    assert memory.long_term is long_term
    assert memory.short_term.max_tokens == 5_000
    assert memory.budget.context_window == 100_000


def test_the_history_may_take_what_the_window_leaves() -> None:
    assert make().short_term.max_tokens == 196_700
    assert make(window=4_000).short_term.max_tokens == 2_680


def test_a_budget_above_the_window_does_not_make_requests_longer_than_it() -> None:
    memory = make(window=4_000, budget=1_000_000)
    for number in range(60):
        memory.add_user_message(f"question {number} " + "x" * 400)
        memory.add_assistant_message("answer " + "y" * 400)
    memory.add_user_message("now")
    assert sent(memory)[-1]["content"] == "now"


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="0"):
        make(budget=0)


def test_what_was_said_is_in_the_request_in_order() -> None:
    memory = make()
    memory.add_user_message("look at a.txt")
    call = ToolCall("1", "read_file", '{"path": "a.txt"}')
    memory.add_assistant_message("reading", [call], "hm")
    memory.add_tool_result("read_file", "content", call_id="1")
    memory.add_assistant_message("it says content")
    wire = sent(memory)
    assert [message["role"] for message in wire] == ["system", "user", "assistant", "tool", "assistant"]
    assert wire[0]["content"] == PROMPT


def test_a_tool_result_without_an_id_belongs_to_the_oldest_unanswered_call_and_knows_its_arguments() -> None:
    memory = make()
    memory.add_user_message("look")
    calls = [ToolCall("1", "read_file", '{"path": "a"}'), ToolCall("2", "read_file", '{"path": "b"}')]
    memory.add_assistant_message("", calls)
    first, second = memory.add_tool_result("read_file", "A"), memory.add_tool_result("read_file", "B")
    assert (first.metadata["tool"], first.metadata["arguments"]) == ("read_file", '{"path": "a"}')
    assert second.metadata["arguments"] == '{"path": "b"}'
    assert first.type is MemoryType.TOOL_RESULT
    assert [m["content"] for m in sent(memory) if m["role"] == "tool"] == ["A", "B"]
    assert memory.short_term.search("read_file")


def test_a_result_without_any_call_costs_no_valid_request() -> None:
    memory = make()
    memory.add_user_message("look")
    memory.add_tool_result("read_file", "out of nowhere")
    assert [message["role"] for message in sent(memory)] == ["system", "user"]
    assert memory.retrieve("nowhere")


def test_an_assistant_message_that_says_nothing_is_not_taken() -> None:
    memory = make()
    assert memory.add_assistant_message("  \n", (), "only thinking") is None
    assert len(memory.short_term) == 0


def test_a_pending_call_is_answered_as_interrupted() -> None:
    memory = make()
    memory.add_user_message("look")
    memory.add_assistant_message("", [ToolCall("1", "read_file")])
    memory.add_user_message("never mind")
    assert [m["content"] for m in sent(memory)][-2:] == [INTERRUPTED_RESULT, "never mind"]


def test_what_is_compressed_is_what_is_sent() -> None:
    memory = make(ScriptedModel(notes), window=4_000)
    for number in range(20):
        memory.add_user_message(f"question {number} " + "x" * 400)
        memory.add_assistant_message(f"answer {number} " + "y" * 400)
    memory.add_user_message("and now?")
    text = json.dumps(sent(memory))
    assert "notes" in text
    assert "question 0 " not in text
    assert "question 19 " in text
    assert memory.budget.by_purpose["summary"].calls > 0


def test_the_summary_stands_in_the_one_system_message_after_the_prompt() -> None:
    memory = make(ScriptedModel(notes))
    for number in range(5):
        memory.add_user_message(f"question number {number} of a talk")
        memory.add_assistant_message("the answer to it")
    report = memory.compress_now()
    assert report is not None
    wire = sent(memory)
    assert [message["role"] for message in wire].count("system") == 1
    assert wire[0]["content"].startswith(PROMPT + "\n\n")
    assert "[Conversation summary] notes" in wire[0]["content"]


def test_compression_comes_before_eviction() -> None:
    records = Records()
    memory = make(ScriptedModel(notes), window=4_000, journal=records)
    for number in range(30):
        memory.add_user_message(f"question {number} " + "x" * 300)
        memory.add_assistant_message(f"answer {number}")
    assert "summary" in records.kinds()
    assert "evicted" not in records.kinds()


def test_what_was_evicted_is_summarised_at_the_next_chance() -> None:
    replies = iter(["", *["notes"] * 99])
    memory = make(ScriptedModel(lambda _messages, _tools: next(replies)), budget=100)
    for number in range(4):
        memory.add_user_message(f"question {number} " + "x" * 120)
    memory.compress_if_needed()
    assert memory.short_term.compressed_summaries == []
    assert next(iter(memory.short_term)).type is MemoryType.SUMMARY


def test_without_a_model_the_oldest_leave_and_wait() -> None:
    memory = make(budget=100)
    for number in range(9):
        memory.add_user_message(f"question {number} " + "x" * 120)
    assert len(memory.short_term) + memory.status().waiting == 9
    assert memory.status().waiting > 0


def test_a_message_larger_than_the_window_is_refused_and_not_taken() -> None:
    memory = make(window=4_000)
    memory.add_user_message("first")
    with pytest.raises(MessageTooLarge) as caught:
        memory.add_user_message("长" * 12_000)
    assert caught.value.values["window"] == 4_000
    assert [entry.content for entry in memory.short_term] == ["first"]
    memory.add_user_message("second")
    assert sent(memory)[-1]["content"] == "second"


def test_in_a_small_window_a_huge_tool_result_is_cut_with_a_marker_and_the_journal_has_all_of_it() -> None:
    records = Records()
    memory = make(ScriptedModel(notes), window=4_000, journal=records)
    memory.add_user_message("look")
    memory.add_assistant_message("", [ToolCall("1", "read_file")])
    result = "line of a log\n" * 9_000
    memory.add_tool_result("read_file", result)
    wire = sent(memory)
    assert "characters cut" in wire[-1]["content"]
    assert wire[1]["content"] == "look"
    assert records.all[-1]["text"] == result


def test_many_parallel_results_in_a_small_window_are_complete_pairs() -> None:
    memory = make(ScriptedModel(notes), window=4_000)
    memory.add_user_message("look at all of them")
    memory.add_assistant_message("", [ToolCall(str(n), "read_file", json.dumps({"path": "x" * 40})) for n in range(60)])
    for number in range(60):
        memory.add_tool_result("read_file", "x" * 8_000, call_id=str(number))
    wire = sent(memory)
    calls = [call["id"] for message in wire for call in message.get("tool_calls", ())]
    assert calls == [message["tool_call_id"] for message in wire if message["role"] == "tool"]
    assert wire[1]["content"] == "look at all of them"


def test_two_hundred_old_turns_twice_the_window_stay_within_it() -> None:
    model = ScriptedModel(notes)
    memory = make(model, window=4_000)
    for number in range(200):
        memory.add_user_message(f"question {number} " + "x" * 120)
        memory.add_assistant_message(f"answer {number} " + "y" * 40)
    sent(memory)
    counter = EstimatingCounter()
    assert max(counter.count(render(request.messages)) for request in model.requests) <= 4_000


def test_no_call_for_a_summary_or_facts_is_longer_than_the_window() -> None:
    model = ScriptedModel(notes, by_purpose={"facts": lambda _messages, _tools: "[]"})
    memory = make(window=200_000)
    for number in range(30):
        memory.add_user_message(f"question {number} " + "中文" * 500)
        memory.add_assistant_message("", [ToolCall(str(number), "write_file", json.dumps({"content": "x" * 4_000}))])
        memory.add_tool_result("write_file", "y" * 8_000)
    memory.connect(model, 4_000)
    sent(memory)
    memory.extract_and_save_facts()
    counter = EstimatingCounter()
    assert {request.purpose for request in model.requests} == {"summary", "facts"}
    assert max(counter.count(render(request.messages)) for request in model.requests) <= 4_000


def test_thinking_that_goes_back_counts() -> None:
    quirks = Quirks(thinking=ThinkingEcho.ALWAYS)
    memory = make(window=4_000)
    for number in range(10):
        memory.add_user_message(f"question {number}")
        memory.add_assistant_message("answer", (), "thought " * 300)
    memory.add_user_message("now")
    assert sent(memory, quirks=quirks)[-1]["content"] == "now"


def test_the_users_texts_of_the_last_three_rounds_outlive_their_tool_results() -> None:
    memory = make(window=4_000)
    for number in range(3):
        memory.add_user_message(f"question {number}")
        for step in range(3):
            memory.add_assistant_message("", [ToolCall(f"{number}-{step}", "read_file")])
            memory.add_tool_result("read_file", "x" * 2_400)
    texts = [message["content"] for message in sent(memory) if message["role"] == "user"]
    assert texts == ["question 0", "question 1", "question 2"]


def test_without_anything_to_remember_the_system_message_is_the_plain_prompt() -> None:
    memory = make()
    memory.add_user_message("hello")
    block = memory.build_context_for_query("hello")
    assert block == ""
    assert sent(memory, block=block)[0]["content"] == PROMPT


def test_what_is_remembered_is_in_the_system_message_and_never_in_the_users_words() -> None:
    memory = make()
    memory.store_fact("JDK 保持 17")
    block = memory.context_block("帮我再创建一个项目")
    memory.add_user_message("帮我再创建一个项目")
    wire = sent(memory, block=block.text)
    assert "JDK 保持 17" in wire[0]["content"]
    assert wire[1] == {"role": "user", "content": "帮我再创建一个项目"}
    assert memory.last_receipt == block
    assert [entry.content for entry in block.core] == ["JDK 保持 17"]


def test_thirty_questions_leave_no_blocks_behind() -> None:
    memory = make()
    memory.store_fact("JDK 保持 17")
    for _ in range(30):
        block = memory.build_context_for_query("用哪个 JDK")
        memory.add_user_message("用哪个 JDK")
        wire = sent(memory, block=block)
        memory.add_assistant_message("17")
    assert json.dumps(wire, ensure_ascii=False).count("JDK 保持 17") == 1


def test_recalled_facts_are_not_extracted_again() -> None:
    model = ScriptedModel([], by_purpose={"facts": ['{"facts": []}'] * 20})
    memory = make(model)
    kept = memory.store_fact("JDK 保持 17")
    for _ in range(20):
        block = memory.build_context_for_query("用哪个 JDK")
        memory.add_user_message("用哪个版本呢")
        sent(memory, block=block)
        memory.extract_and_save_facts()
    assert list(memory.long_term) == [kept]
    assert all("JDK" not in request.messages[1].text for request in model.requests)


def test_the_demonstrations_statement_and_its_extraction_are_one_fact() -> None:
    reply = json.dumps([{"fact": "用户偏好 JDK 17", "quote": "JDK 可以保持 17"}])
    memory = make(ScriptedModel([reply]))
    memory.add_user_message("帮我创建一个 Java 项目叫 myapp")
    kept = memory.remember_statement(memory.add_user_message("JDK 可以保持 17，你记一下"))
    assert kept is not None
    memory.extract_and_save_facts()
    (fact,) = memory.long_term
    assert fact.id == kept.entry.id
    assert "17" in memory.build_context_for_query("帮我再创建一个项目")


def test_clear_leaves_nothing_of_the_talk() -> None:
    memory = make(ScriptedModel(notes), budget=100)
    for number in range(9):
        memory.add_user_message(f"question {number} " + "x" * 120)
    memory.clear()
    assert (len(memory.short_term), memory.status().short_term_tokens, memory.has_unextracted) == (0, 0, False)
    memory.add_user_message("new")
    assert [message["content"] for message in sent(memory)] == [PROMPT, "new"]


def test_every_call_is_on_the_account_with_its_purpose() -> None:
    memory = make(ScriptedModel(["[]"]))
    memory.add_user_message("我喜欢 Go")
    memory.record_token_usage(100, 10)
    memory.extract_and_save_facts()
    assert set(memory.budget.by_purpose) == {"chat", "facts"}
    assert memory.status().usage.calls == 2


def test_the_status_tells_sizes_facts_calls_and_the_place() -> None:
    memory = make()
    memory.add_user_message("hello")
    memory.store_fact("JDK 保持 17")
    memory.record_token_usage(100, 10)
    status = memory.system_status()
    for part in ("196700", "1 entries", "1 facts", "calls 1", "input 100", "output 10", memory.long_term.location):
        assert part in status


def test_the_journal_has_everything_and_rebuilds_the_window() -> None:
    records = Records()
    memory = make(ScriptedModel(notes), window=4_000, journal=records)
    for number in range(30):
        memory.add_user_message(f"question {number} " + "x" * 300)
        memory.add_assistant_message("", [ToolCall(str(number), "read_file")], "hm")
        memory.add_tool_result("read_file", "y" * 600)
        memory.add_assistant_message(f"answer {number}")
    window, waiting = window_of(records.all)
    assert [entry.message or entry.content for entry in window] == [e.message or e.content for e in memory.short_term]
    assert [entry.id for entry in waiting] == [entry.id for entry in memory.short_term.compressed_summaries]


class Full:
    """A journal that can't be written."""

    def append(self, record: Mapping[str, Any]) -> None:
        raise StoreUnavailable(place="/full", reason="no space left")


def test_a_journal_that_fails_is_told_and_stops_nothing() -> None:
    memory = make(journal=Full())
    memory.add_user_message("hello")
    assert [notice.code for notice in memory.take_notices()] == ["journal-failed"]
    assert memory.take_notices() == []
    assert sent(memory)[-1]["content"] == "hello"


def test_a_failed_compression_is_told_once_and_the_request_goes_out() -> None:
    model = ScriptedModel(lambda _messages, _tools: "")
    memory = make(model, window=4_000)
    for number in range(60):
        memory.add_user_message(f"question {number} " + "x" * 300)
        memory.add_assistant_message(f"answer {number}")
    codes = [notice.code for notice in memory.take_notices()]
    assert codes.count("compression-failed") == 3
    assert codes.count("compression-paused") == 1
    assert sent(memory)
    memory.clear()
    memory.connect(ScriptedModel(notes))


def test_a_prompt_above_the_trigger_does_not_compress_for_ever() -> None:
    model = ScriptedModel(notes)
    memory = make(model, window=4_000)
    memory.prepare("rule " * 2_500)
    for text in ("one", "two", "three"):
        memory.add_user_message(text)
        memory.add_assistant_message("ok")
    assert len(model.requests) <= 3


def test_an_interrupt_during_compression_leaves_a_valid_history() -> None:
    model = ScriptedModel([KeyboardInterrupt()] * 9)
    memory = make(model, budget=200)
    for number in range(5):
        memory.add_user_message(f"question {number} ")
    with pytest.raises(KeyboardInterrupt):
        memory.add_user_message("x" * 700)
    assert len(memory.short_term) == 6
    assert all(role_of(entry) == "user" for entry in memory.short_term)
    assert memory.short_term.compressed_summaries == []
    memory.connect(None)
    assert sent(memory)[-1]["role"] == "user"


def test_a_tasks_memory_has_its_own_history_and_shares_facts_budget_and_journal() -> None:
    records = Records()
    memory = make(ScriptedModel([]), journal=records, language="en", scopes=Scopes(project="p1"))
    task = memory.for_task("t1")
    task.add_user_message("do it")
    task.record_token_usage(5, 5, purpose="task")
    task.store_fact("我喜欢 Go")
    assert len(memory.short_term) == 0
    assert memory.budget.by_purpose["task"].calls == 1
    assert len(memory.long_term) == 1
    assert {record["task"] for record in records.all} == {"t1"}
    assert task.build_context_for_query("用什么语言").startswith("## Long-term memory")


def test_another_window_is_followed_at_once() -> None:
    memory = make(ScriptedModel(notes))
    for number in range(40):
        memory.add_user_message(f"question {number} " + "x" * 400)
        memory.add_assistant_message("y" * 400)
    memory.resize(4_000)
    memory.add_user_message("now")
    assert sent(memory)[-1]["content"] == "now"


def test_in_a_small_window_the_block_takes_an_eighth() -> None:
    memory = make(window=2_000)
    for number in range(30):
        memory.store_fact(f"用户喜欢第 {number} 号工具")
    assert 0 < memory.context_block("工具", 500).tokens <= 250


def test_an_empty_question_has_no_memories() -> None:
    memory = make()
    memory.store_fact("端口是 5433")
    assert memory.retrieve("") == []
    assert memory.scored("端口")[0].score > 0


def test_a_session_of_another_process_can_be_looked_through() -> None:
    reply = json.dumps([{"fact": "用户喜欢 Go", "quote": "我喜欢 Go"}])
    other = make()
    other.add_user_message("我喜欢 Go")
    memory = make(ScriptedModel([reply]))
    assert [kept.entry.content for kept in memory.extract_from(list(other.short_term)).kept] == ["用户喜欢 Go"]


def test_what_is_saved_without_a_disk_is_kept_for_the_session() -> None:
    memory = MemoryManager(None, LongTermMemory(InMemoryStore(), read_only=True))
    assert not memory.remember("我喜欢 Go").saved
    assert memory.remember_statement("天气如何？") is None
    assert memory.build_context_for_query("Go")
