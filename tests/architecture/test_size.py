"""A function fits a screen and a file a short sitting; what doesn't is listed here with its reason."""

from __future__ import annotations

import ast

from tree import SOURCE, Function, functions, modules, relative, syntax

MOST_LINES_OF_A_FILE = 300
MOST_LINES_OF_A_FUNCTION = 40
LINES_OF_A_SHORT_FUNCTION = 20
SHARE_OF_SHORT_FUNCTIONS = 0.9
DRAWERS = {"utils", "helpers", "common", "base", "core", "types", "misc"}

LONG_FILES: dict[str, str] = {
    "src/paicli/app.py": "the composition root: one short method for each thing the interface may ask of the parts",
    "src/paicli/memory/manager.py": "the façade: one short method, with its docstring, for each thing an agent may ask",
}
LONG_FUNCTIONS: dict[str, str] = {}


def length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def test_a_file_is_short_or_listed_with_a_reason() -> None:
    lines = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {name for name, count in lines.items() if count > MOST_LINES_OF_A_FILE} == set(LONG_FILES)


def test_a_function_is_short_or_listed_with_a_reason() -> None:
    long = {
        f"{relative(path)}:{item.name}"
        for path in modules()
        for item in functions(path)
        if length(item) > MOST_LINES_OF_A_FUNCTION
    }
    assert long == set(LONG_FUNCTIONS)


def test_nine_in_ten_functions_have_at_most_twenty_lines() -> None:
    lengths = [length(item) for path in modules() for item in functions(path)]
    short = sum(lines <= LINES_OF_A_SHORT_FUNCTION for lines in lengths)
    assert short / len(lengths) >= SHARE_OF_SHORT_FUNCTIONS


def test_a_module_says_in_its_first_sentence_what_it_is_for() -> None:
    assert [relative(path) for path in modules() if not ast.get_docstring(syntax(path))] == []


def test_no_folder_or_file_is_a_drawer_for_everything() -> None:
    assert not DRAWERS & {path.stem for path in SOURCE.rglob("*") if path.suffix in {"", ".py"}}
