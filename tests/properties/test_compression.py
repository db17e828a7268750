"""Laws of compression: nothing is lost, a failure changes nothing, and whatever happens a request is valid and fits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from wire import QUIRKS, faults

from paicli.errors import CompressionFailed, MessageTooLarge, RateLimited
from paicli.memory import (
    ContextCompressor,
    ConversationMemory,
    InMemoryStore,
    LongTermMemory,
    MemoryEntry,
    MemoryManager,
    MemoryType,
)
from paicli.memory.compression.plan import Limits
from paicli.memory.conversation import role_of
from paicli.memory.message import Message, Quirks, Reply, ToolCall, render
from paicli.memory.session.replay import window_of
from paicli.memory.tokens.estimate import EstimatingCounter
from paicli.testing import ScriptedModel

EXAMPLES = max(500, settings.default.max_examples if settings.default else 0)
"""The soak has many more."""
PROMPT = "Be brief."
TOOLS = [{"type": "function", "function": {"name": "read_file", "description": "reads"}}]

SIZES = st.sampled_from([0, 1, 30, 300, 3_000, 30_000])
PIECES = st.sampled_from(
    ["中文内容，", "plain words ", "/srv/a/b.yml ", "不要动它。", "never do that. ", '{"a": 1}\n', "🧩", "x"]
)
IDS = st.sampled_from(["", "1", "1", "2", "call_0"])
DEEDS = st.one_of(
    st.tuples(st.just("user"), PIECES, SIZES),
    st.tuples(st.just("user"), PIECES, st.integers(0, 60)),
    st.tuples(st.just("assistant"), PIECES, SIZES),
    st.tuples(st.just("calls"), st.lists(IDS, min_size=1, max_size=5), SIZES),
    st.tuples(st.just("result"), IDS, SIZES),
    st.tuples(st.just("result"), IDS, SIZES),
    st.tuples(st.sampled_from(["request", "compact", "undo", "clear", "background"]), st.none(), st.just(0)),
    st.tuples(st.just("window"), st.none(), st.integers(900, 40_000)),
)
SUMMARIES: list[Any] = [
    "notes",
    "用户要部署服务，已决定用 /srv/a/b.yml",
    "",
    "null",
    "long notes " * 3_000,
    Reply("half", finish_reason="length"),
    RuntimeError("boom"),
    RateLimited(endpoint="x", attempts=3, detail="slow down"),
]


class Records:
    """A journal in a list."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []

    def append(self, record: Mapping[str, Any]) -> None:
        self.all.append(json.loads(json.dumps(record)))


