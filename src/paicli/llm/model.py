"""ChatModel, what an agent needs of a model, and the values that go in and out besides messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from paicli.memory.message import Message, Quirks, Reply


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told about a tool. `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}}, hash=False)

    def schema(self) -> dict[str, Any]:
        """Returns the form the chat-completions API wants."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer as it arrives."""

    text: str = ""
    thinking: str = ""


OnDelta = Callable[[Delta], None]


class ChatModel(Protocol):
    """A model one can talk to, tools included. It is a `paicli.memory.protocols.LanguageModel` too.

    `chat` may be called from several threads at once.
    """

    @property
    def name(self) -> str:
        """The model's name as the provider knows it."""

    @property
    def context_window(self) -> int:
        """Tokens the model takes in all, as far as known by now: an overflow may teach a smaller one."""

    @property
    def quirks(self) -> Quirks:
        """What the provider wants otherwise than others."""

    def chat(
        self,
        messages: Sequence[Message],
        *,
        purpose: str = "chat",
        tools: Sequence[ToolSpec] = (),
        on_delta: OnDelta | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """Returns the answer to `messages`; its `usage` is always filled, estimated where the provider told none.

        Args:
            messages: The conversation, system messages included.
            purpose: What the call is for: `chat`, `summary`, `facts` …
            tools: What the model may call.
            on_delta: Is told each piece as it arrives, in the calling thread.
            max_tokens: Limit of the answer in tokens; None for the provider's own.

        Raises:
            ModelError: No usable answer came; a `StreamBroken` holds what had arrived as `partial`.
        """
