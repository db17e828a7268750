"""HistoryCompression: when it compresses on its own, in which way, and when it stops trying."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from paicli.errors import CompressionFailed
from paicli.memory import ContextCompressor, ConversationMemory, MemoryEntry, MemoryType
from paicli.memory.compression.compression import HistoryCompression
from paicli.memory.message import Message, ToolCall
from paicli.memory.session.log import SessionLog
from paicli.testing import ScriptedModel


class Records:
    """A journal in a list."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []

    def append(self, record: Mapping[str, Any]) -> None:
        self.all.append(dict(record))


class Room:
    """A history of a budget, its compression, and what was told of it."""

    def __init__(self, model: ScriptedModel | None, max_tokens: int = 110) -> None:
        self.history = ConversationMemory(max_tokens)
        self.records = Records()
        log = SessionLog(self.records, lambda: datetime.now(UTC))
        self.compression = HistoryCompression(
            self.history, lambda entries: sum(entry.token_count for entry in entries), log
        )
        self.compression.compressor = ContextCompressor(model) if model else None

    def say(self, count: int = 1, text: str = "u" * 80) -> None:
        for _ in range(count):
            self.history.append(MemoryEntry(text, MemoryType.CONVERSATION))

    def read(self, text: str) -> MemoryEntry:
        call = ToolCall("1", "read_file", "{}")
        self.history.append(
            MemoryEntry("", MemoryType.CONVERSATION, message=Message("assistant", "", tool_calls=(call,)))
        )
        message = Message("tool", text, call_id="1", tool_name="read_file")
        result = MemoryEntry(text, MemoryType.TOOL_RESULT, message=message)
        self.history.append(result)
        return result

    @property
    def codes(self) -> list[str]:
        return [notice.code for notice in self.compression.notices]

    @property
    def kinds(self) -> list[str]:
        return [record["kind"] for record in self.records.all]


def full_of_reads(model: ScriptedModel | None, max_tokens: int = 10_000, rounds: int = 8) -> Room:
    """Returns a room of so many rounds in which 1 000 tokens each were read."""
    room = Room(model, max_tokens)
    for number in range(rounds):
        room.say(text=f"look at file {number}")
        room.read(f"start {number} " + "line\n" * 790 + f"end {number}")
    return room


def test_below_four_fifths_of_the_budget_nothing_is_compressed() -> None:
    room = Room(ScriptedModel([]), max_tokens=100)
    room.say(4)
    assert room.history.token_count == 80
    assert room.compression.if_needed() is None


def test_above_four_fifths_the_old_rounds_are_compressed_and_told() -> None:
    room = Room(ScriptedModel(["n"]))
    room.say(5)
    report = room.compression.if_needed()
    assert report is not None
    assert (report.entries, report.rounds, report.tokens_before, report.made_by) == (2, 2, 100, "model")
    assert report.tokens_after < 80
    assert report.tokens_spent > 0
    assert room.records.all[-1]["text"] == report.summary
    assert len(room.records.all[-1]["replaces"]) == 2
    assert room.codes == ["compressed"]


def test_the_user_is_warned_once_before_it_comes_to_that() -> None:
    room = Room(ScriptedModel([]), max_tokens=107)
    room.say(4)
    room.compression.if_needed()
    room.compression.if_needed()
    assert room.codes == ["history-filling"]


def test_what_waits_is_compressed_however_small_the_history_is() -> None:
    room = Room(ScriptedModel(["n"]), max_tokens=30)
    room.say(3)
    room.history.evict()
    room.history.max_tokens = 10_000
    assert room.compression.if_needed() is not None
    assert room.history.compressed_summaries == []


