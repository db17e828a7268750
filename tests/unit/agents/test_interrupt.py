"""Ctrl-C: the history stays one that the strictest server takes, and what was shown is kept."""

from __future__ import annotations

import signal
import threading
from typing import Any

import pytest

from paicli.agents.events import Interrupted, TextDelta, ThinkingDelta, ToolFinished, ToolStarted
from paicli.agents.react import Agent
from paicli.errors import ModelUnreachable
from paicli.memory.message import INTERRUPTED_RESULT, Message, Quirks, Reply, ToolCall, render
from paicli.testing.replies import Call, Slow
from paicli.testing.scripted import ScriptedModel
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules, objection

STRICT = Rules(require_alternate_roles=True, reject_null_content=True, reject_unknown_fields=True)
ALTERNATE = Quirks(alternate_roles=True)
TWO_CALLS = [Call("read_file", {"path": "a.txt"}, "c1"), Call("read_file", {"path": "b.txt"}, "c2")]


def messages_of(memory: Any) -> list[Message]:
    return [entry.message for entry in memory.short_term]


def second_request(server: ChatServer) -> list[dict[str, Any]]:
    assert server.violations == []
    sent: list[dict[str, Any]] = server.requests[-1]["messages"]
    return sent


class Session:
    """An agent on a strict server that the user interrupts once, and asks again."""

    def __init__(self, server: ChatServer, connect: Any, make_memory: Any, tools: Any, log: Any) -> None:
        model = connect(server, quirks=ALTERNATE)
        self.server, self.log, self.memory = server, log, make_memory(model)
        self.agent = Agent(model, self.memory, tools, emit=log)

    def interrupt(self, stop_at: Any) -> None:
        self.log.stop_at = stop_at
        with pytest.raises(KeyboardInterrupt):
            self.agent.run("first question")
        self.log.stop_at = lambda event: False

    def ask_again(self) -> list[dict[str, Any]]:
        assert self.agent.run("second question") == "second answer"
        return second_request(self.server)


@pytest.fixture
def start(connect: Any, make_memory: Any, tools: Any, log: Any) -> Any:
    return lambda server: Session(server, connect, make_memory, tools, log)


def press_ctrl_c(body: Any) -> Any:
    """Answers slowly, and has the main thread interrupted meanwhile."""
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    return Slow(0.5, "too late")


def test_before_the_first_token(start: Any, log: Any) -> None:
    with ChatServer([press_ctrl_c, "second answer"], rules=STRICT) as server:
        session = start(server)
        session.interrupt(lambda event: False)
        sent = session.ask_again()
    assert [message["role"] for message in sent] == ["system", "user"]
    assert sent[1]["content"] == "second question"  # nothing came back to the first: it is withdrawn
    assert log.of(Interrupted) == [Interrupted("")]


def test_after_nothing_but_line_ends(make_memory: Any, log: Any) -> None:
    model = ScriptedModel(["\n" * 12 + "hello", "second answer"])
    memory = make_memory(model)
    log.stop_at = lambda event: isinstance(event, TextDelta)
    with pytest.raises(KeyboardInterrupt):
        Agent(model, memory, emit=log).run("first question")
    assert messages_of(memory) == []
    assert Agent(model, memory).run("second question") == "second answer"
    sent = render(model.requests[-1].messages, ALTERNATE)
    assert objection({"model": "m", "messages": sent}, STRICT) == ""


def test_in_the_middle_of_the_thinking(start: Any) -> None:
    with ChatServer([Reply("hello", thinking="a long thought"), "second answer"], rules=STRICT) as server:
        session = start(server)
        session.interrupt(lambda event: isinstance(event, ThinkingDelta))
        assert messages_of(session.memory) == []
        session.ask_again()


def test_in_the_middle_of_the_text(start: Any, log: Any) -> None:
    with ChatServer(["one two three four", "second answer"], rules=STRICT) as server:
        session = start(server)
        session.interrupt(lambda event: len(log.of(TextDelta)) == 2)
        sent = session.ask_again()
    assert sent[2] == {"role": "assistant", "content": "one two three fo\n[已中断]"}
    assert log.of(Interrupted) == [Interrupted("one two three fo")]


def test_after_a_call_was_received_and_before_it_runs(start: Any) -> None:
    with ChatServer([TWO_CALLS[:1], "second answer"], rules=STRICT) as server:
        session = start(server)
        session.interrupt(lambda event: isinstance(event, ToolStarted))
        sent = session.ask_again()
    assert sent[3] == {"role": "tool", "tool_call_id": "c1", "content": INTERRUPTED_RESULT}
    assert [message.call_id for message in messages_of(session.memory) if message.role == "tool"] == ["c1"]


