"""Excerpt: a summary without a model. What was asked and what was answered, in a line each, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paicli.memory.compression.plan import CompressionPlan
from paicli.memory.compression.summary import text_of_summary
from paicli.memory.context_block import cut_to
from paicli.memory.conversation import as_message, role_of
from paicli.memory.entry import MemoryEntry
from paicli.memory.language import Language
from paicli.memory.redaction import redact
from paicli.memory.tokens.estimate import estimate_tokens
from paicli.memory.window import cut_middle

SOURCE_SHARE = 4
"""An excerpt has at most a quarter of its source."""
_LINE_TOKENS = (48, 32, 20, 12)
"""How long a line may be, tried in this order."""
_HEADINGS: dict[Language, str] = {
    "zh": "（未经模型整理的节录；更早或更细的内容可用 recall 查找）",
    "en": "(An excerpt, not written by a model; recall finds what is not in it.)",
}
_LABELS: dict[Language, dict[str, str]] = {
    "zh": {"user": "用户", "assistant": "助手", "called": "调用"},
    "en": {"user": "User", "assistant": "Assistant", "called": "called"},
}


def excerpt(plan: CompressionPlan) -> str:
    """Returns an excerpt of what a plan replaces: each round's question, the last answer to it, and the tools called.

    Where there is no room for all of it, lines get shorter, and then the oldest are left out.
    """
    room = min(plan.limits.summary_tokens, plan.source_tokens // SOURCE_SHARE) - estimate_tokens(
        _HEADINGS[plan.language]
    )
    if room < _LINE_TOKENS[-1]:
        return ""
    earlier = ""
    if plan.previous:
        earlier = cut_middle(text_of_summary(plan.previous), room // 2, estimate_tokens)
        earlier = earlier.removeprefix(_HEADINGS[plan.language]).strip()
    room -= estimate_tokens(earlier) + 1
    lines = _fitting(plan, room)
    return "\n".join(part for part in (_HEADINGS[plan.language], earlier, *lines) if part)


def _fitting(plan: CompressionPlan, room: int) -> list[str]:
    lines: list[str] = []
    for length in _LINE_TOKENS:
        lines = list(_lines(plan.entries, plan.language, length))
        if estimate_tokens("\n".join(lines)) <= room:
            return lines
    while lines and estimate_tokens("\n".join(lines)) > room:
        del lines[: max(1, len(lines) // 8)]
    return lines


def _lines(entries: Sequence[MemoryEntry], language: Language, length: int) -> Iterator[str]:
    """Yields the lines of the rounds."""
    labels = _LABELS[language]
    answer, called = "", dict[str, None]()
    for entry in entries:
        message = as_message(entry)
        if role_of(entry) == "user":
            yield from _closing(answer, called, labels, length)
            answer, called = "", {}
            yield f"- {labels['user']}: {_line(entry.content, length)}"
        elif message.role == "assistant":
            answer = message.text if message.text.strip() else answer
            called |= {call.name: None for call in message.tool_calls}
    yield from _closing(answer, called, labels, length)


def _closing(answer: str, called: dict[str, None], labels: dict[str, str], length: int) -> Iterator[str]:
    tools = f" ({labels['called']} {', '.join(called)})" if called else ""
    if answer.strip() or tools:
        yield f"- {labels['assistant']}{tools}: {_line(answer, length)}"


def _line(text: str, length: int) -> str:
    flat = " ".join(redact(text).text.split())
    return cut_to(flat, length, estimate_tokens)
