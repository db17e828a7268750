"""What went wrong with a model call: the errors of the `openai` package as those of paicli, in one line each."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from paicli.errors import (
    ContextOverflow,
    KeyRejected,
    ModelError,
    ModelUnreachable,
    NoBalance,
    RateLimited,
    RequestRefused,
    ServerFailed,
)
from paicli.llm.key import mask_key

DETAIL_CHARACTERS = 300

# Codes and words with which providers say that the account is empty: GLM (1113), OpenAI, Moonshot, DashScope, DeepSeek.
_NO_BALANCE_CODES = frozenset(
    {"1113", "insufficient_quota", "exceeded_current_quota_error", "arrearage", "insufficient_user_quota"}
)
_NO_BALANCE = re.compile(
    r"insufficient (account )?(balance|funds|credits?)|balance is (insufficient|not enough)|exceeded your current quota"
    r"|in arrears|overdue payment|free.?tier.{0,60}exhausted|余额不足|欠费|资源包.{0,10}(用尽|耗尽)",
    re.IGNORECASE,
)
_OVERFLOW_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error", "1261"})
_OVERFLOW = re.compile(
    r"context.?(length|window|size|limit)|maximum (model )?length|model token limit|range of input length"
    r"|(prompt|input|request|messages?)\b.{0,60}(too long|too large|exceeds|longer than)|prompt 超长|超过.{0,12}(长度|上下文)",
    re.IGNORECASE,
)
# The number that follows one of these is the window; the others in the sentence are the size of the request.
_WINDOW = re.compile(
    r"(?:maximum (?:context|model|allowed) length (?:is |of )?|context (?:length|window|size) (?:of |is )?(?:only )?\(?"
    r"|token limit: ?|range of input length should be \[\d+, ?|allowed length \(|tokens allowed \(|> ?(?:limit )?)"
    r"(\d[\d,]{2,})",
    re.IGNORECASE,
)
_KEY_WORDS = re.compile(r"api.?key|token|auth|credential|permission|forbidden|密钥|鉴权|令牌|权限", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a server said instead of an answer.

    Args:
        status: The HTTP status; 0 where it was said within a stream.
        codes: The provider's own code and type, in lower case.
        text: Its words.
        window: The context window in tokens, where a field of its own names it.
        retry_after: Seconds it asks to wait.
    """

    status: int
    codes: tuple[str, ...] = ()
    text: str = ""
    window: int | None = None
    retry_after: float | None = None

    @property
    def says_no_balance(self) -> bool:
        """Whether the account has no money left."""
        return self.status == 402 or not _NO_BALANCE_CODES.isdisjoint(self.codes) or bool(_NO_BALANCE.search(self.text))

    @property
    def says_overflow(self) -> bool:
        """Whether the request is longer than the window."""
        if self.status in (401, 403, 404, 429):
            return False
        return not _OVERFLOW_CODES.isdisjoint(self.codes) or bool(_OVERFLOW.search(self.text))

    @property
    def named_window(self) -> int | None:
        """The window the server names in its refusal, in tokens.

        >>> Refusal(400, text="This model's maximum context length is 8,192 tokens. You requested 9000.").named_window
        8192
        """
        found = _WINDOW.search(self.text)
        return self.window or (int(found[1].replace(",", "")) if found else None)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asked, for the words of an error: `window` in tokens, and the time limits in force."""

    endpoint: str
    key: str
    model: str
    window: int
    connect_seconds: float
    answer_seconds: float
    idle_seconds: float
    attempts: int = 1


def failure_of(error: Exception, caller: Caller) -> ModelError:
    """Returns paicli's error for one of the `openai` package."""
    from openai import APIConnectionError, APITimeoutError

    if isinstance(error, APITimeoutError):
        connecting = "Connect" in type(error.__cause__).__name__
        seconds = caller.connect_seconds if connecting else caller.answer_seconds
        what = "connection" if connecting else "answer"
        return unreachable(f"no {what} within {seconds:g} s", caller, problem=f"no-{what}", seconds=seconds)
    if isinstance(error, APIConnectionError):
        return unreachable(_root_of(error), caller, problem=_problem_of(error))
    return failure_from(refusal_of(error), caller)


