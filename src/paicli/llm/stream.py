"""The pieces of a streamed answer put together, whatever parts of the protocol they leave out."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from paicli.llm.model import Delta
from paicli.memory.message import Reply, ToolCall, Usage

_THINKING_FIELDS = ("reasoning_content", "reasoning")
_OPENING, _CLOSING = "<think>", "</think>"


@dataclass
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""

    def add(self, fragment: Any) -> None:  # noqa: ANN401  # a piece of a provider's JSON, of whatever shape
        function = _get(fragment, "function")
        name, arguments = _get(function, "name") or "", _get(function, "arguments")
        self.id = self.id or str(_get(fragment, "id") or "")
        if name != self.name:  # some servers repeat the whole name with each piece
            self.name += name
        if arguments is not None:
            self.arguments += arguments if isinstance(arguments, str) else json.dumps(arguments, default=vars)


class ThinkSplitter:
    """Takes the `<think>…</think>` that local models put before their answer out of a stream of text.

    Only at the very beginning: an answer may speak of the tag.
    """

    def __init__(self) -> None:
        self._state = "start"
        self._held = ""

    def feed(self, text: str) -> Delta:
        """Returns what of `text`, and of what was held back before it, is answer and what is thinking."""
        self._held += text
        delta = Delta()
        if self._state == "start":
            self._leave_start()
        if self._state == "thinking":
            delta = self._think()
        if self._state == "gap" and self._held.strip():
            self._state, self._held = "answer", self._held.lstrip()
        if self._state == "answer":
            delta, self._held = Delta(self._held, delta.thinking), ""
        return delta

    def finish(self) -> Delta:
        """Returns what is still held back at the end of the stream."""
        held, self._held = self._held, ""
        if self._state == "gap":
            return Delta()
        return Delta(thinking=held) if self._state == "thinking" else Delta(text=held)

    def _leave_start(self) -> None:
        """Decides whether this is thinking or an answer, as soon as enough has come."""
        beginning = self._held.lstrip()
        if beginning.startswith(_OPENING):
            self._state, self._held = "thinking", beginning[len(_OPENING) :]
        elif not _OPENING.startswith(beginning):
            self._state = "answer"

    def _think(self) -> Delta:
        thinking, closing, rest = self._held.partition(_CLOSING)
        if closing:
            self._state, self._held = "gap", rest
            return Delta(thinking=thinking)
        keep = _length_of_started_tag(self._held)
        thinking, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return Delta(thinking=thinking)


def _length_of_started_tag(text: str) -> int:
    """Returns how many characters at the end of `text` may be the beginning of the closing tag."""
    return next((size for size in range(len(_CLOSING) - 1, 0, -1) if text.endswith(_CLOSING[:size])), 0)


@dataclass
class Assembly:
    """An answer as far as it has arrived."""

    text: str = ""
    thinking: str = ""
    finish_reason: str = ""
    usage: Usage | None = None
    calls: list[_Call] = field(default_factory=list)
    _by_index: dict[int, _Call] = field(default_factory=dict)
    _splitter: ThinkSplitter = field(default_factory=ThinkSplitter)

    def feed(self, chunk: Any) -> Delta:  # noqa: ANN401  # a piece of a provider's JSON, of whatever shape
        """Takes in a piece of the stream and returns what it adds for the reader."""
        self._count(_get(chunk, "usage"))
        choice = next(iter(_get(chunk, "choices") or ()), None)
        self._count(_get(choice, "usage"))  # Moonshot's place for it
        self.finish_reason = str(_get(choice, "finish_reason") or self.finish_reason)
        delta = _get(choice, "delta")
        for fragment in _get(delta, "tool_calls") or ():
            self._call_of(fragment).add(fragment)
        thinking = next(filter(None, (_text(_get(delta, name)) for name in _THINKING_FIELDS)), "")
        content = _text(_get(delta, "content"))
        split = self._splitter.feed(content) if content else Delta()
        return self._take(Delta(split.text, thinking + split.thinking))

    def finish(self) -> Delta:
        """Returns what was held back, when the stream has ended."""
        return self._take(self._splitter.finish())

    def reply(self) -> Reply:
        """Returns the answer; calls without an id get one, and `usage` is what the provider told, if anything."""
        calls = tuple(
            ToolCall(call.id or f"call_{secrets.token_hex(6)}", call.name, call.arguments or "{}")
            for call in self.calls
            if call.name
        )
        return Reply(self.text, calls, self.thinking, self.usage, self.finish_reason or "stop")

    @property
    def started(self) -> bool:
        """Whether anything of the answer has arrived."""
        return bool(self.text or self.thinking or self.calls)

    @property
    def complete(self) -> bool:
        """Whether the provider said that this is all: why it ended, or what it cost."""
        return bool(self.finish_reason or self.usage)

    def _take(self, delta: Delta) -> Delta:
        self.text += delta.text
        self.thinking += delta.thinking
        return delta

    def _call_of(self, fragment: Any) -> _Call:  # noqa: ANN401  # a piece of a provider's JSON, of whatever shape
        index, call_id = _get(fragment, "index"), _get(fragment, "id")
        if isinstance(index, int):
            if index not in self._by_index:
                self._by_index[index] = _Call()
                self.calls.append(self._by_index[index])
            return self._by_index[index]
        starts = bool(call_id) and call_id not in {call.id for call in self.calls}
        if starts or not self.calls:
            self.calls.append(_Call())
        return self.calls[-1]

    def _count(self, usage: Any) -> None:  # noqa: ANN401  # a piece of a provider's JSON, of whatever shape
        sent, received = _get(usage, "prompt_tokens"), _get(usage, "completion_tokens")
        if not isinstance(sent, int) or not isinstance(received, int) or sent <= 0:
            return
        details = _get(usage, "prompt_tokens_details")
        places = (
            _get(details, "cached_tokens"),
            _get(usage, "prompt_cache_hit_tokens"),  # DeepSeek
            _get(usage, "cached_tokens"),  # Moonshot
        )
        cached = next((tokens for tokens in places if isinstance(tokens, int) and tokens > 0), 0)
        self.usage = Usage(sent, received, cached)


def _get(value: Any, name: str) -> Any:  # noqa: ANN401  # a piece of a provider's JSON, of whatever shape
    """Returns a field of a piece; what the `openai` package knows comes as an object, the rest as a dictionary."""
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _text(content: Any) -> str:  # noqa: ANN401  # a piece of a provider's JSON, of whatever shape
    """Returns a content as text; some servers send a list of parts."""
    if isinstance(content, list):
        return "".join(_text(part if isinstance(part, str) else _get(part, "text")) for part in content)
    return content if isinstance(content, str) else ""
