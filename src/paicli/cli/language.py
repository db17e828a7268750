"""Which language the interface speaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

Language = Literal["zh", "en"]


def as_language(value: str) -> Language | None:
    """Returns the language a value such as `zh`, `zh_CN.UTF-8` or `en` names; None for C, POSIX and the empty text."""
    name = value.strip().casefold().replace("-", "_").split(".")[0]
    if name.startswith("zh"):
        return "zh"
    return None if name in ("", "c", "posix") else "en"


def locale_language(environ: Mapping[str, str]) -> Language | None:
    """Returns the language of the locale (LC_ALL, LC_MESSAGES, LANG, the first that is set); None for C and POSIX."""
    value = next(filter(None, (environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return as_language(value)


def first_language(arguments: Sequence[str], environ: Mapping[str, str]) -> Language:
    """Returns the language for what is said before the settings are read: `--lang`, PAICLI_LANG, the locale, English."""
    for position, argument in enumerate(arguments):
        if argument == "--lang" and position + 1 < len(arguments):
            return as_language(arguments[position + 1]) or "en"
        if argument.startswith("--lang="):
            return as_language(argument.removeprefix("--lang=")) or "en"
    return as_language(environ.get("PAICLI_LANG", "")) or locale_language(environ) or "en"
