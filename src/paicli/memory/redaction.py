"""Makes texts fit for the disk: keys, tokens, passwords and private keys are taken out, and what no file can hold. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from paicli.memory.entry import MemoryEntry
from paicli.memory.secret import PLACEHOLDER, hide_secrets, secret_by_name

_UNFIT = re.compile("[\x00\ud800-\udfff]")
_PASSES = 4
"""A placeholder may bring a further secret to light (an option too far from its program); more than one is rare."""
_DEPTH = 6
"""How often JSON in a text of JSON is looked into: a call's arguments that hold a file that holds JSON are 3."""
# A text in JSON, with its key where it has one; the last one may be cut off.
_LITERAL = re.compile(r'(?P<key>"(?:[^"\\]|\\.)*+"\s*+:\s*+)?"(?P<body>(?:[^"\\]|\\.)*+)(?P<end>"|\\?\Z)', re.DOTALL)
_CUT_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,3}\Z")


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, and which kinds of them it had: one for each that was taken out, in no order."""

    text: str
    kinds: tuple[str, ...] = ()


def redact(text: str) -> Redacted:
    """Returns the text with placeholders like `[redacted:api-key]` where secrets stood.

    Found are private keys (PEM), keys in the providers' own forms, JSON web tokens, `Bearer …`, cookies, passwords in
    URLs and command lines, and values named as a password, token or key. Texts of JSON within the text, whole or cut
    off, are decoded, redacted and encoded again. A second pass changes nothing.

    >>> redact("生产库口令 Zx9!demo，端口 5432").text
    '生产库口令 [redacted:password]，端口 5432'
    """
    kinds: list[str] = []
    for _ in range(_PASSES):
        before, text = text, _redacted(text, _DEPTH, kinds)
        if text == before:
            break
    return Redacted(text, tuple(kinds))


def _redacted(text: str, depth: int, kinds: list[str]) -> str:
    found: list[str] = []
    redacted = _patched(text, depth, found)
    value = _container(text) if redacted != text else None
    if value is not None and not _has_shape(redacted, value):
        found.clear()
        redacted = json.dumps(_redact_value(value, depth - 1, found), ensure_ascii=text.isascii())
    kinds += found
    return redacted


def _patched(text: str, depth: int, kinds: list[str]) -> str:
    """Returns a text with its secrets replaced where they stand, and all else in it as it was."""
    if depth > 0 and "\\" in text and '"' in text:
        text = _LITERAL.sub(lambda found: _redact_literal(found, depth, kinds), text)
    text, found = hide_secrets(text)
    kinds += found
    return text


def _container(text: str) -> object:
    """Returns the list or dict that a text is in JSON; None where it is none."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _has_shape(text: str, value: object) -> bool:
    try:
        return _shape(value) == _shape(_container(text))
    except RecursionError:  # too deep to tell
        return True


def _shape(value: object) -> object:
    """Returns what a value has in common with its redacted form: the containers, and how much is in each."""
    if isinstance(value, dict):
        return [_shape(member) for member in value.values()]
    return [_shape(member) for member in value] if isinstance(value, list) else value is None


def _redact_literal(found: re.Match[str], depth: int, kinds: list[str]) -> str:
    """Redacts a text of JSON in its decoded form; one without an escape has no other."""
    key, body, end = found["key"] or "", found["body"], found["end"]
    if "\\" not in key and "\\" not in body:
        return found[0]
    if end != '"' and (cut := _CUT_ESCAPE.search(body)):
        body, end = body[: cut.start()], cut[0]
    value, name = _decoded(f'"{body}"'), _decoded(key.rstrip().rstrip(":"))
    if value is None:
        return found[0]
    redacted = _redact_member(name, value, depth - 1, kinds)
    if redacted == value:
        return found[0]
    encoded = json.dumps(redacted, ensure_ascii=found[0].isascii())
    return key + encoded[:-1] + end


def _decoded(literal: str) -> str | None:
    try:
        value = json.loads(literal, strict=False)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def redact_entry(entry: MemoryEntry) -> tuple[MemoryEntry, tuple[str, ...]]:
    """Returns an entry fit for the disk, and the kinds of the secrets that were in it."""
    kinds: list[str] = []

    def clean(text: str) -> str:
        redacted = redact(storable(text))
        kinds.extend(redacted.kinds)
        return redacted.text

    content = clean(entry.content)
    kept = replace(
        entry,
        content=content,
        metadata={storable(key): clean(value) for key, value in entry.metadata.items()},
        source=entry.source and replace(entry.source, quote=clean(entry.source.quote)),
        token_count=entry.token_count if content == entry.content else -1,
    )
    return kept, tuple(kinds)


def storable(text: str) -> str:
    """Returns the text with halves of surrogate pairs joined, lone ones replaced by U+FFFD, and NUL left out."""
    if not _UNFIT.search(text):
        return text
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def storable_json(value: Any) -> Any:  # noqa: ANN401 - what JSON can hold has no type
    """Returns a value of lists, dicts and texts with every text, keys included, made storable."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(str(key)): storable_json(member) for key, member in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [storable_json(member) for member in value]
    return value


def redact_json(value: Any) -> Any:  # noqa: ANN401 - what JSON can hold has no type
    """Returns a value of lists, dicts and texts with every text redacted, also by the name of its key."""
    return _redact_value(value, _DEPTH, [])


def _redact_value(value: object, depth: int, kinds: list[str]) -> object:
    if isinstance(value, str):
        return _redacted(value, depth, kinds)
    if isinstance(value, Mapping):
        return {
            _redacted(key, 0, kinds) if isinstance(key, str) else key: _redact_member(key, member, depth, kinds)
            for key, member in value.items()
        }
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_redact_value(member, depth, kinds) for member in value]
    return value


def _redact_member(key: object, member: object, depth: int, kinds: list[str]) -> object:
    if isinstance(key, str) and isinstance(member, str | int | float) and not isinstance(member, bool):
        kind = secret_by_name(key, str(member))
        if kind:
            kinds.append(kind)
            return PLACEHOLDER.format(kind=kind)
    return _redact_value(member, depth, kinds)
