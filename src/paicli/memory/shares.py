"""How a model's window is shared out at the moment: prompt, tools, summary, recalled facts, history, reply. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paicli.memory.budget import COMPRESSION_RATIO, HARD_RATIO, WARNING_RATIO, TokenBudget
from paicli.memory.conversation import as_message
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.message import render
from paicli.memory.protocols import TokenCounter
from paicli.memory.window import Fixed, request_messages


@dataclass(frozen=True, slots=True)
class Shares:
    """Sizes in tokens.

    Args:
        window: What the model takes in all.
        parts: What each part takes: system, tools, summary, block, history, reply, free.
        talk: What summary and history take together.
        limit: What they may take.
    """

    window: int
    parts: Mapping[str, int]
    talk: int
    limit: int

    @property
    def thresholds(self) -> tuple[int, int, int]:
        """From where on the user is warned, the talk is compressed, and a turn waits for that."""
        warn, compress, hard = (int(self.limit * ratio) for ratio in (WARNING_RATIO, COMPRESSION_RATIO, HARD_RATIO))
        return warn, compress, hard


def shares_of(
    fixed: Fixed, entries: Sequence[MemoryEntry], block: str, budget: TokenBudget, counter: TokenCounter
) -> Shares:
    """Returns how the window is shared out.

    Args:
        fixed: The prompt, the tools and the provider's quirks.
        entries: The history.
        block: What stands in the system message of long-term memory.
        budget: The window and what is kept for the reply.
        counter: Tells sizes.
    """

    def system_tokens(with_entries: Sequence[MemoryEntry], with_block: str) -> int:
        messages = request_messages(fixed, with_entries, with_block)
        return counter.count(render([message for message in messages if message.role == "system"], fixed.quirks))

    summaries = [entry for entry in entries if entry.type is MemoryType.SUMMARY]
    history = [as_message(entry) for entry in entries if entry.type is not MemoryType.SUMMARY]
    system = system_tokens((), "")
    parts = {
        "system": system,
        "tools": counter.count((), fixed.tools),
        "summary": system_tokens(summaries, "") - system,
        "block": system_tokens((), block) - system,
        "history": counter.count(render(history, fixed.quirks)),
        "reply": budget.reserves[2],
    }
    free = max(0, budget.context_window - sum(parts.values()))
    talk = parts["summary"] + parts["history"]
    return Shares(budget.context_window, parts | {"free": free}, talk, budget.available_for_conversation)
