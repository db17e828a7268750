"""PlanExecuteAgent: plans, asks, carries the tasks out in order, and draws facts out of it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from paicli.agents.events import Emit, PlanMade, TaskFinished, TaskStarted, ignore
from paicli.agents.plan import Plan, Task, waiting_for
from paicli.agents.planner import PLAN_CONTEXT_TOKENS, make_plan
from paicli.agents.prompt import task_prompt
from paicli.agents.react import INTERRUPTED, Agent, hear
from paicli.errors import PaicliError
from paicli.llm.model import ChatModel
from paicli.memory.language import Language
from paicli.memory.manager import MemoryManager
from paicli.memory.report import Extraction
from paicli.memory.tokens.estimate import estimate_tokens
from paicli.memory.window import LARGEST_RESULT_SHARE, cut_middle
from paicli.tools.registry import Toolbox

_TASK: dict[Language, tuple[str, str, str]] = {
    "zh": ("总目标", "你的任务", "已完成任务的结果"),
    "en": ("The goal", "Your task", "Results of finished tasks"),
}
_SKIPPED: dict[Language, str] = {
    "zh": "跳过：它依赖的 {ids} 没有完成",
    "en": "skipped: {ids}, which it needs, did not succeed",
}


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What became of a task; `text` is its report, or why it failed or was skipped; `error` where one was the reason."""

    ok: bool
    text: str
    error: PaicliError | None = None


@dataclass(frozen=True, slots=True)
class PlanResult:
    """What became of a plan: each task's result by id, and the facts drawn out afterwards.

    Args:
        plan: The plan.
        confirmed: Whether it was carried out at all.
        results: By task id.
        extraction: The facts; None where none could be looked for.
        extraction_error: Why not.
    """

    plan: Plan
    confirmed: bool = True
    results: Mapping[str, TaskResult] = field(default_factory=dict)
    extraction: Extraction | None = None
    extraction_error: PaicliError | None = None

    @property
    def ok(self) -> bool:
        """Whether every task succeeded."""
        done = [self.results.get(task.id) for task in self.plan.tasks]
        return self.confirmed and all(result is not None and result.ok for result in done)


def always(_plan: Plan) -> bool:
    """Confirms any plan."""
    return True


class PlanExecuteAgent:
    """Reaches a goal by a plan whose tasks are carried out one after the other.

    Args:
        model: Plans and works.
        memory: The session's memory; each task has a history of its own and the long-term memory in its system message.
        tools: What the tasks may use.
        confirm: Is asked before anything is done.
        emit: Is told what happens.
        language: The language of the agent's own words.
    """

    def __init__(
        self,
        model: ChatModel,
        memory: MemoryManager,
        tools: Toolbox | None = None,
        *,
        confirm: Callable[[Plan], bool] = always,
        emit: Emit = ignore,
        language: Language = "zh",
    ) -> None:
        self._model = model
        self._memory = memory
        self._tools = tools or Toolbox()
        self._confirm = confirm
        self._emit = emit
        self._language = language

    def run(self, goal: str) -> PlanResult:
        """Plans for a goal, and carries the plan out once it is confirmed.

        A task that fails does not end the plan; those that need it are skipped, and the result says so. What became of
        the tasks is in the history, also where KeyboardInterrupt ends the plan and passes on.

        Raises:
            PlanInvalid: No usable plan came.
            MessageTooLarge: The goal does not fit the model's window.
            ModelError: The model could not be asked for a plan.
        """
        plan = make_plan(self._model, self._memory, goal, self._language)
        self._emit(PlanMade(plan))
        if not self._confirm(plan):
            return PlanResult(plan, confirmed=False)
        hear(self._memory, goal, self._emit)
        results: dict[str, TaskResult] = {}
        try:
            for task in plan.in_order():
                results[task.id] = self._carry_out(task, plan, results)
        finally:
            self._memory.add_assistant_message(self._report(plan, results))
        return self._with_facts(plan, results)

    def _carry_out(self, task: Task, plan: Plan, results: Mapping[str, TaskResult]) -> TaskResult:
        self._emit(TaskStarted(task))
        failed = waiting_for(task, [task_id for task_id, result in results.items() if not result.ok])
        if failed:
            result = TaskResult(ok=False, text=_SKIPPED[self._language].format(ids=", ".join(failed)))
        else:
            result = self._work_on(task, plan, results)
        self._emit(TaskFinished(task, result.text, result.ok, result.error))
        return result

    def _work_on(self, task: Task, plan: Plan, results: Mapping[str, TaskResult]) -> TaskResult:
        agent = Agent(
            self._model,
            self._memory.for_task(task.id),
            self._tools,
            prompt=task_prompt(self._language),
            emit=self._emit,
            language=self._language,
        )
        try:
            request = self._request(task, plan, results)
            about = f"{plan.goal}\n{task.description}"
            text = agent.run_task(request, about=about, max_tokens=PLAN_CONTEXT_TOKENS)
        except PaicliError as error:
            return TaskResult(ok=False, text=str(error), error=error)
        return TaskResult(ok=not agent.out_of_steps, text=text)

    def _request(self, task: Task, plan: Plan, results: Mapping[str, TaskResult]) -> str:
        """Returns what the agent of a task is asked: the goal, the task, and the reports of the tasks it needs."""
        goal, own, done = _TASK[self._language]
        parts = [f"{goal}: {plan.goal}", f"{own}: {task.description}"]
        if task.depends_on:
            room = int(self._memory.budget.available_for_conversation * LARGEST_RESULT_SHARE) // len(task.depends_on)
            reports = (f"- {one}: {cut_middle(results[one].text, room, estimate_tokens)}" for one in task.depends_on)
            parts.append("\n".join([f"{done}:", *reports]))
        return "\n\n".join(parts)

    def _report(self, plan: Plan, results: Mapping[str, TaskResult]) -> str:
        """Returns what became of the tasks, a line each, as the conversation keeps it."""
        stopped = TaskResult(ok=False, text=INTERRUPTED[self._language])
        rows = ((task, results.get(task.id, stopped)) for task in plan.in_order())
        return "\n".join(
            f"{'✓' if result.ok else '✗'} {task.id} {task.description}: {result.text}" for task, result in rows
        )

    def _with_facts(self, plan: Plan, results: Mapping[str, TaskResult]) -> PlanResult:
        try:
            return PlanResult(plan, results=results, extraction=self._memory.extract_and_save_facts())
        except PaicliError as error:
            return PlanResult(plan, results=results, extraction_error=error)
