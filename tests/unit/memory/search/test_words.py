"""Words for search, in Chinese, English and identifiers."""

from __future__ import annotations

import pytest

from paicli.memory import MemoryQueryTokenizer


def test_words_are_of_jieba_in_lower_case_without_punctuation() -> None:
    words = MemoryQueryTokenizer.tokenize("用户偏好 JDK 17，喜欢用 Maven！")
    assert {"用户", "偏好", "jdk", "17", "maven"} <= set(words)
    assert not {"，", "！", "JDK", " "} & set(words)


@pytest.mark.parametrize("text", ["", "，。！", "的 了", "the of a"])
def test_without_a_word_there_is_none(text: str) -> None:
    assert MemoryQueryTokenizer.tokenize(text) == []


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("今天复盘时定了止损红线是百分之五", "止损"),
        ("今天复盘时定了止损红线是百分之五", "红线"),
        ("今天复盘时定了止损红线是百分之五", "复盘"),
        ("服务跑在 JDK 17 + Spring Boot框架", "JDK17"),
        ("服务跑在 JDK 17 + Spring Boot框架", "jdk 17"),
        ("服务跑在 JDK 17 + Spring Boot框架", "SpringBoot"),
        ("前端 Node.js 20 / Vue3", "node"),
        ("前端 Node.js 20 / Vue3", "NodeJS"),
        ("Python 3.11.4", "3.11"),
        ("字段名 user_name，方法 getUserById，文件 src/main/App.java", "username"),
        ("字段名 user_name，方法 getUserById，文件 src/main/App.java", "user_name"),
        ("字段名 user_name，方法 getUserById，文件 src/main/App.java", "getUserById"),
        ("字段名 user_name，方法 getUserById，文件 src/main/App.java", "App.java"),
        ("部署在 k8s", "K8S"),
        ("主力语言 C++", "c++"),
        ("统计脚本用 R 写", "R 脚本在哪"),
        ("我养了一只猫", "我的猫"),
        ("下午只喝茶", "喝什么茶"),
        ("版本是ＪＤＫ１７，端口８０８０", "JDK17"),
        ("版本是ＪＤＫ１７，端口８０８０", "8080"),
        ("姓李", "\uf9e1"),
        ("後端服務部署在臺灣", "后端"),
        ("后端服务用 Go", "後端"),
        ("后端服务用 Go", "服务"),
        ("用 .NET 8 和 C# 写", ".NET"),
        ("用 .NET 8 和 C# 写", "c#"),
        ("she went to the cities", "going to a city"),
        ("the user's favourite", "user favorite"),
    ],
)
def test_a_fact_is_found_by_its_words(fact: str, question: str) -> None:
    assert MemoryQueryTokenizer.matches(fact, question)


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("前端写 JavaScript", "Java 版本"),
        ("缓存放 MongoDB", "Go 怎么写"),
        ("Google 账号", "Go 怎么写"),
        ("今天复盘时定了止损红线是百分之五", "明天天气怎么样"),
        ("我养了一只猫", "的 是 了"),
        ("interviews", "views"),
        ("版本 3.11.4", "13.1"),
        ("版本 3.11.4", "3.1"),
        ("用 C# 写", "C++"),
    ],
)
def test_another_word_does_not_find_it(fact: str, question: str) -> None:
    assert not MemoryQueryTokenizer.matches(fact, question)
