"""MemoryRetriever: both memories ranked together; the text to inject from long-term memory alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from paicli.memory import (
    ConversationMemory,
    InMemoryStore,
    LongTermMemory,
    MemoryEntry,
    MemoryRetriever,
    MemoryType,
    estimate_tokens,
)
from paicli.memory.entry import FactKind
from paicli.memory.scope import Scopes

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def now() -> datetime:
    return NOW


def fact(text: str, scope: str = "user", days: float = 0, kind: FactKind | None = None) -> MemoryEntry:
    return MemoryEntry(text, MemoryType.FACT, timestamp=NOW - timedelta(days=days), scope=scope, kind=kind)


def talk(text: str, role: str = "user") -> MemoryEntry:
    return MemoryEntry(text, MemoryType.CONVERSATION, timestamp=NOW, metadata={"source": role})


@pytest.fixture
def long_term() -> LongTermMemory:
    return LongTermMemory(InMemoryStore(), clock=now)


def test_long_term_entries_weigh_a_fifth_more(long_term: LongTermMemory) -> None:
    short_term = ConversationMemory(1_000)
    short_term.append(talk("用 Maven 构建"))
    short_term.append(talk("好", "assistant"))
    short_term.append(talk("怎么构建"))
    long_term.store(fact("用 Maven 构建"))
    first, second = MemoryRetriever(short_term, long_term, clock=now).scored("maven 构建")
    assert (first.from_long_term, first.source_weight, second.source_weight) == (True, 1.2, 1.0)
    assert first.score == pytest.approx(1.2 * second.score)


def test_the_weight_can_be_set_by_position(long_term: LongTermMemory) -> None:
    long_term.store(fact("用 Maven"))
    (found,) = MemoryRetriever(None, long_term, 2.0).scored("maven")
    assert found.source_weight == 2.0


def test_the_best_come_first_and_no_more_than_asked_for(long_term: LongTermMemory) -> None:
    long_term.store(fact("用 Maven 构建"))
    long_term.store(fact("Maven 的镜像在内网", days=40))
    long_term.store(fact("用 Maven 构建后端，部署到 k8s"))
    retriever = MemoryRetriever(None, long_term, clock=now)
    scores = [found.score for found in retriever.scored("maven 构建", 10)]
    assert scores == sorted(scores, reverse=True)
    assert len(retriever.retrieve("maven", 2)) == 2
    assert retriever.retrieve("maven", 0) == []


def test_the_question_itself_is_no_memory(long_term: LongTermMemory) -> None:
    short_term = ConversationMemory(1_000)
    short_term.append(talk("数据库端口是多少"))
    assert MemoryRetriever(short_term, long_term).retrieve("数据库端口是多少") == []


def test_a_tool_result_of_this_session_is_found_by_its_tool_and_arguments(long_term: LongTermMemory) -> None:
    short_term = ConversationMemory(1_000)
    short_term.append(
        MemoryEntry("<project/>", MemoryType.TOOL_RESULT, metadata={"tool": "read_file", "arguments": "pom.xml"})
    )
    short_term.append(talk("之前读了什么"))
    assert [entry.content for entry in MemoryRetriever(short_term, long_term).retrieve("pom.xml")] == ["<project/>"]


@pytest.mark.parametrize("query", ["", "  ", "明天天气怎么样"])
def test_an_empty_or_unrelated_question_recalls_nothing(long_term: LongTermMemory, query: str) -> None:
    long_term.store(fact("项目用 Maven", kind=FactKind.PROJECT))
    retriever = MemoryRetriever(None, long_term)
    assert retriever.retrieve(query) == []
    assert retriever.build_context_for_query(query) == ""


def test_the_block_is_of_long_term_memory_only(long_term: LongTermMemory) -> None:
    short_term = ConversationMemory(1_000)
    short_term.append(talk("密码学笔记在 A 盘"))
    short_term.append(talk("好", "assistant"))
    short_term.append(talk("x"))
    long_term.store(fact("端口是 5433", kind=FactKind.OTHER))
    retriever = MemoryRetriever(short_term, long_term)
    assert retriever.build_context_for_query("密码学笔记在哪") == ""
    assert "5433" in retriever.build_context_for_query("端口")


def test_the_core_is_there_whatever_is_asked(long_term: LongTermMemory) -> None:
    long_term.store(fact("用户偏好 JDK 17"))
    for query in ("帮我再创建一个项目", "", "hello"):
        assert "JDK 17" in MemoryRetriever(None, long_term).build_context_for_query(query)


def test_facts_of_other_projects_stay_out(long_term: LongTermMemory) -> None:
    for scope in ("user", "project:a", "project:b"):
        long_term.store(fact(f"依赖用 pnpm 装，范围 {scope}", scope))
    block = MemoryRetriever(None, long_term, scopes=Scopes(project="a")).build_context_for_query("怎么装依赖 pnpm")
    assert "project:a" in block
    assert "范围 user" in block
    assert "project:b" not in block


@pytest.mark.parametrize("room", [0, 30, 60, 100, 300, 500])
def test_the_block_keeps_to_its_room(long_term: LongTermMemory, room: int) -> None:
    for number in range(40):
        long_term.store(fact(f"用户喜欢第 {number} 号工具 " + "说明" * number))
    assert estimate_tokens(MemoryRetriever(None, long_term).build_context_for_query("工具", room)) <= room


def test_a_fact_that_is_added_is_found_at_once_and_a_forgotten_one_is_gone_at_once(long_term: LongTermMemory) -> None:
    retriever = MemoryRetriever(None, long_term)
    assert retriever.retrieve("端口") == []
    kept = long_term.store(fact("端口是 5433"))
    assert retriever.retrieve("端口") == [kept]
    long_term.forget(kept.id)
    assert retriever.retrieve("端口") == []
