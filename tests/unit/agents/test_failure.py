"""A model that fails: the error passes on, the history stays valid, nothing is lost, the next turn works."""

from __future__ import annotations

from typing import Any

import pytest

from paicli.agents.events import Interrupted
from paicli.agents.react import Agent
from paicli.errors import (
    ContextOverflow,
    EmptyReply,
    KeyRejected,
    MessageTooLarge,
    ModelError,
    ModelUnreachable,
    NoBalance,
    PaicliError,
    RateLimited,
    RequestRefused,
    ServerFailed,
    StreamBroken,
)
from paicli.memory.message import Message, Quirks, Reply, ThinkingEcho, Usage, render
from paicli.testing.replies import Broken, Call, Empty, HttpError
from paicli.testing.scripted import ScriptedModel
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules

QUIRKS = {
    "plain": (Quirks(), Rules()),
    "alternate": (Quirks(alternate_roles=True), Rules(require_alternate_roles=True)),
    "echo": (
        Quirks(thinking=ThinkingEcho.WITH_CALLS, thinking_required=True),
        Rules(require_thinking_echo=True),
    ),
    "picky": (Quirks(), Rules(reject_null_content=True, reject_unknown_fields=True)),
}
FAULTS = {
    "wrong key": ([HttpError(401, {"error": {"message": "Incorrect API key"}})], KeyRejected),
    "no balance": ([HttpError(402, {"error": {"message": "Insufficient Balance"}})], NoBalance),
    "rate limit": ([HttpError(429, {"error": {"message": "slow down"}})] * 4, RateLimited),
    "refused": ([HttpError(400, {"error": {"message": "1214 messages 参数非法"}})], RequestRefused),
    "server": ([HttpError(500, "oops")] * 4, ServerFailed),
    "empty": ([Empty()] * 3, EmptyReply),
    "broken": ([Broken(3, "one two three four five")], StreamBroken),
    "overflow": (
        [HttpError(400, {"error": {"code": "context_length_exceeded", "message": "too long"}})],
        ContextOverflow,
    ),
}


def messages_of(memory: Any) -> list[Message]:
    return [entry.message for entry in memory.short_term]


@pytest.mark.parametrize("quirks", QUIRKS)
@pytest.mark.parametrize("fault", FAULTS)
def test_the_error_passes_on_and_the_unanswered_question_is_withdrawn(
    fault: str, quirks: str, connect: Any, make_memory: Any
) -> None:
    faults, error = FAULTS[fault]
    wanted, rules = QUIRKS[quirks]
    with ChatServer([*faults, "an answer"], rules=rules) as server:
        model = connect(server, quirks=wanted)
        memory = make_memory(model)
        agent = Agent(model, memory)
        with pytest.raises(error):
            agent.run("first question")
        assert agent.run("second question") == "an answer"
    assert server.violations == []
    said = [message.text for message in messages_of(memory) if message.role == "user"]
    # What came of an answer that broke off stays, and so does the question to it.
    assert said == ["first question", "second question"] if fault == "broken" else ["second question"]


@pytest.mark.parametrize("quirks", QUIRKS)
def test_a_failure_behind_a_tool_result_keeps_the_result(
    quirks: str, connect: Any, make_memory: Any, tools: Any
) -> None:
    wanted, rules = QUIRKS[quirks]
    call = Call("read_file", {"path": "a.txt"}, "c1", thinking="hm")
    with ChatServer([call, HttpError(401, "no"), "an answer"], rules=rules) as server:
        model = connect(server, quirks=wanted)
        agent = Agent(model, make_memory(model), tools)
        with pytest.raises(KeyRejected):
            agent.run("first question")
        assert agent.run("second question") == "an answer"
    assert server.violations == []
    assert [message["content"] for message in server.requests[-1]["messages"] if message["role"] == "tool"] == ["alpha"]


