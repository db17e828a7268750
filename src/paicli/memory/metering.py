"""MeteredModel: a model whose every call is put on the account."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paicli.memory.message import Message, Reply, Usage
from paicli.memory.protocols import LanguageModel
from paicli.memory.tokens.estimate import MESSAGE_OVERHEAD_TOKENS, estimate_tokens


@dataclass(frozen=True, slots=True)
class MeteredModel:
    """Passes calls on to a model and tells `record` of each: its purpose and what it cost."""

    model: LanguageModel
    record: Callable[[str, Usage], None]

    def chat(self, messages: Sequence[Message], *, purpose: str) -> Reply:
        """Returns the model's reply."""
        reply = self.model.chat(messages, purpose=purpose)
        self.record(purpose, reply.usage or estimated_usage(messages, reply))
        return reply


def estimated_usage(messages: Sequence[Message], reply: Reply) -> Usage:
    """Returns what a call is likely to have cost, where the provider told nothing."""
    sent = sum(estimate_tokens(message.text) + MESSAGE_OVERHEAD_TOKENS for message in messages)
    return Usage(sent, estimate_tokens(reply.text) + estimate_tokens(reply.thinking), estimated=True)
