"""The ReAct loop: what is sent, what is stored, what is told."""

from __future__ import annotations

from typing import Any

from paicli.agents.events import (
    Answered,
    Interrupted,
    Noticed,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
)
from paicli.agents.react import Agent
from paicli.memory.entry import MemoryType
from paicli.memory.message import Message, Reply, ToolCall, Usage, render
from paicli.memory.tokens.estimate import estimate_tokens
from paicli.testing.scripted import ScriptedModel

PROMPT = "You are a test.  \n"
READ_A = ToolCall("c1", "read_file", '{"path": "a.txt"}')


def roles(model: ScriptedModel, number: int = -1) -> list[str]:
    return [message["role"] for message in render(model.requests[number].messages)]


def agent_for(model: ScriptedModel, make_memory: Any, tools: Any = None, **options: Any) -> Agent:
    return Agent(model, make_memory(model), tools, prompt=PROMPT, **options)


def test_calls_and_results_go_back_to_the_model_until_it_answers(make_memory: Any, tools: Any, log: Any) -> None:
    model = ScriptedModel([Reply("Let me look.", (READ_A,), thinking="hm"), "alpha it is"])
    memory = make_memory(model)
    assert Agent(model, memory, tools, prompt=PROMPT, emit=log).run("read a.txt") == "alpha it is"
    assert render(model.requests[1].messages)[2:] == [
        {
            "role": "assistant",
            "content": "Let me look.",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "a.txt"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "alpha"},
    ]
    assert [entry.type for entry in memory.short_term] == [
        MemoryType.CONVERSATION,
        MemoryType.CONVERSATION,
        MemoryType.TOOL_RESULT,
        MemoryType.CONVERSATION,
    ]
    result = list(memory.short_term)[2]
    assert (result.metadata["tool"], result.metadata["arguments"]) == ("read_file", '{"path": "a.txt"}')


def test_what_happens_is_told_in_order(make_memory: Any, tools: Any, log: Any) -> None:
    model = ScriptedModel([Reply("", (READ_A,), thinking="hm"), "alpha"])
    agent_for(model, make_memory, tools, emit=log).run("read a.txt")
    assert [type(event) for event in log.events] == [ThinkingDelta, ToolStarted, ToolFinished, TextDelta, Answered]
    assert log.of(ToolFinished)[0].outcome.ok
    assert log.of(Answered) == [Answered("alpha")]


def test_every_call_is_on_the_account_with_what_the_provider_told(make_memory: Any, tools: Any) -> None:
    model = ScriptedModel([Reply(tool_calls=(READ_A,), usage=Usage(100, 10)), Reply("done", usage=Usage(130, 5))])
    memory = make_memory(model)
    Agent(model, memory, tools).run("read a.txt")
    total = memory.budget.by_purpose["chat"]
    assert (total.calls, total.input_tokens, total.output_tokens, total.estimated_calls) == (2, 230, 15, 0)


def test_the_calls_of_compression_and_extraction_are_on_the_account_too(make_memory: Any) -> None:
    model = ScriptedModel(
        lambda messages, tools: "word " * 120,
        context_window=2_000,
        by_purpose={
            "facts": lambda messages, tools: '{"facts": []}',
            "summary": lambda messages, tools: "They talked.",
        },
    )
    memory = make_memory(model)
    agent = Agent(model, memory, prompt=PROMPT)
    for number in range(12):
        agent.run(f"question {number} " + "padding " * 30)
    memory.extract_and_save_facts()
    assert memory.budget.by_purpose["chat"].calls == 12
    assert memory.budget.by_purpose["summary"].calls >= 1
    assert memory.budget.by_purpose["facts"].calls >= 1


def test_a_model_that_tells_no_usage_is_accounted_for_by_estimate(make_memory: Any) -> None:
    class Silent:
        name, context_window, quirks = "silent", 10_000, ScriptedModel().quirks

        def chat(self, messages: Any, **options: Any) -> Reply:
            return Reply("four words of answer")

    model = Silent()
    memory = make_memory(model)
    Agent(model, memory, prompt=PROMPT).run("hello")
    total = memory.budget.usage
    assert (total.calls, total.estimated_calls) == (1, 1)
    assert total.input_tokens > estimate_tokens(PROMPT)
    assert total.output_tokens == estimate_tokens("four words of answer")


