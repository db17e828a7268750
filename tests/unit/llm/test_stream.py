"""Thinking in tags is told from the answer, wherever the stream is cut."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.llm.stream import Assembly, ThinkSplitter


def split(pieces: list[str]) -> tuple[str, str]:
    splitter = ThinkSplitter()
    deltas = [splitter.feed(piece) for piece in pieces] + [splitter.finish()]
    return "".join(delta.text for delta in deltas), "".join(delta.thinking for delta in deltas)


@pytest.mark.parametrize(
    ("content", "text", "thinking"),
    [
        ("<think>why</think>\n\nbecause", "because", "why"),
        ("\n <think>why</think>because", "because", "why"),
        ("<think></think>because", "because", ""),
        ("no tag", "no tag", ""),
        ("  leading", "  leading", ""),
        ("<", "<", ""),
        ("<thin", "<thin", ""),
        ("<thinking>is no tag", "<thinking>is no tag", ""),
        ("first <think>later</think>", "first <think>later</think>", ""),
        ("<think>never closed </th", "", "never closed </th"),
        ("<think>a</think>b<think>c</think>", "b<think>c</think>", "a"),
        ("", "", ""),
    ],
)
def test_only_a_tag_at_the_beginning_is_thinking(content: str, text: str, thinking: str) -> None:
    assert split([content]) == (text, thinking)
    assert split(list(content)) == (text, thinking)


@given(st.text(alphabet="<>/think a\n", max_size=60), st.lists(st.integers(0, 60), max_size=6))
def test_where_the_stream_is_cut_makes_no_difference(content: str, cuts: list[int]) -> None:
    bounds = sorted({0, len(content), *(cut for cut in cuts if cut < len(content))})
    pieces = [content[start:end] for start, end in pairwise(bounds)]
    assert split(pieces) == split([content])


def test_the_second_name_for_thinking_is_known() -> None:
    assembly = Assembly()
    assembly.feed(SimpleNamespace(choices=[SimpleNamespace(delta={"reasoning": "hm", "content": "ok"})]))
    assert (assembly.thinking, assembly.text) == ("hm", "ok")


def test_thinking_that_comes_under_both_names_counts_once() -> None:
    assembly = Assembly()
    assembly.feed(SimpleNamespace(choices=[{"delta": {"reasoning": "hm", "reasoning_content": "hm"}}]))
    assert assembly.thinking == "hm"


def test_arguments_that_come_as_an_object_become_json() -> None:
    assembly = Assembly()
    call = {"index": 0, "id": "a", "function": {"name": "ls", "arguments": {"path": "."}}}
    assembly.feed({"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]})
    assert assembly.reply().tool_calls[0].arguments == '{"path": "."}'


def test_a_call_without_arguments_has_an_empty_object() -> None:
    assembly = Assembly()
    assembly.feed({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "ls"}}]}}]})
    assert assembly.reply().tool_calls[0].arguments == "{}"


def test_a_call_without_a_name_is_none() -> None:
    assembly = Assembly()
    assembly.feed({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}}]})
    assert assembly.reply().tool_calls == ()