def unreachable(detail: str, caller: Caller, *, problem: str = "", seconds: float = 0) -> ModelUnreachable:
    """Returns the error for an endpoint from which nothing came; `problem` is a code for it, where there is one."""
    return ModelUnreachable(
        endpoint=caller.endpoint,
        detail=one_line(detail, caller.key),
        attempts=caller.attempts,
        problem=problem,
        seconds=round(seconds),
    )


def failure_from(refusal: Refusal, caller: Caller) -> ModelError:
    """Returns paicli's error for what a server said."""
    values: dict[str, Any] = {
        "endpoint": caller.endpoint,
        "model": caller.model,
        "status": refusal.status or 200,
        "code": next(iter(refusal.codes), ""),
        "attempts": caller.attempts,
        "detail": one_line(refusal.text or ", ".join(refusal.codes) or "no reason given", caller.key),
    }
    if refusal.says_no_balance:
        return NoBalance(**values)
    if refusal.status == 401 or (refusal.status == 403 and _blames_key(refusal)):
        return KeyRejected(**values, key=mask_key(caller.key) if caller.key else "")
    if refusal.says_overflow:
        named = refusal.named_window
        return ContextOverflow(**values, window=named or caller.window, named_window=named)
    if refusal.status == 429:
        return RateLimited(**values, retry_after=refusal.retry_after)
    if refusal.status >= 500 or refusal.status in (0, 408):
        return ServerFailed(**values, retry_after=refusal.retry_after)
    return RequestRefused(**values)


def refusal_of(error: Exception) -> Refusal:
    """Returns what the server said, from an `APIError` of the `openai` package."""
    body = getattr(error, "body", None)
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", 0) or 0
    headers: Mapping[str, str] = getattr(response, "headers", {})
    return parse_refusal(status, body if body is not None else getattr(error, "message", str(error)), headers)


def parse_refusal(status: int, body: object, headers: Mapping[str, str] | None = None) -> Refusal:
    """Returns what is to be learnt from the body of an answer that is an error, of whatever shape."""
    while isinstance(body, list) and body:
        body = body[0]
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    fields = inner if isinstance(inner, Mapping) else {}
    window = fields.get("n_ctx")
    return Refusal(
        status=status or _status_in(fields),
        codes=tuple(str(fields[name]).lower() for name in ("code", "type") if fields.get(name)),
        text=_words_of(inner),
        window=window if isinstance(window, int) else None,
        retry_after=_seconds((headers or {}).get("retry-after")),
    )


def one_line(text: str, key: str = "") -> str:
    """Returns a provider's words in one line of at most 300 characters, without control characters and the key."""
    plain = " ".join(_CONTROL.sub(" ", text).split())
    if key:
        plain = plain.replace(key, mask_key(key))
    return plain if len(plain) <= DETAIL_CHARACTERS else plain[: DETAIL_CHARACTERS - 1] + "…"


def _blames_key(refusal: Refusal) -> bool:
    return not refusal.text or bool(_KEY_WORDS.search(refusal.text))


def _status_in(fields: Mapping[str, Any]) -> int:
    """Returns the HTTP status that an error within a stream names as its code; 0 where it names none."""
    code = str(fields.get("code") or fields.get("status_code") or "")
    return int(code) if re.fullmatch(r"[45]\d\d", code) else 0


def _words_of(body: object) -> str:
    if isinstance(body, Mapping):
        for name in ("message", "msg", "detail", "error_description"):
            if isinstance(body.get(name), str) and body[name]:
                return str(body[name])
        return json.dumps(body, ensure_ascii=False, default=str) if body else ""
    text = str(body or "")
    if "<html" in text[:500].lower() or text.lstrip().lower().startswith("<!doctype"):
        title = re.search(r"<title>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
        return "a web page" + (f" ('{title[1].strip()}')" if title else "") + " instead of an answer"
    return text


def _seconds(header: str | None) -> float | None:
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None


def _root_of(error: BaseException) -> str:
    """Returns the words of the innermost error that has any: `[Errno 111] Connection refused`."""
    return [str(cause) for cause in _chain(error) if str(cause)][-1]


def _problem_of(error: BaseException) -> str:
    """Returns a code for why there is no connection; empty where the words of the system have to do."""
    causes = list(_chain(error))
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return "name-resolution"
    return "connection-refused" if any(isinstance(cause, ConnectionRefusedError) for cause in causes) else ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__ or current.__context__
