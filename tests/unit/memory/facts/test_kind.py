"""classify: what a statement speaks of, by its words."""

from __future__ import annotations

import pytest

from paicli.memory import MemoryEntry, MemoryType
from paicli.memory.entry import FactKind
from paicli.memory.facts.kind import classify, kind_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("以后提交信息都用英文写", FactKind.RULE),
        ("不要动 legacy 目录", FactKind.RULE),
        ("always answer in English", FactKind.RULE),
        ("我叫王牧", FactKind.PROFILE),
        ("I work at Acme", FactKind.PROFILE),
        ("用户偏好 JDK 17", FactKind.PREFERENCE),
        ("JDK 保持 17", FactKind.PREFERENCE),
        ("The user wants JDK 17", FactKind.PREFERENCE),
        ("我不喜欢 Lombok", FactKind.PREFERENCE),
        ("方案 B 已否决", FactKind.DECISION),
        ("We switched to moved away", FactKind.DECISION),
        ("缓存换成 Memcached 了", FactKind.DECISION),
        ("we stopped using Redis", FactKind.DECISION),
        ("项目使用Maven构建", FactKind.PROJECT),
        ("我们默认用 pnpm", FactKind.PROJECT),
        ("端口是 5433", FactKind.OTHER),
    ],
)
def test_the_words_tell_the_kind(text: str, kind: FactKind) -> None:
    assert classify(text) is kind


def test_what_an_entry_says_itself_comes_first() -> None:
    assert kind_of(MemoryEntry("端口是 5433", MemoryType.FACT, kind=FactKind.RULE)) is FactKind.RULE
    assert kind_of(MemoryEntry("我叫王牧", MemoryType.FACT)) is FactKind.PROFILE
