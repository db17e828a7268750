"""Words errors, notices, dates and scopes for people, in the language of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from paicli.cli.escape import one_line
from paicli.cli.language import Language
from paicli.cli.texts import has_sentence, sentence
from paicli.cli.texts.reasons import CHINESE_REASONS
from paicli.errors import PaicliError
from paicli.memory.entry import USER_SCOPE, MemoryEntry
from paicli.memory.notice import Notice
from paicli.memory.scope import Scopes

SHORT_ID_LENGTH = 6
_LONGEST_DETAIL = 300


def error_text(error: PaicliError, language: Language, **more: object) -> str:
    """Returns what went wrong in a line. `more` are values the sentence needs that the error does not know."""
    code = f"errors.{error.code}"
    if not has_sentence(code):
        return sentence("errors.error", language, reason=one_line(str(error), _LONGEST_DETAIL))
    values = _worded({"reason": str(error)} | error.values, language)
    problem = f"reasons.{values.get('problem', '')}"
    if has_sentence(problem):
        values["reason"] = sentence(problem, language, **values)
    return sentence(code, language, **(values | more))


def notice_text(notice: Notice, language: Language) -> str:
    """Returns what a notice says, in a line."""
    values = _worded(notice.values, language)
    code = f"notices.{notice.code}" if values.get("aside") != "" else f"notices.{notice.code}-left"
    if has_sentence(code):
        return sentence(code, language, **values)
    told = ", ".join(f"{key}: {value}" for key, value in values.items())
    return one_line(f"{notice.code}: {told}" if told else notice.code, _LONGEST_DETAIL)


def _worded(values: Mapping[str, object], language: Language) -> dict[str, object]:
    """Returns the values on one line each, a reason that is known in the language of the interface."""
    worded = {key: _short(value) for key, value in values.items()}
    if language == "zh" and worded.get("reason") in CHINESE_REASONS:
        worded["reason"] = CHINESE_REASONS[str(worded["reason"])]
    return worded


def _short(value: object) -> object:
    return value if isinstance(value, int | float) else one_line(str(value), _LONGEST_DETAIL)


def short_id(entry: MemoryEntry) -> str:
    """Returns as much of an entry's id as is shown and typed."""
    return one_line(entry.id)[:SHORT_ID_LENGTH]


def scope_name(scope: str, scopes: Scopes, language: Language) -> str:
    """Returns where an entry applies: everywhere, in this project (by its name), or in another one."""
    if scope == USER_SCOPE:
        return sentence("memory.scope-user", language)
    if scope in scopes.active:
        return sentence("memory.scope-here", language, name=scopes.name)
    return one_line(scope)


def local_time(moment: datetime) -> str:
    """Returns a moment in local time, to the minute."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def local_day(moment: datetime) -> str:
    """Returns a moment's local date."""
    return f"{moment.astimezone():%Y-%m-%d}"