def test_a_compression_is_told_when_it_happens_and_the_request_stays_valid(make_memory: Any, log: Any) -> None:
    model = ScriptedModel(
        lambda messages, tools: "word " * 120,
        context_window=2_000,
        by_purpose={"summary": lambda messages, tools: "They talked."},
    )
    agent = Agent(model, make_memory(model), prompt=PROMPT, emit=log)
    for number in range(12):
        agent.run(f"question {number} " + "padding " * 30)
    assert "compressed" in {event.notice.code for event in log.of(Noticed)}
    first_told = next(number for number, event in enumerate(log.events) if isinstance(event, Noticed))
    assert first_told < max(number for number, event in enumerate(log.events) if isinstance(event, Answered))
    assert "They talked." in model.requests[-1].system
    assert roles(model)[0] == "system"
    assert roles(model).count("system") == 1


def test_a_failed_compression_is_told_and_the_question_is_answered_all_the_same(make_memory: Any, log: Any) -> None:
    model = ScriptedModel(
        lambda messages, tools: "word " * 120,
        context_window=2_000,
        by_purpose={"summary": lambda messages, tools: ""},
    )
    agent = Agent(model, make_memory(model), prompt=PROMPT, emit=log)
    answers = [agent.run(f"question {number} " + "padding " * 30) for number in range(12)]
    assert all(answers)
    assert "compression-failed" in {event.notice.code for event in log.of(Noticed)}


def test_ten_calls_for_one_question_keep_the_prompt_and_the_question_in_a_small_window(
    make_memory: Any, tools: Any
) -> None:
    calls = [
        Reply("looking " * 60, (ToolCall(f"c{number}", "read_file", '{"path": "a.txt"}'),)) for number in range(10)
    ]
    summaries = {"summary": lambda messages, tools: "It looked."}
    model = ScriptedModel([*calls, "done"], context_window=1_500, by_purpose=summaries)
    assert agent_for(model, make_memory, tools).run("the question") == "done"
    asked = [request for request in model.requests if request.purpose == "chat"]
    for request in asked:
        sent = render(request.messages)
        assert (sent[0]["role"], sent[1]) == ("system", {"role": "user", "content": "the question"})
        calls_sent = [call["id"] for message in sent for call in message.get("tool_calls", ())]
        assert calls_sent == [message["tool_call_id"] for message in sent if message["role"] == "tool"]
    assert len(asked[-1].messages) < 20


def test_an_unknown_tool_is_answered_with_the_nearest_one_and_the_model_goes_on(make_memory: Any, tools: Any) -> None:
    model = ScriptedModel([ToolCall("c1", "raed_file", "{}"), READ_A, "alpha"])
    assert agent_for(model, make_memory, tools).run("read") == "alpha"
    assert "Did you mean 'read_file'?" in model.requests[1].messages[-1].text


def test_half_a_json_is_answered_and_sent_back_as_something_a_provider_takes(make_memory: Any, tools: Any) -> None:
    model = ScriptedModel([ToolCall("c1", "read_file", '{"path": "a.t'), READ_A, "alpha"])
    assert agent_for(model, make_memory, tools).run("read") == "alpha"
    assert "not complete JSON" in model.requests[1].messages[-1].text
    arguments = render(model.requests[1].messages)[2]["tool_calls"][0]["function"]["arguments"]
    assert arguments == '{"unreadable_arguments": "{\\"path\\": \\"a.t"}'


def test_a_tool_that_fails_is_told_to_the_model_and_the_user(make_memory: Any, tools: Any, log: Any) -> None:
    model = ScriptedModel([ToolCall("c1", "read_file", '{"path": "x"}'), "there is none"])
    agent_for(model, make_memory, tools, emit=log).run("read x")
    assert not log.of(ToolFinished)[0].outcome.ok
    assert model.requests[1].messages[-1].text == "There is no file 'x'."


def test_too_many_steps_end_with_an_answer_that_says_so(make_memory: Any, tools: Any, log: Any) -> None:
    model = ScriptedModel(lambda messages, specs: ToolCall("c", "read_file", '{"path": "a.txt"}'))
    memory = make_memory(model)
    agent = Agent(model, memory, tools, emit=log, language="en")
    agent.max_steps = 3
    answer = agent.run("read for ever")
    assert "after 3 steps" in answer
    assert agent.out_of_steps
    assert len(model.requests) == 3
    assert list(memory.short_term)[-1].message == Message("assistant", answer)
    assert log.of(Answered) == [Answered(answer)]


def test_an_agent_that_ran_out_of_steps_can_go_on(make_memory: Any, tools: Any) -> None:
    model = ScriptedModel([READ_A, "alpha"])
    agent = agent_for(model, make_memory, tools)
    agent.max_steps = 1
    agent.run("read")
    assert agent.run("go on") == "alpha"
    assert not agent.out_of_steps


def test_nothing_is_told_as_interrupted_when_nothing_was(make_memory: Any, log: Any) -> None:
    agent_for(ScriptedModel(["ok"]), make_memory, emit=log).run("hello")
    assert not log.of(Interrupted)
