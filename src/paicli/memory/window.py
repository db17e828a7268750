"""What is sent: the one system message and the history, made to fit the model's window."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from paicli.errors import MessageTooLarge
from paicli.memory.context_block import cut_to, fenced_summary, system_text
from paicli.memory.conversation import as_message
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.language import language_of
from paicli.memory.message import Message, Quirks, render
from paicli.memory.protocols import TokenCounter

LARGEST_RESULT_SHARE = 0.25
"""No tool result takes more than this share of the conversation's budget; it is cut in the middle, with a marker."""

SMALLEST_CUT_TOKENS = 12
"""To less than this nothing is cut: it is about what the marker itself takes."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """What a request holds besides the history: the prompt, the tools' schemas and the provider's quirks."""

    prompt: str = ""
    tools: Sequence[Mapping[str, Any]] = ()
    quirks: Quirks = Quirks()


def request_messages(fixed: Fixed, entries: Sequence[MemoryEntry], block: str) -> list[Message]:
    """Returns the messages of a request: prompt, summary and block in one system message, then the history."""
    summaries = [entry.content for entry in entries if entry.type is MemoryType.SUMMARY]
    history = [as_message(entry) for entry in entries if entry.type is not MemoryType.SUMMARY]
    fence = ""
    if summaries:
        text = "\n".join(summaries)
        fence = fenced_summary(text, language_of([text]))
    system = system_text(fixed.prompt, fence, block)
    return [Message("system", system), *history] if system else history


def fit(
    fixed: Fixed,
    entries: Sequence[MemoryEntry],
    block: str,
    limit: int,
    counter: TokenCounter,
) -> list[Message]:
    """Returns the messages of a request of at most `limit` tokens.

    What gives way, in this order: tool results and what assistants wrote (cut in the middle, the largest first), the
    block, the summary, the oldest calls with their results, earlier rounds.

    Raises:
        MessageTooLarge: What is left, the newest user message, is still too large.
    """

    def size(messages: Sequence[Message]) -> int:
        return counter.count(render(messages, fixed.quirks), fixed.tools)

    messages = request_messages(fixed, entries, block)
    if size(messages) <= limit:
        return messages
    for with_block, with_summary in ((block, True), ("", True), ("", False)):
        kept = [entry for entry in entries if with_summary or entry.type is not MemoryType.SUMMARY]
        messages = _shrunk(request_messages(fixed, kept, with_block), limit, size, counter)
        if size(messages) <= limit:
            return messages
    while size(messages) > limit:
        shorter = _without_oldest(messages)
        if shorter == messages:
            raise _too_large(messages, size(messages), limit, counter)
        messages = shorter
    return messages


def _too_large(messages: Sequence[Message], size: int, limit: int, counter: TokenCounter) -> MessageTooLarge:
    newest = next((message.text for message in reversed(messages) if message.role == "user"), "")
    tokens = counter.count_text(newest)
    return MessageTooLarge(tokens=tokens, limit=max(0, limit - (size - tokens)), window=limit)


def _shrunk(
    messages: Sequence[Message], limit: int, size: Callable[[Sequence[Message]], int], counter: TokenCounter
) -> list[Message]:
    """Cuts tool results and what assistants wrote to a cap, lowered until the messages fit or nothing is worth cutting."""
    texts = [text for message in messages if message.role in ("tool", "assistant") for text in _long_texts(message)]
    cap = max(map(counter.count_text, texts), default=0)
    shrunk = list(messages)
    while size(shrunk) > limit and cap > SMALLEST_CUT_TOKENS:
        cap = max(SMALLEST_CUT_TOKENS, cap * 3 // 4)
        shrunk = [_capped(message, cap, counter) for message in messages]
    return shrunk


def _long_texts(message: Message) -> Iterator[str]:
    yield from (message.text, message.thinking)
    yield from (call.arguments for call in message.tool_calls)


def _capped(message: Message, cap: int, counter: TokenCounter) -> Message:
    if message.role not in ("tool", "assistant"):
        return message
    calls = (replace(call, arguments=_cut_arguments(call.arguments, cap, counter)) for call in message.tool_calls)
    text, thinking = (cut_middle(part, cap, counter.count_text) for part in (message.text, message.thinking))
    return replace(message, text=text, thinking=thinking, tool_calls=tuple(calls))


def _cut_arguments(arguments: str, cap: int, counter: TokenCounter) -> str:
    """Returns a call's arguments, still a JSON object, with its long texts cut."""
    if counter.count_text(arguments) <= cap:
        return arguments
    try:
        values = json.loads(arguments)
    except (ValueError, RecursionError):
        values = None
    if isinstance(values, dict):
        share = max(SMALLEST_CUT_TOKENS, cap // max(1, len(values)))
        cut = {key: _cut_value(value, share, counter) for key, value in values.items()}
        shorter = json.dumps(cut, ensure_ascii=False)
        if counter.count_text(shorter) <= 2 * cap:
            return shorter
    return json.dumps({"shortened": cut_middle(arguments, cap, counter.count_text)}, ensure_ascii=False)


def _cut_value(value: object, share: int, counter: TokenCounter) -> object:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return value if counter.count_text(text) <= share else cut_middle(text, share, counter.count_text)


def _without_oldest(messages: Sequence[Message]) -> list[Message]:
    """Returns the messages without the oldest call and its result; where there is none, without the oldest round."""
    for index, message in enumerate(messages):
        if message.tool_calls:
            first, *others = message.tool_calls
            answer = next((i for i, one in enumerate(messages) if i > index and one.call_id == first.id), -1)
            kept = replace(message, tool_calls=tuple(others))
            rest = [kept if i == index else one for i, one in enumerate(messages) if i != answer]
            return [one for one in rest if one.role != "assistant" or one.tool_calls or one.text.strip()]
    users = [index for index, message in enumerate(messages) if message.role == "user"]
    if len(users) < 2:
        return list(messages)
    return [message for index, message in enumerate(messages) if message.role == "system" or index >= users[1]]


def cut_middle(text: str, max_tokens: int, count: Callable[[str], int]) -> str:
    """Returns a text of at most about `max_tokens`: head and tail with a marker between that says how much was cut."""
    if count(text) <= max_tokens:
        return text
    half = max(0, max_tokens - 16) // 2
    head = cut_to(text, half, count).removesuffix("…")
    tail = cut_to(text[::-1], half, count).removesuffix("…")[::-1]
    return f"{head}\n[… {len(text) - len(head) - len(tail)} characters cut …]\n{tail}"
