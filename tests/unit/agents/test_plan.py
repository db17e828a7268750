"""Plans: which can be run, and in what order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.agents.plan import MOST_TASKS, Plan, Task, waiting_for
from paicli.errors import PlanInvalid


def plan_of(**needs: str) -> Plan:
    return Plan("goal", tuple(Task(name, f"do {name}", tuple(needed.split())) for name, needed in needs.items()))


@pytest.mark.parametrize(
    ("tasks", "reason"),
    [
        ([], "it has no tasks"),
        ([Task("a", "x"), Task("a", "y")], "two tasks have the id 'a'"),
        ([Task("a", "x", ("b",))], "task 'a' depends on 'b', which is no task"),
        ([Task("a", "x", ("a",))], "tasks need each other in a circle: a → a"),
        ([Task("a", "x", ("b",)), Task("b", "y", ("a",))], "tasks need each other in a circle"),
        ([Task(str(number), "x") for number in range(MOST_TASKS + 1)], "it has 21 tasks, more than 20"),
        ([Task("{a}", "x", ("%s{b}",))], "task '{a}' depends on '%s{b}', which is no task"),
    ],
)
def test_a_plan_that_can_not_be_run_is_refused_with_the_reason(tasks: list[Task], reason: str) -> None:
    with pytest.raises(PlanInvalid) as refused:
        Plan("goal", tuple(tasks))
    assert reason in str(refused.value)


def test_tasks_come_after_those_they_need_and_else_as_written() -> None:
    plan = plan_of(d="b c", b="a", c="a", a="", e="")
    assert [task.id for task in plan.in_order()] == ["a", "e", "b", "c", "d"]


@given(st.lists(st.sets(st.integers(0, MOST_TASKS - 1)), min_size=1, max_size=MOST_TASKS))
def test_every_task_comes_once_and_after_those_it_needs(needs: list[set[int]]) -> None:
    tasks = [
        Task(str(number), "x", tuple(str(one) for one in needed if one < number)) for number, needed in enumerate(needs)
    ]
    done: list[str] = []
    for task in Plan("goal", tuple(reversed(tasks))).in_order():
        assert set(task.depends_on) <= set(done)
        done.append(task.id)
    assert sorted(done) == sorted(task.id for task in tasks)


def test_a_task_waits_for_those_it_needs_that_failed() -> None:
    assert waiting_for(Task("c", "x", ("a", "b")), ["b", "d"]) == ["b"]