class Talk:
    """A session that is played, and what must hold of it."""

    def __init__(self, summaries: list[Any], window: int, budget: int | None, quirks: Quirks) -> None:
        answers = iter(summaries * 10_000)
        self.model = ScriptedModel(lambda _messages, _tools: next(answers))
        self.records = Records()
        store = LongTermMemory(InMemoryStore())
        self.memory = MemoryManager(self.model, store, budget, window, journal=self.records)
        self.memory.prepare(PROMPT, TOOLS)
        self.quirks = quirks
        self.newest = ""
        self.windows = [window]

    def play(self, deed: str, what: Any, size: int) -> None:
        memory = self.memory
        if deed == "user":
            self.say((what * (size // len(what) + 1))[: max(1, size)] + f" [{len(self.records.all)}]")
        elif deed == "assistant":
            memory.add_assistant_message(what * (size // len(what)), thinking="hm" * (size % 50))
        elif deed == "calls":
            arguments = json.dumps({"path": "a" * size})
            calls = [ToolCall(call_id, "read_file", arguments) for call_id in what]
            memory.add_assistant_message("", calls)
        elif deed == "result":
            memory.add_tool_result("read_file", "line of it\n" * (size // 11), call_id=what)
        elif deed == "window":
            self.windows.append(size)
            memory.resize(size)
        elif deed == "background":
            memory.compress_in_background()
        elif deed == "clear":
            memory.clear()
            self.newest = ""
        else:
            self.command(deed)

    def say(self, text: str) -> None:
        try:
            self.memory.add_user_message(text)
        except MessageTooLarge:
            return
        self.newest = text

    def command(self, deed: str) -> None:
        before = list(self.memory.short_term), self.memory.short_term.compressed_summaries
        if deed == "compact":
            try:
                self.memory.compress_now()
            except CompressionFailed:
                assert (list(self.memory.short_term), self.memory.short_term.compressed_summaries) == before
        elif deed == "undo":
            self.memory.undo_compression()
        else:
            self.check_request()

    def check_request(self) -> None:
        """A request is valid, within the window, and has the newest user message byte for byte."""
        try:
            messages = self.memory.request(PROMPT, TOOLS, self.quirks, "block " * 9)
        except MessageTooLarge:
            counter = EstimatingCounter()
            assert counter.count_text(self.newest) > self.memory.budget.request_limit // 4
            return
        wire = render(messages, self.quirks)
        assert EstimatingCounter().count(wire, TOOLS) <= self.memory.budget.request_limit
        assert faults(wire, self.quirks) == []
        users = [message["content"] for message in wire if message["role"] == "user"]
        assert not self.newest or users[-1].endswith(self.newest)

    def check_nothing_is_lost(self) -> None:
        """Every entry stored is in the window, or waits, or stands for in the summary: in one of the three only."""
        window, waiting = list(self.memory.short_term), self.memory.short_term.compressed_summaries
        replaces = {record["id"]: record["replaces"] for record in self.records.all if record["kind"] == "summary"}
        last_clear = max((n for n, record in enumerate(self.records.all) if record["kind"] == "clear"), default=-1)
        stored = [record["id"] for record in self.records.all[last_clear + 1 :] if record["kind"] == "message"]
        open_summaries = [entry.id for entry in (*window, *waiting) if entry.type is MemoryType.SUMMARY]
        covered: list[str] = []
        while open_summaries:
            for entry_id in replaces[open_summaries.pop()]:
                (open_summaries if entry_id in replaces else covered).append(entry_id)
        kept = [entry.id for entry in (*window, *waiting) if entry.type is not MemoryType.SUMMARY]
        assert sorted([*kept, *covered]) == sorted(stored)

    def check_the_journal_rebuilds_it(self) -> None:
        window, waiting = window_of(self.records.all)
        assert [(entry.id, entry.content) for entry in window] == [(e.id, e.content) for e in self.memory.short_term]
        there = self.memory.short_term.compressed_summaries
        assert sorted(entry.id for entry in waiting) == sorted(entry.id for entry in there)


@settings(max_examples=EXAMPLES)
@given(
    st.lists(DEEDS, max_size=40),
    st.lists(st.sampled_from(SUMMARIES), min_size=1, max_size=4),
    st.integers(1_200, 40_000),
    st.sampled_from([None, None, 60, 700, 5_000]),
    QUIRKS,
)
def test_whatever_happens_a_request_is_valid_and_fits_and_nothing_is_lost(
    deeds: list[Any], summaries: list[Any], window: int, budget: int | None, quirks: Quirks
) -> None:
    talk = Talk(summaries, window, budget, quirks)
    for deed, what, size in deeds:
        talk.play(deed, what, size)
    talk.say("  the newest 问题 \n")
    talk.check_request()
    talk.check_nothing_is_lost()
    talk.check_the_journal_rebuilds_it()
    counter = EstimatingCounter()
    assert all(counter.count(render(request.messages)) <= max(talk.windows) for request in talk.model.requests)


ROLES = st.tuples(st.sampled_from(["user", "user", "assistant", "tool", "call"]), PIECES, st.integers(1, 400))
FAILURES = st.sampled_from(
    ["", "无", "grown " * 40_000, Reply("half", finish_reason="length"), ValueError("{x} %s"), KeyboardInterrupt()]
)


def entry_of(role: str, text: str) -> MemoryEntry:
    calls = (ToolCall("1", "read_file"),) if role == "call" else ()
    message = Message("assistant" if role == "call" else role, text, calls, "1" if role == "tool" else "")  # type: ignore[arg-type]
    return MemoryEntry(text, MemoryType.CONVERSATION, message=message)


@settings(max_examples=EXAMPLES)
@given(st.lists(ROLES, max_size=40), st.integers(0, 12), FAILURES, st.integers(200, 8_000), st.integers(30, 3_000))
def test_a_failure_at_any_point_leaves_the_history_as_it_was(
    said: list[tuple[str, str, int]], at: int, failure: Any, piece_tokens: int, budget: int
) -> None:
    history = ConversationMemory(budget)
    for role, piece, count in said:
        history.store(entry_of(role, piece * count))
    before, waiting = list(history), history.compressed_summaries
    answers = iter(range(10_000))
    model = ScriptedModel(lambda _messages, _tools: failure if next(answers) >= at else "notes")
    try:
        summary = ContextCompressor(model, limits=Limits(piece_tokens)).compress(history)
    except (CompressionFailed, KeyboardInterrupt):
        assert (list(history), history.compressed_summaries) == (before, waiting)
        return
    if summary is None:
        assert (list(history), history.compressed_summaries) == (before, waiting)
        return
    first, *rest = history
    assert first.type is MemoryType.SUMMARY
    assert rest == before[len(before) - len(rest) :]
    assert sum(role_of(entry) == "user" for entry in rest) <= 3
    assert history.compressed_summaries == []


@settings(max_examples=EXAMPLES)
@given(st.lists(ROLES, min_size=4, max_size=40), st.lists(ROLES, max_size=6))
def test_what_is_undone_is_as_it_was_byte_for_byte(
    said: list[tuple[str, str, int]], since: list[tuple[str, str, int]]
) -> None:
    memory = MemoryManager(ScriptedModel(lambda *_: "n"), LongTermMemory(InMemoryStore()), context_window=1_000_000)
    for role, piece, count in said:
        memory.short_term.append(entry_of(role, piece * count))
    before = list(memory.short_term)
    try:
        memory.compress_now()
    except CompressionFailed:
        return
    later = [entry_of(role, piece * count) for role, piece, count in since]
    for entry in later:
        memory.short_term.append(entry)
    memory.undo_compression()
    assert list(memory.short_term) == [*before, *later]
