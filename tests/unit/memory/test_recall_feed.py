"""Beyond a short history the system message stays as it is, and new facts come behind the question."""

from __future__ import annotations

import json

import pytest

from paicli.memory import InMemoryStore, LongTermMemory, MemoryManager
from paicli.memory.message import INTERRUPTED_RESULT, Message, Quirks, ThinkingEcho, render
from paicli.memory.recall_feed import SHORT_HISTORY_TOKENS, RecallForm, recall_form

PLAIN = Quirks()
THINKS = Quirks(thinking=ThinkingEcho.WITH_CALLS, thinking_required=True)
PROMPT = "You are a test."
# About the project, so that they are recalled, and not always there.
FACTS = [
    "我们的支付网关监听 7101",
    "我们的日志平台放在苏州机房",
    "我们的报表脚本由陆青禾维护",
    "我们的搜索集群叫 bramble",
]


@pytest.fixture
def memory() -> MemoryManager:
    manager = MemoryManager(long_term=LongTermMemory(InMemoryStore()))
    for fact in FACTS:
        manager.store_fact(fact, scope="user")
    return manager


def ask(memory: MemoryManager, question: str, quirks: Quirks = PLAIN) -> list[Message]:
    """A turn as the agent makes it; returns the request."""
    found = memory.context_block(question, 500)
    memory.add_user_message(question)
    memory.place(found, question, quirks)
    messages = memory.request(PROMPT, (), quirks)
    memory.add_assistant_message("好的")
    return messages


def lengthen(memory: MemoryManager) -> None:
    memory.add_user_message("一段很长的日志：" + "没有异常的一行。" * 2_000)
    memory.add_assistant_message("看过了")


def recalls(messages: list[Message]) -> list[str]:
    return [message.text for message in messages if message.tool_name == "recall"]


@pytest.mark.parametrize(
    ("tokens", "threshold", "quirks", "is_anchored", "form"),
    [
        (SHORT_HISTORY_TOKENS - 1, SHORT_HISTORY_TOKENS, PLAIN, True, RecallForm.BLOCK),
        (SHORT_HISTORY_TOKENS, SHORT_HISTORY_TOKENS, PLAIN, True, RecallForm.CALL),
        (SHORT_HISTORY_TOKENS, SHORT_HISTORY_TOKENS, THINKS, True, RecallForm.EXTENSION),
        (SHORT_HISTORY_TOKENS, SHORT_HISTORY_TOKENS, PLAIN, False, RecallForm.BLOCK),
        (1, 0, PLAIN, True, RecallForm.CALL),
        (10**9, None, PLAIN, True, RecallForm.BLOCK),
    ],
)
def test_the_form_is_a_function_of_size_threshold_and_quirks(
    tokens: int, threshold: int | None, quirks: Quirks, *, is_anchored: bool, form: RecallForm
) -> None:
    assert recall_form(tokens, threshold, quirks, is_anchored=is_anchored) is form


def test_a_short_history_has_a_block_for_each_question(memory: MemoryManager) -> None:
    first, second = ask(memory, "支付网关"), ask(memory, "日志平台")
    assert "7101" in first[0].text
    assert "苏州" in second[0].text
    assert recalls(second) == []


def test_beyond_it_the_system_message_stays_and_the_new_fact_comes_as_a_call(memory: MemoryManager) -> None:
    ask(memory, "支付网关")
    lengthen(memory)
    before = ask(memory, "谢谢")
    after = ask(memory, "日志平台")
    assert before[0].text.partition("<memory>")[2] == after[0].text.partition("<memory>")[2]
    question = next(index for index, message in enumerate(after) if message.text == "日志平台")
    call, result = after[question + 1], after[question + 2]
    assert call.tool_calls[0].name == "recall"
    assert json.loads(call.tool_calls[0].arguments) == {"query": "日志平台"}
    assert "苏州" in result.text
    assert "<memory>" in result.text


def test_a_fact_is_given_once_while_it_is_in_the_window(memory: MemoryManager) -> None:
    ask(memory, "支付网关")
    lengthen(memory)
    ask(memory, "日志平台")
    again = ask(memory, "日志平台")
    assert sum("苏州" in text for text in recalls(again)) <= 1
    assert len(recalls(ask(memory, "支付网关"))) == len(recalls(again))


def test_what_was_sent_is_the_beginning_of_what_is_sent_next(memory: MemoryManager) -> None:
    ask(memory, "支付网关")
    lengthen(memory)
    previous = render(ask(memory, "谢谢"))
    for question in ("日志平台", "报表脚本", "谢谢", "搜索集群"):
        request = render(ask(memory, question))
        assert request[: len(previous)] == previous
        previous = request


def test_where_calls_are_refused_the_block_is_extended(memory: MemoryManager) -> None:
    ask(memory, "支付网关", THINKS)
    lengthen(memory)
    ask(memory, "谢谢", THINKS)
    messages = ask(memory, "日志平台", THINKS)
    assert recalls(messages) == []
    lines = messages[0].text.splitlines()
    assert lines[-1] == "</memory>"
    assert "苏州" in messages[0].text


def test_a_forgotten_fact_is_gone_from_block_and_calls_at_once(memory: MemoryManager) -> None:
    ask(memory, "支付网关")
    lengthen(memory)
    assert "苏州" in str(ask(memory, "日志平台"))
    for entry in list(memory.long_term):
        memory.long_term.forget(entry.id)
    messages = ask(memory, "继续")
    assert "<memory>" not in messages[0].text
    assert recalls(messages) == []
    assert INTERRUPTED_RESULT not in str(render(messages))


def test_clearing_makes_the_block_anew(memory: MemoryManager) -> None:
    ask(memory, "支付网关")
    lengthen(memory)
    memory.clear()
    assert "苏州" in ask(memory, "日志平台")[0].text


def test_a_withdrawn_question_takes_its_recall_along(memory: MemoryManager) -> None:
    ask(memory, "支付网关")
    lengthen(memory)
    found = memory.context_block("日志平台", 500)
    entry = memory.add_user_message("日志平台")
    before = [one.id for one in memory.short_term if one.id != entry.id]
    memory.place(found, "日志平台")
    assert memory.withdraw(entry)
    assert [one.id for one in memory.short_term] == before


def test_what_the_user_said_in_the_window_is_not_recalled_to_the_model(memory: MemoryManager) -> None:
    ask(memory, "你好")
    lengthen(memory)
    entry = memory.add_user_message("记一下：我们的备份任务跑在 7505")
    kept = memory.remember_statement(entry)
    assert kept is not None
    assert all("7505" not in text for text in recalls(ask(memory, "备份任务跑在哪")))
