"""FactKeeper: scope, provenance, and an honest word about what became of a fact."""

from __future__ import annotations

import pytest

from paicli.errors import EmptyContent, StoreError, StoreReadOnly
from paicli.memory import InMemoryStore, LongTermMemory, MemoryEntry, MemoryType
from paicli.memory.entry import FactKind, Origin
from paicli.memory.facts.grounding import GroundedFact
from paicli.memory.keeper import FactKeeper
from paicli.memory.scope import Scopes


@pytest.fixture
def keeper() -> FactKeeper:
    return FactKeeper(LongTermMemory(InMemoryStore()), Scopes(project="p1"), session="s1")


def said(text: str) -> MemoryEntry:
    return MemoryEntry(text, MemoryType.CONVERSATION)


def fact(content: str, quote: str = "", message: str = "m1") -> GroundedFact:
    return GroundedFact(content, quote or content, message, FactKind.PREFERENCE)


def test_what_the_user_saves_is_the_users_own_word(keeper: FactKeeper) -> None:
    entry = keeper.store("  喜欢简短回答 ")
    assert (entry.content, entry.type, entry.origin, entry.scope) == (
        "喜欢简短回答",
        MemoryType.FACT,
        Origin.USER,
        "user",
    )
    assert keeper.long_term.get(entry.id) == entry


def test_a_scope_and_a_kind_that_are_given_hold(keeper: FactKeeper) -> None:
    entry = keeper.store("我喜欢 Go", kind=FactKind.RULE, scope="project:p1")
    assert (entry.kind, entry.scope) == (FactKind.RULE, "project:p1")


def test_a_statement_is_kept_with_the_message_it_is_from(keeper: FactKeeper) -> None:
    message = said("JDK 可以保持 17，你记一下")
    kept = keeper.remember_statement(message)
    assert kept is not None
    assert (kept.entry.content, kept.is_new, kept.saved) == ("JDK 可以保持 17", True, True)
    assert kept.entry.source is not None
    assert (kept.entry.source.session, kept.entry.source.message) == ("s1", message.id)


def test_what_asks_for_nothing_keeps_nothing(keeper: FactKeeper) -> None:
    assert keeper.remember_statement(said("今天天气怎么样？")) is None
    assert len(keeper.long_term) == 0


def test_the_same_statement_again_is_not_new(keeper: FactKeeper) -> None:
    first, again = keeper.remember("用户喜欢 Java"), keeper.remember("用户喜欢　java ！")
    assert (first.is_new, again.is_new) == (True, False)
    assert again.entry.timestamp == first.entry.timestamp
    assert len(keeper.long_term) == 1


def test_a_fact_of_a_message_that_gave_a_statement_already_is_not_a_second_one(keeper: FactKeeper) -> None:
    message = said("JDK 可以保持 17，你记一下")
    keeper.remember_statement(message)
    for wording in ("用户偏好 JDK 17", "用户的项目使用 JDK 17", "JDK 17"):
        kept = keeper.keep(fact(wording, message=message.id))
        assert not kept.is_new
        assert "JDK" in kept.entry.content
        assert "17" in kept.entry.content
    assert len(keeper.long_term) == 1


def test_another_fact_of_the_same_message_is_one_of_its_own(keeper: FactKeeper) -> None:
    message = said("JDK 可以保持 17，你记一下")
    keeper.remember_statement(message)
    assert keeper.keep(fact("用户叫王牧", message=message.id)).is_new
    assert len(keeper.long_term) == 2


@pytest.mark.parametrize(
    ("content", "quote", "scope"),
    [
        ("项目使用 Tab 缩进", "我喜欢用 Tab 缩进", "user"),
        ("用户的项目用 Redis 7", "缓存我们统一用 Redis 7", "project:p1"),
        ("本项目用 pnpm", "用 pnpm", "project:p1"),
        ("用户偏好 JDK 17", "JDK 可以保持 17", "user"),
    ],
)
def test_the_users_words_decide_the_scope_whatever_the_model_says(
    keeper: FactKeeper, content: str, quote: str, scope: str
) -> None:
    assert keeper.keep(fact(content, quote)).entry.scope == scope


def test_without_a_disk_a_fact_is_kept_for_the_session_and_says_why() -> None:
    keeper = FactKeeper(LongTermMemory(InMemoryStore(), read_only=True), Scopes())
    kept = keeper.remember("我喜欢 Go")
    assert (kept.saved, isinstance(kept.error, StoreReadOnly)) == (False, True)
    assert [entry.content for entry in keeper.long_term] == ["我喜欢 Go"]
    with pytest.raises(StoreError):
        keeper.store("我喜欢 Rust")


def test_nothing_to_keep_is_an_error(keeper: FactKeeper) -> None:
    with pytest.raises(EmptyContent):
        keeper.remember("  ")


def test_a_secret_never_gets_into_memory(keeper: FactKeeper) -> None:
    kept = keeper.remember_statement(said("记住：令牌 sk-demo0000000000000000000000"))
    assert kept is not None
    assert "sk-demo" not in str(list(keeper.long_term))


def test_a_better_wording_that_can_not_be_written_leaves_the_old_one_and_says_why() -> None:
    store = InMemoryStore()
    message = said("JDK 可以保持 17，你记一下")
    FactKeeper(LongTermMemory(store), Scopes()).remember_statement(message)
    keeper = FactKeeper(LongTermMemory(store, read_only=True), Scopes())
    kept = keeper.keep(fact("用户的项目使用 JDK 17", message=message.id))
    assert isinstance(kept.error, StoreReadOnly)
    assert [entry.content for entry in keeper.long_term] == ["JDK 可以保持 17"]


def test_the_very_same_wording_changes_nothing(keeper: FactKeeper) -> None:
    message = said("JDK 可以保持 17，你记一下")
    kept = keeper.remember_statement(message)
    assert kept is not None
    again = keeper.keep_all([fact("JDK 可以保持 17", message=message.id)])
    assert [(one.is_new, one.is_reworded, one.entry) for one in again] == [(False, False, kept.entry)]
