"""The form of a request where providers differ, and how another one is found when an endpoint refuses it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from paicli.errors import ContextOverflow, RequestRefused
from paicli.memory.message import EmptyContent, Quirks, ThinkingEcho

T = TypeVar("T")
Body = Mapping[str, Any]
MOST_REQUESTS = 6
"""How many forms are tried in all before a refusal is passed on."""

_USAGE = re.compile(r"stream_options|include_usage", re.IGNORECASE)
_LIMIT = re.compile(r"max_tokens|max_completion_tokens", re.IGNORECASE)
_THINKING = re.compile(r"reasoning|thinking|思考|推理", re.IGNORECASE)
_ROLES = re.compile(r"alternat|consecutive|same role|in a row|交替|连续", re.IGNORECASE)
_CONTENT = re.compile(r"content\b|\b(null|empty|blank)\b|内容|为空|空值", re.IGNORECASE)
_FIELDS = re.compile(
    r"\b(unknown|unsupported|unrecogni[sz]ed|unexpected|extra|additional)\b|not (permitted|supported|allowed)",
    re.IGNORECASE,
)
_DEMAND = re.compile(r"must|requir|missing|passed back|expect|必须|缺少", re.IGNORECASE)
_OTHER = re.compile(r"\bmodel|模型|\bfunctions?\b|schema|temperature|moderation|policy|敏感", re.IGNORECASE)
_ECHOES = ((ThinkingEcho.NEVER, False), (ThinkingEcho.WITH_CALLS, True), (ThinkingEcho.ALWAYS, True))


@dataclass(frozen=True, slots=True)
class Form:
    """How a request is put.

    Args:
        quirks: The form of its messages.
        asks_usage: Whether the usage of the stream is asked for by `stream_options`.
        limit_field: The name of the field that limits the length of the answer.
    """

    quirks: Quirks = Quirks()
    asks_usage: bool = True
    limit_field: str = "max_tokens"


def find_form(form: Form, body_of: Callable[[Form], Body], send: Callable[[Body], T]) -> tuple[T, Form]:
    """Returns what `send` returns, and the form the endpoint took: the given one, or one like it where that is refused.

    Args:
        form: The form to begin with.
        body_of: Makes the request in a form.
        send: Sends it.

    Raises:
        RequestRefused: No form was taken, or it is not a matter of form; the first refusal.
        ModelError: As `send` raised it.
    """
    body = body_of(form)
    try:
        return send(body), form
    except RequestRefused as error:
        if not _may_be_about_form(error):
            raise
        first = refusal = error
    tried = [body]
    while len(tried) < MOST_REQUESTS:
        other = next((other for other in other_forms(form, _detail(refusal)) if body_of(other) not in tried), None)
        if other is None:
            break
        tried.append(body_of(other))
        try:
            return send(tried[-1]), other
        except RequestRefused as error:
            if not _may_be_about_form(error):
                raise
            if _gist(error) != _gist(refusal):  # that obstacle is gone; here is the next one
                form, refusal = other, error
    raise first


def other_forms(form: Form, detail: str) -> Iterator[Form]:
    """Yields the forms to try after a refusal, those its words speak of; where they speak of nothing, what is common.

    >>> [other.limit_field for other in other_forms(Form(), "Unsupported parameter: 'max_tokens'")]
    ['max_completion_tokens']
    """
    kinds = ((_USAGE, _usage), (_LIMIT, _limit), (_THINKING, _thinking), (_ROLES, _roles), (_CONTENT, _content))
    fitting = [alternatives for words, alternatives in kinds if words.search(detail)]
    if not fitting and _FIELDS.search(detail):
        fitting = [_thinking, _usage]
    elif not fitting and not _OTHER.search(detail):
        fitting = [_content, _thinking, _roles]
    for alternatives in fitting:
        yield from alternatives(form, detail)


def _usage(form: Form, _: str) -> Iterator[Form]:
    yield replace(form, asks_usage=False)


def _limit(form: Form, _: str) -> Iterator[Form]:
    other = "max_tokens" if form.limit_field == "max_completion_tokens" else "max_completion_tokens"
    yield replace(form, limit_field=other)


def _thinking(form: Form, detail: str) -> Iterator[Form]:
    for echo, required in reversed(_ECHOES) if _DEMAND.search(detail) else _ECHOES:
        yield replace(form, quirks=replace(form.quirks, thinking=echo, thinking_required=required))


def _roles(form: Form, _: str) -> Iterator[Form]:
    yield replace(form, quirks=replace(form.quirks, alternate_roles=True))


def _content(form: Form, _: str) -> Iterator[Form]:
    for empty in (EmptyContent.NULL, EmptyContent.ABSENT, EmptyContent.EMPTY):
        yield replace(form, quirks=replace(form.quirks, empty_content=empty))


def _may_be_about_form(error: RequestRefused) -> bool:
    return error.values.get("status") in (400, 422) and not isinstance(error, ContextOverflow)


def _detail(error: RequestRefused) -> str:
    return str(error.values.get("detail"))


def _gist(error: RequestRefused) -> str:
    """Returns the words of a refusal without what differs from one request to the next: positions, request ids."""
    return re.sub(r"[0-9a-f-]*\d[0-9a-f-]*", "", _detail(error))
