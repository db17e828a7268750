"""The planner: asks the model for a plan and reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice

from paicli.agents.cost import usage_of
from paicli.agents.plan import Plan, Task
from paicli.agents.prompt import planner_prompt
from paicli.errors import MessageTooLarge, PlanInvalid
from paicli.llm.model import ChatModel
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.language import Language
from paicli.memory.manager import MemoryManager
from paicli.memory.message import Message, Reply
from paicli.memory.tokens.estimate import EstimatingCounter
from paicli.memory.window import Fixed, fit

ATTEMPTS = 2
PLAN_CONTEXT_TOKENS = 300
"""The room for long-term memory while planning and in each task (the article's)."""
_MOST_BRACKETS = 500
"""So many places are tried for the start of a plan: a model may fall into writing brackets for ever."""


def make_plan(model: ChatModel, memory: MemoryManager, goal: str, language: Language) -> Plan:
    """Returns the model's plan for a goal. A plan that can't be read or run is sent back once, with the reason.

    Nothing is taken into the history; the calls are put on the account.

    Raises:
        PlanInvalid: No usable plan came.
        MessageTooLarge: The goal does not fit the model's window.
        ModelError: The model could not be asked.
    """
    messages = _request(model, memory, goal, language)
    for _ in range(ATTEMPTS - 1):
        reply = _ask(model, memory, messages)
        try:
            return parse_plan(reply.text, goal)
        except PlanInvalid as error:
            messages = [*messages, Message("assistant", reply.text), Message("user", str(error))]
    return parse_plan(_ask(model, memory, messages).text, goal)


def _request(model: ChatModel, memory: MemoryManager, goal: str, language: Language) -> list[Message]:
    block = memory.build_context_for_query(goal, PLAN_CONTEXT_TOKENS)
    fixed = Fixed(planner_prompt(language), quirks=model.quirks)
    said = MemoryEntry(goal, MemoryType.CONVERSATION)
    limit, counter = memory.budget.request_limit, EstimatingCounter()
    try:
        return fit(fixed, [*memory.short_term, said], block, limit, counter)
    except MessageTooLarge:  # the conversation so far has no room beside the goal
        return fit(fixed, [said], block, limit, counter)


def _ask(model: ChatModel, memory: MemoryManager, messages: Sequence[Message]) -> Reply:
    reply = model.chat(messages, purpose="plan")
    usage = usage_of(messages, reply, quirks=model.quirks)
    memory.record_token_usage(usage.input_tokens, usage.output_tokens, purpose="plan", estimated=usage.estimated)
    return reply


def parse_plan(reply: str, goal: str) -> Plan:
    """Returns the plan in a reply: a JSON object with `tasks`, fenced or amid prose.

    Raises:
        PlanInvalid: There is none, or it can't be run.
    """
    text = re.sub(r"<think>.*?(?:</think>|\Z)", "", reply, flags=re.DOTALL)
    for bracket in islice(re.finditer(r"[{\[]", text), _MOST_BRACKETS):
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(text, bracket.start())
        except (ValueError, RecursionError):
            continue
        tasks = value.get("tasks") if isinstance(value, dict) else value
        if isinstance(tasks, list) and tasks and all(isinstance(task, dict) for task in tasks):
            return Plan(goal, tuple(_task(task, number) for number, task in enumerate(tasks, 1)))
    raise PlanInvalid(reason=f"the model's reply holds no tasks: {reply.strip()[:80]!r}")


def _task(row: Mapping[str, object], number: int) -> Task:
    description = _text(row.get("description") or row.get("task"))
    if not description:
        raise PlanInvalid(reason=f"task {number} has no description")
    needed = row.get("depends_on", row.get("dependencies"))
    names = needed if isinstance(needed, list) else [needed]
    return Task(_text(row.get("id")) or f"t{number}", description, tuple(filter(None, map(_text, names))))


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()
