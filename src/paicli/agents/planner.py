"""The planner: asks the model for a plan and reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from paicli.agents.plan import Plan, Task
from paicli.agents.prompt import planner_prompt
from paicli.errors import PlanInvalid
from paicli.llm.model import ChatModel
from paicli.memory.language import Language
from paicli.memory.manager import MemoryManager
from paicli.memory.message import Message

ATTEMPTS = 2
PLAN_CONTEXT_TOKENS = 300
"""The room for long-term memory while planning and in each task (the article's)."""


def make_plan(model: ChatModel, memory: MemoryManager, goal: str, language: Language) -> Plan:
    """Returns the model's plan for a goal. A plan that can't be read or run is asked for once more.

    Raises:
        PlanInvalid: No usable plan came.
        ModelError: The model could not be asked.
    """
    block = memory.build_context_for_query(goal, PLAN_CONTEXT_TOKENS)
    system = "\n\n".join(part for part in (planner_prompt(language), block) if part)
    messages = [Message("system", system), Message("user", goal)]
    for attempt in range(ATTEMPTS):
        reply = model.chat(messages, purpose="plan")
        if reply.usage:
            usage = reply.usage
            memory.record_token_usage(
                usage.input_tokens, usage.output_tokens, purpose="plan", estimated=usage.estimated
            )
        try:
            return parse_plan(reply.text, goal)
        except PlanInvalid:
            if attempt == ATTEMPTS - 1:
                raise
    raise PlanInvalid(reason="no plan came")


def parse_plan(reply: str, goal: str) -> Plan:
    """Returns the plan in a reply: a JSON object with `tasks`, fenced or amid prose.

    Raises:
        PlanInvalid: There is none, or it can't be run.
    """
    text = re.sub(r"<think>.*?(?:</think>|\Z)", "", reply, flags=re.DOTALL)
    for start in (match.start() for match in re.finditer(r"[{\[]", text)):
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(text[start:])
        except ValueError:
            continue
        tasks = value.get("tasks") if isinstance(value, dict) else value
        if isinstance(tasks, list) and tasks and all(isinstance(task, dict) for task in tasks):
            return Plan(goal, tuple(_task(task, number) for number, task in enumerate(tasks, 1)))
    raise PlanInvalid(reason=f"the model's reply holds no tasks: {reply.strip()[:80]!r}")


def _task(row: Mapping[str, object], number: int) -> Task:
    description = str(row.get("description") or row.get("task") or "").strip()
    if not description:
        raise PlanInvalid(reason=f"task {number} has no description")
    needed = row.get("depends_on") or row.get("dependencies") or []
    names = needed if isinstance(needed, list) else [needed]
    return Task(str(row.get("id") or f"t{number}"), description, tuple(str(name) for name in names))
