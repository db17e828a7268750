"""A function fits a screen and a file a short sitting; what doesn't is listed here with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from tree import SOURCE, Function, functions, modules, relative, syntax

MOST_LINES_OF_A_FILE = 300
MOST_LINES_OF_A_FUNCTION = 40
LINES_OF_A_SHORT_FUNCTION = 20
SHARE_OF_SHORT_FUNCTIONS = 0.9

LONG_FILES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {}


def length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


@pytest.mark.parametrize("path", modules(), ids=relative)
def test_a_file_is_short(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES_OF_A_FILE or relative(path) in LONG_FILES


@pytest.mark.parametrize("path", modules(), ids=relative)
def test_a_function_is_short(path: Path) -> None:
    long = [f"{relative(path)}:{item.name}" for item in functions(path) if length(item) > MOST_LINES_OF_A_FUNCTION]
    assert [name for name in long if name not in LONG_FUNCTIONS] == []


def test_nine_in_ten_functions_have_at_most_twenty_lines() -> None:
    lengths = [length(item) for path in modules() for item in functions(path)]
    short = sum(lines <= LINES_OF_A_SHORT_FUNCTION for lines in lengths)
    assert short / len(lengths) >= SHARE_OF_SHORT_FUNCTIONS


@pytest.mark.parametrize("path", modules(), ids=relative)
def test_a_module_says_in_its_first_sentence_what_it_is_for(path: Path) -> None:
    first = syntax(path).body[0] if syntax(path).body else None
    assert first is not None
    assert getattr(getattr(first, "value", None), "value", None)


def test_the_exceptions_to_the_sizes_are_still_needed() -> None:
    known = {
        relative(path)
        for path in modules()
        if len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES_OF_A_FILE
    }
    assert set(LONG_FILES) <= known
    long = {
        f"{relative(path)}:{item.name}"
        for path in modules()
        for item in functions(path)
        if length(item) > MOST_LINES_OF_A_FUNCTION
    }
    assert set(LONG_FUNCTIONS) <= long


def test_no_folder_is_a_drawer_for_everything() -> None:
    drawers = {"utils", "helpers", "common", "base", "core", "types", "misc"}
    assert not drawers & {path.stem for path in SOURCE.rglob("*") if path.suffix in {"", ".py"}}
