"""The score of an entry: match × recency × source weight."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from paicli.memory import MemoryEntry, MemoryType
from paicli.memory.entry import Origin
from paicli.memory.search.index import EntryIndex
from paicli.memory.search.recency import combined, entry_recency, recency
from paicli.memory.search.scoring import Wanted, best, rank, scored

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def entry(text: str, days: float = 0, *, pinned: bool = False, origin: Origin | None = None) -> MemoryEntry:
    return MemoryEntry(text, MemoryType.FACT, timestamp=NOW - timedelta(days=days), pinned=pinned, origin=origin)


@pytest.mark.parametrize(("hours", "weight"), [(0, 1.0), (6, 0.875), (12, 0.75), (24, 0.5)])
def test_the_first_day_is_the_articles_line(hours: float, weight: float) -> None:
    assert recency(timedelta(hours=hours)) == pytest.approx(weight)


def test_after_a_day_it_goes_on_falling_and_never_ends() -> None:
    weights = [recency(timedelta(days=days)) for days in (1, 1.1, 2, 7, 30, 365, 3_650)]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == len(weights)
    assert weights[-1] > 0.1


@pytest.mark.parametrize("days", [0.5, 1, 2, 400, 99_999])
def test_a_future_date_never_weighs_more_than_now(days: float) -> None:
    assert recency(-timedelta(days=days)) <= 1.0
    assert entry_recency(entry("x", -days), NOW) <= 1.0


def test_what_the_user_saved_does_not_fade_below_nine_tenths() -> None:
    for old in (entry("x", 700, origin=Origin.USER), entry("x", 700, pinned=True)):
        assert entry_recency(old, NOW) == 0.9
    assert entry_recency(entry("x", 700), NOW) < 0.5


def test_a_fact_that_was_said_again_is_as_new_as_that() -> None:
    assert entry_recency(entry("x", 700).with_content("x", at=NOW), NOW) == 1.0


def test_a_share_of_one_is_the_articles_formula() -> None:
    assert combined(0.8, 0.5, 1.2, share=1) == pytest.approx(0.8 * 0.5 * 1.2)
    assert combined(0.8, 0.5, 1.2, share=0) == pytest.approx(0.8 * 1.2)


def test_the_newer_of_two_equal_facts_ranks_first() -> None:
    old, new, future = entry("用 Maven 构建", 365), entry("用 Maven 构建", 30), entry("用 Maven 构建", -7)
    found = [one for one, _ in rank("maven", [old, future, new], NOW)]
    assert found.index(new) < found.index(old)
    scores = {one.id: score for one, score in rank("maven", [old, future, new, entry("用 Maven 构建")], NOW)}
    assert max(scores.values()) > scores[future.id]


def test_an_old_rule_of_the_user_beats_yesterdays_chatter() -> None:
    rule, chatter = entry("永远用空格缩进", 700, origin=Origin.USER), entry("昨天聊到缩进好麻烦", 1)
    assert rank("缩进", [chatter, rule], NOW)[0][0] == rule


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    entries = [entry(f"项目 用 工具{number}") for number in range(20)] + [entry("项目 kafka"), entry("kafka 工具")]
    found = {one.content: match for one, match in rank("项目 kafka", entries, NOW)}
    assert found["kafka 工具"] > found["项目 用 工具1"]


def test_a_word_is_no_substring() -> None:
    entries = [entry("缓存放 MongoDB"), entry("脚本用 Go"), entry("前端写 JavaScript"), entry("后端写 Java")]
    assert [one.content for one, _ in rank("Go", entries, NOW)] == ["脚本用 Go"]
    assert [one.content for one, _ in rank("Java", entries, NOW)] == ["后端写 Java"]


@pytest.mark.parametrize("query", ["", "  ", "的 是 了", "?!"])
def test_an_empty_question_matches_nothing(query: str) -> None:
    assert rank(query, [entry("的 是 了 x ?")], NOW) == []


def test_ties_are_in_the_same_order_each_time() -> None:
    entries = [entry("用 Maven") for _ in range(20)]
    assert [one.id for one, _ in rank("maven", entries, NOW)] == [
        one.id for one, _ in rank("maven", entries[::-1], NOW)
    ]


def test_a_word_in_a_value_of_the_metadata_counts() -> None:
    one = MemoryEntry("out", MemoryType.TOOL_RESULT, metadata={"tool": "read_file", "arguments": '{"path": "pom.xml"}'})
    assert rank("pom.xml", [one], NOW)
    assert rank("read_file", [one], NOW)


def test_the_floor_tests_the_match_and_not_the_score() -> None:
    old = entry("用 Maven 构建", 3_650)
    assert scored("maven", [old], NOW, source_weight=0.01, from_long_term=True)
    common = [entry(f"天气 {number}") for number in range(15)]
    assert not scored("天气 红茶 绿茶 白茶 黄茶 乌龙 普洱 龙井", common, NOW, source_weight=99, from_long_term=True)


def test_a_long_question_recalls_what_one_rare_word_of_it_names() -> None:
    entries = [entry("项目使用 Maven 构建"), *[entry(f"网关 {number} 使用 Kafka") for number in range(50)]]
    question = "帮我看看这个模块为什么这么慢，是不是 Maven 下载依赖有问题，顺便给出修改建议"
    found = scored(question, entries, NOW, source_weight=1.2, from_long_term=True)
    assert [one.entry.content for one in found] == ["项目使用 Maven 构建"]


def test_a_scored_entry_shows_what_its_score_is_made_of() -> None:
    (one,) = scored("maven", [entry("用 Maven")], NOW, source_weight=1.2, from_long_term=True)
    assert one.score == combined(one.match, one.recency, one.source_weight, one.share)
    assert one.parts is not None
    assert one.match == one.parts.value
    assert (one.recency, one.source_weight, one.from_long_term) == (1.0, 1.2, True)


def test_the_parts_of_a_score_add_up_again_exactly() -> None:
    facts = [entry(f"项目 {number} 的 Maven 端口是 {8_000 + number}", number) for number in range(30)]
    said = [turn(f"we moved the Maven port to {number}", number) for number in range(30)]
    for entries in (facts, said, [*facts, *said]):
        found = best(EntryIndex(entries), "Maven 的端口 port", NOW, Wanted(50, floor=0.0, source_weight=1.2))
        assert len(found) >= 30
        for one in found:
            assert one.parts is not None
            assert one.match == (one.parts.words + one.parts.session) * one.parts.factor
            assert one.score == combined(one.match, one.recency, one.source_weight, one.share)


def test_what_is_cut_off_is_the_worst_whatever_the_limit_and_the_order_of_adding() -> None:
    entries = [entry(f"后端服务 {number % 7} 用 Maven{' 构建' * (number % 3)}", number % 5) for number in range(400)]
    for floor in (0.0, 0.25):
        whole = best(EntryIndex(entries), "后端 maven 构建", NOW, Wanted(400, floor=floor))
        for limit in (1, 3, 10, 50):
            few = best(EntryIndex(entries[::-1]), "后端 maven 构建", NOW, Wanted(limit, floor=floor))
            assert [one.entry.id for one in few] == [one.entry.id for one in whole[:limit]]


def test_what_may_not_be_returned_hides_nothing_else() -> None:
    entries = [*(entry("用 Maven", pinned=True) for _ in range(30)), entry("另一个项目也用 Maven")]
    (one,) = best(EntryIndex(entries), "maven", NOW, Wanted(1, accept=lambda found: not found.pinned))
    assert one.entry == entries[-1]


def turn(text: str, number: int, speaker: str = "Ann", session: str = "s") -> MemoryEntry:
    values = {"speaker": speaker, "session": session, "turn": str(number)}
    return MemoryEntry(f"{speaker}: {text}", MemoryType.CONVERSATION, f"{session}{number}", NOW, values)
