"""Plan: tasks and what each needs to be done before it, in an order that can be run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from paicli.errors import PlanInvalid

MOST_TASKS = 20


@dataclass(frozen=True, slots=True)
class Task:
    """One step of a plan; `depends_on` names the tasks whose results it needs."""

    id: str
    description: str
    depends_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The tasks that reach a goal: a directed graph without cycles.

    Raises:
        PlanInvalid: No task, too many, an id used twice, an unknown dependency, or a cycle.
    """

    goal: str
    tasks: tuple[Task, ...]

    def __post_init__(self) -> None:
        ids = [task.id for task in self.tasks]
        if not ids:
            raise PlanInvalid(reason="it has no tasks")
        if len(ids) > MOST_TASKS:
            raise PlanInvalid(reason=f"it has {len(ids)} tasks, more than {MOST_TASKS}")
        for task_id in ids:
            if ids.count(task_id) > 1:
                raise PlanInvalid(reason=f"two tasks have the id '{task_id}'")
        for task in self.tasks:
            for needed in task.depends_on:
                if needed not in ids:
                    raise PlanInvalid(reason=f"task '{task.id}' depends on '{needed}', which is no task")
        list(self.in_order())

    def in_order(self) -> Iterator[Task]:
        """Yields the tasks so that each comes after those it needs; otherwise as they were written.

        Raises:
            PlanInvalid: Tasks need each other in a circle.
        """
        by_id = {task.id: task for task in self.tasks}
        sorter = TopologicalSorter({task.id: task.depends_on for task in self.tasks})
        try:
            sorter.prepare()
        except CycleError as error:
            raise PlanInvalid(reason=f"tasks need each other in a circle: {' → '.join(error.args[1])}") from error
        order = list(by_id)
        while sorter.is_active():
            for task_id in sorted(sorter.get_ready(), key=order.index):
                yield by_id[task_id]
                sorter.done(task_id)


def waiting_for(task: Task, failed: Sequence[str]) -> list[str]:
    """Returns those of the task's dependencies that failed."""
    return [needed for needed in task.depends_on if needed in failed]
