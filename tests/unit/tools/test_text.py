"""Text is made safe for a terminal and for JSON without losing what a person would read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.tools.text import encodable, one_line, path_text, plain_output, shortened, to_path, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("中文 🧩 é\tb\n", "中文 🧩 é\tb\n"),
        ("a\r\nb", "a\r\nb"),
        ("a\rb", "a\\x0db"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x00\x9b2J", "\\x00\\x9b2J"),
        ("\u202etxt.exe", "\\u202etxt.exe"),
        ("\ud83d!", "\ufffd!"),
    ],
)
def test_only_what_a_terminal_would_obey_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(alphabet=st.characters()))
def test_visible_text_always_encodes_and_holds_no_control_sequence(text: str) -> None:
    shown = visible(text + "\ud800\x1b[31m")
    json.dumps(shown).encode()
    shown.encode("utf-8")
    assert "\x1b" not in shown


def test_one_line_has_no_line_end() -> None:
    assert one_line("a\nb\r\nc") == "a\\nb\\r\\nc"


@pytest.mark.parametrize(
    ("output", "read"),
    [
        ("\x1b[1;31mred\x1b[0m plain", "red plain"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]0;never ended\nnext", "\nnext"),
        ("\x1bPdata\x1b\\x\x1b(B\x1b7", "x"),
        ("10%\r50%\r100%\ndone\r\n", "100%\ndone\n"),
        ("done\r", "done"),
        ("N\x08NA\x08AME", "NAME"),
        ("\x08\x08x", "x"),
        ("a\x07b\x00", "a\\x07b\\x00"),
    ],
)
def test_output_reads_as_on_paper(output: str, read: str) -> None:
    assert plain_output(output) == read


@given(st.text(), st.integers(min_value=0, max_value=50))
def test_a_shortened_text_keeps_its_ends_and_says_what_is_missing(text: str, limit: int) -> None:
    short = shortened(text, limit)
    if len(text) <= limit:
        assert short == text
    else:
        head, tail = limit * 2 // 5, limit - limit * 2 // 5
        assert short == f"{text[:head]}[… {len(text) - limit} characters left out …]{text[len(text) - tail :]}"


def test_a_path_survives_the_way_to_disk_and_back() -> None:
    name = "项目 🧩.txt"
    to_path(name).write_text("x", encoding="utf-8")
    (found,) = Path().iterdir()
    assert os.fsencode(found) == name.encode()
    assert path_text(found) == name


@pytest.mark.parametrize("text", ["a\0b", "a\ud83d"])
def test_what_can_be_no_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"NUL|surrogates"):
        to_path(text)


def test_only_the_bad_half_of_a_pair_is_replaced() -> None:
    assert encodable("🧩\ud83dx") == "🧩\ufffdx"
