"""What a scripted server can be told to answer, faults included, and the wire form of each."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from paicli.memory.message import Reply, ToolCall

Json = dict[str, Any]
PIECE_CHARACTERS = 8
"""Length of the pieces in which a text is streamed."""
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Call:
    """A tool call to answer with. `arguments` as text is sent as it is, half JSON included; without id one is made."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str | None = None
    thinking: str = ""


@dataclass(frozen=True)
class HttpError:
    """An answer with a status of its own. A mapping is sent as JSON, a text as a web page."""

    status: int
    body: Mapping[str, Any] | str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Empty:
    """An answer with neither text nor call. `content` is null, a blank text, or absent."""

    content: Literal["null", "blank", "absent"] = "null"
    finish_reason: str = "stop"


@dataclass(frozen=True)
class Raw:
    """The pieces of a stream, as they are."""

    chunks: Sequence[Mapping[str, Any] | str]


Plain = str | Reply | ToolCall | Call | Sequence[Call] | Empty | Raw


@dataclass(frozen=True)
class Broken:
    """A stream that breaks off after some pieces; `politely` ends it as if it were complete, but without its last piece."""

    after_chunks: int = 1
    answer: Plain = "This answer never comes to its end."
    politely: bool = False


@dataclass(frozen=True)
class Slow:
    """An answer that keeps one waiting: before its headers, or after the first piece of the stream."""

    seconds: float
    answer: Plain = "Here I am at last."
    where: Literal["headers", "stream"] = "headers"
    keep_alive: bool = False
    """Whether the stream sends comments while it waits, as DeepSeek does."""


@dataclass(frozen=True)
class NoUsage:
    """An answer that doesn't tell its usage, even where it was asked to."""

    answer: Plain = "I don't count."


Answer = Plain | HttpError | Broken | Slow | NoUsage


@dataclass(frozen=True)
class Performance:
    """How an answer is played: the pieces of its stream, and what goes wrong with it."""

    chunks: tuple[Json | str, ...]
    message: Json
    finish_reason: str
    tells_usage: bool = True
    breaks_after: int | None = None
    politely: bool = False
    slow: Slow | None = None

    @property
    def generated(self) -> str:
        """All that a model would have written, for counting."""
        calls = "".join(call["function"]["name"] + call["function"]["arguments"] for call in self._calls)
        return f"{self.message.get('reasoning_content') or ''}{self.message.get('content') or ''}{calls}"

    @property
    def _calls(self) -> list[Json]:
        return self.message.get("tool_calls") or []


def perform(answer: Plain | Broken | Slow | NoUsage) -> Performance:
    """Returns how `answer` is played."""
    if isinstance(answer, Broken):
        played = perform(answer.answer)
        return _changed(played, breaks_after=answer.after_chunks, politely=answer.politely)
    if isinstance(answer, Slow):
        return _changed(perform(answer.answer), slow=answer)
    if isinstance(answer, NoUsage):
        return _changed(perform(answer.answer), tells_usage=False)
    if isinstance(answer, Raw):
        chunks = tuple(chunk if isinstance(chunk, str) else dict(chunk) for chunk in answer.chunks)
        return Performance(chunks, {"role": "assistant", "content": ""}, "stop", tells_usage=False)
    message, finish_reason = _message(answer)
    return Performance(tuple(_chunks(message, finish_reason)), message, finish_reason)


def _changed(performance: Performance, **changes: Any) -> Performance:  # noqa: ANN401  # fields of a dataclass
    return Performance(**{**vars(performance), **changes})


def _message(answer: str | Reply | ToolCall | Call | Sequence[Call] | Empty) -> tuple[Json, str]:
    """Returns the answer as an assistant's message, and why it ended."""
    if isinstance(answer, Empty):
        contents: dict[str, Json] = {"null": {"content": None}, "blank": {"content": " \n"}, "absent": {}}
        return {"role": "assistant", **contents[answer.content]}, answer.finish_reason
    if isinstance(answer, str):
        return {"role": "assistant", "content": answer}, "stop"
    if isinstance(answer, Reply):
        message: Json = {"role": "assistant", "content": answer.text or None}
        if answer.thinking:
            message["reasoning_content"] = answer.thinking
        if answer.tool_calls:
            message["tool_calls"] = [_wire_call(call.id, call.name, call.arguments) for call in answer.tool_calls]
        return message, "tool_calls" if answer.tool_calls else answer.finish_reason
    calls = [answer] if isinstance(answer, Call | ToolCall) else list(answer)
    wire = [
        _wire_call(call.id or f"call_{number}", call.name, _text(call.arguments)) for number, call in enumerate(calls)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": wire}
    thinking = "".join(call.thinking for call in calls if isinstance(call, Call))
    return message | ({"reasoning_content": thinking} if thinking else {}), "tool_calls"


def _wire_call(call_id: str, name: str, arguments: str) -> Json:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _text(arguments: Mapping[str, Any] | str) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _chunks(message: Json, finish_reason: str) -> Iterator[Json]:
    """Yields the pieces of a stream: the role, thinking, text, calls, and why it ended."""
    yield chunk({"role": "assistant", "content": "" if message.get("content") else message.get("content")})
    for piece in _pieces(message.get("reasoning_content") or ""):
        yield chunk({"reasoning_content": piece})
    for piece in _pieces(message.get("content") or ""):
        yield chunk({"content": piece})
    for index, call in enumerate(message.get("tool_calls") or ()):
        head = {**call, "index": index, "function": {"name": call["function"]["name"], "arguments": ""}}
        yield chunk({"tool_calls": [head]})
        for piece in _pieces(call["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, finish_reason)


def chunk(delta: Mapping[str, Any] | None, finish_reason: str | None = None) -> Json:
    """Returns a piece of a stream with one choice."""
    choice = {"index": 0, "delta": delta if delta is None else dict(delta), "finish_reason": finish_reason}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "scripted",
        "choices": [choice],
    }


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), PIECE_CHARACTERS):
        yield text[start : start + PIECE_CHARACTERS]
