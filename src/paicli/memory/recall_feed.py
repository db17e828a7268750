"""RecallFeed: where recalled facts stand in a request, so that a provider need not read a long history again each turn."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from paicli.memory.context_block import ContextBlock, extended, narrowed
from paicli.memory.entry import MemoryEntry, MemoryType, new_id
from paicli.memory.message import Quirks, ToolCall
from paicli.memory.tokens.estimate import estimate_tokens

SHORT_HISTORY_TOKENS = 8_000
"""Up to here the block in the system message follows each question; see docs/decisions/0007-cache-stable-recall.md."""
LARGEST_EXTENSION_TOKENS = 2_000
"""A block that is extended beyond this is made anew: most of its lines are about questions of long ago."""
RECALL_TOOL = "recall"
_MARKS = "facts"


class RecallForm(StrEnum):
    """How recalled facts reach the model."""

    BLOCK = "block"
    """As the block in the system message, made anew for the question."""
    CALL = "call"
    """As the result of a `recall` call behind the user's message; the system message stays as it is."""
    EXTENSION = "extension"
    """As further lines of the block, for providers that refuse calls they did not make."""


def recall_form(history_tokens: int, threshold: int | None, quirks: Quirks, *, is_anchored: bool) -> RecallForm:
    """Returns the form for the next question.

    Args:
        history_tokens: Size of the history.
        threshold: From here on the system message stays as it is; None for never.
        quirks: A provider that wants thinking text with each call can't be given a call that it did not think of.
        is_anchored: Whether there is a system message that can stay as it is.
    """
    if not is_anchored or threshold is None or history_tokens < threshold:
        return RecallForm.BLOCK
    return RecallForm.EXTENSION if quirks.thinking_required else RecallForm.CALL


@dataclass(frozen=True, slots=True)
class _Anchor:
    """What the system message and the start of the history were when the block was made."""

    summary: str
    first: str


class RecallFeed:
    """Keeps the block of a conversation, and says which facts the window does not hold yet.

    Args:
        threshold: As for `recall_form`.
    """

    def __init__(self, threshold: int | None = SHORT_HISTORY_TOKENS) -> None:
        self.threshold = threshold
        self.text = ""
        """The block that stands in the system message; may be empty."""
        self._marks: set[str] = set()
        self._anchor: _Anchor | None = None

    def reset(self) -> None:
        """Lets the next question have a block of its own."""
        self.text, self._marks, self._anchor = "", set(), None

    @property
    def state(self) -> dict[str, Any]:
        """What `restore` needs to go on from here: texts and lists of texts."""
        anchor = self._anchor or _Anchor("", "")
        return {"text": self.text, "marks": sorted(self._marks), "after": anchor.summary, "first": anchor.first}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from an earlier `state`, of an earlier session."""
        self.text = str(state.get("text") or "")
        self._marks = {str(mark) for mark in state.get("marks") or ()}
        self._anchor = _Anchor(str(state.get("after") or ""), str(state.get("first") or ""))

    def place(
        self,
        found: ContextBlock,
        history: Sequence[MemoryEntry],
        tokens: int,
        quirks: Quirks,
        is_current: Callable[[str], bool],
    ) -> ContextBlock:
        """Gives what was found for a question its place; returns what is to be the result of a recall call, or nothing.

        Args:
            found: What the question carries along.
            history: The history, the question included.
            tokens: Its size.
            quirks: What the provider wants otherwise.
            is_current: Tells of a mark whether the fact still applies in the wording it had.
        """
        is_anchored = self._anchor == _anchor_of(history) and all(map(is_current, self._marks))
        form = recall_form(tokens, self.threshold, quirks, is_anchored=is_anchored)
        if form is not RecallForm.BLOCK:
            new = narrowed(found, lambda entry: self._is_new(entry, history))
            if form is RecallForm.CALL:
                return new
            if self._has_room(new):
                self.text = extended(self.text, new.text)
                self._marks |= marks_in(new)
                return ContextBlock()
        self.text, self._marks, self._anchor = found.text, marks_in(found), _anchor_of(history)
        return ContextBlock()

    def _has_room(self, further: ContextBlock) -> bool:
        return estimate_tokens(self.text + further.text) <= LARGEST_EXTENSION_TOKENS

    def _is_new(self, entry: MemoryEntry, history: Sequence[MemoryEntry]) -> bool:
        """Returns whether the window does not hold a fact yet, nor the message in which the user said it."""
        said = entry.source.message if entry.source else ""
        given = self._marks.union(*(one.metadata.get(_MARKS, "").split() for one in history))
        return mark_of(entry) not in given and all(one.id != said for one in history)


def mark_of(entry: MemoryEntry) -> str:
    """Returns what stands for a fact in its present wording: its id and a checksum."""
    return f"{entry.id}:{zlib.crc32(entry.content.encode('utf-8', 'replace')):08x}"


def id_in(mark: str) -> str:
    """Returns the id of the fact that a mark stands for."""
    return mark.rpartition(":")[0]


def marks_in(block: ContextBlock) -> set[str]:
    """Returns the marks of the entries of a block."""
    return {mark_of(entry) for entry in (*block.core, *(found.entry for found in block.recalled))}


def marks_metadata(block: ContextBlock) -> dict[str, str]:
    """Returns what the result of a recall call notes about the facts it holds."""
    return {"tool": RECALL_TOOL, _MARKS: " ".join(sorted(marks_in(block)))}


def is_recall(entry: MemoryEntry) -> bool:
    """Returns whether an entry is the engine's own recall call, or the result of one."""
    calls = entry.message.tool_calls if entry.message else ()
    return _MARKS in entry.metadata or any(call.id.startswith(f"{RECALL_TOOL}-") for call in calls)


def stale_recalls(history: Sequence[MemoryEntry], is_current: Callable[[str], bool]) -> set[str]:
    """Returns the ids of the recall calls in a history, with their results, that hold a fact which no longer applies."""
    stale = [entry for entry in history if not all(map(is_current, entry.metadata.get(_MARKS, "").split()))]
    calls = {entry.message.call_id for entry in stale if entry.message}
    return {entry.id for entry in stale} | {
        entry.id
        for entry in history
        if entry.message and entry.message.tool_calls and {call.id for call in entry.message.tool_calls} <= calls
    }


def recall_call(query: str) -> ToolCall:
    """Returns the engine's own call for what a question recalls."""
    return ToolCall(f"{RECALL_TOOL}-{new_id()}", RECALL_TOOL, json.dumps({"query": query}, ensure_ascii=False))


def _anchor_of(history: Sequence[MemoryEntry]) -> _Anchor:
    summary = next((entry.id for entry in history if entry.type is MemoryType.SUMMARY), "")
    first = next((entry.id for entry in history if entry.type is not MemoryType.SUMMARY), "")
    return _Anchor(summary, first)
