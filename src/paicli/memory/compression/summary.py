"""The summary that stands for the compressed part of a conversation: the entry, and what was made of what."""

from __future__ import annotations

from dataclasses import dataclass

from paicli.errors import CompressionFailed
from paicli.memory.compression.essentials import KeptBlock, essentials_of, kept_block, with_block, without_block
from paicli.memory.compression.plan import CompressionPlan
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.language import Language
from paicli.memory.report import Maker
from paicli.memory.tokens.estimate import MESSAGE_OVERHEAD_TOKENS, estimate_tokens

SUMMARY_MARKERS: dict[Language, str] = {"zh": "[历史对话摘要]", "en": "[Conversation summary]"}


@dataclass(frozen=True, slots=True)
class Summary:
    """A finished summary.

    Args:
        entry: The entry for the history: marker, text, and the block of what the text lost.
        text: What the model wrote, or the excerpt.
        made_by: Which of the two.
        kept: The block.
        tokens_spent: What the model calls have cost, in and out.
    """

    entry: MemoryEntry
    text: str
    made_by: Maker
    kept: KeptBlock
    tokens_spent: int = 0


def finished(plan: CompressionPlan, text: str, made_by: Maker, tokens_spent: int = 0) -> Summary:
    """Returns the summary of a plan, with the essentials that its text lost.

    What is replaced has the size of its texts, and what each message takes besides.

    Raises:
        CompressionFailed: Even so it is not smaller than its source.
    """
    essentials = essentials_of(plan)
    lead = f"{SUMMARY_MARKERS[plan.language]} {text}".rstrip()
    source = plan.source_tokens + MESSAGE_OVERHEAD_TOKENS * (len(plan.replaced) - 1)
    room = source - estimate_tokens(lead) - 2
    kept = kept_block(essentials, text, plan.language, plan.limits.allowance_tokens, room)
    content = with_block(lead, kept)
    size = estimate_tokens(content)
    if kept.text and size >= source:
        raise CompressionFailed(reason=f"the summary has {size} tokens, its source {source}")
    entry = MemoryEntry(content, MemoryType.SUMMARY, metadata=essentials.metadata())
    return Summary(entry, text, made_by, kept, tokens_spent)


def text_of_summary(entry: MemoryEntry) -> str:
    """Returns what was written for a summary: without its marker, and without the block of essentials."""
    content = without_block(entry.content) if entry.metadata.keys() & {"rules", "atoms"} else entry.content
    for marker in SUMMARY_MARKERS.values():
        content = content.removeprefix(marker)
    return content.strip()
