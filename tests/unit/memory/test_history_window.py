"""HistoryWindow: the history's part of the model's window."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from paicli.errors import MessageTooLarge
from paicli.memory import ContextCompressor, ConversationMemory, MemoryEntry, MemoryType, TokenBudget
from paicli.memory.compression.plan import Limits, limits_for
from paicli.memory.history_window import HistoryWindow
from paicli.memory.message import Quirks, ThinkingEcho
from paicli.memory.session.log import SessionLog
from paicli.memory.tokens.estimate import EstimatingCounter
from paicli.memory.window import Fixed
from paicli.testing import ScriptedModel


def window_of(tokens: int, max_tokens: int | None = None) -> HistoryWindow:
    log = SessionLog(None, lambda: datetime.now(UTC))
    window = HistoryWindow(ConversationMemory(1), TokenBudget(tokens), EstimatingCounter(), log, max_tokens)
    window.follow()
    return window


def test_the_largest_message_that_is_let_in_fits_the_request() -> None:
    window = window_of(4_000)
    window.prepare("p" * 1_200, [{"name": "x" * 2_000}])
    limit = window.budget.available_for_conversation
    text = "x" * (limit - 4) * 4
    window.check(text)
    window.take(MemoryEntry(text, MemoryType.CONVERSATION))
    messages = window.request(Fixed("p" * 1_200, [{"name": "x" * 2_000}]), "")
    assert messages[-1].text == text
    with pytest.raises(MessageTooLarge):
        window.check(text + "x")


def test_the_block_is_measured_as_part_of_the_prompt() -> None:
    window = window_of(4_000)
    window.take(MemoryEntry("q", MemoryType.CONVERSATION))
    before = window.budget.available_for_conversation
    window.request(Fixed("p"), "b" * 2_000)
    assert window.budget.available_for_conversation < before


def test_calls_for_a_summary_follow_the_window_and_have_a_floor() -> None:
    window = window_of(4_000)
    window.compression.compressor = compressor = ContextCompressor(ScriptedModel([]))
    window.follow()
    assert compressor.limits == limits_for(1_600, window.budget.available_for_conversation)
    window.budget.context_window = 100
    window.follow()
    assert compressor.limits.piece_tokens == 128
    window.budget.context_window = 1_000_000
    window.follow()
    assert compressor.limits == Limits()


@pytest.mark.parametrize(("result", "cut"), [("x" * 2_680, False), ("x" * 2_700, True)])
def test_a_result_of_more_than_a_quarter_is_cut(result: str, cut: bool) -> None:  # noqa: FBT001
    shown = window_of(4_000).shortened(result)
    assert (shown != result) is cut


def test_a_budget_of_ones_own_is_kept_below_the_window() -> None:
    history = ConversationMemory(1)
    log = SessionLog(None, lambda: datetime.now(UTC))
    window = HistoryWindow(history, TokenBudget(4_000), EstimatingCounter(), log, 300)
    window.follow()
    assert history.max_tokens == 300


def test_the_size_is_that_of_what_the_provider_is_sent() -> None:
    from paicli.memory.message import Message

    window = window_of(40_000)
    message = Message("assistant", "so", thinking="t" * 400)
    window.take(MemoryEntry("q", MemoryType.CONVERSATION))
    window.take(MemoryEntry("so", MemoryType.CONVERSATION, message=message))
    before = window.tokens()
    window.request(Fixed("p", quirks=Quirks(thinking=ThinkingEcho.ALWAYS)), "")
    assert window.tokens() == before + 100
