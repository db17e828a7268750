"""Candidates: the facts a model proposes, read out of its reply whatever form it has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from paicli.memory.entry import FactKind

_THINKING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_JSON_START = re.compile(r"\{\s*[\"}]|\[\s*(?:[{\"]|\]\s*(?:$|```))")
_LONE_BACKSLASH = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_BULLET = re.compile(r"^\s*(?:[-*•·]|\d+[.、)）])\s*")
_FACT_KEYS = ("fact", "content", "text", "memory", "事实", "内容")
_QUOTE_KEYS = ("quote", "evidence", "source", "引用", "原话")
_KIND_KEYS = ("kind", "type", "category", "类型", "类别")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact as the model proposes it; `quote` is empty where it gave none."""

    fact: str
    quote: str = ""
    kind: FactKind | None = None


def parse(reply: str) -> list[Candidate] | None:
    """Returns the candidates in a model's reply: JSON, fenced or amid prose, or a list with a fact a line.

    None where the reply has JSON that can't be read, cut off for instance, or is empty.
    """
    text = _THINKING.sub("", reply).strip()
    if not text:
        return None
    if _JSON_START.search(text):
        return _from_json(text)
    lines = (_BULLET.sub("", line).strip() for line in text.splitlines())
    return [Candidate(line) for line in lines if line and not line.startswith("```")]


def _from_json(text: str) -> list[Candidate] | None:
    """Returns the candidates in all the JSON values of a text; bad escapes and commas too many are put right."""
    found: list[Candidate] = []
    start = _JSON_START.search(text)
    while start:
        text = text[start.start() :]
        value, length = _decoded(text)
        if length == 0:
            text = _TRAILING_COMMA.sub("", _LONE_BACKSLASH.sub(r"\\\\", text))
            value, length = _decoded(text)
        if length == 0:
            return None
        found += _candidates(value)
        text = text[length:]
        start = _JSON_START.search(text)
    return found


def _decoded(text: str) -> tuple[object, int]:
    """Returns the JSON value a text starts with, and its length; length 0 where it can't be read."""
    try:
        return _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None, 0


def _candidates(value: object) -> Iterator[Candidate]:
    if isinstance(value, str) and value.strip():
        yield Candidate(value.strip())
    elif isinstance(value, list):
        for item in value:
            yield from _candidates(item)
    elif isinstance(value, dict):
        fact = _first_text(value, _FACT_KEYS)
        if fact:
            kind = _first_text(value, _KIND_KEYS).lower()
            known = FactKind(kind) if kind in FactKind._value2member_map_ else None
            yield Candidate(fact, _first_text(value, _QUOTE_KEYS), known)
        else:
            for item in value.values():
                yield from _candidates(item) if isinstance(item, list | dict) else ()


def _first_text(value: Mapping[str, object], keys: Iterable[str]) -> str:
    return next((str(value[key]).strip() for key in keys if isinstance(value.get(key), str)), "")