def test_what_waits_is_summarised_once_a_round_at_most() -> None:
    room = Room(ScriptedModel(["n", "m"]), max_tokens=10_000)
    room.say(6)
    room.history.max_tokens = 30
    for _ in range(2):
        room.history.evict()
        room.history.max_tokens = 10_000
        room.compression.if_needed()
        room.history.append(MemoryEntry("a" * 80, MemoryType.CONVERSATION, metadata={"source": "assistant"}))
        room.history.max_tokens = 25
    assert room.codes == ["compressed"]


def test_without_a_model_nothing_is_summarised() -> None:
    room = Room(None)
    room.say(9)
    assert room.compression.if_needed() is None
    with pytest.raises(CompressionFailed, match="no model"):
        room.compression.now()


def test_too_little_to_be_worth_a_summary_is_left() -> None:
    room = Room(ScriptedModel([]), max_tokens=1_000)
    room.say(text="short")
    room.say(3, "u" * 1_100)
    assert room.compression.if_needed() is None


def test_old_tool_results_are_shortened_first_and_no_model_is_asked() -> None:
    room = full_of_reads(ScriptedModel([]), rounds=9)
    before = list(room.history)
    report = room.compression.if_needed()
    assert report is not None
    assert (report.made_by, report.shrunk, report.entries) == ("shrinking", 6, 0)
    assert report.tokens_after < 7_000
    assert [entry.id for entry in room.history] == [entry.id for entry in before]
    assert list(room.history)[-9:] == before[-9:]
    old = list(room.history)[2].content
    assert old.startswith("start 0")
    assert old.endswith("end 0")
    assert f"recall with entry_id {before[2].id}" in old
    assert room.codes == ["results-shortened"]
    assert room.kinds == ["shrunk"]
    assert room.records.all[0]["ids"] == [entry.id for entry in before[2:18:3]]


def test_without_a_model_old_tool_results_are_shortened_even_where_that_does_not_suffice() -> None:
    room = full_of_reads(None, max_tokens=4_500)
    report = room.compression.if_needed()
    assert report is not None
    assert report.shrunk == 5


def test_where_shortening_does_not_suffice_old_rounds_are_summarised() -> None:
    room = full_of_reads(ScriptedModel(lambda _messages, _tools: "notes"), max_tokens=4_500)
    report = room.compression.if_needed()
    assert report is not None
    assert report.made_by == "model"
    assert room.kinds == ["summary"]


def test_before_anything_leaves_results_of_the_last_rounds_are_shortened_but_never_those_of_the_newest_step() -> None:
    room = full_of_reads(None, max_tokens=2_500, rounds=3)
    newest = list(room.history)[-1]
    room.compression.shrink_recent()
    assert list(room.history)[-1] == newest
    assert room.history.token_count < 2_000


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
    room = Room(model, max_tokens=1_000)
    room.say(41)
    for _ in range(5):
        room.compression.if_needed()
        room.say()
    assert room.codes.count("compression-failed") == 3
    assert room.codes.count("compression-paused") == 1
    calls = len(model.requests)
    room.compression.if_needed()
    assert len(model.requests) == calls


def test_nearly_full_and_with_a_model_that_fails_an_excerpt_takes_the_place_of_the_summary() -> None:
    room = Room(ScriptedModel(lambda _messages, _tools: RuntimeError("402")), max_tokens=1_000)
    room.say(10, "never touch the folder /srv/legacy/a.yml. " + "And then go on with it, please. " * 12)
    report = room.compression.if_needed()
    assert report is not None
    assert report.made_by == "excerpt"
    assert (report.rules, report.tokens_spent) == (1, 0)
    assert "- User: never touch the folder" in report.summary
    assert room.codes == ["compression-failed", "compressed-without-model"]
    assert report.tokens_after < 600


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


def test_what_was_undone_is_as_it_was_followed_by_what_has_come_since() -> None:
    room = Room(ScriptedModel(["n"]))
    room.say(5)
    before = list(room.history)
    done = room.compression.if_needed()
    room.say(text="later")
    later = list(room.history)[-1]
    assert room.compression.undo() == done
    assert list(room.history) == [*before, later]
    assert room.kinds == ["summary", "undone"]
    assert room.compression.undo() is None


