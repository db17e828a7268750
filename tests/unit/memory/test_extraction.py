"""FactExtraction: what is still to be looked through, and that nothing is lost when it fails."""

from __future__ import annotations

import json
import threading

import pytest

from paicli.errors import RateLimited
from paicli.memory import InMemoryStore, LongTermMemory, MemoryEntry, MemoryType
from paicli.memory.extraction import DEADLINE, NO_MODEL, FactExtraction
from paicli.memory.extractor import ExtractionFailed
from paicli.memory.keeper import FactKeeper
from paicli.memory.message import Message, Reply
from paicli.memory.scope import Scopes
from paicli.testing import ScriptedModel

GO = json.dumps([{"fact": "用户喜欢 Go", "quote": "我喜欢 Go"}])


class Case:
    """An extraction over a memory of its own."""

    def __init__(self, model: ScriptedModel | None) -> None:
        self.long_term = LongTermMemory(InMemoryStore())
        self.told: list[str] = []
        self.extraction = FactExtraction(
            FactKeeper(self.long_term, Scopes()), lambda last: self.told.append(last.content)
        )
        self.extraction.model = model

    def say(self, text: str, role: str = "user") -> None:
        self.extraction.add(MemoryEntry(text, MemoryType.CONVERSATION, metadata={"source": role}))

    @property
    def facts(self) -> list[str]:
        return [entry.content for entry in self.long_term]


def test_facts_are_kept_and_what_was_looked_through_is_done_with() -> None:
    case = Case(ScriptedModel([GO]))
    case.say("我喜欢 Go")
    case.say("好的", "assistant")
    extraction = case.extraction.run()
    assert [kept.entry.content for kept in extraction.kept] == case.facts == ["用户喜欢 Go"]
    assert case.told == ["好的"]
    assert not case.extraction.has_pending
    assert case.extraction.run().kept == ()


def test_where_the_user_said_nothing_no_model_is_asked() -> None:
    case = Case(ScriptedModel([]))
    case.say("hello", "assistant")
    assert case.extraction.run().reason == ""


def test_without_a_model_it_says_so_and_everything_stays_pending() -> None:
    case = Case(None)
    case.say("我喜欢 Go")
    assert case.extraction.run().reason == NO_MODEL
    assert case.extraction.run_on([]).reason == NO_MODEL
    assert case.extraction.has_pending


@pytest.mark.parametrize(
    "failure", [RateLimited(endpoint="x", attempts=3, detail="y"), KeyboardInterrupt(), RuntimeError("boom")]
)
def test_a_failure_passes_on_and_everything_stays_pending(failure: BaseException) -> None:
    case = Case(ScriptedModel([failure, GO]))
    case.say("我喜欢 Go")
    with pytest.raises(type(failure)):
        case.extraction.run()
    assert case.told == []
    assert [kept.entry.content for kept in case.extraction.run().kept] == ["用户喜欢 Go"]


def test_replies_that_can_not_be_read_keep_everything_pending() -> None:
    case = Case(ScriptedModel([Reply("{", finish_reason="length"), ""]))
    case.say("我喜欢 Go")
    with pytest.raises(ExtractionFailed):
        case.extraction.run()
    assert case.extraction.has_pending
    assert case.facts == []


def test_a_deadline_gives_up_waiting_and_what_was_said_stays_pending() -> None:
    gate = threading.Event()

    def slow(_messages: list[Message], _tools: object) -> str:
        gate.wait(60)
        return "[]"

    case = Case(ScriptedModel(slow))
    case.say("我喜欢 Go")
    assert case.extraction.run(0.01).reason == DEADLINE
    assert case.extraction.has_pending
    gate.set()


def test_within_the_deadline_result_and_error_are_the_same_as_without() -> None:
    case = Case(ScriptedModel([RuntimeError("boom"), GO]))
    case.say("我喜欢 Go")
    with pytest.raises(RuntimeError):
        case.extraction.run(60)
    assert len(case.extraction.run(60).kept) == 1


def test_the_same_talk_again_gives_no_second_fact() -> None:
    case = Case(ScriptedModel([GO] * 20))
    for _ in range(20):
        case.say("我喜欢 Go")
        case.extraction.run()
    (entry,) = case.long_term
    assert entry.content == "用户喜欢 Go"


def test_what_is_let_go_is_not_looked_through() -> None:
    case = Case(ScriptedModel([]))
    case.say("我喜欢 Go")
    case.extraction.clear()
    assert case.extraction.run().kept == ()


def test_how_many_proposals_were_rejected_is_told() -> None:
    case = Case(ScriptedModel([json.dumps([{"fact": "用户喜欢 Rust", "quote": "我喜欢 Rust"}])]))
    case.say("我喜欢 Go")
    assert case.extraction.run().rejected == 1
