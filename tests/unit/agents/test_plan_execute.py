"""Plans carried out: confirmed, in order, with the memory in each task, honest about what failed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from paicli.agents.events import Interrupted, PlanMade, Remembered, TaskFinished, TaskStarted, ToolStarted
from paicli.agents.plan_execute import PlanExecuteAgent, TaskResult
from paicli.agents.planner import PLAN_CONTEXT_TOKENS
from paicli.agents.react import Agent
from paicli.errors import NoBalance, PlanInvalid, RateLimited
from paicli.memory.message import Message, ToolCall
from paicli.memory.session.replay import unextracted_entries, window_of
from paicli.memory.tokens.estimate import estimate_tokens
from paicli.testing.replies import Call
from paicli.testing.scripted import ScriptedModel
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules

NOTHING = '{"facts": []}'
NO_MONEY = NoBalance(endpoint="e", detail="top up")


def plan_text(**needs: str) -> str:
    tasks = [{"id": name, "description": f"do {name}", "depends_on": needed.split()} for name, needed in needs.items()]
    return json.dumps({"tasks": tasks})


def model_for(plan: str, *replies: Any, facts: str = NOTHING) -> ScriptedModel:
    return ScriptedModel(replies, by_purpose={"plan": [plan], "facts": lambda messages, tools: facts})


def messages_of(memory: Any) -> list[Message]:
    return [entry.message for entry in memory.short_term]


def chats(model: ScriptedModel) -> list[Any]:
    return [request for request in model.requests if request.purpose == "chat"]


def test_the_tasks_are_carried_out_in_order_and_told(make_memory: Any, log: Any) -> None:
    model = model_for(plan_text(b="a", a=""), "A done", "B done")
    result = PlanExecuteAgent(model, make_memory(model), emit=log).run("goal")
    assert result.ok
    assert result.results == {"a": TaskResult(ok=True, text="A done"), "b": TaskResult(ok=True, text="B done")}
    assert [event.task.id for event in log.of(TaskStarted)] == ["a", "b"]
    assert [(event.text, event.ok) for event in log.of(TaskFinished)] == [("A done", True), ("B done", True)]
    assert log.of(PlanMade)[0].plan == result.plan


def test_a_task_is_told_the_goal_and_the_results_it_needs_and_no_others(make_memory: Any) -> None:
    model = model_for(plan_text(a="", b="", c="a"), "A done", "B done", "C done")
    PlanExecuteAgent(model, make_memory(model), language="en").run("the goal {x} %s")
    first, _, last = (request.user for request in chats(model))
    assert first == "The goal: the goal {x} %s\n\nYour task: do a"
    assert last == "The goal: the goal {x} %s\n\nYour task: do c\n\nResults of finished tasks:\n- a: A done"


def test_a_long_result_is_cut_for_the_tasks_that_need_it(make_memory: Any) -> None:
    model = ScriptedModel(
        ["word " * 900, "B done"],
        context_window=4_000,
        by_purpose={"plan": [plan_text(a="", b="a")], "facts": [NOTHING]},
    )
    result = PlanExecuteAgent(model, make_memory(model)).run("goal")
    assert result.ok
    assert len(result.results["a"].text) == 4_500
    assert "characters cut" in chats(model)[1].user
    assert estimate_tokens(chats(model)[1].user) < 1_000


def test_a_refused_plan_leaves_everything_as_it_was(make_memory: Any, log: Any, journal: Any) -> None:
    model = model_for(plan_text(a=""))
    memory = make_memory(model)
    result = PlanExecuteAgent(model, memory, confirm=lambda plan: False, emit=log).run("记一下：我用 Vim")
    assert (result.confirmed, result.ok, result.results) == (False, False, {})
    assert len(memory.short_term) == 0
    assert len(memory.long_term) == 0
    assert not memory.has_unextracted
    assert [record["kind"] for record in journal.records] == ["usage"]
    assert [type(event) for event in log.events] == [PlanMade]


def test_what_is_confirmed_is_the_plan(make_memory: Any) -> None:
    model = model_for(plan_text(a=""), "A done")
    seen: list[Any] = []
    result = PlanExecuteAgent(model, make_memory(model), confirm=lambda plan: not seen.append(plan)).run("goal")
    assert seen == [result.plan]


def test_no_usable_plan_leaves_everything_as_it_was(make_memory: Any) -> None:
    model = ScriptedModel(["no", "no"])
    memory = make_memory(model)
    with pytest.raises(PlanInvalid):
        PlanExecuteAgent(model, memory).run("goal")
    assert len(memory.short_term) == 0


def test_a_task_that_fails_leaves_out_those_that_need_it_and_the_result_says_so(make_memory: Any, log: Any) -> None:
    model = model_for(plan_text(a="", b="a", c="", d="b"), NO_MONEY, "C done")
    memory = make_memory(model)
    result = PlanExecuteAgent(model, memory, emit=log, language="en").run("goal")
    assert not result.ok
    assert result.results == {
        "a": TaskResult(ok=False, text=str(NO_MONEY), error=NO_MONEY),
        "b": TaskResult(ok=False, text="skipped: a, which it needs, did not succeed"),
        "c": TaskResult(ok=True, text="C done"),
        "d": TaskResult(ok=False, text="skipped: b, which it needs, did not succeed"),
    }
    assert [(event.task.id, event.ok, event.error) for event in log.of(TaskFinished)] == [
        ("a", False, NO_MONEY),
        ("c", True, None),
        ("b", False, None),
        ("d", False, None),
    ]
    report = messages_of(memory)[-1].text
    assert report.splitlines()[0] == f"✗ a do a: {NO_MONEY}"
    assert "✓ c do c: C done" in report


def test_a_task_that_runs_out_of_steps_has_failed(make_memory: Any, tools: Any) -> None:
    call = ToolCall("c", "read_file", '{"path": "a.txt"}')
    model = model_for(plan_text(a="", b="a"), *[call] * 50)
    result = PlanExecuteAgent(model, make_memory(model), tools).run("goal")
    assert {task_id: one.ok for task_id, one in result.results.items()} == {"a": False, "b": False}
    assert not result.ok


def test_the_memory_stands_in_the_system_message_of_every_task(make_memory: Any) -> None:
    model = model_for(plan_text(a="", b="a"), "A done", "B done")
    memory = make_memory(model)
    memory.store_fact("我喜欢用 Maven 构建")
    for number in range(100):
        memory.store_fact(f"发布服务的第 {number} 条规则：端口是 {number}")
    PlanExecuteAgent(model, memory).run("发布服务的端口规则")
    for request in chats(model):
        block = request.system[request.system.index("## 长期记忆") :]
        assert "我喜欢用 Maven 构建" in block
        assert estimate_tokens(block) <= PLAN_CONTEXT_TOKENS
        assert "<memory>" not in request.user


def test_what_the_goal_asks_to_remember_is_kept_at_once_and_known_to_the_tasks(make_memory: Any, log: Any) -> None:
    model = model_for(plan_text(a=""), "A done")
    PlanExecuteAgent(model, make_memory(model), emit=log).run("JDK 保持 17，你记一下")
    assert [event.kept.entry.content for event in log.of(Remembered)] == ["JDK 保持 17"]
    assert "JDK 保持 17" in chats(model)[0].system


def test_facts_come_from_the_users_words_and_never_from_the_steps_of_the_plan(make_memory: Any) -> None:
    proposals = json.dumps(
        {
            "facts": [
                {"fact": "用户用 Gitee", "quote": "代码放 Gitee"},
                {"fact": "用户要列出 src", "quote": "do a"},
                {"fact": "A done", "quote": "A done"},
            ]
        }
    )
    model = model_for(plan_text(a=""), "A done", facts=proposals)
    memory = make_memory(model)
    result = PlanExecuteAgent(model, memory).run("发布，代码放 Gitee")
    assert result.extraction is not None
    assert [kept.entry.content for kept in result.extraction.kept] == ["用户用 Gitee"]
    assert result.extraction.rejected == 2
    assert len(memory.long_term) == 1
    asked = next(request for request in model.requests if request.purpose == "facts")
    assert "Your task" not in asked.user
    assert not memory.has_unextracted


def test_an_extraction_that_fails_is_told_and_costs_no_result(make_memory: Any) -> None:
    limited = RateLimited(endpoint="e", attempts=4, detail="slow down")
    model = ScriptedModel(["A done"], by_purpose={"plan": [plan_text(a="")], "facts": [limited]})
    memory = make_memory(model)
    result = PlanExecuteAgent(model, memory).run("goal")
    assert result.ok
    assert (result.extraction, result.extraction_error) == (None, limited)
    assert memory.has_unextracted


def test_the_conversation_has_the_goal_and_a_line_for_each_task(make_memory: Any) -> None:
    model = model_for(plan_text(a="", b=""), "A done", "B done", "you did a and b")
    memory = make_memory(model)
    PlanExecuteAgent(model, memory).run("the goal")
    assert messages_of(memory) == [
        Message("user", "the goal"),
        Message("assistant", "✓ a do a: A done\n✓ b do b: B done"),
    ]
    assert Agent(model, memory).run("what did you do?") == "you did a and b"


def test_the_transcript_tells_the_histories_of_the_tasks_apart(make_memory: Any, tools: Any, journal: Any) -> None:
    call = ToolCall("c", "read_file", '{"path": "a.txt"}')
    model = model_for(plan_text(a=""), call, "A done")
    memory = make_memory(model)
    PlanExecuteAgent(model, memory, tools).run("the goal")
    of_the_task = [record["role"] for record in journal.records if record.get("task") == "a" and "role" in record]
    assert of_the_task == ["user", "assistant", "tool", "assistant"]
    window, waiting = window_of(journal.records)
    assert ([entry.message for entry in window], waiting) == (messages_of(memory), [])
    assert unextracted_entries(journal.records) == []


def test_every_call_is_on_the_account(make_memory: Any, tools: Any) -> None:
    call = ToolCall("c", "read_file", '{"path": "a.txt"}')
    model = model_for(plan_text(a="", b=""), call, "A done", "B done")
    memory = make_memory(model)
    PlanExecuteAgent(model, memory, tools).run("goal")
    assert {purpose: total.calls for purpose, total in memory.budget.by_purpose.items()} == {
        "plan": 1,
        "chat": 3,
        "facts": 1,
    }


def test_ctrl_c_in_the_middle_leaves_a_history_that_says_what_was_done(
    connect: Any, make_memory: Any, tools: Any, log: Any
) -> None:
    call = Call("read_file", {"path": "stop.txt"})
    script = [plan_text(a="", b="a", c="b"), "A done", call, "second answer"]
    with ChatServer(script, rules=Rules(require_alternate_roles=True)) as server:
        model = connect(server)
        memory = make_memory(model)
        with pytest.raises(KeyboardInterrupt):
            PlanExecuteAgent(model, memory, tools, emit=log, language="en").run("the goal")
        assert Agent(model, memory, tools).run("go on") == "second answer"
    assert server.violations == []
    assert server.requests[-1]["messages"][1:] == [
        {"role": "user", "content": "the goal"},
        {"role": "assistant", "content": "✓ a do a: A done\n✗ b do b: [interrupted]\n✗ c do c: [interrupted]"},
        {"role": "user", "content": "go on"},
    ]
    assert log.of(Interrupted) == [Interrupted("")]
    assert memory.has_unextracted


@pytest.mark.parametrize("moment", [TaskStarted, ToolStarted, TaskFinished])
def test_ctrl_c_at_any_moment_leaves_goal_and_report(moment: type, make_memory: Any, tools: Any, log: Any) -> None:
    call = ToolCall("c", "read_file", '{"path": "a.txt"}')
    model = model_for(plan_text(a=""), call, "A done")
    memory = make_memory(model)
    log.stop_at = lambda event: isinstance(event, moment)
    with pytest.raises(KeyboardInterrupt):
        PlanExecuteAgent(model, memory, tools, emit=log).run("the goal")
    assert messages_of(memory) == [Message("user", "the goal"), Message("assistant", "✗ a do a: [已中断]")]


def test_ctrl_c_at_the_question_leaves_everything_as_it_was(make_memory: Any) -> None:
    def interrupt(plan: Any) -> bool:
        raise KeyboardInterrupt

    model = model_for(plan_text(a=""))
    memory = make_memory(model)
    with pytest.raises(KeyboardInterrupt):
        PlanExecuteAgent(model, memory, confirm=interrupt).run("the goal")
    assert len(memory.short_term) == 0