def test_while_a_tool_runs(start: Any, log: Any) -> None:
    with ChatServer([[Call("read_file", {"path": "stop.txt"}, "c1")], "second answer"], rules=STRICT) as server:
        session = start(server)
        session.interrupt(lambda event: False)
        sent = session.ask_again()
    assert sent[3]["content"] == INTERRUPTED_RESULT
    assert log.of(Interrupted) == [Interrupted("")]


@pytest.mark.parametrize("moment", [ToolFinished, ToolStarted], ids=["after the first", "at the second"])
def test_with_two_calls_of_which_one_is_done(start: Any, log: Any, moment: type) -> None:
    with ChatServer([TWO_CALLS, "second answer"], rules=STRICT) as server:
        session = start(server)
        session.interrupt(lambda event: isinstance(event, moment) and bool(log.of(ToolFinished)))
        sent = session.ask_again()
    assert [message["content"] for message in sent if message["role"] == "tool"] == ["alpha", INTERRUPTED_RESULT]
    results = [message.text for message in messages_of(session.memory) if message.role == "tool"]
    assert results == ["alpha", INTERRUPTED_RESULT]


def test_text_before_the_interrupted_calls_is_kept_once(make_memory: Any, tools: Any, log: Any) -> None:
    model = ScriptedModel([Reply("I look.", (ToolCall("c1", "read_file", '{"path": "a.txt"}'),))])
    memory = make_memory(model)
    log.stop_at = lambda event: isinstance(event, ToolStarted)
    with pytest.raises(KeyboardInterrupt):
        Agent(model, memory, tools, emit=log).run("question")
    assert [message.text for message in messages_of(memory)] == ["question", "I look.", INTERRUPTED_RESULT]


def test_the_transcript_has_what_was_kept(make_memory: Any, tools: Any, log: Any, journal: Any) -> None:
    model = ScriptedModel(["one two three four"])
    log.stop_at = lambda event: isinstance(event, TextDelta)
    with pytest.raises(KeyboardInterrupt):
        Agent(model, make_memory(model), tools, emit=log, language="en").run("question")
    assert [record["text"] for record in journal.records if record["kind"] == "message"] == [
        "question",
        "one two thre\n[interrupted]",
    ]


def test_an_interrupted_call_is_on_the_account_by_estimate(make_memory: Any, log: Any) -> None:
    model = ScriptedModel(["one two three four"])
    memory = make_memory(model)
    log.stop_at = lambda event: isinstance(event, TextDelta)
    with pytest.raises(KeyboardInterrupt):
        Agent(model, memory, emit=log).run("question")
    assert (memory.budget.usage.calls, memory.budget.usage.estimated_calls) == (1, 1)
    assert memory.budget.usage.output_tokens > 0


def test_in_the_middle_of_a_compression_the_history_is_as_it_was(make_memory: Any, log: Any) -> None:
    model = ScriptedModel(
        lambda messages, tools: "word " * 120,
        context_window=2_000,
        by_purpose={"summary": lambda messages, tools: KeyboardInterrupt()},
    )
    memory = make_memory(model)
    agent = Agent(model, memory, prompt="Be brief.", emit=log)
    said = [f"question {number} " + "padding " * 30 for number in range(12)]
    interrupted = 0
    for text in said:
        try:
            agent.run(text)
        except KeyboardInterrupt:
            interrupted += 1
    assert interrupted
    assert len(log.of(Interrupted)) == interrupted
    assert not any(entry.type == "summary" for entry in memory.short_term)
    asked = [message.text for entry in memory.short_term if (message := entry.message) and message.role == "user"]
    assert asked == said[-len(asked) :]


def test_facts_come_from_the_users_words_of_an_interrupted_round_too(make_memory: Any, log: Any) -> None:
    found = '{"facts": [{"fact": "用户用 Vim", "quote": "我用 Vim 写代码"}]}'
    model = ScriptedModel(["one two three four"], by_purpose={"facts": [found]})
    memory = make_memory(model)
    log.stop_at = lambda event: isinstance(event, TextDelta)
    with pytest.raises(KeyboardInterrupt):
        Agent(model, memory, emit=log).run("我用 Vim 写代码")
    assert [kept.entry.content for kept in memory.extract_and_save_facts().kept] == ["用户用 Vim"]


def test_no_fact_is_drawn_out_of_a_question_that_was_withdrawn(make_memory: Any) -> None:
    model = ScriptedModel([ModelUnreachable(endpoint="e", detail="d")])
    memory = make_memory(model)
    with pytest.raises(ModelUnreachable):
        Agent(model, memory).run("slow one")
    assert not memory.has_unextracted
