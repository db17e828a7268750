"""What is sent: the one system message and the history, made to fit the model's window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from paicli.errors import MessageTooLarge
from paicli.memory.context_block import cut_to, fenced_summary, system_text
from paicli.memory.conversation import as_message, role_of
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.language import language_of
from paicli.memory.message import Message, Quirks, render
from paicli.memory.protocols import TokenCounter

LARGEST_RESULT_SHARE = 0.25
"""No tool result takes more than this share of the conversation's budget; it is cut in the middle, with a marker."""


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

    What gives way, in this order: tool results (cut in the middle, the largest first), the block, the summary.

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
        messages = _shrink_results(request_messages(fixed, kept, with_block), limit, size, counter)
        if size(messages) <= limit:
            return messages
    newest = next((as_message(entry).text for entry in reversed(entries) if role_of(entry) == "user"), "")
    tokens = counter.count_text(newest)
    raise MessageTooLarge(tokens=tokens, limit=max(0, limit - (size(messages) - tokens)), window=limit)


def _shrink_results(
    messages: list[Message], limit: int, size: Callable[[Sequence[Message]], int], counter: TokenCounter
) -> list[Message]:
    """Halves the largest tool result, or assistant text, until the messages fit or none is worth cutting."""
    shrunk = list(messages)
    while size(shrunk) > limit:
        candidates = [
            (counter.count_text(message.text), index)
            for index, message in enumerate(shrunk)
            if message.role in ("tool", "assistant")
        ]
        tokens, index = max(candidates, default=(0, -1))
        if tokens < 40:
            break
        shrunk[index] = replace(shrunk[index], text=cut_middle(shrunk[index].text, tokens // 2, counter.count_text))
    return shrunk


def cut_middle(text: str, max_tokens: int, count: Callable[[str], int]) -> str:
    """Returns a text of at most about `max_tokens`: head and tail with a marker between that says how much was cut."""
    if count(text) <= max_tokens:
        return text
    half = max(0, max_tokens - 16) // 2
    head = cut_to(text, half, count).removesuffix("…")
    tail = cut_to(text[::-1], half, count).removesuffix("…")[::-1]
    return f"{head}\n[… {len(text) - len(head) - len(tail)} characters cut …]\n{tail}"
