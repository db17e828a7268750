"""Planning: the request, and what is read out of a model's reply."""

from __future__ import annotations

from typing import Any

import pytest

from paicli.agents.plan import Plan, Task
from paicli.agents.planner import PLAN_CONTEXT_TOKENS, make_plan, parse_plan
from paicli.errors import KeyRejected, MessageTooLarge, PlanInvalid
from paicli.memory.message import Reply, Usage
from paicli.memory.tokens.estimate import estimate_tokens
from paicli.testing.scripted import ScriptedModel

GOOD = '{"tasks": [{"id": "t1", "description": "look"}, {"id": "t2", "description": "write", "depends_on": ["t1"]}]}'
TASKS = (Task("t1", "look"), Task("t2", "write", ("t1",)))


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f"```json\n{GOOD}\n```\nThat is the plan.",
        f"Sure! [1] Here it is {{as JSON}}:\n{GOOD}",
        f'<think>maybe {{"tasks": [{{"id": "no", "description": "no"}}]}}</think>{GOOD}',
        f'{{"plan": {GOOD}}}',
        '[{"id": "t1", "task": "look"}, {"id": "t2", "task": " write ", "dependencies": "t1"}]',
        '{"tasks": [{"description": "look"}, {"description": "write", "depends_on": ["t1", null]}]}',
        f"\ufeff{GOOD}",
    ],
)
def test_a_plan_is_read_however_it_is_wrapped(reply: str) -> None:
    assert parse_plan(reply, "goal") == Plan("goal", TASKS)


def test_numbers_do_for_ids_even_from_nought_on() -> None:
    reply = '{"tasks": [{"id": 0, "description": "look"}, {"id": 1, "description": "write", "depends_on": [0]}]}'
    assert [(task.id, task.depends_on) for task in parse_plan(reply, "goal").tasks] == [("0", ()), ("1", ("0",))]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "holds no tasks"),
        ("I can't plan that.", 'holds no tasks: "I can\'t plan that."'),
        ('{"tasks": []}', "holds no tasks"),
        ('{"tasks": ["look", "write"]}', "holds no tasks"),
        (GOOD[:-30], "holds no tasks"),
        (f"<think>{GOOD}", "holds no tasks"),
        ("[" * 100_000, "holds no tasks"),
        ('{"tasks": [{"id": "t1"}]}', "task 1 has no description"),
        ('{"tasks": [{"description": "x", "depends_on": ["t9"]}]}', "which is no task"),
        ('{"tasks": [{"description": "x", "depends_on": ["t1"]}]}', "circle"),
    ],
)
def test_a_reply_without_a_usable_plan_is_refused_with_the_reason(reply: str, reason: str) -> None:
    with pytest.raises(PlanInvalid) as refused:
        parse_plan(reply, "goal")
    assert reason in str(refused.value)
    assert len(str(refused.value)) < 200


def test_the_request_has_the_memory_in_its_system_message_and_the_goal_as_it_is(make_memory: Any) -> None:
    model = ScriptedModel([GOOD])
    memory = make_memory(model)
    for number in range(100):
        memory.store_fact(f"发布服务的第 {number} 条规则：端口是 {number}")
    make_plan(model, memory, " 发布服务，端口是多少 {x} ", "zh")
    request = model.requests[0]
    assert request.purpose == "plan"
    assert request.user == " 发布服务，端口是多少 {x} "
    block = request.system[request.system.index("## 长期记忆") :]
    assert 150 < estimate_tokens(block) <= PLAN_CONTEXT_TOKENS
    assert not request.tools


def test_a_reply_that_is_no_plan_is_sent_back_once_with_the_reason(make_memory: Any) -> None:
    bad = '{"tasks": [{"id": "t1", "description": "x", "depends_on": ["t9"]}]}'
    model = ScriptedModel([bad, GOOD])
    assert make_plan(model, make_memory(model), "goal", "en").tasks == TASKS
    again = model.requests[1].messages
    assert [message.role for message in again] == ["system", "user", "assistant", "user"]
    assert "'t9', which is no task" in again[-1].text


def test_after_the_second_such_reply_there_is_no_plan_and_both_calls_are_on_the_account(make_memory: Any) -> None:
    model = ScriptedModel([Reply("no", usage=Usage(10, 1)), Reply("no", usage=Usage(20, 1))])
    memory = make_memory(model)
    with pytest.raises(PlanInvalid):
        make_plan(model, memory, "goal", "en")
    total = memory.budget.by_purpose["plan"]
    assert (total.calls, total.input_tokens, total.output_tokens) == (2, 30, 2)
    assert len(memory.short_term) == 0


def test_a_model_that_fails_is_no_plan(make_memory: Any) -> None:
    model = ScriptedModel([KeyRejected(endpoint="e", key="sk-…", status=401)])
    with pytest.raises(KeyRejected):
        make_plan(model, make_memory(model), "goal", "en")


def test_a_goal_larger_than_the_window_is_refused_before_the_model_is_asked(make_memory: Any) -> None:
    model = ScriptedModel([GOOD], context_window=2_000)
    with pytest.raises(MessageTooLarge):
        make_plan(model, make_memory(model), "word " * 5_000, "en")
    assert model.requests == []
