from __future__ import annotations

from paicli.memory.budget import TokenBudget
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.message import Message
from paicli.memory.shares import shares_of
from paicli.memory.tokens.estimate import EstimatingCounter
from paicli.memory.window import Fixed

TOOLS = [{"type": "function", "function": {"name": "recall", "description": "find it", "parameters": {}}}]
SUMMARY = MemoryEntry("[Conversation summary] piers", MemoryType.SUMMARY)
SAID = MemoryEntry("hello", MemoryType.CONVERSATION, message=Message("user", "hello there, how are you?"))


def test_the_parts_add_up_to_the_window_and_none_is_counted_twice() -> None:
    shares = shares_of(Fixed("Be brief.", TOOLS), [SUMMARY, SAID], "## facts", TokenBudget(10_000), EstimatingCounter())
    assert list(shares.parts) == ["system", "tools", "summary", "block", "history", "reply", "free"]
    assert sum(shares.parts.values()) == shares.window == 10_000
    assert all(shares.parts.values())
    assert shares.talk == shares.parts["summary"] + shares.parts["history"]


def test_what_is_not_there_takes_nothing() -> None:
    shares = shares_of(Fixed(), [], "", TokenBudget(10_000), EstimatingCounter())
    assert {name for name, tokens in shares.parts.items() if tokens} <= {"system", "reply", "free"}
    assert shares.talk == 0


def test_the_thresholds_are_shares_of_what_the_talk_may_take() -> None:
    shares = shares_of(Fixed(), [], "", TokenBudget(200_000), EstimatingCounter())
    assert shares.limit == 196_700
    assert shares.thresholds == (137_690, 157_360, 186_865)
