"""What the strict server refuses: `objection` says what is wrong with a request, as the pickiest provider would."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MESSAGE_FIELDS = frozenset({"role", "content", "name", "tool_calls", "tool_call_id"})
REQUEST_FIELDS = frozenset({
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "model",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
})  # fmt: skip
ROLES = ("system", "user", "assistant", "tool")
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Rules:
    """How picky the server is beyond what every provider asks for.

    Args:
        key: The key that must be sent; empty where none is needed.
        context_window: Tokens (by estimate) that are taken in a request; None for any number.
        reject_null_content: A missing text must not be null.
        reject_empty_content: A missing text must not be `""`.
        require_content: Every message must have the field.
        require_alternate_roles: No two user or assistant messages in a row.
        reject_unknown_fields: Only the fields of the original API.
        require_thinking_echo: Messages with tool calls must have their thinking with them.
        reject_stream_options: The usage of a stream can't be asked for.
    """

    key: str = ""
    context_window: int | None = None
    reject_null_content: bool = False
    reject_empty_content: bool = False
    require_content: bool = False
    require_alternate_roles: bool = False
    reject_unknown_fields: bool = False
    require_thinking_echo: bool = False
    reject_stream_options: bool = False


Wire = Mapping[str, Any]
NO_RULES = Rules()


def objection(body: Wire, rules: Rules = NO_RULES) -> str:
    """Returns what is wrong with the body of a chat-completions request; empty where nothing is.

    >>> objection({"model": "m", "messages": [{"role": "system", "content": "Be brief."}]})
    'there is no user message'
    """
    return next(_objections(body, rules), "")


def _objections(body: Wire, rules: Rules) -> Iterator[str]:
    messages = body.get("messages")
    if not isinstance(body.get("model"), str) or not body["model"]:
        yield "model is missing"
    if rules.reject_stream_options and "stream_options" in body:
        yield "unknown parameter: stream_options"
    if rules.reject_unknown_fields:
        yield from (f"unknown parameter: {name}" for name in body if name not in REQUEST_FIELDS)
    yield from _tool_objections(body.get("tools"))
    if not isinstance(messages, list) or not messages or not all(isinstance(message, dict) for message in messages):
        yield "messages is not a list of messages"
        return
    for number, message in enumerate(messages):
        yield from (f"messages[{number}]: {text}" for text in _message_objections(number, message, rules))
    yield from _pairing_objections(messages)
    yield from _order_objections(messages, rules)


def _tool_objections(tools: object) -> Iterator[str]:
    if tools is None:
        return
    if not isinstance(tools, list) or not tools:
        yield "tools is an empty list or no list"
        return
    names = [str(tool.get("function", {}).get("name", "")) for tool in tools]
    yield from (f"tool name {name!r} is not allowed" for name in names if not _TOOL_NAME.fullmatch(name))
    if len(set(names)) < len(names):
        yield "two tools have the same name"


def _message_objections(number: int, message: Wire, rules: Rules) -> Iterator[str]:
    role, calls = message.get("role"), message.get("tool_calls")
    if role not in ROLES:
        yield f"unknown role {role!r}"
    if role == "system" and number:
        yield "a system message that is not the first one"
    if calls is not None and (role != "assistant" or not isinstance(calls, list) or not calls):
        yield "tool_calls is empty, or not an assistant's"
        return
    yield from _content_objections(message, rules)
    for call in calls or ():
        yield from _call_objections(call)
    if rules.reject_unknown_fields:
        yield from (f"unknown field {name}" for name in message if name not in MESSAGE_FIELDS)
    if rules.require_thinking_echo and calls and not message.get("reasoning_content"):
        yield "reasoning_content must be passed back"


def _content_objections(message: Wire, rules: Rules) -> Iterator[str]:
    content, calls = message.get("content"), message.get("tool_calls")
    if content is not None and not isinstance(content, str):
        yield f"content is a {type(content).__name__}"
    elif not (content or "").strip() and not calls:
        yield f"an empty {message.get('role')} message"
    elif "content" not in message and rules.require_content:
        yield "content is missing"
    elif "content" in message and content is None and rules.reject_null_content:
        yield "content is null"
    elif content == "" and rules.reject_empty_content:
        yield "content is empty"


def _call_objections(call: Wire) -> Iterator[str]:
    function = call.get("function") or {}
    if not call.get("id") or call.get("type") != "function" or not function.get("name"):
        yield "a tool call without id, type or name"
    try:
        arguments = json.loads(function.get("arguments", ""))
    except (TypeError, ValueError):
        arguments = None
    if not isinstance(arguments, dict):
        yield f"the arguments of tool call {call.get('id')!r} are no JSON object"


def _pairing_objections(messages: Sequence[Wire]) -> Iterator[str]:
    """Each call must have exactly one result, right behind the message that makes it."""
    waiting: list[str] = []
    seen: set[str] = set()
    for number, message in enumerate(messages):
        if message.get("role") == "tool":
            if message.get("tool_call_id") not in waiting:
                yield f"messages[{number}]: a tool result without its call: {message.get('tool_call_id')!r}"
            else:
                waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            yield f"messages[{number}]: tool calls without result: {', '.join(waiting)}"
        waiting = [str(call.get("id")) for call in message.get("tool_calls") or ()]
        if len(set(waiting)) < len(waiting) or seen & set(waiting):
            yield f"messages[{number}]: a tool call id is used twice: {', '.join(waiting)}"
        seen |= set(waiting)
    if waiting:
        yield f"tool calls without result at the end: {', '.join(waiting)}"


def _order_objections(messages: Sequence[Wire], rules: Rules) -> Iterator[str]:
    roles = [message.get("role") for message in messages]
    if "user" not in roles:
        yield "there is no user message"
    if roles[-1] not in ("user", "tool"):
        yield f"the last message is from {roles[-1]}, so there is nothing to answer"
    if rules.require_alternate_roles:
        for number in range(1, len(roles)):
            if roles[number] == roles[number - 1] != "tool":
                yield f"messages[{number}]: two {roles[number]} messages in a row"
