"""HistoryWindow: keeps the history within the model's window, compression before eviction, and makes the requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from paicli.errors import MessageTooLarge
from paicli.memory.budget import TokenBudget
from paicli.memory.compression.compression import HistoryCompression
from paicli.memory.compression.plan import limits_for
from paicli.memory.context_block import system_text
from paicli.memory.conversation import ConversationMemory, as_message
from paicli.memory.entry import MemoryEntry
from paicli.memory.message import Message, Quirks, WireMessage, render
from paicli.memory.notice import Notice
from paicli.memory.protocols import TokenCounter
from paicli.memory.session.log import SessionLog
from paicli.memory.window import LARGEST_RESULT_SHARE, Fixed, cut_middle, fit

_SMALLEST_PIECE_TOKENS = 128
_SMALLEST_RESULT_TOKENS = 32


class HistoryWindow:
    """The part of the conversation that the model sees.

    Args:
        history: The history.
        budget: Tells what of the model's window the history may take.
        counter: Tells sizes in tokens.
        log: Is told of summaries and evictions.
        max_tokens: A budget below what the window leaves; None for none.
    """

    def __init__(
        self,
        history: ConversationMemory,
        budget: TokenBudget,
        counter: TokenCounter,
        log: SessionLog,
        max_tokens: int | None = None,
    ) -> None:
        self.budget = budget
        self.compression = HistoryCompression(history, self._size, log, bound=self._upper_bound)
        self._history = history
        self._counter = counter
        self._log = log
        self._max_tokens = max_tokens
        self._quirks = Quirks()

    def tokens(self) -> int:
        """Returns the history's size in tokens, as the provider was last sent it."""
        return self._size(self._history)

    def _size(self, entries: Iterable[MemoryEntry]) -> int:
        rendered = self._rendered(entries)
        return self._counter.count(rendered) if rendered else 0

    def _upper_bound(self, entries: Iterable[MemoryEntry]) -> int:
        return self._counter.upper_bound(self._rendered(entries))

    def _rendered(self, entries: Iterable[MemoryEntry]) -> list[WireMessage]:
        return render([as_message(entry) for entry in entries], self._quirks)

    @property
    def piece_tokens(self) -> int:
        """The most that a call for a summary, or for facts, may read."""
        return max(_SMALLEST_PIECE_TOKENS, self.budget.request_limit // 2)

    def follow(self) -> None:
        """Fits the history's budget, and the sizes of a compression, to the window."""
        available = max(1, self.budget.available_for_conversation)
        self._history.max_tokens = available if self._max_tokens is None else min(self._max_tokens, available)
        if self.compression.compressor:
            self.compression.compressor.limits = limits_for(self.piece_tokens, self._history.max_tokens)

    def prepare(self, system: str, tools: Sequence[Mapping[str, Any]] = ()) -> None:
        """Measures what a system message and tool schemas take from the window."""
        tokens = self._counter.count([{"role": "system", "content": system}])
        self.budget.measure(tokens, self._counter.count((), tools))
        self.follow()

    def check(self, text: str) -> None:
        """Raises where a user's message does not fit the window, whatever else gives way.

        Raises:
            MessageTooLarge: It has more tokens than the conversation may take.
        """
        tokens = self._counter.count([{"role": "user", "content": text}])
        limit = self.budget.available_for_conversation
        if tokens > limit:
            raise MessageTooLarge(tokens=tokens, limit=limit, window=self.budget.context_window)

    def take(self, entry: MemoryEntry) -> None:
        """Takes an entry in as the newest."""
        self._history.append(entry)
        self.make_room()

    def make_room(self) -> None:
        """Compresses where the history grows too large; then tool results give way; what is still too much leaves."""
        self.compression.if_needed()
        if self.tokens() > self._history.max_tokens:
            self.compression.shrink_recent()
        self._log.evicted(self._history.evict(self.tokens))

    def shortened(self, result: str) -> str:
        """Returns a tool's result, cut in the middle where it has more than its share of the history's budget."""
        limit = max(_SMALLEST_RESULT_TOKENS, int(self._history.max_tokens * LARGEST_RESULT_SHARE))
        return cut_middle(result, limit, self._counter.count_text)

    def request(self, fixed: Fixed, block: str) -> list[Message]:
        """Returns the messages of the next model call; see `fit`.

        Raises:
            MessageTooLarge: The newest user message alone does not fit.
        """
        self._quirks = fixed.quirks
        self.prepare(system_text(fixed.prompt, "", block), fixed.tools)
        self.make_room()
        return fit(fixed, list(self._history), block, self.budget.request_limit, self._counter)

    def take_notices(self) -> list[Notice]:
        """Returns what the user should hear of since the last call: compressions, and a journal that failed."""
        notices = self._log.notices + self.compression.notices
        self._log.notices, self.compression.notices = [], []
        return notices