def test_what_was_shown_of_a_broken_answer_is_kept_and_marked(connect: Any, make_memory: Any, log: Any) -> None:
    with ChatServer([Broken(3, "one two three four five"), "an answer"]) as server:
        model = connect(server)
        memory = make_memory(model)
        agent = Agent(model, memory, emit=log, language="en")
        with pytest.raises(StreamBroken) as broken:
            agent.run("first question")
        agent.run("second question")
    assert broken.value.partial.text == "one two three fo"
    assert server.requests[-1]["messages"][2] == {"role": "assistant", "content": "one two three fo\n[interrupted]"}
    assert not log.of(Interrupted)
    assert memory.budget.usage.calls == 2


def test_a_call_whose_stream_breaks_off_is_not_run(connect: Any, make_memory: Any, tools: Any, log: Any) -> None:
    with ChatServer([Broken(3, Call("read_file", {"path": "a.txt"})), "an answer"]) as server:
        model = connect(server)
        agent = Agent(model, make_memory(model), tools, emit=log)
        with pytest.raises(StreamBroken):
            agent.run("first question")
        agent.run("second question")
    assert server.violations == []
    assert [type(event).__name__ for event in log.events] == ["Noticed", "TextDelta", "TextDelta", "Answered"]


@pytest.mark.parametrize("failure", [ModelUnreachable(endpoint="e", detail="d"), RuntimeError("bug")])
def test_what_was_shown_is_kept_whatever_goes_wrong(failure: Exception, make_memory: Any, log: Any) -> None:
    class Failing(ScriptedModel):
        def chat(self, messages: Any, *, on_delta: Any = None, **options: Any) -> Reply:
            super().chat(messages, on_delta=on_delta)
            raise failure

    model = Failing(["half an answer"])
    memory = make_memory(model)
    with pytest.raises(type(failure)):
        Agent(model, memory, emit=log, language="en").run("question")
    assert [message.text for message in messages_of(memory)] == ["question", "half an answer\n[interrupted]"]


def test_the_usage_of_a_broken_answer_counts_as_far_as_it_is_told(make_memory: Any) -> None:
    partial = Reply("one", usage=Usage(70, 7))
    model = ScriptedModel([StreamBroken(endpoint="e", detail="d", partial=partial)])
    memory = make_memory(model)
    with pytest.raises(StreamBroken):
        Agent(model, memory).run("question")
    assert (memory.budget.usage.input_tokens, memory.budget.usage.output_tokens) == (70, 7)


def test_a_reply_of_nothing_is_no_answer_and_is_not_stored(make_memory: Any) -> None:
    model = ScriptedModel([Reply(" \n", thinking="hm"), "an answer"])
    memory = make_memory(model)
    agent = Agent(model, memory)
    with pytest.raises(EmptyReply):
        agent.run("first question")
    assert agent.run("second question") == "an answer"
    assert [message.role for message in messages_of(memory)] == ["user", "assistant"]


def fill(agent: Agent, turns: int = 12) -> None:
    for number in range(turns):
        agent.run(f"question {number} " + "padding " * 60)


def test_an_overflow_teaches_the_window_and_the_question_is_answered(connect: Any, make_memory: Any, log: Any) -> None:
    with ChatServer(lambda body: "word " * 60, rules=Rules(context_window=2_000)) as server:
        model = connect(server, context_window=100_000)
        memory = make_memory(model)
        fill(Agent(model, memory, prompt="Be brief.", emit=log))
    assert memory.budget.context_window == 2_000
    assert server.violations == []
    chats = [body for body in server.requests if body["messages"][0]["content"].startswith("Be brief.")]
    assert len(chats) == 13
    assert [message["content"][:11] for message in chats[-1]["messages"] if message["role"] == "user"][
        -1
    ] == "question 11"


