"""Candidates in a model's reply, whatever form it has."""

from __future__ import annotations

import pytest

from paicli.memory.entry import FactKind
from paicli.memory.facts.candidate import Candidate, parse

FACT = '{"facts": [{"fact": "用户偏好 JDK 17", "quote": "JDK 可以保持 17", "kind": "preference"}]}'
EXPECTED = [Candidate("用户偏好 JDK 17", "JDK 可以保持 17", FactKind.PREFERENCE)]


@pytest.mark.parametrize(
    "reply",
    [
        FACT,
        f"```json\n{FACT}\n```\nI found one fact {{in all}}.",
        f"<think>{{not this}} [or this]</think>\n{FACT}",
        f"Here is [the list] you wanted: {FACT}",
        FACT[len('{"facts": ') : -1],
        FACT.replace("}]}", "},]}"),
        '{"user": {"preferences": ' + FACT[len('{"facts": ') : -1] + "}}",
        FACT.replace('"fact":', '"content":').replace('"quote":', '"evidence":'),
    ],
)
def test_facts_are_found_in_json_of_any_wrapping(reply: str) -> None:
    assert parse(reply) == EXPECTED


def test_an_escape_that_json_does_not_know_costs_nothing() -> None:
    assert parse(r'{"facts": [{"fact": "路径是 C:\data\私有", "quote": "C:\data"}]}') == [
        Candidate(r"路径是 C:\data\私有", r"C:\data")
    ]


def test_a_value_a_line_is_several_facts() -> None:
    assert parse('{"fact": "a"}\n{"fact": "b"}') == [Candidate("a"), Candidate("b")]


def test_facts_may_be_plain_texts() -> None:
    assert parse('["用户喜欢 Go", "", "项目用 Maven"]') == [Candidate("用户喜欢 Go"), Candidate("项目用 Maven")]


@pytest.mark.parametrize("bullet", ["1. ", "2) ", "3、", "• ", "- ", "* ", "· ", "  - ", ""])
def test_a_list_is_a_fact_a_line(bullet: str) -> None:
    assert parse(f"{bullet}用户偏好 JDK 17\n\n{bullet}喜欢Go\n") == [Candidate("用户偏好 JDK 17"), Candidate("喜欢Go")]


@pytest.mark.parametrize(
    "reply", ["", "  ", "<think>what", FACT[:-10], FACT[:40], '[{"fact": "a"}, {"fact": "b', "[" * 99_999 + "{"]
)
def test_a_reply_that_is_cut_off_or_empty_is_none(reply: str) -> None:
    parsed = parse(reply)
    assert parsed is None or reply.startswith("[[")


@pytest.mark.parametrize("reply", ['{"facts": []}', "[]", "```json\n[]\n```", "{}"])
def test_no_facts_are_no_candidates(reply: str) -> None:
    assert parse(reply) == []


@pytest.mark.parametrize("value", ["null", "7", '"x"', "[null, 7]", '[{"fact": null}]', '[{"fact": 7, "quote": 8}]'])
def test_values_that_are_no_texts_are_left_out(value: str) -> None:
    assert parse(f'{{"facts": {value}}}') == []


def test_an_unknown_kind_is_none() -> None:
    assert parse('[{"fact": "a", "kind": "mood"}]') == [Candidate("a")]
