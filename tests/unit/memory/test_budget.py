"""TokenBudget: how the window is shared out, and what the calls cost."""

from __future__ import annotations

import threading

import pytest

from paicli.memory import ConversationMemory, MemoryEntry, MemoryType, TokenBudget


def test_the_articles_figures() -> None:
    assert TokenBudget().available_for_conversation == 196_700
    assert TokenBudget(100_000, 1_000, 2_000, 3_000).available_for_conversation == 94_000


@pytest.mark.parametrize(("size", "needed"), [(157_360, False), (157_361, True)])
def test_compression_is_needed_above_four_fifths(size: int, needed: bool) -> None:  # noqa: FBT001
    memory = ConversationMemory(196_700)
    memory.append(MemoryEntry("x", MemoryType.CONVERSATION, token_count=size))
    assert TokenBudget().needs_compression(memory) is needed


@pytest.mark.parametrize(
    ("window", "reserves"), [(4_000, (200, 320, 800)), (2_000, (100, 160, 400)), (32_768, (500, 800, 2_000))]
)
def test_in_a_small_window_the_reserves_are_cut_to_their_shares(window: int, reserves: tuple[int, int, int]) -> None:
    budget = TokenBudget(window)
    assert budget.reserves == reserves
    assert budget.available_for_conversation == window - sum(reserves)
    assert budget.request_limit == window - reserves[2]


def test_what_prompt_and_tools_really_need_is_reserved_with_the_floors_below() -> None:
    budget = TokenBudget()
    budget.measure(10, 20)
    assert budget.reserves == (500, 800, 2_000)
    budget.measure(3_000, 5_000)
    assert budget.reserves == (3_000, 5_000, 2_000)


def test_a_prompt_that_leaves_hardly_anything_is_given_no_more_than_it_needs() -> None:
    budget = TokenBudget(4_000)
    budget.measure(3_000, 0)
    assert budget.available_for_conversation == 200


def test_a_prompt_above_the_window_leaves_nothing_and_not_less() -> None:
    budget = TokenBudget(1_000)
    budget.measure(5_000, 0)
    assert budget.available_for_conversation == 0


@pytest.mark.parametrize("values", [(0,), (-1,), (1_000, -1), (1_000, 1, -1), (1_000, 1, 1, -1)])
def test_impossible_figures_are_refused(values: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"window|reserve"):
        TokenBudget(*values)


def test_every_call_is_on_the_account_with_its_purpose() -> None:
    budget = TokenBudget()
    budget.record_usage(100, 20)
    budget.record_usage(50, 5, purpose="summary", estimated=True)
    budget.record_usage(1, 1)
    assert (budget.usage.calls, budget.usage.input_tokens, budget.usage.output_tokens) == (3, 151, 26)
    assert budget.usage.estimated_calls == 1
    assert budget.by_purpose["chat"].calls == 2
    assert budget.usage_report() == "Tokens: calls 3 (1 estimated) | input 151 | output 26"


def test_without_a_call_the_report_is_of_zeros() -> None:
    assert TokenBudget().usage_report() == "Tokens: calls 0 | input 0 | output 0"


def test_several_threads_lose_no_call() -> None:
    budget = TokenBudget()

    def record() -> None:
        for _ in range(500):
            budget.record_usage(1, 1)

    threads = [threading.Thread(target=record) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.usage.calls == 2_000