def test_what_was_taken_out_since_does_not_come_back() -> None:
    room = Room(ScriptedModel(["n"]))
    room.say(5)
    before = list(room.history)
    room.compression.if_needed()
    room.history.delete(before[-1].id)
    room.compression.undo()
    assert list(room.history) == before[:-1]


def test_compressions_are_undone_one_after_the_other() -> None:
    room = Room(ScriptedModel(["n", "m", "nm"]), max_tokens=10_000)
    room.say(5)
    first = list(room.history)
    room.compression.now()
    room.say(3)
    second = list(room.history)
    room.compression.now()
    room.compression.undo()
    assert list(room.history) == second
    room.compression.undo()
    assert list(room.history) == [*first, *second[-3:]]


def test_shortened_results_come_back_whole() -> None:
    room = full_of_reads(ScriptedModel([]), rounds=9)
    before = list(room.history)
    room.compression.if_needed()
    room.compression.undo()
    assert list(room.history) == before
    assert room.records.all[-1]["texts"] == [entry.content for entry in before[2:18:3]]


def test_after_an_undo_nothing_is_compressed_before_the_history_is_nearly_full() -> None:
    room = Room(ScriptedModel(["n", "m"]))
    room.say(5)
    room.compression.if_needed()
    room.compression.undo()
    assert room.compression.if_needed() is None
    room.say(1, "u" * 24)
    assert room.compression.if_needed() is not None


class Slow:
    """A summariser that waits for leave."""

    def __init__(self, answer: str | BaseException = "n") -> None:
        self.leave = threading.Event()
        self.asked = threading.Event()
        self.answer = answer
        self.model = ScriptedModel(self.write)

    def write(self, _messages: object, _tools: object) -> str | BaseException:
        self.asked.set()
        assert self.leave.wait(20)
        return self.answer


def prepared(slow: Slow, max_tokens: int = 110) -> Room:
    """Returns a room whose summary is being written."""
    room = Room(slow.model, max_tokens)
    room.compression.in_background = True
    room.say(5)
    assert room.compression.if_needed() is None
    assert slow.asked.wait(20)
    return room


def finish(room: Room, slow: Slow) -> None:
    """Has what is being prepared come to its end."""
    slow.leave.set()
    if room.compression._preparation:
        room.compression._preparation.is_done(wait=True)


def test_in_the_background_a_summary_takes_effect_at_the_next_chance() -> None:
    slow = Slow()
    room = prepared(slow)
    assert room.compression.if_needed() is None
    assert len(room.history) == 5
    finish(room, slow)
    report = room.compression.if_needed()
    assert report is not None
    assert report.entries == 2
    assert len(room.history) == 4
    assert len(slow.model.requests) == 1


def test_a_history_that_is_nearly_full_waits_for_what_is_being_prepared() -> None:
    slow = Slow()
    room = prepared(slow)
    room.say(1, "u" * 24)
    threading.Timer(0.05, slow.leave.set).start()
    report = room.compression.if_needed()
    assert report is not None
    assert report.entries == 2
    assert len(slow.model.requests) == 1


@pytest.mark.parametrize("change", ["clear", "undo", "delete"])
def test_what_was_prepared_for_another_history_is_thrown_away(change: str) -> None:
    slow = Slow()
    room = prepared(slow)
    if change == "clear":
        room.history.clear()
        room.compression.clear()
    elif change == "undo":
        room.compression._past.add(_step_of(room))
        room.compression.undo()
    else:
        room.history.delete(next(iter(room.history)).id)
    before = list(room.history)
    finish(room, slow)
    room.compression.in_background = False
    room.history.max_tokens = 10_000
    assert room.compression.if_needed() is None
    assert list(room.history) == before


def _step_of(room: Room) -> Any:
    from paicli.memory.compression.undo import Step
    from paicli.memory.report import CompressionReport

    return Step(tuple(room.history), (), frozenset(), "", CompressionReport(1, 1, 0, ""))


