"""HistoryCompression: when it compresses on its own, and when it stops trying."""

from __future__ import annotations

import pytest

from paicli.errors import CompressionFailed
from paicli.memory import ContextCompressor, ConversationMemory, MemoryEntry, MemoryType
from paicli.memory.compression import HistoryCompression
from paicli.testing import ScriptedModel


class Room:
    """A history of a budget, its compression, and what was told of summaries."""

    def __init__(self, model: ScriptedModel | None, max_tokens: int = 100) -> None:
        self.history = ConversationMemory(max_tokens)
        self.told: list[tuple[str, int]] = []
        self.compression = HistoryCompression(
            self.history,
            lambda: self.history.token_count,
            lambda summary, gone: self.told.append((summary.content, len(gone))),
        )
        self.compression.compressor = ContextCompressor(model) if model else None

    def say(self, count: int = 1) -> None:
        for _ in range(count):
            self.history.append(MemoryEntry("u" * 80, MemoryType.CONVERSATION))

    @property
    def codes(self) -> list[str]:
        return [notice.code for notice in self.compression.notices]


def test_below_four_fifths_of_the_budget_nothing_is_compressed() -> None:
    room = Room(ScriptedModel([]))
    room.say(4)
    assert room.history.token_count == 80
    assert room.compression.if_needed() is None


def test_above_four_fifths_the_old_rounds_are_compressed_and_told() -> None:
    room = Room(ScriptedModel(["n"]))
    room.say(5)
    report = room.compression.if_needed()
    assert report is not None
    assert (report.entries, report.tokens_before) == (2, 100)
    assert report.tokens_after < 80
    assert room.told == [(report.summary, 2)]
    assert room.codes == ["compressed"]


def test_what_waits_is_compressed_however_small_the_history_is() -> None:
    room = Room(ScriptedModel(["n"]), max_tokens=30)
    room.say(3)
    room.history.evict()
    room.history.max_tokens = 10_000
    assert room.compression.if_needed() is not None
    assert room.history.compressed_summaries == []


def test_without_a_model_nothing_is_compressed() -> None:
    room = Room(None)
    room.say(9)
    assert room.compression.if_needed() is None
    with pytest.raises(CompressionFailed, match="no model"):
        room.compression.now()


def test_a_failure_is_told_and_not_tried_again_with_the_same_content() -> None:
    model = ScriptedModel(["", "", ""])
    room = Room(model)
    room.say(5)
    before = list(room.history)
    for _ in range(5):
        assert room.compression.if_needed() is None
    assert list(room.history) == before
    assert len(model.requests) == 1
    assert room.codes == ["compression-failed"]


def test_after_three_failures_in_a_row_it_stops_trying() -> None:
    model = ScriptedModel(lambda _messages, _tools: "")
    room = Room(model)
    room.say(5)
    for _ in range(20):
        room.compression.if_needed()
        room.say()
    assert room.codes.count("compression-failed") == 3
    assert room.codes.count("compression-paused") == 1
    calls = len(model.requests)
    room.compression.if_needed()
    assert len(model.requests) == calls


def test_it_tries_again_when_something_has_changed() -> None:
    room = Room(ScriptedModel(["", "n"]))
    room.say(5)
    room.compression.if_needed()
    room.compression.reset()
    assert room.compression.if_needed() is not None


def test_the_user_can_compress_at_any_time() -> None:
    room = Room(ScriptedModel(["n"]), max_tokens=10_000)
    room.say(4)
    report = room.compression.now("keep the port")
    assert report is not None
    assert report.entries == 1
    assert room.compression.now() is None


def test_a_failure_of_the_users_own_compression_is_an_error() -> None:
    room = Room(ScriptedModel([RuntimeError("boom")]))
    room.say(5)
    with pytest.raises(CompressionFailed, match="boom"):
        room.compression.now()
    assert len(room.history) == 5
