"""Reads a JSON list row by row, so that rows stay as they were written and damage costs only what it hit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

RowTest = Callable[[object], bool]
_DECODER = json.JSONDecoder(strict=False)
_SPACE = re.compile(r"[ \t\r\n]*")
_BROKEN = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row of a file: its text as it stands there, and its value."""

    text: str
    value: Any


@dataclass(frozen=True, slots=True)
class Parsed:
    """The rows of a file, and whether it was something else than an intact list in UTF-8."""

    rows: tuple[RawRow, ...]
    damaged: bool = False


def parse_rows(data: bytes, is_row: RowTest) -> Parsed:
    """Returns the rows of a file.

    Args:
        data: The file's content; a byte order mark and any line ends are fine.
        is_row: Tells whether a value found in a damaged part is a row, and not a piece of one.
    """
    encoding = json.detect_encoding(data)
    try:
        text = data.decode("utf-8-sig" if encoding.startswith("utf-8") else encoding)
    except UnicodeDecodeError:
        return Parsed(_rows_of_broken_text(data, is_row), damaged=True)
    parsed = _parse_text(text, is_row)
    return parsed if encoding.startswith("utf-8") else Parsed(parsed.rows, damaged=True)


def dump_rows(texts: Iterable[str]) -> bytes:
    """Returns a file's content: a list with each row's text as it is."""
    body = ",\n".join(f"  {text}" for text in texts)
    return (f"[\n{body}\n]\n" if body else "[]\n").encode()


def dump_row(value: object) -> str:
    """Returns the text of a row, for people to read."""
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n  ")


def _parse_text(text: str, is_row: RowTest) -> Parsed:
    rows, broken_at = _scan_list(text)
    if broken_at is None:
        return Parsed(tuple(rows))
    return Parsed((*rows, *_salvage(text, broken_at, is_row)), damaged=True)


def _rows_of_broken_text(data: bytes, is_row: RowTest) -> tuple[RawRow, ...]:
    """Returns the rows without a broken character; where those are few, the file may be in the Chinese encoding."""
    rows = _parse_text(data.decode("utf-8-sig", "surrogateescape"), is_row).rows
    intact = tuple(row for row in rows if not _BROKEN.search(row.text))
    if 2 * len(intact) < len(rows) or not rows:
        try:
            other = _parse_text(data.decode("gb18030"), is_row)
        except UnicodeDecodeError:
            return intact
        return intact if other.damaged else other.rows
    return intact


def _scan_list(text: str) -> tuple[list[RawRow], int | None]:
    """Returns the rows of a list up to where it breaks, and that position; None where it is whole."""
    rows: list[RawRow] = []
    position = _skip_space(text, 0)
    if text[position : position + 1] != "[":
        return rows, position
    position = _skip_space(text, position + 1)
    if text[position : position + 1] == "]":
        return rows, None if not text[position + 1 :].strip() else position
    while True:
        row = _row_at(text, position)
        if row is None:
            return rows, position
        rows.append(row)
        position = _skip_space(text, position + len(row.text))
        mark = text[position : position + 1]
        if mark == "]" and not text[position + 1 :].strip():
            return rows, None
        if mark != ",":
            return rows, position
        position = _skip_space(text, position + 1)


def _salvage(text: str, start: int, is_row: RowTest) -> Iterator[RawRow]:
    """Yields the objects behind `start` that are whole, and rows."""
    position = text.find("{", start)
    while position >= 0:
        row = _row_at(text, position)
        if row and is_row(row.value):
            yield row
            position += len(row.text)
        else:
            position += 1
        position = text.find("{", position)


def _row_at(text: str, position: int) -> RawRow | None:
    try:
        value, end = _DECODER.raw_decode(text, position)
    except (ValueError, RecursionError):
        return None
    return RawRow(text[position:end], value)


def _skip_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position
