"""What a model call has cost: what the provider told, else an estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paicli.memory.message import Message, Quirks, Reply, Usage, render
from paicli.memory.tokens.estimate import EstimatingCounter


def usage_of(
    messages: Sequence[Message], reply: Reply, tools: Sequence[Mapping[str, Any]] = (), quirks: Quirks = Quirks()
) -> Usage:
    """Returns the tokens of a call: those in the reply, or, where it has none, about what was sent and came back."""
    if reply.usage:
        return reply.usage
    counter = EstimatingCounter()
    written = "".join(call.name + call.arguments for call in reply.tool_calls)
    received = sum(counter.count_text(text) for text in (reply.thinking, reply.text, written))
    return Usage(counter.count(render(messages, quirks), tools), received, estimated=True)
