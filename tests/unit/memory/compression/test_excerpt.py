"""Excerpt: a summary without a model."""

from __future__ import annotations

from paicli.memory import MemoryEntry, MemoryType
from paicli.memory.compression.excerpt import excerpt
from paicli.memory.compression.plan import CompressionPlan, Limits
from paicli.memory.compression.summary import finished
from paicli.memory.message import Message, ToolCall
from paicli.memory.tokens.estimate import estimate_tokens


def entry(role: str, text: str, *calls: ToolCall) -> MemoryEntry:
    return MemoryEntry(text, MemoryType.CONVERSATION, message=Message(role, text, tool_calls=calls))  # type: ignore[arg-type]


def talk(rounds: int) -> tuple[MemoryEntry, ...]:
    entries: list[MemoryEntry] = []
    for number in range(rounds):
        entries += [
            entry("user", f"question {number} " + "because of this and that " * 20),
            entry("assistant", "let me see", ToolCall("1", "read_file")),
            entry("tool", "z" * 900),
            entry("assistant", f"answer {number} " + "as it is so " * 40),
        ]
    return tuple(entries)


def test_it_has_question_last_answer_and_tools_of_each_round() -> None:
    text = excerpt(CompressionPlan((talk(4),)))
    lines = text.splitlines()
    assert len(lines) == 9
    assert lines[1].startswith("- User: question 0 because")
    assert lines[2].startswith("- Assistant (called read_file): answer 0 as")
    assert "zzz" not in text


def test_it_speaks_the_language_of_the_talk() -> None:
    entries = (entry("user", "怎么部署？" * 30), entry("assistant", "这样部署。" * 30))
    lines = excerpt(CompressionPlan((entries,), language="zh")).splitlines()
    assert lines[1].startswith("- 用户: 怎么部署")
    assert lines[2].startswith("- 助手: 这样部署")


def test_it_keeps_to_its_length_and_drops_the_oldest() -> None:
    plan = CompressionPlan((talk(60),), limits=Limits(summary_tokens=300))
    text = excerpt(plan)
    assert estimate_tokens(text) <= 300
    assert "question 59" in text
    assert "question 0 " not in text


def test_the_summary_so_far_stands_in_it() -> None:
    first = finished(CompressionPlan((talk(4),)), "Goal: ship it", "model").entry
    text = excerpt(CompressionPlan((talk(6),), first))
    assert "Goal: ship it" in text
    again = finished(CompressionPlan((talk(6),)), text, "excerpt").entry
    assert excerpt(CompressionPlan((talk(6),), again)).count("An excerpt") == 1


def test_where_there_is_hardly_a_source_there_is_none() -> None:
    assert excerpt(CompressionPlan(((entry("user", "hello"),),))) == ""
