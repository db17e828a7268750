"""ContextCompressor: old rounds become one summary (map-reduce), or everything stays as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial

from paicli.errors import CompressionFailed, PaicliError
from paicli.memory.compression.plan import (
    CHUNK_SIZE,
    RETAINED_ROUNDS,
    CompressionPlan,
    Limits,
    piece_of,
    plan_compression,
)
from paicli.memory.compression.prompts import MAP_PROMPTS, REDUCE_PROMPTS, SHORTEN_PROMPTS, instructions
from paicli.memory.compression.summary import Summary, finished, text_of_summary
from paicli.memory.conversation import ConversationMemory
from paicli.memory.entry import MemoryEntry
from paicli.memory.extractor import extract
from paicli.memory.long_term import LongTermMemory
from paicli.memory.message import Message
from paicli.memory.metering import estimated_usage
from paicli.memory.parallel import in_parallel
from paicli.memory.protocols import LanguageModel
from paicli.memory.tokens.estimate import estimate_tokens
from paicli.memory.window import cut_middle

MAX_PARALLEL_CALLS = 8
_SMALLEST_HALF_TOKENS = 32
_NO_SUMMARY = frozenset({"null", "none", "n/a", "无", "空", "没有", "暂无"})
_THINKING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


@dataclass(slots=True)
class ContextCompressor:
    """Compresses a conversation by map-reduce, and draws facts out of it, with a model.

    Args:
        model: Writes the summaries.
        retain_recent_rounds: So many rounds at the end are not touched. A round is a user message and all until the next.
        chunk_size: So many entries are summarised at a time.
        limits: How much a call reads, how long a summary may be, and what names and values may take beside it.
    """

    model: LanguageModel
    retain_recent_rounds: int = RETAINED_ROUNDS
    chunk_size: int = CHUNK_SIZE
    _: KW_ONLY
    limits: Limits = field(default_factory=Limits)

    def compress(self, conversation: ConversationMemory, *, focus: str = "") -> str | None:
        """Puts a summary in the place of the old rounds and returns it; None, and no change, where there is too little.

        Raises:
            CompressionFailed: No usable summary came; the conversation is as it was.
        """
        plan = self.plan(conversation, focus=focus)
        if plan is None:
            return None
        summary = self.summarise(plan)
        conversation.replace(plan.replaced, summary.entry)
        return summary.text

    def plan(self, conversation: ConversationMemory, *, focus: str = "") -> CompressionPlan | None:
        """Returns what `compress` would do now; None where there is too little."""
        return plan_compression(
            list(conversation),
            conversation.compressed_summaries,
            retain_recent_rounds=self.retain_recent_rounds,
            chunk_size=self.chunk_size,
            focus=focus,
            limits=self.limits,
        )

    def summarise(self, plan: CompressionPlan) -> Summary:
        """Returns the summary for a plan: not empty, and smaller than its source. Changes nothing.

        Raises:
            CompressionFailed: A call failed, or no usable summary came.
        """
        calls = _Calls(self.model, plan)
        try:
            text = self._written(plan, calls)
        except CompressionFailed:
            raise
        except PaicliError as error:
            raise CompressionFailed(reason=str(error).rstrip(".")) from error
        except Exception as error:  # the model is the caller's own object: whatever it raises must not cost the history
            raise CompressionFailed(reason=f"{type(error).__name__}: {error}") from error
        return finished(plan, text, "model", calls.tokens_spent)

    def _written(self, plan: CompressionPlan, calls: _Calls) -> str:
        pieces = _mapped(plan, calls)
        if plan.previous:
            pieces = [part for part in (text_of_summary(plan.previous), *pieces) if part]
        text = pieces[0] if len(pieces) == 1 else _reduced(pieces, plan, calls)
        size = estimate_tokens(text)
        if size >= plan.source_tokens:
            raise CompressionFailed(reason=f"the summary has {size} tokens, its source {plan.source_tokens}")
        if size > plan.limits.summary_tokens:
            readable = cut_middle(text, plan.limits.piece_tokens, estimate_tokens)
            text = calls.ask(SHORTEN_PROMPTS[plan.language], readable)
        return cut_middle(text, plan.limits.summary_tokens, estimate_tokens)

    def extract_facts(self, entries: Sequence[MemoryEntry], long_term: LongTermMemory | None = None) -> list[str]:
        """Returns the facts the user stated in a conversation; keeps them in `long_term` where given.

        Raises:
            ExtractionFailed: The model's replies could not be read.
        """
        facts, _ = extract(self.model, entries)
        if long_term is not None:
            for fact in facts:
                long_term.store(fact.as_entry(), automatic=True)
        return [fact.content for fact in facts]


class _Calls:
    """The model calls of one compression, and what they have cost."""

    def __init__(self, model: LanguageModel, plan: CompressionPlan) -> None:
        self._model = model
        self._plan = plan
        self._spent: list[int] = []

    @property
    def tokens_spent(self) -> int:
        return sum(self._spent)

    def ask(self, prompt: str, text: str) -> str:
        """Returns what the model makes of a text.

        Raises:
            CompressionFailed: Nothing, or only a part.
        """
        plan = self._plan
        system = instructions(prompt, plan.language, plan.limits.summary_tokens, plan.focus)
        messages = [Message("system", system), Message("user", text)]
        reply = self._model.chat(messages, purpose="summary")
        usage = reply.usage or estimated_usage(messages, reply)
        self._spent.append(usage.input_tokens + usage.output_tokens)
        summary = _THINKING.sub("", reply.text or "").strip()
        if summary.strip(" .。`\"'*-[]()").casefold() in _NO_SUMMARY | {""}:
            raise CompressionFailed(reason="the model gave an empty summary")
        if reply.finish_reason == "length":
            raise CompressionFailed(reason="the model's summary was cut off")
        return summary


def _mapped(plan: CompressionPlan, calls: _Calls) -> list[str]:
    """Returns a summary of each group, made at the same time."""
    limit = plan.limits.piece_tokens
    texts = ["\n\n".join(piece_of(entry, limit) for entry in chunk) for chunk in plan.chunks]
    return in_parallel(partial(calls.ask, MAP_PROMPTS[plan.language]), texts, MAX_PARALLEL_CALLS)


def _reduced(pieces: Sequence[str], plan: CompressionPlan, calls: _Calls) -> str:
    """Merges summaries into one, in levels where they are too large for one call."""
    half = max(_SMALLEST_HALF_TOKENS, plan.limits.piece_tokens // 2)

    def merge(group: Sequence[str]) -> str:
        return group[0] if len(group) == 1 else calls.ask(REDUCE_PROMPTS[plan.language], "\n\n".join(_numbered(group)))

    while len(pieces) > 1:
        readable = [cut_middle(piece, half, estimate_tokens) for piece in pieces]
        pieces = in_parallel(merge, list(_groups(readable, 2 * half)), MAX_PARALLEL_CALLS)
    return pieces[0]


def _groups(pieces: Sequence[str], max_tokens: int) -> Iterator[list[str]]:
    """Yields consecutive pieces in groups that one call can read."""
    group: list[str] = []
    for piece in pieces:
        if group and sum(map(estimate_tokens, [*group, piece])) > max_tokens:
            yield group
            group = []
        group.append(piece)
    if group:
        yield group


def _numbered(pieces: Sequence[str]) -> Iterator[str]:
    for number, piece in enumerate(pieces, 1):
        yield f"[{number}/{len(pieces)}]\n{piece}"