@pytest.mark.parametrize("answer", ["", RuntimeError("402"), KeyboardInterrupt()])
def test_a_failure_behind_the_prompt_changes_nothing_and_is_told_at_the_prompt(answer: str | BaseException) -> None:
    slow = Slow(answer)
    room = prepared(slow)
    before = list(room.history)
    finish(room, slow)
    assert room.codes == []
    assert room.compression.if_needed() is None
    assert room.codes == ["compression-failed"]
    assert list(room.history) == before


def test_the_rules_and_names_beside_a_summary_go_on_to_the_next_one() -> None:
    room = Room(ScriptedModel(lambda _messages, _tools: "useless"), max_tokens=100_000)
    room.say(text="禁止改动 legacy 目录；部署用 /srv/app/conf.d/a.yml，端口 18443，提交 9f3c1ab")
    for number in range(10):
        room.say(6, f"继续第 {number} 步，先别急，慢慢来，把剩下的部分一点一点做完就好了")
        report = room.compression.now()
        assert report is not None
    assert "禁止改动 legacy 目录" in report.summary
    assert all(name in report.summary for name in ("/srv/app/conf.d/a.yml", "端口 18443", "9f3c1ab"))
    assert report.summary.count("原样保留") == 1


def test_names_for_which_there_is_no_room_are_counted_and_told() -> None:
    room = Room(ScriptedModel(lambda _messages, _tools: "n"), max_tokens=100_000)
    room.say(1, " ".join(f"/srv/app/part-{number:03}/settings.yml" for number in range(400)))
    room.say(3)
    report = room.compression.now()
    assert report is not None
    assert report.put_back + report.left_out == 400
    assert report.left_out > 200
    assert "part-399" in report.summary
    assert "part-000" not in report.summary
    assert room.codes == ["compressed", "atoms-left-out"]


def larger_room(model: ScriptedModel, max_tokens: int) -> Room:
    """Returns a room of five rounds in which a summary takes more than all that it stands for."""
    room = Room(model, max_tokens)
    log = SessionLog(room.records, lambda: datetime.now(UTC))

    def size(entries: Sequence[MemoryEntry]) -> int:
        return sum(200 if entry.type is MemoryType.SUMMARY else entry.token_count for entry in entries)

    room.compression = HistoryCompression(room.history, size, log)
    room.compression.compressor = ContextCompressor(model)
    room.say(5)
    return room


@pytest.mark.parametrize("max_tokens", [110, 101])
def test_a_summary_that_would_make_the_history_larger_is_refused(max_tokens: int) -> None:
    room = larger_room(ScriptedModel(["n"]), max_tokens)
    before = list(room.history)
    assert room.compression.if_needed() is None
    assert room.codes == ["compression-failed"]
    assert (list(room.history), room.kinds) == (before, [])


def test_the_users_own_compression_says_that_it_would_make_the_history_larger() -> None:
    room = larger_room(ScriptedModel(["n"]), 10_000)
    with pytest.raises(CompressionFailed, match="history has 260 tokens, without it 100"):
        room.compression.now()


def test_a_summary_that_was_prepared_is_refused_as_well_where_it_makes_the_history_larger() -> None:
    slow = Slow()
    room = larger_room(slow.model, 110)
    room.compression.in_background = True
    assert room.compression.if_needed() is None
    finish(room, slow)
    assert room.compression.if_needed() is None
    assert (room.codes, room.kinds) == (["compression-failed"], [])


def test_no_excerpt_stands_in_for_a_model_that_did_not_fail() -> None:
    model = ScriptedModel([])
    room = Room(model, max_tokens=1_000)
    room.say(text="short")
    room.say(3, "u" * 1_300)
    assert room.compression.if_needed() is None
    assert (model.requests, room.codes, room.kinds) == ([], [], [])
