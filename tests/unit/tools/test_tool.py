"""What a model passes is checked against the schema, and errors name the parameter and the value."""

from __future__ import annotations

from typing import Any

import pytest

from paicli.errors import ToolError
from paicli.llm.model import ToolSpec
from paicli.tools.tool import checked, nearest

SPEC = ToolSpec(
    "paint",
    "Paint a wall.",
    {
        "type": "object",
        "properties": {
            "wall": {"type": "string", "description": "Which wall."},
            "coats": {"type": "integer", "minimum": 1, "maximum": 5, "default": 2},
            "litres": {"type": "number"},
            "matt": {"type": "boolean"},
            "colour": {"type": "string", "enum": ["red", "blue"]},
            "tools": {"type": "array"},
            "options": {"type": "object"},
            "anything": {},
        },
        "required": ["wall"],
    },
)


def test_defaults_are_filled_in_and_null_counts_as_absent() -> None:
    assert checked(SPEC, {"wall": "north", "colour": None}) == {"wall": "north", "coats": 2}


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"coats": "3"}, {"coats": 3}),
        ({"coats": " 3 "}, {"coats": 3}),
        ({"coats": "３"}, {"coats": 3}),
        ({"coats": 3.0}, {"coats": 3}),
        ({"litres": "1.5"}, {"litres": 1.5}),
        ({"matt": "True"}, {"matt": True}),
        ({"matt": False}, {"matt": False}),
        ({"colour": " Red"}, {"colour": "red"}),
        ({"tools": [1], "options": {"a": 1}, "anything": 7}, {"tools": [1], "options": {"a": 1}, "anything": 7}),
    ],
)
def test_a_value_in_another_form_is_understood(given: dict[str, Any], meant: dict[str, Any]) -> None:
    assert checked(SPEC, {"wall": "north"} | given) == {"wall": "north", "coats": 2} | meant


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "paint needs 'wall', and it is missing. Which wall."),
        ({"wall": None}, "paint needs 'wall'"),
        ({"wall": 7}, "'wall' has value 7; it must be text"),
        ({"wall": {"a": 1}}, "'wall' has value {'a': 1}; it must be text"),
        ({"wall": "n", "coats": "many"}, "'coats' has value 'many'; it must be a whole number"),
        ({"wall": "n", "coats": 2.5}, "'coats' has value 2.5; it must be a whole number"),
        ({"wall": "n", "coats": True}, "'coats' has value True; it must be a whole number"),
        ({"wall": "n", "coats": "9" * 5000}, "it must be a whole number"),
        ({"wall": "n", "coats": "inf"}, "it must be a whole number"),
        ({"wall": "n", "coats": 6}, "'coats' has value 6; it must be at least 1 and at most 5"),
        ({"wall": "n", "coats": 0}, "'coats' has value 0; it must be at least 1"),
        ({"wall": "n", "litres": []}, "'litres' has value []; it must be a number"),
        ({"wall": "n", "matt": "perhaps"}, "'matt' has value 'perhaps'; it must be true or false"),
        ({"wall": "n", "colour": "green"}, "'colour' has value 'green'; use one of: red, blue"),
        ({"wall": "n", "tools": "brush"}, "it must be a list"),
        ({"wall": "n", "options": "x"}, "it must be an object"),
        ({"wall": "n", "color": "red"}, "paint has no parameter 'color': did you mean 'colour'? It takes: wall, coats"),
        ({"wall": "n", "zzz": "red"}, "paint has no parameter 'zzz': It takes"),
    ],
)
def test_what_does_not_fit_is_named(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ToolError) as error:
        checked(SPEC, given)
    assert complaint in str(error.value)


def test_a_long_or_dangerous_value_is_quoted_on_one_short_line() -> None:
    with pytest.raises(ToolError) as error:
        checked(SPEC, {"wall": "n", "colour": "\x1b[2J\n" + "x" * 5000})
    assert len(str(error.value)) < 250
    assert "\x1b" not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_limit_on_one_side_is_enough() -> None:
    spec = ToolSpec("t", "", {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}})
    with pytest.raises(ToolError, match=r"it must be at least 1\.$"):
        checked(spec, {"n": 0})


def test_a_tool_without_a_schema_takes_what_it_gets() -> None:
    assert checked(ToolSpec("free", ""), {"a": 1}) == {"a": 1}


def test_a_tool_that_takes_nothing_says_so() -> None:
    spec = ToolSpec("now", "", {"type": "object", "additionalProperties": False})
    with pytest.raises(ToolError, match="It takes: nothing"):
        checked(spec, {"zone": "x"})


def test_the_nearest_name_is_found_whatever_its_case() -> None:
    assert nearest("README.MD", ["readme.md", "main.py"]) == "readme.md"
    assert nearest("zebra", ["readme.md"]) == ""
