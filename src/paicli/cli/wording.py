"""Words errors, notices, dates and scopes for people, in the language of the interface."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from paicli.cli.escape import one_line
from paicli.cli.language import Language
from paicli.cli.texts import has_sentence, sentence
from paicli.cli.texts.reasons import CHINESE_PATTERNS, CHINESE_REASONS
from paicli.errors import KeyRejected, ModelUnreachable, PaicliError
from paicli.llm.endpoint import is_loopback
from paicli.memory.entry import USER_SCOPE, MemoryEntry
from paicli.memory.notice import Notice
from paicli.memory.scope import PROJECT_PREFIX, Scopes

if TYPE_CHECKING:
    from paicli.tools.registry import ToolOutcome

SHORT_ID_LENGTH = 6
_LONGEST_DETAIL = 300
_SPEAKS_OF_MODEL = re.compile("model|模型", re.IGNORECASE)


def error_text(error: PaicliError, language: Language, *, in_shell: bool = False, **more: object) -> str:
    """Returns what went wrong in a line.

    Args:
        error: What went wrong.
        language: The language of the interface.
        in_shell: Whether the way out has to be one of the shell's: the commands of a session don't exist there.
        **more: Values the sentence needs that the error does not know.
    """
    code = _code_of(error)
    if in_shell and has_sentence(f"{code}-shell"):
        code = f"{code}-shell"
    if not has_sentence(code):
        return sentence("errors.error", language, reason=one_line(str(error), _LONGEST_DETAIL))
    values = _worded({"reason": str(error)} | error.values, language)
    problem = f"reasons.{values.get('problem', '')}"
    if has_sentence(problem):
        values["reason"] = values["detail"] = sentence(problem, language, **values)
    return sentence(code, language, **(values | more))


def _code_of(error: PaicliError) -> str:
    """Returns the code of the sentence for an error; some say more where the endpoint tells what is wrong."""
    endpoint = str(error.values.get("endpoint", ""))
    if isinstance(error, ModelUnreachable) and is_loopback(endpoint):
        return "errors.model-unreachable-here"
    if isinstance(error, KeyRejected) and not error.values.get("key"):
        return "errors.key-missing"
    if error.code == "request-refused" and error.values.get("status") == 404 and not urlsplit(endpoint).path.strip("/"):
        return "errors.request-refused-path"
    if error.code == "request-refused" and _SPEAKS_OF_MODEL.search(str(error.values.get("detail"))):
        return "errors.request-refused-model"
    if error.code == "message-too-large" and not error.values.get("limit"):
        return "errors.window-too-small"
    return f"errors.{error.code}"


def outcome_text(outcome: ToolOutcome, language: Language, limit: int) -> str:
    """Returns why a tool did not do what it was asked, in a line; what is told to the model alone is left out."""
    code = f"reasons.{outcome.problem}"
    if has_sentence(code):
        return sentence(code, language, **_worded(outcome.values, language))
    return one_line(outcome.text, limit)


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
    elif language == "zh" and isinstance(worded.get("reason"), str):
        for pattern, chinese in CHINESE_PATTERNS.items():
            worded["reason"] = re.sub(pattern, chinese, str(worded["reason"]))
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
    name = scopes.name_of(scope.removeprefix(PROJECT_PREFIX)) if scope.startswith(PROJECT_PREFIX) else ""
    if name:
        return sentence("memory.scope-other", language, name=name)
    return one_line(scope)


def local_time(moment: datetime) -> str:
    """Returns a moment in local time, to the minute."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def local_day(moment: datetime) -> str:
    """Returns a moment's local date."""
    return f"{moment.astimezone():%Y-%m-%d}"
