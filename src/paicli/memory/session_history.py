"""SessionHistory: takes what is said into the history, with its record in the journal, and takes it back out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from paicli.memory.context_block import ContextBlock
from paicli.memory.conversation import ConversationMemory, call_of, entries_after
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.history_window import HistoryWindow
from paicli.memory.message import Message, Quirks, ToolCall
from paicli.memory.protocols import Clock
from paicli.memory.recall_feed import RecallFeed, is_recall, marks_metadata, recall_call, stale_recalls
from paicli.memory.session.log import SessionLog


class SessionHistory:
    """The history of a session as it grows.

    Args:
        history: The history.
        window: Keeps it within the model's window.
        feed: Says where recalled facts stand.
        log: Is told of everything.
        on_said: Is told of what user and assistant say.
        clock: Tells the present moment.
    """

    def __init__(
        self,
        history: ConversationMemory,
        window: HistoryWindow,
        feed: RecallFeed,
        log: SessionLog,
        on_said: Callable[[MemoryEntry], None],
        clock: Clock,
    ) -> None:
        self.feed = feed
        self._history = history
        self._window = window
        self._log = log
        self._on_said = on_said
        self._clock = clock

    def add_user(self, text: str) -> MemoryEntry:
        """Takes what the user said.

        Raises:
            MessageTooLarge: It does not fit the window; it is not taken.
        """
        self._window.check(text)
        return self._add(Message("user", text), MemoryType.CONVERSATION)

    def add_assistant(self, text: str, tool_calls: Sequence[ToolCall], thinking: str) -> MemoryEntry | None:
        """Takes what the assistant said and called; None, and nothing taken, where it is neither."""
        if not text.strip() and not tool_calls:
            return None
        message = Message("assistant", text, tool_calls=tuple(tool_calls), thinking=thinking)
        return self._add(message, MemoryType.CONVERSATION)

    def add_result(self, name: str, result: str, call_id: str, arguments: str) -> MemoryEntry:
        """Takes a tool's result, cut to its share of the window; the journal gets all of it."""
        call = call_of(self._history, name, call_id)
        shown = self._window.shortened(result)
        message = Message("tool", shown, call_id=call_id or (call.id if call else ""), tool_name=name)
        metadata = {"tool": name, "arguments": arguments or (call.arguments if call else "")}
        return self._add(message, MemoryType.TOOL_RESULT, metadata, whole=result)

    def _add(
        self, message: Message, kind: MemoryType, metadata: Mapping[str, str] | None = None, whole: str | None = None
    ) -> MemoryEntry:
        details = {"source": message.role} | {key: value for key, value in (metadata or {}).items() if value}
        entry = MemoryEntry(message.text, kind, timestamp=self._clock(), metadata=details, message=message)
        self._log.message(entry, whole)
        if kind is MemoryType.CONVERSATION:
            self._on_said(entry)
        self._window.take(entry)
        return entry

    def withdraw(self, entry: MemoryEntry) -> bool:
        """Takes the newest user message back out, if no answer has followed it; returns whether it did."""
        taken = [entry, *entries_after(self._history, entry)]
        if self._history.get(entry.id) is None or not all(is_recall(one) for one in taken[1:]):
            return False
        self._take_out([one.id for one in taken])
        return True

    def place(self, found: ContextBlock, query: str, quirks: Quirks, is_current: Callable[[str], bool]) -> None:
        """Gives what was found for the newest question its place; `is_current` tells of a mark whether the fact still applies."""
        stale = stale_recalls(list(self._history), is_current)
        if stale:
            self._take_out(sorted(stale))
        before = self.feed.state
        further = self.feed.place(found, list(self._history), self._window.tokens(), quirks, is_current)
        if self.feed.state != before:
            self._log.block(self.feed.state)
        if further:
            call = recall_call(query)
            self._add(Message("assistant", tool_calls=(call,)), MemoryType.CONVERSATION)
            result = Message("tool", further.text, call_id=call.id, tool_name=call.name)
            self._add(result, MemoryType.TOOL_RESULT, marks_metadata(further))

    def _take_out(self, ids: Sequence[str]) -> None:
        for entry_id in ids:
            self._history.delete(entry_id)
        self._log.withdrawn(ids)