def test_an_overflow_that_teaches_nothing_is_met_with_a_shorter_request(make_memory: Any) -> None:
    """Our count of tokens may be too low: the server's is what counts."""

    def answer(messages: list[Message], tools: Any) -> str | ContextOverflow:
        size = sum(len(message["content"]) for message in render(messages))
        return ContextOverflow(window=4_000, status=400, detail="too long") if size > 7_000 else "word " * 60

    model = ScriptedModel(answer, context_window=4_000, by_purpose={"summary": lambda messages, tools: "They talked."})
    memory = make_memory(model)
    fill(Agent(model, memory, prompt="Be brief."), turns=20)
    assert 1_000 < memory.budget.context_window < 4_000


def test_an_overflow_that_cutting_can_not_mend_passes_on(make_memory: Any) -> None:
    overflow = ContextOverflow(window=4_000, status=400, detail="too long")
    model = ScriptedModel([overflow, "an answer"], context_window=4_000)
    memory = make_memory(model)
    agent = Agent(model, memory, prompt="Be brief.")
    with pytest.raises(ContextOverflow):
        agent.run("short")
    assert memory.budget.context_window == 4_000
    assert agent.run("again") == "an answer"


def test_an_overflow_of_the_second_try_passes_on(make_memory: Any) -> None:
    class Shrinking(ScriptedModel):
        def chat(self, messages: Any, **options: Any) -> Reply:
            self.context_window = 1_000
            return super().chat(messages, **options)

    overflow = ContextOverflow(window=1_000, status=400, detail="too long")
    model = Shrinking([overflow, overflow, "an answer"], context_window=4_000)
    agent = Agent(model, make_memory(model), prompt="Be brief.")
    with pytest.raises(ContextOverflow):
        agent.run("first question")
    assert agent.run("second question") == "an answer"


def test_a_message_that_does_not_fit_is_refused_and_not_taken(make_memory: Any) -> None:
    model = ScriptedModel(["an answer"], context_window=2_000)
    memory = make_memory(model)
    agent = Agent(model, memory, prompt="Be brief.")
    with pytest.raises(MessageTooLarge) as refused:
        agent.run("word " * 5_000)
    assert refused.value.values["tokens"] == 6_254
    assert len(memory.short_term) == 0
    assert not memory.has_unextracted
    assert agent.run("short") == "an answer"


def test_a_message_that_a_smaller_window_does_not_take_leaves_the_next_turn_working(
    connect: Any, make_memory: Any
) -> None:
    with ChatServer(lambda body: "an answer", rules=Rules(context_window=2_000)) as server:
        model = connect(server, context_window=100_000)
        agent = Agent(model, make_memory(model), prompt="Be brief.")
        with pytest.raises(MessageTooLarge):
            agent.run("word " * 5_000)
        assert agent.run("short") == "an answer"
    assert server.violations == []
    assert server.requests[-1]["messages"][-1] == {"role": "user", "content": "short"}


@pytest.mark.parametrize("tokens", range(1_130, 1_150))
def test_a_message_at_the_edge_is_either_answered_or_not_taken(tokens: int, make_memory: Any, wordy_tools: Any) -> None:
    model = ScriptedModel(["an answer"], context_window=2_000)
    memory = make_memory(model)
    agent = Agent(model, memory, wordy_tools, prompt="Be brief. " * 80)
    try:
        assert agent.run("x" * tokens * 4) == "an answer"
    except MessageTooLarge:
        assert len(memory.short_term) == 0


def test_every_error_of_a_model_leaves_the_history_as_it_was(make_memory: Any) -> None:
    values = {"endpoint": "e", "detail": "d", "status": 400, "attempts": 1, "key": "k", "window": 1, "reason": "r"}
    for kind in subclasses(ModelError):
        model = ScriptedModel([kind(**values)])
        memory = make_memory(model)
        with pytest.raises(kind):
            Agent(model, memory).run("question")
        assert messages_of(memory) == []


def subclasses(kind: type[PaicliError]) -> list[type[PaicliError]]:
    return [kind, *(found for child in kind.__subclasses__() for found in subclasses(child))]
