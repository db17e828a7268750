"""Bytes become text, visibly where they are not UTF-8."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.tools.content import decoded, fitting, is_binary, lines_of


@pytest.mark.parametrize(
    ("data", "text", "note"),
    [
        ("你好\n".encode(), "你好\n", ""),
        (b"", "", ""),
        ("你好".encode("utf-8-sig"), "你好", "decoded as utf-8 with a byte order mark"),
        ("你好".encode("utf-16"), "你好", "decoded as utf-16 with a byte order mark"),
        ("你好".encode("utf-32"), "你好", "decoded as utf-32 with a byte order mark"),
        ("端口号：8080，别改。".encode("gb18030"), "端口号：8080，别改。", "not UTF-8; decoded as gb18030"),
        ("café".encode("latin-1"), "caf\\xe9", "not UTF-8; unreadable bytes are shown as \\xNN"),
        (b"ok \xff\xfe bad", "ok \\xff\\xfe bad", "not UTF-8; unreadable bytes are shown as \\xNN"),
    ],
)
def test_each_encoding_is_read_and_named(data: bytes, text: str, note: str) -> None:
    content = decoded(data)
    assert (content.text, content.note) == (text, note)


def test_a_character_cut_at_the_end_of_a_beginning_is_no_reason_to_doubt_the_encoding() -> None:
    content = decoded("你好".encode()[:-1], complete=False)
    assert (content.text, content.note) == ("你", "")


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0", b"\x01\x02\x03\x04abc", b"text\0text"])
def test_bytes_that_are_no_text_are_binary(data: bytes) -> None:
    assert is_binary(data)


@pytest.mark.parametrize("data", [b"", b"plain\r\n", "中文".encode("gb18030"), "a".encode("utf-16"), b"\x1b[31mred"])
def test_text_in_any_encoding_is_not_binary(data: bytes) -> None:
    assert not is_binary(data)


@given(st.binary())
def test_any_bytes_can_be_decoded(data: bytes) -> None:
    assert isinstance(decoded(data).text, str)


@given(st.text())
def test_lines_together_are_the_text(text: str) -> None:
    assert "".join(lines_of(text)) == text


def test_lines_that_fit_are_counted() -> None:
    assert fitting(["ab", "cd", "ef"], 5) == 2
    assert fitting(["ab", "cd"], 4) == 2
    assert fitting(["abc"], 2) == 0
