"""Standing rules: set up, kept, and withdrawn by the user's own words."""

from __future__ import annotations

import pytest

from paicli.memory.compression.rules import rule_in, rules_after, rules_from_json, rules_left, rules_to_json


@pytest.mark.parametrize(
    "sentence",
    [
        "不要动 legacy 目录",
        "禁止直接推送到 main",
        "提交前必须跑测试",
        "以后都用中文回答",
        "千万别改数据库结构",
        "Never force-push to main",
        "we must always run the tests before a commit",
        "please don't touch the legacy folder",
        "From now on answer in one sentence",
        "每次提交前都要跑 make check",
        "Avoid using lodash",
        "only use pnpm",
        "不能直接写 SQL",
        "只允许用 Python 3.11",
    ],
)
def test_a_demand_for_the_rest_of_the_talk_is_a_rule(sentence: str) -> None:
    assert rule_in(sentence) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "要不要改？",
        "必须用 Redis 吗",
        "这次不要提交",
        "特别慢，个别文件有问题",
        "it must be a bug in the parser",
        "I don't know why it fails",
        "it never works on Mondays",
        "must I do that?",
        "以后再说",
        "每次都要等很久",
        "不能直接运行，报错了",
        "I only use it at home",
        "I avoid lodash myself",
    ],
)
def test_a_question_a_guess_or_a_demand_of_the_moment_is_none(sentence: str) -> None:
    assert rule_in(sentence) == ""


def test_of_a_message_only_the_sentences_that_set_one_up_are_kept() -> None:
    text = "先看看这个文件。提交前必须跑测试！Never push to main. Then go on."
    assert rules_after([], [text]) == ["提交前必须跑测试", "Never push to main"]


def test_code_and_quotations_set_up_none() -> None:
    assert rules_after([], ["```\nnever do that\n```\n> 禁止吸烟\n好"]) == []


def test_of_a_long_sentence_the_clause_is_kept() -> None:
    assert rule_in("说明，" * 90 + "不要动 legacy 目录") == "不要动 legacy 目录"


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("legacy 目录可以动了", [1, 2]),
        ("legacy 目录的禁令取消", [1, 2]),
        ("forget the rule about force-push to main", [0, 2]),
        ("you may now force-push to main", [0, 2]),
        ("刚才那条取消", [0, 1]),
        ("所有规则都作废", []),
        ("forget all the rules", []),
        ("不要忘了 legacy", [0, 1, 2]),
        ("现在可以提交代码了", [0, 1, 2]),
        ("legacy 的规则取消了吗？", [0, 1, 2]),
    ],
)
def test_a_rule_stands_until_it_is_withdrawn(words: str, left: list[int]) -> None:
    rules = ["不要动 legacy 目录", "never force-push to main", "提交前必须跑测试"]
    assert rules_left(rules, [words]) == [rules[place] for place in left]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("Never use tabs", "You may use tabs now"),
        ("Never use tabs", "You can use tabs again"),
        ("Never push to main", "pushing to main is fine from now on"),
        ("必须先跑测试", "不用先跑测试了"),
        ("不要动 legacy", "legacy 现在能动了"),
    ],
)
def test_what_is_allowed_or_let_off_is_no_rule_any_more(rule: str, words: str) -> None:
    assert rules_after([rule], [words]) == []


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("Always run the tests", "you can run the tests now"),
        ("Never push to main", "is pushing to main fine now?"),
        ("不要用 tabs", "不用 tabs 了"),
        ("不要动 legacy", "legacy 不能动了"),
        ("不要动 legacy", "这次 legacy 能动了"),
        ("必须先跑测试", "这次不用先跑测试了"),
    ],
)
def test_a_leave_for_once_or_to_do_what_is_demanded_withdraws_nothing(rule: str, words: str) -> None:
    assert rules_left([rule], [words]) == [rule]


@pytest.mark.parametrize(
    ("old", "new", "standing"),
    [
        ("以后都用中文回答", "以后都用英文回答", ["以后都用英文回答"]),
        ("Always answer in English", "Always answer in German", ["Always answer in German"]),
        ("不要用中文回答", "不要用英文回答", ["不要用中文回答", "不要用英文回答"]),
    ],
)
def test_a_demand_for_another_language_takes_the_place_of_the_first(old: str, new: str, standing: list[str]) -> None:
    assert rules_after([old], [new]) == standing


def test_a_rule_said_again_is_the_newest() -> None:
    assert rules_after(["不要动 A 表", "必须用 B"], ["不要动 A 表"]) == ["必须用 B", "不要动 A 表"]


def test_they_survive_the_way_through_metadata_and_nonsense_is_none() -> None:
    assert rules_from_json(rules_to_json(["不要"])) == ["不要"]
    assert [rules_from_json(text) for text in (None, "", "{", "3")] == [[]] * 4
