"""Reads a JSON list row by row, so that rows stay as they were written and damage costs only what it hit."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

RowTest = Callable[[object], bool]
_DECODER = json.JSONDecoder(strict=False, parse_float=lambda text: finite(float(text)), parse_constant=lambda _: None)
_SPACE = re.compile(r"[ \t\r\n]*")
_BROKEN = re.compile("[\udc80-\udcff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PIECE = 4096
_LONGEST_ESCAPE = 12
_MOST_FAILURES = 20
"""So many brackets that break off at the same place are looked at one by one; what is nested deeper is no row."""
_OPENINGS = re.compile(r'(?:[\[{]\s*(?:"[^"\\]*"\s*:\s*)?)+')


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
    """Returns the text of a row, for people to read; numbers that JSON does not know are null in it."""
    text = dump_json(value, ensure_ascii=False)
    return (dump_json(value) if _SURROGATE.search(text) else text).replace("\n", "\n  ")


def dump_json(value: object, *, ensure_ascii: bool = True) -> str:
    """Returns a value as JSON with an indent of 2, and null where a number is infinite or none."""
    try:
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=2, allow_nan=False)
    except ValueError:
        return json.dumps(finite(value), ensure_ascii=ensure_ascii, indent=2)


def finite(value: Any) -> Any:  # noqa: ANN401  # what JSON can hold has no type
    """Returns a value of lists, dicts, texts and numbers with None for numbers that JSON does not know."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [finite(member) for member in value]
    return value


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
    """Yields the objects behind `start` that are whole, and rows; in a time that grows with the text, whatever it is."""
    position = text.find("{", start)
    failures, broken_at = 0, start
    while position >= 0:
        row, end = _try_row(text, position)
        if row and is_row(row.value):
            yield row
            position = end
        elif row:
            yield from (RawRow(dump_row(value), value) for value in _rows_within(row.value, is_row))
            position = end
        else:
            failures = failures + 1 if position < broken_at else 1
            broken_at = max(broken_at, end)
            position = max(end, position + 1) if failures > _MOST_FAILURES else position + 1
        position = text.find("{", position)


def _rows_within(value: object, is_row: RowTest) -> Iterator[object]:
    """Yields the rows in a value that is none, such as an object in which somebody has wrapped the list."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if is_row(current):
            yield current
        elif isinstance(current, dict):
            waiting.extend(reversed(current.values()))
        elif isinstance(current, list):
            waiting.extend(reversed(current))


def _row_at(text: str, position: int) -> RawRow | None:
    return _try_row(text, position)[0]


def _try_row(text: str, position: int) -> tuple[RawRow | None, int]:
    """Returns the value at a position, and where it ends; None, and where it breaks off.

    It is read out of a piece of the text, for an error counts the lines of all that it is given.
    """
    size = _PIECE
    while True:
        piece = text[position : position + size]
        is_last = position + size >= len(text)
        try:
            value, end = _DECODER.raw_decode(piece)
        except json.JSONDecodeError as error:
            if is_last or not _is_cut(error, piece):
                return None, position + error.pos
        except ValueError:  # a number with thousands of digits
            return None, position + 1
        except RecursionError:
            return None, _near_end_of_nest(text, position)
        else:
            if is_last or end < len(piece):  # else it may be the beginning of a longer number
                return RawRow(piece[:end], value), position + end
        size *= 2


def _near_end_of_nest(text: str, position: int) -> int:
    """Returns where the last few of the brackets open that are too many for Python: a row may stand in the innermost."""
    found = _OPENINGS.match(text, position)
    near = found.end() if found else position
    for _ in range(_MOST_FAILURES):
        near = max(text.rfind("{", position, near), position + 1)
    return near


def _is_cut(error: json.JSONDecodeError, piece: str) -> bool:
    """Returns whether the error may only come from the end of the piece: the longest thing without parts is an escape."""
    return error.msg.startswith("Unterminated") or error.pos >= len(piece) - _LONGEST_ESCAPE


def _skip_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position
