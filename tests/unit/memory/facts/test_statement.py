"""Statements that are kept by rule, without a model, in both languages."""

from __future__ import annotations

import pytest

from paicli.memory.facts.statement import statement_in


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("JDK 可以保持 17，你记一下", "JDK 可以保持 17"),
        ("JDK 可以保持 17,你记一下!", "JDK 可以保持 17"),
        ("记一下：项目用 Maven", "项目用 Maven"),
        ("记住 我叫王牧", "我叫王牧"),
        ("请记住我的生日是 5 月 1 日。", "我的生日是 5 月 1 日"),
        ("你要记住我对花生过敏", "我对花生过敏"),
        ("以后记住用中文回答", "以后用中文回答"),
        ("我们用 pnpm，记住", "我们用 pnpm"),
        ("记下来：\n1. 用 Maven\n2. 用 JDK 17", "1. 用 Maven\n2. 用 JDK 17"),
        ("remember that I use tabs", "I use tabs"),
        ("Remember: deploys on Fridays are forbidden", "deploys on Fridays are forbidden"),
        ("Please remember my name is Bob", "my name is Bob"),
        ("remember to always run the tests", "always run the tests"),
        ("Keep in mind that we use pnpm", "we use pnpm"),
        ("note that the port is 5433", "the port is 5433"),
        ("the port is 5433, remember that", "the port is 5433"),
        ("I use vim, please remember", "I use vim"),
        ("记住我叫王牧。今天天气怎么样？", "我叫王牧"),
        ("Remember that I use tabs. Can you fix main.py?", "I use tabs"),
        ("记一下日志级别是 debug", "日志级别是 debug"),
        ("记一下，不管什么项目都用 Maven", "不管什么项目都用 Maven"),
        ("记住：今天是我生日", "今天是我生日"),
        ("note: we never deploy on Fridays", "we never deploy on Fridays"),
    ],
)
def test_what_is_asked_to_be_remembered_is_kept_in_the_users_words(text: str, statement: str) -> None:
    assert statement_in(text) == statement


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("我喜欢简短的回答", "我喜欢简短的回答"),
        ("我不喜欢 Lombok，别再用了", "我不喜欢 Lombok，别再用了"),
        ("我讨厌香菜", "我讨厌香菜"),
        ("我个人更喜欢用空格缩进", "我个人更喜欢用空格缩进"),
        ("我喜欢 Go，帮我写个 hello world", "我喜欢 Go"),
        ("我习惯用 vim。你帮我看看 main.py", "我习惯用 vim"),
        ("I prefer tabs over spaces.", "I prefer tabs over spaces"),
        ("I don't like Lombok", "I don't like Lombok"),
        ("I really prefer Go. Can you write a server?", "I really prefer Go"),
        ("I prefer pnpm, please create a project", "I prefer pnpm"),
        ("我还是喜欢 vim", "我还是喜欢 vim"),
        ("我喜欢不管什么语言都写类型", "我喜欢不管什么语言都写类型"),
        ("我不喜欢被打断", "我不喜欢被打断"),
        ("我喜欢你用中文回答", "我喜欢你用中文回答"),
        ("我喜欢先写测试", "我喜欢先写测试"),
        ("I prefer not using ORMs", "I prefer not using ORMs"),
    ],
)
def test_a_liking_is_kept_without_the_request_around_it(text: str, statement: str) -> None:
    assert statement_in(text) == statement


@pytest.mark.parametrize(
    "text",
    [
        "不用记",
        "别记这个",
        "不要记住我的密码",
        "Don't remember this",
        "no need to remember that",
        "你还记得我吗？",
        "记得提醒我",
        "记不住",
        "记住了吗",
        "你记一下",
        "记一下",
        "记一下 JDK 用 17 可以吗？",
        "Do you remember me?",
        "remember when we met?",
        "remember to run the tests",
        "remember me checkbox is broken, fix it",
        "I can't remember",
        "帮我写一个能记住密码的登录页",
        "写个函数，功能是记住用户输入",
        "Remember that bug? it is back",
        "remember the outage? same thing again",
        "记着这次先不要提交",
        "记住先别跑测试",
        "remember not to commit this time",
        "记一下日志到文件里",
        "记一下错误信息到 error.log",
        "记一下日志",
        "记一下这个 bug",
        "note: nothing",
        "note: n/a",
        "记一下：无",
    ],
)
def test_a_refusal_a_question_and_a_recollection_are_no_statement(text: str) -> None:
    assert statement_in(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "我喜欢什么？",
        "我喜欢 Java 吗",
        "我喜欢苹果的英文怎么说",
        "我挺喜欢这个改法，能顺便写到 /tmp 吗",
        "I like this change",
        "I love it",
        "I like Java, do you?",
        "我喜欢 vim 还是 emacs",
        "我喜欢吃什么你知道不",
        "我喜欢哪种缩进来着",
        "我喜欢吃啥",
        "我喜不喜欢香菜",
        "我喜欢你",
        "我习惯了",
        "我喜欢的话就留着",
        "我爱怎么写就怎么写",
        "I prefer not to say",
        "I like how it looks",
        "I love you",
        "我爱你",
        "我喜欢你，继续",
        "我喜欢，继续",
        "我喜欢第二个",
        "我更喜欢后者",
        "I prefer the second option",
        "I like the other one",
        "I like the idea",
        "I prefer Go for now",
        "I'd like a new project",
        "I prefer",
        "把这句话翻译成英文：我喜欢苹果",
        "帮我创建一个 Java 项目叫 myapp",
        "commit",
        "",
        "/save 我喜欢 Go",
        "我喜欢 Go " * 500,
    ],
)
def test_a_remark_of_the_moment_a_question_and_a_request_are_no_liking(text: str) -> None:
    assert statement_in(text) is None
