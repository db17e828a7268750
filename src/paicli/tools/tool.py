"""Tool, what an agent can run, and the check of what a model passes to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn, Protocol

from paicli.errors import ToolError
from paicli.llm.model import ToolSpec
from paicli.tools.text import one_line, shortened

VALUE_LIMIT = 80


class Tool(Protocol):
    """Something a model can call by name. The arguments are those of `spec`; the result is text and nothing else."""

    @property
    def spec(self) -> ToolSpec:
        """What the model is told about the tool."""

    def run(self, arguments: Mapping[str, Any]) -> str:
        """Does it and returns what the model should read.

        Raises:
            ToolError: It could not be done; the text tells the model why and what to do instead.
        """


def checked(spec: ToolSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments as the schema wants them: defaults filled in, numbers given as text turned into numbers.

    Null counts as absent. Parts of JSON schema that no tool here uses (`anyOf`, `pattern` …) are not looked at.

    Raises:
        ToolError: One is missing, unknown, or has a value that doesn't fit; parameter and value are named.
    """
    properties: Mapping[str, Mapping[str, Any]] = spec.parameters.get("properties", {})
    given = {name: value for name, value in arguments.items() if value is not None}
    if properties or spec.parameters.get("additionalProperties") is False:
        _refuse_unknown(spec.name, given, properties)
    for name in spec.parameters.get("required", ()):
        if name not in given:
            meaning = properties.get(name, {}).get("description", "")
            raise ToolError(reason=f"{spec.name} needs '{name}', and it is missing. {meaning}".strip())
    values = {name: _value(spec.name, name, schema, given) for name, schema in properties.items()}
    return given | {name: value for name, value in values.items() if value is not None}


def nearest(name: str, names: Sequence[str]) -> str:
    """Returns the name most like `name`, or nothing where none is alike."""
    by_folded = {known.casefold(): known for known in names}
    found = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[found[0]] if found else ""


def _refuse_unknown(tool: str, given: Mapping[str, Any], properties: Mapping[str, Any]) -> None:
    for name in given:
        if name not in properties:
            alike = nearest(name, list(properties))
            hint = f"did you mean '{alike}'? " if alike else ""
            raise ToolError(
                reason=f"{tool} has no parameter '{shown(name)}': {hint}It takes: {', '.join(properties) or 'nothing'}."
            )


def _value(tool: str, name: str, schema: Mapping[str, Any], given: Mapping[str, Any]) -> object:
    if name not in given:
        return schema.get("default")
    value = given[name]
    kind = schema.get("type")
    if isinstance(kind, str) and kind in _KINDS:
        convert, wanted = _KINDS[kind]
        value = convert(value)
        if value is None:
            _refuse(tool, name, given[name], f"it must be {wanted}")
    if "enum" in schema:
        value = _choice(tool, name, value, schema["enum"])
    _refuse_outside(tool, name, value, schema)
    return value


def _refuse(tool: str, name: str, value: object, wanted: str) -> NoReturn:
    raise ToolError(reason=f"{tool}: '{name}' has value {shown(repr(value))}; {wanted}.")


def _refuse_outside(tool: str, name: str, value: object, schema: Mapping[str, Any]) -> None:
    low, high = schema.get("minimum"), schema.get("maximum")
    if not isinstance(value, int | float) or isinstance(value, bool):
        return
    if (low is not None and value < low) or (high is not None and value > high):
        limits = [f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None)
        _refuse(tool, name, value, f"it must be {' and '.join(limits)}")


def _choice(tool: str, name: str, value: object, choices: Sequence[object]) -> object:
    """Returns the choice that is meant; a text's case and the spaces round it don't matter."""
    for choice in choices:
        if value == choice or (isinstance(value, str) and value.strip().casefold() == str(choice).casefold()):
            return choice
    _refuse(tool, name, value, f"use one of: {', '.join(map(str, choices))}")


def shown(text: str) -> str:
    """Returns a value as an error quotes it: one line, not too long."""
    return one_line(shortened(text, VALUE_LIMIT))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _whole(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and float(number).is_integer() else None


def _number(value: object) -> int | float | None:
    if isinstance(value, str):
        try:
            value = int(value) if value.strip().lstrip("+-").isdecimal() else float(value)
        except (ValueError, OverflowError):
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) < 1e15 else None  # NaN and infinity fall out here too


def _claim(value: object) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return value if isinstance(value, bool) else None


_KINDS: Mapping[str, tuple[Callable[[object], object], str]] = {
    "string": (_text, "text"),
    "integer": (_whole, "a whole number"),
    "number": (_number, "a number"),
    "boolean": (_claim, "true or false"),
    "object": (lambda value: value if isinstance(value, dict) else None, "an object"),
    "array": (lambda value: value if isinstance(value, list) else None, "a list"),
}
