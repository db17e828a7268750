"""What every provider refuses: what the laws of the history are about."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from paicli.memory.message import EmptyContent, Quirks, ThinkingEcho

QUIRKS = st.builds(
    Quirks,
    thinking=st.sampled_from(ThinkingEcho),
    thinking_required=st.booleans(),
    empty_content=st.sampled_from(EmptyContent),
    alternate_roles=st.booleans(),
)


def faults(wire: list[dict[str, Any]], quirks: Quirks) -> list[str]:
    """Returns what a strict provider would refuse."""
    found = ["a system message that is not first"] if any(message["role"] == "system" for message in wire[1:]) else []
    calls = [call for message in wire for call in message.get("tool_calls", ())]
    ids = [call["id"] for call in calls]
    if len(ids) != len(set(ids)) or "" in ids:
        found.append("ids that are not unique")
    if not all(isinstance(json.loads(call["function"]["arguments"]), dict) for call in calls):
        found.append("arguments that are no object")
    if not all(message.get("tool_calls") or message["content"].strip() for message in wire):
        found.append("an empty message")
    if answers_expected(wire) != [message.get("tool_call_id") for message in wire]:
        found.append("calls and results that are no pairs")
    if quirks.alternate_roles and any(
        first["role"] == second["role"] != "tool" and not first.get("tool_calls") for first, second in pairwise(wire)
    ):
        found.append("two of the same role")
    return found


def answers_expected(wire: list[dict[str, Any]]) -> list[str | None]:
    """Returns the call id that each message must have: results stand right behind their calls, in the same order."""
    expected: list[str | None] = []
    waiting: list[str] = []
    for message in wire:
        expected.append(waiting.pop(0) if waiting else None)
        waiting += [call["id"] for call in message.get("tool_calls", ())]
    return [*expected, *waiting]
