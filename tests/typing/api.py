"""The types that users of the public names see. Never run: `make check` lets mypy read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_type

from paicli.agents import Agent, PlanExecuteAgent
from paicli.memory import (
    ContextCompressor,
    ConversationMemory,
    LongTermMemory,
    Memory,
    MemoryEntry,
    MemoryManager,
    MemoryQueryTokenizer,
    MemoryRetriever,
    MemoryType,
    ScoredEntry,
    TokenBudget,
    estimate_tokens,
)
from paicli.memory.message import Message, Reply
from paicli.memory.protocols import LanguageModel, MemoryStore
from paicli.memory.stores.in_memory import InMemoryStore
from paicli.testing import ScriptedModel


class OwnModel:
    """Any object with this one method is a model."""

    def chat(self, messages: Any, *, purpose: str) -> Reply:
        return Reply(f"{purpose}: {len(messages)}")


def entries() -> None:
    entry = MemoryEntry("用户偏好 JDK 17", MemoryType.FACT)
    assert_type(entry.content, str)
    assert_type(entry.token_count, int)
    assert_type(entry.type, MemoryType)
    assert_type(estimate_tokens(None), int)
    assert_type(MemoryQueryTokenizer.tokenize("用哪个 JDK"), list[str])
    assert_type(MemoryQueryTokenizer.matches("JDK 17", "jdk17"), bool)


def short_term(entry: MemoryEntry) -> None:
    conversation = ConversationMemory(10_000)
    memory: Memory = conversation
    assert_type(conversation.get("id"), MemoryEntry | None)
    assert_type(conversation.search("JDK", 5), list[MemoryEntry])
    assert_type(iter(memory), Iterator[MemoryEntry])
    assert_type(conversation.usage_ratio, float)
    assert_type(TokenBudget().available_for_conversation, int)
    assert_type(TokenBudget().needs_compression(conversation), bool)
    assert_type(TokenBudget().usage_report(), str)


def long_term(entry: MemoryEntry, place: Path) -> None:
    store: MemoryStore = InMemoryStore()
    memory: Memory = LongTermMemory(store)
    assert_type(LongTermMemory.open(place), LongTermMemory)
    assert_type(LongTermMemory.open("notes").store(entry), MemoryEntry)
    assert_type(memory.delete("id"), bool)


def retrieval(conversation: ConversationMemory, facts: LongTermMemory) -> None:
    retriever = MemoryRetriever(conversation, facts, 1.2)
    assert_type(retriever.retrieve("JDK", 5), list[MemoryEntry])
    assert_type(retriever.scored("JDK", 5), list[ScoredEntry])
    assert_type(retriever.build_context_for_query("JDK", 500), str)


def facade(conversation: ConversationMemory) -> None:
    model: LanguageModel = OwnModel()
    manager = MemoryManager(model, LongTermMemory(InMemoryStore()), None, 32_768)
    assert_type(manager.add_user_message("你好"), MemoryEntry)
    assert_type(manager.build_context_for_query("JDK", 300), str)
    assert_type(manager.store_fact("项目用 Maven"), MemoryEntry)
    assert_type(manager.system_status(), str)
    assert_type(manager.long_term, LongTermMemory)
    assert_type(manager.short_term, ConversationMemory)
    assert_type(manager.budget, TokenBudget)
    assert_type(ContextCompressor(model).compress(conversation), str | None)


def agents(message: Message) -> None:
    model = ScriptedModel(["你好！"])
    manager = MemoryManager(model)
    assert_type(Agent(model, manager).run("你好"), str)
    PlanExecuteAgent(model, manager)
