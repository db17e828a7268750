"""Messages are found by what was said around them, by whom and when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from paicli.memory import MemoryEntry, MemoryType
from paicli.memory.search.index import EntryIndex
from paicli.memory.search.scoring import Wanted, best

NOW = datetime(2026, 3, 11, 12, tzinfo=UTC)


def turn(number: int, speaker: str, text: str, session: str = "s1", days: float = 0) -> MemoryEntry:
    values = {"speaker": speaker, "session": session, "turn": str(number)}
    moment = NOW - timedelta(days=days)
    return MemoryEntry(f"{speaker}: {text}", MemoryType.CONVERSATION, f"{session}-{number}", moment, values)


def first(query: str, *entries: MemoryEntry) -> str:
    return best(EntryIndex(entries), query, NOW, Wanted(1, floor=0.0))[0].entry.id


def test_the_answer_is_found_by_the_words_of_the_question_before_it() -> None:
    talk = [
        turn(1, "Ann", "What is the name of your puppy?"),
        turn(2, "Ben", "Rex! He is two."),
        turn(3, "Ann", "Nice."),
    ]
    assert first("what is the puppy called", *talk) == "s1-2"


def test_who_is_named_is_more_likely_to_have_said_it() -> None:
    talk = [turn(1, "Ann", "I went hiking in the hills"), turn(9, "Ben", "I went hiking in the hills", "s2")]
    assert first("Where did Ben go hiking?", *talk) == "s2-9"
    assert first("Where did Ann go hiking?", *talk) == "s1-1"


def test_a_day_that_the_question_names_chooses_its_messages() -> None:
    talk = [turn(1, "Ann", "方案 B 否决了，太贵", days=30), turn(2, "Ann", "方案 B 否决了，太慢", "s2", days=7)]
    assert first("上周我们为什么否决了方案 B", *talk) == "s2-2"
    assert first("一个月前我们为什么否决了方案 B", *talk) == "s1-1"


def test_a_fact_among_messages_is_found_by_its_own_words() -> None:
    fact = MemoryEntry("构建用 Maven", MemoryType.FACT, "fact", NOW)
    assert first("maven", turn(1, "Ann", "hello there"), fact, turn(2, "Ben", "hi")) == "fact"
