"""The neutral messages of a conversation, and `render`, the one function that makes their wire form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]
INTERRUPTED_RESULT = "[interrupted: no result]"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to run a tool. `arguments` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True)
class Message:
    """One message, in no provider's form.

    Args:
        role: Who speaks.
        text: What is said, byte for byte.
        tool_calls: The calls an assistant makes.
        call_id: The call a tool message answers.
        tool_name: The tool that answered.
        thinking: The thinking text a model gave beside its answer.
    """

    role: Role
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    tool_name: str = ""
    thinking: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call; `estimated` where the provider told none."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. `finish_reason` is the provider's word: `stop`, `length`, `tool_calls` …"""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    thinking: str = ""
    usage: Usage | None = None
    finish_reason: str = "stop"


class ThinkingEcho(StrEnum):
    """Whether earlier thinking goes back to the provider."""

    NEVER = "never"
    WITH_CALLS = "with-calls"
    ALWAYS = "always"


class EmptyContent(StrEnum):
    """How an assistant message that only calls tools says that it has no text."""

    NULL = "null"
    EMPTY = "empty"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Quirks:
    """What a provider wants otherwise than others. Data of a preset.

    Args:
        thinking: When `thinking_field` is sent back.
        thinking_field: The field's name.
        thinking_required: Where `thinking` says that the field goes back, it is there even if there was no thinking.
        empty_content: The form of a missing text.
        alternate_roles: Two user or two assistant messages in a row are refused, so they are joined.
    """

    thinking: ThinkingEcho = ThinkingEcho.NEVER
    thinking_field: str = "reasoning_content"
    thinking_required: bool = False
    empty_content: EmptyContent = EmptyContent.EMPTY
    alternate_roles: bool = False


WireMessage = dict[str, Any]


def render(messages: Sequence[Message], quirks: Quirks = Quirks()) -> list[WireMessage]:
    """Returns the wire form of a conversation in the chat-completions format: always one a provider accepts.

    One system message, at the start; each call followed by exactly one result (`INTERRUPTED_RESULT` where none came);
    results without a call left out; ids unique; no message without text and calls; user texts byte for byte.
    """
    system = "\n\n".join(message.text for message in messages if message.role == "system" and message.text.strip())
    turns = [message for message in messages if message.role != "system"]
    repaired = list(_without_empty(_paired(turns)))
    if quirks.alternate_roles:
        repaired = list(_joined(repaired))
    wire: list[WireMessage] = [{"role": "system", "content": system}] if system else []
    return wire + [_wire(message, quirks) for message in repaired]


@dataclass
class _Step:
    """An assistant message with its calls, and the results that have come so far, by call id."""

    message: Message
    results: dict[str, Message] = field(default_factory=dict)

    def answer(self, result: Message) -> bool:
        """Takes the result if one of the calls still waits for it."""
        for call in self.message.tool_calls:
            if call.id == result.call_id and call.id not in self.results:
                self.results[call.id] = result
                return True
        return False

    def messages(self) -> Iterator[Message]:
        yield self.message
        for call in self.message.tool_calls:
            missing = Message("tool", INTERRUPTED_RESULT, call_id=call.id, tool_name=call.name)
            yield self.results.get(call.id, missing)


def _paired(messages: Iterable[Message]) -> Iterator[Message]:
    """Yields the messages with each call's result right behind it and ids that are used once."""
    step: _Step | None = None
    original: dict[str, list[str]] = {}
    used: set[str] = set()
    for message in messages:
        if message.role == "tool":
            if step:
                _give(step, message, original)
            continue
        if step:
            yield from step.messages()
            step = None
        if message.tool_calls:
            unique, original = _with_unique_ids(message, used)
            step = _Step(unique)
        else:
            yield message
    if step:
        yield from step.messages()


def _give(step: _Step, result: Message, original: Mapping[str, Sequence[str]]) -> None:
    for call_id in original.get(result.call_id, ()):
        if step.answer(replace(result, call_id=call_id)):
            return


def _with_unique_ids(message: Message, used: set[str]) -> tuple[Message, dict[str, list[str]]]:
    """Returns the message with ids not yet in `used` (which takes them up), and the new ids by the old."""
    calls: list[ToolCall] = []
    original: dict[str, list[str]] = {}
    for call in message.tool_calls:
        unique, number = call.id or "call", 2
        while unique in used:
            unique, number = f"{call.id or 'call'}-{number}", number + 1
        used.add(unique)
        original.setdefault(call.id, []).append(unique)
        calls.append(replace(call, id=unique))
    return replace(message, tool_calls=tuple(calls)), original


def _without_empty(messages: Iterable[Message]) -> Iterator[Message]:
    for message in messages:
        if message.role == "tool" or message.tool_calls or message.text.strip():
            yield message


def _joined(messages: Iterable[Message]) -> Iterator[Message]:
    """Joins neighbours of the same role, where the first calls no tool and is no answer of one."""
    last: Message | None = None
    for message in messages:
        if last and last.role == message.role != "tool" and not last.tool_calls:
            text = "\n\n".join(part for part in (last.text, message.text) if part)
            last = replace(message, text=text, thinking=message.thinking or last.thinking)
            continue
        if last:
            yield last
        last = message
    if last:
        yield last


def _wire(message: Message, quirks: Quirks) -> WireMessage:
    if message.role == "tool":
        return {
            "role": "tool",
            "tool_call_id": message.call_id,
            "content": message.text if message.text.strip() else "[no output]",
        }
    wire: WireMessage = {"role": message.role}
    if message.text.strip() or not message.tool_calls:
        wire["content"] = message.text
    elif quirks.empty_content is not EmptyContent.ABSENT:
        wire["content"] = None if quirks.empty_content is EmptyContent.NULL else ""
    if message.tool_calls:
        wire["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": _arguments(call)}}
            for call in message.tool_calls
        ]
    if _echoes(message, quirks):
        wire[quirks.thinking_field] = message.thinking
    return wire


def _arguments(call: ToolCall) -> str:
    """Returns the arguments as text that every provider can read: half a JSON text would be refused with every request."""
    if not call.arguments.strip():
        return "{}"
    return call.arguments if _is_object(call.arguments) else _as_object(call.arguments)


@lru_cache(maxsize=4096)
def _is_object(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


def _as_object(arguments: str) -> str:
    return json.dumps({"unreadable_arguments": arguments}, ensure_ascii=False)


def _echoes(message: Message, quirks: Quirks) -> bool:
    if message.role != "assistant" or not (message.thinking or quirks.thinking_required):
        return False
    return quirks.thinking is ThinkingEcho.ALWAYS or (
        quirks.thinking is ThinkingEcho.WITH_CALLS and bool(message.tool_calls)
    )
