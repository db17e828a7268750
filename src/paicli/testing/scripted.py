"""ScriptedModel: a `ChatModel` that answers what it was told to, for tests and demonstrations without a network."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from paicli.llm.model import Delta, OnDelta, ToolSpec
from paicli.memory.message import Message, Quirks, Reply, ToolCall, Usage, render
from paicli.memory.tokens.estimate import EstimatingCounter

Answer = str | Reply | ToolCall | BaseException
Responder = Callable[[list[Message], tuple[ToolSpec, ...]], Answer]
Replies = Iterable[Answer | Responder] | Responder
NO_QUIRKS = Quirks()
PIECE_CHARACTERS = 12
"""Length of the pieces in which a scripted answer arrives."""


class ScriptExhausted(AssertionError):
    """A scripted model was asked more often than it has answers."""


@dataclass(frozen=True)
class ModelRequest:
    """One call of a scripted model."""

    messages: list[Message]
    purpose: str
    tools: tuple[ToolSpec, ...]
    max_tokens: int | None = None

    @property
    def system(self) -> str:
        """The text of the one system message; empty where there is none."""
        first = render(self.messages)[:1]
        return str(first[0]["content"]) if first and first[0]["role"] == "system" else ""

    @property
    def user(self) -> str:
        """The text of the newest user message; empty where there is none."""
        return next((message.text for message in reversed(self.messages) if message.role == "user"), "")


class ScriptedModel:
    """Answers with `replies`, in order; counts tokens by estimate; may be used from several threads.

    Args:
        replies: Texts, `Reply`s, `ToolCall`s, exceptions to raise, or functions of (messages, tools) that return one of
            these; or a single such function, which answers all calls.
        name: The model's name.
        context_window: Tokens it claims to take.
        quirks: What it claims to want otherwise.
        by_purpose: Replies for the calls of one purpose, `{"facts": [...]}`; the others take `replies`.

    Raises:
        ScriptExhausted: By `chat`, when there is no reply left.

    >>> ScriptedModel(["hello"]).chat([Message("user", "hi")]).text
    'hello'
    """

    def __init__(
        self,
        replies: Replies = (),
        *,
        name: str = "scripted",
        context_window: int = 200_000,
        quirks: Quirks = NO_QUIRKS,
        by_purpose: Mapping[str, Replies] | None = None,
    ) -> None:
        self.name = name
        self.context_window = context_window
        self.quirks = quirks
        self.requests: list[ModelRequest] = []
        self._lock = threading.Lock()
        self._scripts = {purpose: _script(script) for purpose, script in (by_purpose or {}).items()}
        self._script = _script(replies)

    def chat(
        self,
        messages: Sequence[Message],
        *,
        purpose: str = "chat",
        tools: Sequence[ToolSpec] = (),
        on_delta: OnDelta | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """Returns, or raises, the next scripted answer, and tells `on_delta` its pieces; see `ChatModel.chat`."""
        request = ModelRequest(list(messages), purpose, tuple(tools), max_tokens)
        answer = self._next(request)
        if callable(answer):
            answer = answer(list(messages), tuple(tools))
        if isinstance(answer, BaseException):
            raise answer
        reply = self._reply(answer, request)
        if on_delta:
            for delta in _pieces(reply):
                on_delta(delta)
        return reply

    def _next(self, request: ModelRequest) -> Answer | Responder:
        with self._lock:
            self.requests.append(request)
            script = self._scripts.get(request.purpose, self._script)
            if not isinstance(script, deque):
                return script
            if not script:
                raise ScriptExhausted(
                    f"The scripted model '{self.name}' has no reply left for call {len(self.requests)}"
                    f" (purpose '{request.purpose}'): {request.user[:200]!r}"
                )
            return script.popleft()

    def _reply(self, answer: object, request: ModelRequest) -> Reply:
        if isinstance(answer, ToolCall):
            answer = Reply(tool_calls=(answer,), finish_reason="tool_calls")
        reply = answer if isinstance(answer, Reply) else Reply(str(answer))
        if reply.usage:
            return reply
        counter = EstimatingCounter()
        sent = counter.count(render(request.messages, self.quirks), [tool.schema() for tool in request.tools])
        calls = "".join(call.name + call.arguments for call in reply.tool_calls)
        received = counter.count_text(reply.thinking) + counter.count_text(reply.text) + counter.count_text(calls)
        return replace(reply, usage=Usage(sent, received, estimated=True))


def _script(replies: Replies) -> deque[Answer | Responder] | Responder:
    if isinstance(replies, str | Reply | ToolCall | BaseException):
        raise TypeError(f"ScriptedModel 'replies' has value {replies!r}: not a list and not a function.")
    if callable(replies):
        return replies
    return deque(replies)


def _pieces(reply: Reply) -> Iterable[Delta]:
    for start in range(0, len(reply.thinking), PIECE_CHARACTERS):
        yield Delta(thinking=reply.thinking[start : start + PIECE_CHARACTERS])
    for start in range(0, len(reply.text), PIECE_CHARACTERS):
        yield Delta(text=reply.text[start : start + PIECE_CHARACTERS])
