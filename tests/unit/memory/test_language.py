"""language_of: Chinese or English."""

from __future__ import annotations

import pytest

from paicli.memory.language import language_of


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (["帮我创建一个 Java 项目叫 myapp"], "zh"),
        (["用 Spring Boot"], "zh"),
        (["JDK 可以保持 17", "create a project"], "zh"),
        (["please create a project named 中文"], "en"),
        (["what is 茶?"], "zh"),
        ([], "en"),
        (["123 !?"], "en"),
    ],
)
def test_most_words_decide(texts: list[str], language: str) -> None:
    assert language_of(texts) == language


def test_without_a_word_the_default_holds() -> None:
    assert language_of(["…"], default="zh") == "zh"
