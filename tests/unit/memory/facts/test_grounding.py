"""What of a model's proposals the user really said, and meant for good: measured on sentences, and case by case."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paicli.memory import MemoryEntry, MemoryType
from paicli.memory.extractor import extract
from paicli.memory.facts.candidate import Candidate
from paicli.memory.facts.grounding import GroundedFact, ground
from paicli.memory.message import Message
from paicli.testing import ScriptedModel

SENTENCES = json.loads((Path(__file__).parent / "sentences.json").read_text(encoding="utf-8"))
"""Sentences of users, whether each is worth keeping; the rules were made on one half and measured on the other."""


def user(text: str) -> MemoryEntry:
    return MemoryEntry(text, MemoryType.CONVERSATION, message=Message("user", text))


def grounded(said: str, quote: str | None = None, fact: str | None = None) -> GroundedFact | None:
    """What becomes of a proposal of a model that takes everything for a fact."""
    return ground(Candidate(fact or said, said if quote is None else quote), [user(said)])


def drawn(said: str, *proposed: tuple[str, str]) -> list[str]:
    """The facts a conversation gives, with what a model proposes: fact and quote."""
    reply = json.dumps([{"fact": fact, "quote": quote} for fact, quote in proposed], ensure_ascii=False)
    return [fact.content for fact in extract(ScriptedModel([reply]), [user(said)])[0]]


def precision_and_recall(half: str) -> tuple[float, float]:
    rows = [row for row in SENTENCES if row["half"] == half]
    kept = [row["durable"] for row in rows if grounded(row["text"])]
    return sum(kept) / len(kept), sum(kept) / sum(row["durable"] for row in rows)


def test_on_the_sentences_it_was_made_with_no_mistake_is_made() -> None:
    assert precision_and_recall("development") == (1.0, 1.0)


def test_on_sentences_it_was_not_made_with_nearly_none_is_made() -> None:
    precision, recall = precision_and_recall("held out")
    assert precision > 0.9
    assert recall > 0.95


@pytest.mark.parametrize(
    "said",
    [
        "read notes.txt please",
        "run the tests",
        "use tabs in this file",
        "add a Dockerfile",
        "跑一下测试",
        "把这个文件删掉",
        "写个排序函数",
        "先用 sqlite 试试",
        "maybe we should use Redis",
        "if we used Redis it would be faster",
        "why does it use Redis",
        "I was wondering about Redis",
        "他说项目用 Redis",
        "假设端口是 8443",
        "要不要用 Redis",
        "Here is the log: user prefers COBOL",
        "记一下日志到文件里",
        "帮我创建一个服务，数据库用 MySQL 8",
        "他说，我们项目用 Redis",
        "日志如下：\n用户喜欢 COBOL\n项目用 Redis",
        "```\nuser prefers COBOL\n```",
    ],
)
def test_what_is_asked_guessed_told_or_pasted_is_no_fact_with_a_quote_or_without(said: str) -> None:
    facts = [said, "Project uses Redis", "The user prefers COBOL", "项目用 Redis"]
    quotes = [said, "", *(words for words in ("use Redis", "用 Redis", "user prefers COBOL") if words in said)]
    assert [one for fact in facts for quote in quotes if (one := grounded(said, quote, fact))] == []


@pytest.mark.parametrize(
    "said",
    [
        "以后提交信息都用英文写",
        "我们统一用 Redis 7",
        "keep answers short from now on",
        "JDK 可以保持 17，你记一下",
        "就按递归来，以后都这样",
        "我叫王牧，我儿子叫王小明",
        "我讨厌香菜",
        "不要用 Lombok",
        "the project uses Maven",
        "we decided to use Redis",
        "对了，我们项目的构建工具固定用 Maven 3.9，不用 Gradle",
        "项目用 JDK 8",
        "我们已经从 JDK 8 升到 JDK 17 了",
        "always run the linter before committing",
        "please always answer in English",
        "我叫王牧，你呢？",
        "以后都用中文吧",
        "we use Redis, how do I connect to it?",
    ],
)
def test_what_holds_for_good_is_a_fact_with_a_quote_or_without(said: str) -> None:
    assert grounded(said)
    assert grounded(said, "")


@pytest.mark.parametrize(
    ("said", "quote", "fact", "content"),
    [
        ("we stopped using Redis", "using Redis", "Project uses Redis", "we stopped using Redis"),
        ("我们不用 Redis", "用 Redis", "项目用 Redis", "我们不用 Redis"),
        ("我们不再用 Redis 了", "用 Redis 了", "项目用 Redis", "我们不再用 Redis 了"),
        ("缓存已经换成 Memcached 了", "Memcached", "缓存用 Memcached", "缓存已经换成 Memcached 了"),
        (
            "我们已经从 JDK 8 升到 JDK 17 了",
            "JDK 8",
            "项目用 JDK 8",
            "我们已经从 JDK 8 升到 JDK 17 了",
        ),
        ("we no longer use Redis", "use Redis", "The project uses Redis", "we no longer use Redis"),
    ],
)
def test_a_change_and_a_negation_stand_in_the_users_words_even_where_the_quote_leaves_them_out(
    said: str, quote: str, fact: str, content: str
) -> None:
    found = grounded(said, quote, fact)
    assert found is not None
    assert found.content == content


def test_of_a_message_only_the_lasting_clauses_count() -> None:
    found = grounded("帮我看看构建，顺便说，我们用 pnpm", fact="帮我看看构建，我们用 pnpm")
    assert found is not None
    assert (found.content, found.quote) == ("我们用 pnpm", "我们用 pnpm")
    pasted = "日志如下：\n```\nuser prefers COBOL\n```\n我们用 Redis 7"
    assert drawn(pasted, ("The user prefers COBOL", "user prefers COBOL"), ("项目用 Redis 7", "我们用 Redis 7")) == [
        "项目用 Redis 7"
    ]


def test_one_thing_said_in_two_wordings_is_one_fact() -> None:
    said = "我们不用 Redis"
    assert len(drawn(said, ("不用 Redis", "不用 Redis"), ("我们不用 Redis", said))) == 1
    said = "我们的构建工具固定用 Maven 3.9，不用 Gradle"
    assert drawn(said, ("项目用 Maven 3.9", "固定用 Maven 3.9"), ("项目用 Maven 3.9，不用 Gradle", said)) == [
        "项目用 Maven 3.9，不用 Gradle"
    ]


def test_two_things_said_in_one_breath_are_two_facts() -> None:
    said = "我叫王牧，我儿子叫王小明"
    assert drawn(said, ("用户名叫王牧", said), ("用户的儿子叫王小明", said)) == ["用户名叫王牧", "用户的儿子叫王小明"]


def test_a_question_with_the_same_words_does_not_hide_the_statement() -> None:
    for said in ("我们用 Redis 7 吗？我们用 Redis 7", "我们用 Redis 7。我们用 Redis 7 吗？"):
        assert grounded(said, "我们用 Redis 7", "项目用 Redis 7")
        assert grounded(said, "", "项目用 Redis 7")


@pytest.mark.parametrize("noise", ["a ", "用 ", "我们用 Redis，", "use redis\n", "log: ", "```", "什么", "a,"])
@pytest.mark.parametrize("quote", ["我们用 Redis", ""])
def test_a_long_message_is_no_trouble(noise: str, quote: str) -> None:
    grounded(noise * 2_000 + "我们用 Redis", quote, "项目用 Redis")
    assert grounded(noise * 2_000, noise * 2_000, "项目用 Redis") is None
