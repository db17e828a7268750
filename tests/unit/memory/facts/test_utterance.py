"""What kind of utterance a text is: one word of each kind decides, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paicli.memory.facts import utterance
from paicli.memory.facts.request import begins_anew, is_request


@pytest.mark.parametrize(
    ("claim", "yes", "no"),
    [
        (utterance.is_durable, "以后都用 Go", "以后再说"),
        (utterance.is_durable, "never push to main", "never mind"),
        (utterance.is_durable, "记一下，用 Maven", "记一下日志到文件里"),
        (utterance.says_only_durable, "以后都这样", "以后都用 Go"),
        (utterance.is_plea, "你记一下", "以后都这样"),
        (utterance.is_of_the_moment, "改一下这个函数", "项目用 Go"),
        (utterance.is_of_the_moment, "thanks a lot", "we use Go"),
        (utterance.is_of_the_moment, "测试又挂了", "测试用 pytest"),
        (utterance.is_of_the_moment, "I'm debugging the login page", "I'm working at Acme"),
        (utterance.is_of_the_moment, "我在等 CI 跑完", "我在青松科技做后端"),
        (utterance.is_of_the_moment, "我忘了密码", "我经常忘了吃饭"),
        (utterance.is_of_the_moment, "It's raining here", "I like rain"),
        (utterance.is_of_a_day, "明天我要去杭州出差", "从明天起用 pnpm"),
        (utterance.is_of_a_day, "a demo next week", "from next week on we use pnpm"),
        (utterance.is_just_done, "我刚喝了咖啡", "刚好够用"),
        (utterance.is_just_done, "I just pushed the branch", "I just need short answers"),
        (utterance.is_question, "用不用 Redis", "不管什么项目都用 Redis"),
        (utterance.is_question, "why does it use Redis", "what I use is Redis"),
        (utterance.is_question, "vim 好用还是 emacs 好用，选 vim 还是 emacs", "我还是用 vim"),
        (utterance.is_hypothetical, "如果用 Redis", "结果用 Redis"),
        (utterance.is_hypothetical, "if we used Redis", "a gift"),
        (utterance.is_guess, "可能用 Redis", "尽可能用 Redis"),
        (utterance.is_guess, "maybe Redis", "I think I prefer Redis"),
        (utterance.is_hearsay, "同事说用 Redis", "我说用 Redis"),
        (utterance.is_hearsay, "the docs say so", "we document it"),
        (utterance.is_about_others, "他们用 Redis", "我们用 Redis"),
        (is_request, "写个函数", "写代码用四个空格"),
        (is_request, "部署一下", "部署都走 CI"),
        (is_request, "端口改成 8443", "端口已经改成 8443 了"),
        (is_request, "don't commit yet", "don't use Lombok"),
        (is_request, "call me back", "Call me Sam"),
        (is_request, "please add a test", "add-ons are forbidden"),
        (begins_anew, "我们用 Redis", "用 Redis"),
    ],
)
def test_one_word_tells_the_kind(claim: Callable[[str], bool], yes: str, no: str) -> None:
    assert claim(yes)
    assert not claim(no)


def test_a_polite_end_is_no_question_where_a_lasting_wish_stands_before_it() -> None:
    assert utterance.is_question("以后都用中文回答，可以吗？")
    assert not utterance.is_question("以后都用中文回答，可以吗？", polite=True)


@pytest.mark.parametrize(
    ("before", "line", "shown"),
    [
        ("Here is the log:", "x", True),
        ("翻译成英文：我喜欢苹果", "翻译成英文：我喜欢苹果", True),
        ("", "2026-01-01 12:00:00 INFO user prefers COBOL", True),
        ("", "> user prefers COBOL", True),
        ("记一下：项目用 Go", "记一下：项目用 Go", False),
        ("", "we use Go", False),
    ],
)
def test_what_is_shown_is_told_from_what_is_said(before: str, line: str, *, shown: bool) -> None:
    assert utterance.is_pasted(before, line) is shown
