"""What a compression will do, decided before any model call: pure functions of the history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paicli.memory.context_block import cut_to
from paicli.memory.conversation import as_message, role_of, rounds
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.language import Language, language_of
from paicli.memory.redaction import redact
from paicli.memory.tokens.estimate import estimate_tokens
from paicli.memory.window import cut_middle

RETAINED_ROUNDS = 3
CHUNK_SIZE = 5
LONGEST_PIECE_TOKENS = 8_000
"""The most that one call reads; a larger group is split, a larger message cut."""
LONGEST_SUMMARY_TOKENS = 2_000
ALLOWANCE_TOKENS = 1_500
"""What names and values, with the rules, may take beside a summary."""
SMALL_WINDOW_SHARES = (1 / 8, 1 / 12)
"""The largest share of the history's budget that a summary, and what is kept beside it, are given."""
_SMALLEST_SUMMARY_TOKENS = 48
_LONGEST_TOOL_RESULT_TOKENS = 400
_LONGEST_CALL_TOKENS = 100
_CHARACTERS_A_TOKEN = 4
_LONGEST_SECRET_CHARACTERS = 4_000
_LABELS = {"user": "User", "assistant": "Assistant", "tool": "Tool result"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes of a compression in tokens.

    Args:
        piece_tokens: The most that one call reads.
        summary_tokens: The longest summary; a longer one is shortened.
        allowance_tokens: What names and values may take beside the summary. The rules stand there in any case.
    """

    piece_tokens: int = LONGEST_PIECE_TOKENS
    summary_tokens: int = LONGEST_SUMMARY_TOKENS
    allowance_tokens: int = ALLOWANCE_TOKENS


def limits_for(piece_tokens: int, history_tokens: int) -> Limits:
    """Returns the limits where a call may read `piece_tokens` and the history has a budget of `history_tokens`."""
    summary, allowance = (int(history_tokens * share) for share in SMALL_WINDOW_SHARES)
    return Limits(
        min(piece_tokens, LONGEST_PIECE_TOKENS),
        min(max(summary, _SMALLEST_SUMMARY_TOKENS), LONGEST_SUMMARY_TOKENS),
        min(allowance, ALLOWANCE_TOKENS),
    )


@dataclass(frozen=True, slots=True)
class CompressionPlan:
    """What a compression will do.

    Args:
        chunks: The entries to be summarised, in consecutive groups.
        previous: The summary so far, which is merged, not summarised again.
        language: The language of the conversation.
        focus: What the user wants kept above all; may be empty.
        limits: How large what is read and written may be.
        said_later: What the user has said in the rounds that stay: it may withdraw a rule.
    """

    chunks: tuple[tuple[MemoryEntry, ...], ...]
    previous: MemoryEntry | None = None
    language: Language = "en"
    focus: str = ""
    limits: Limits = Limits()
    said_later: tuple[str, ...] = ()

    @property
    def entries(self) -> list[MemoryEntry]:
        """The entries to be summarised, oldest first."""
        return [entry for chunk in self.chunks for entry in chunk]

    @property
    def replaced(self) -> frozenset[str]:
        """The ids of the entries that the summary will stand for."""
        ids = {entry.id for entry in self.entries}
        return frozenset(ids | ({self.previous.id} if self.previous else set()))

    @property
    def rounds(self) -> int:
        """How many rounds begin in what is summarised."""
        return sum(role_of(entry) == "user" for entry in self.entries)

    @property
    def new_tokens(self) -> int:
        """The size of what no summary stands for yet, in tokens."""
        return sum(entry.token_count for entry in self.entries)

    @property
    def source_tokens(self) -> int:
        """The size of what is replaced, in tokens."""
        texts = [_whole_text(entry) for entry in self.entries]
        return estimate_tokens("".join([*texts, self.previous.content if self.previous else ""]))


def _whole_text(entry: MemoryEntry) -> str:
    calls = as_message(entry).tool_calls
    return entry.content + "".join(call.name + call.arguments for call in calls)


def plan_compression(
    entries: Sequence[MemoryEntry],
    waiting: Sequence[MemoryEntry] = (),
    *,
    retain_recent_rounds: int = RETAINED_ROUNDS,
    chunk_size: int = CHUNK_SIZE,
    focus: str = "",
    limits: Limits = Limits(),
) -> CompressionPlan | None:
    """Returns the plan for a history and what has left it; None where there is too little to compress.

    All but the last `retain_recent_rounds` rounds is old. What waits is older still. Groups have `chunk_size` entries,
    fewer where these would be more than a call may read.
    """
    parts = rounds(entries)
    count = max(0, len(parts) - retain_recent_rounds)
    # Steps of a round may have left before the round: the order of time is that of the dates.
    old = sorted(
        (entry for entry in waiting if entry.type is not MemoryType.SUMMARY), key=lambda entry: entry.timestamp
    )
    old += [entry for part in parts[:count] for entry in part]
    if not old:
        return None
    said = [entry.content for part in parts[count:] for entry in part if role_of(entry) == "user"]
    return CompressionPlan(
        chunks=tuple(_chunks(old, chunk_size, limits.piece_tokens)),
        previous=next((entry for entry in entries if entry.type is MemoryType.SUMMARY), None),
        language=language_of([*(entry.content for entry in old if role_of(entry) == "user"), *said]),
        focus=focus,
        limits=limits,
        said_later=tuple(said),
    )


def _chunks(entries: Sequence[MemoryEntry], chunk_size: int, max_tokens: int) -> Iterator[tuple[MemoryEntry, ...]]:
    for start in range(0, len(entries), chunk_size):
        chunk: list[MemoryEntry] = []
        size = 0
        for entry in entries[start : start + chunk_size]:
            piece_tokens = estimate_tokens(piece_of(entry, max_tokens)) + 1
            if chunk and size + piece_tokens > max_tokens:
                yield tuple(chunk)
                chunk, size = [], 0
            chunk.append(entry)
            size += piece_tokens
        if chunk:
            yield tuple(chunk)


def piece_of(entry: MemoryEntry, max_tokens: int = LONGEST_PIECE_TOKENS) -> str:
    """Returns an entry as a summariser reads it, in at most about `max_tokens`: who speaks, what was said and called.

    Of tool results head and tail; thinking never; secrets never.
    """
    message = as_message(entry)
    limit = min(_LONGEST_TOOL_RESULT_TOKENS, max_tokens) if message.role == "tool" else max_tokens
    calls = "".join(
        f"\n(called {call.name} {_readable(call.arguments, _LONGEST_CALL_TOKENS)})" for call in message.tool_calls
    )
    name = f" of {message.tool_name}" if message.tool_name else ""
    text = _readable(message.text, limit)
    return cut_middle(f"{_LABELS.get(message.role, message.role)}{name}: {text}{calls}", max_tokens, estimate_tokens)


def _readable(text: str, max_tokens: int) -> str:
    """Returns a text without secrets, cut in the middle to about `max_tokens`; they are looked for where it is read."""
    reach = max_tokens * _CHARACTERS_A_TOKEN + _LONGEST_SECRET_CHARACTERS
    if len(text) <= 2 * reach:
        return cut_middle(redact(text).text, max_tokens, estimate_tokens)
    half = max(0, max_tokens - 16) // 2
    head = cut_to(redact(text[:reach]).text, half, estimate_tokens).removesuffix("…")
    tail = cut_to(redact(text[-reach:]).text[::-1], half, estimate_tokens).removesuffix("…")[::-1]
    return f"{head}\n[… {len(text) - len(head) - len(tail)} characters cut …]\n{tail}"
