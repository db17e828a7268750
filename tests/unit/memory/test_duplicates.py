from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.memory.duplicates import fact_key, merged, same_fact
from paicli.memory.entry import FactKind, MemoryEntry, MemoryType, Origin

SAME = [
    ("用户喜欢 Java", "用户喜欢Java。"),
    ("用户喜欢 Java", " 用户喜欢　java ！"),
    ("用户喜欢 Java", "用户喜欢 Java 哦。"),
    ("用户喜欢 Java", "我喜欢 Java"),
    ("用户喜欢 Java", "用户偏好Ｊａｖａ~"),
    ("I prefer tabs", "The user prefers tabs."),
    ("JDK 17", "JDK17"),
    ("版本是ＪＤＫ１７，端口８０８０", "版本是 JDK 17, 端口 8080"),
    ("姓\uf9e1", "姓李"),
    ("端口：8080", "端口 8080"),
    ("1,000 users", "1000 users"),
    ("Java、Python", "Java, Python"),
    ("叫「小王」", "叫小王"),
    ("我不喜欢 Lombok", "用户不喜欢lombok！"),
    ("Don’t use tabs", "don't use tabs"),
    ("喜\u200b欢茶", "喜欢茶"),
    ("今日は", "今日は。"),
]
DIFFERENT = [
    ("C", "C++"),
    ("C", "C#"),
    ("C++", "C#"),
    (".NET", "NET"),
    ("项目用 .NET 8", "项目用 NET 8"),
    ("3.1", "3.11"),
    ("3.11", "311"),
    ("10.5", "105"),
    ("5", "-5"),
    ("50%", "50"),
    ("2⁵", "25"),
    ("user_name", "username"),
    ("~/x", "/x"),
    ("1, 2", "12"),
    ("1 2", "12"),
    ("用户喜欢 Java", "用户喜欢 JavaScript"),
    ("用户喜欢 Lombok", "用户不喜欢 Lombok"),
    ("要用 tabs", "不要用 tabs"),
    ("use tabs", "do not use tabs"),
    ("我喜欢的颜色是蓝", "我喜欢颜色是蓝"),
    ("我们喜欢 Java", "我喜欢 Java"),
    ("😀", "😁"),
    ("!!!", "???"),
    ("a!=b", "a=b"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_other_spelling_is_the_same_fact(first: str, second: str) -> None:
    assert same_fact(first, second)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_another_meaning_is_another_fact(first: str, second: str) -> None:
    assert not same_fact(first, second)


def test_seventy_facts_in_all_scripts_are_seventy_facts() -> None:
    things = "猫狗鸟鱼马牛羊兔虎龙蛇鼠猴鸡猪象狼熊鹿鹤鹰雀蜂蝶蚁蛙龟鲸鲨虾蟹贝藻苔蕨松柏杨柳桃李杏梅兰竹菊荷桂枫茶"
    chinese = [f"我养过{thing}" for thing in things]
    japanese = [
        f"{thing}が好きです" for thing in ("猫", "ねこ", "犬", "いぬ", "魚", "鳥", "山", "川", "ラーメン", "ビール")
    ]
    signs = ["😀", "😀😀", "🚀", "1", "12", "21", "❤", "!!", "👨‍👩‍👧", "①②③"]
    facts = [*chinese, *japanese, *signs]
    assert len(facts) == len({fact_key(fact) for fact in facts}) == 70


@given(st.text())
def test_a_key_is_empty_only_for_a_text_without_a_visible_character(text: str) -> None:
    assert bool(fact_key(text)) == bool("".join(text.split()))


@given(st.text(), st.sampled_from(["。", "！", "!", " ", "　", "\n"]))
def test_a_mark_at_the_end_never_makes_another_fact_of_a_sentence(text: str, mark: str) -> None:
    sentence = f"记住{text}这件事"
    assert fact_key(sentence + mark) == fact_key(sentence)


def entry(**values: object) -> MemoryEntry:
    return MemoryEntry("x", MemoryType.FACT, "id", datetime(2026, 1, 1, tzinfo=UTC), **values)  # type: ignore[arg-type]


def test_saying_it_again_explicitly_makes_a_drawn_out_fact_the_users() -> None:
    assert merged(entry(origin=Origin.MODEL), entry(origin=Origin.USER), is_expired=False).origin is Origin.USER


def test_drawing_it_out_again_takes_nothing_from_what_the_user_said() -> None:
    known = entry(origin=Origin.USER, kind=FactKind.RULE, pinned=True, metadata={"a": "1"})
    assert merged(known, entry(origin=Origin.MODEL, kind=FactKind.OTHER), is_expired=False) == known


def test_saying_it_again_gives_a_kind_where_there_was_none() -> None:
    assert merged(entry(), entry(kind=FactKind.RULE), is_expired=False).kind is FactKind.RULE


def test_an_expired_fact_applies_again_when_it_is_said_again() -> None:
    known = entry(expires=datetime(2026, 2, 1, tzinfo=UTC))
    assert merged(known, entry(), is_expired=True).expires is None
    assert merged(known, entry(), is_expired=False).expires == known.expires
