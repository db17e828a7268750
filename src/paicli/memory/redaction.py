"""Makes texts fit for the disk: keys, tokens, passwords and private keys are taken out, and what no file can hold. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from paicli.memory.entry import MemoryEntry

PLACEHOLDER = "[redacted:{kind}]"
_UNFIT = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, and which kinds of them it had: one for each that was taken out, in no order."""

    text: str
    kinds: tuple[str, ...] = ()


_PEM = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:(?!-----BEGIN).)*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\s|\\r|\\n)*[A-Za-z0-9+/=]{16,})+(?:(?:\s|\\r|\\n)*[A-Za-z0-9+/=]+)?)",  # cut off before its end
    re.DOTALL,
)
# The forms that providers give their keys, each by the provider's own documentation.
_KEYS = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"sk-[A-Za-z0-9_-]{16,}"  # OpenAI, Anthropic, DeepSeek, Kimi, Qwen
    r"|[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}|LTAI[A-Za-z0-9]{12,30}|AKID[A-Za-z0-9]{32}"  # AWS, Alibaba, Tencent
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{22,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}"
    r"|AIza[0-9A-Za-z_-]{30,}|ya29\.[0-9A-Za-z_-]{20,}"
    r"|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|gsk_[A-Za-z0-9]{20,}|tvly-[A-Za-z0-9-]{16,}"
    r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"
    r"|[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![A-Za-z0-9])"  # GLM
    r")"
)
_JWT = re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}")
_BEARER = re.compile(
    r"(?P<keep>\b(?:bearer|authorization[\"']?\s*[:=]\s*[\"']?basic)\s+)[A-Za-z0-9._~+/=-]{16,}", re.IGNORECASE
)
_URL_PASSWORD = re.compile(
    r"(?P<keep>\b[a-z][a-z0-9+.-]*://[^\s/:@\"']*:)(?!\[redacted)[^\s/@\"']+(?=@)", re.IGNORECASE
)

_PASSWORDS = r"pass(?:word|wd|phrase|code)|(?<![a-z])pwd|密码|口令"
_TOKENS = r"(?:access|refresh|auth|bot|private|secret|id)?[_-]?token|令牌"
_API_KEYS = (
    r"api[ _-]?key|(?:secret|access|private)[_-]?(?:access[_-]?)?key|(?<![a-z])secret|client[_-]?secret|密钥|秘钥"
)
_NAMED = re.compile(
    rf"(?P<keep>(?:(?P<password>{_PASSWORDS})|(?P<token>{_TOKENS})|(?P<key>{_API_KEYS}))[\"']?"
    r"(?P<sign>\s*(?::=|[=:：＝])\s*|\s*(?:是|为)\s*[:：]?\s*|\s+is\s+|\s+)[\"'`“「]?)"
    r"(?P<value>(?<=[\"'`“「])[ !#-&(-_a-~]{4,}(?=[\"'`”」])|[!#-&()*+\-./0-9:<=>?@A-Z\[\\\]^_a-z{|}~]{4,})",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\[redacted|(?-i:\$[A-Z_{(])|%\w+%|[<{/]|\.{1,2}/|(?:os|process|self|config|settings|env|args)\.",
    re.IGNORECASE,
)
_WORDS = frozenset(
    "str string bytes text none null true false undefined optional required empty wrong correct invalid valid needed"
    " secret hidden encrypted hashed expired missing unknown default int bool number object any self".split()
)
_CALL = re.compile(r"[A-Za-z_][\w.]*\((?:[^()]*\))?")
_END_MARKS = ".,;:!?()"


def redact(text: str) -> Redacted:
    """Returns the text with placeholders like `[redacted:api-key]` where secrets stood.

    Found are private keys (PEM), keys in the providers' own forms, JSON web tokens, `Bearer …`, passwords in URLs, and
    values named as a password, token or key. A second pass changes nothing.

    >>> redact("生产库口令 Zx9!demo，端口 5432").text
    '生产库口令 [redacted:password]，端口 5432'
    """
    kinds: list[str] = []

    def hide(kind: str, found: re.Match[str]) -> str:
        kinds.append(kind)
        return (found.groupdict().get("keep") or "") + PLACEHOLDER.format(kind=kind)

    for kind, pattern in _PATTERNS:
        text = pattern.sub(lambda found, kind=kind: hide(kind, found), text)  # type: ignore[misc]
    text = _NAMED.sub(lambda found: _hide_named(found, kinds), text)
    return Redacted(text, tuple(kinds))


_PATTERNS = (
    ("private-key", _PEM),
    ("api-key", _KEYS),
    ("token", _JWT),
    ("token", _BEARER),
    ("password", _URL_PASSWORD),
)


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
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, Mapping):
        return {key: _redact_member(key, member) for key, member in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [redact_json(member) for member in value]
    return value


def _redact_member(key: object, member: object) -> object:
    if isinstance(key, str) and isinstance(member, str):
        found = _NAMED.fullmatch(f"{key}={member}")
        if found:
            return _hide_named(found, []).removeprefix(f"{key}=")
    return redact_json(member)


def _hide_named(found: re.Match[str], kinds: list[str]) -> str:
    value = found["value"]
    secret = value.rstrip(_END_MARKS)
    if _is_call(found) or not _is_secret(secret, found):
        return found[0]
    kind = "password" if found["password"] else "token" if found["token"] else "api-key"
    kinds.append(kind)
    return found["keep"] + PLACEHOLDER.format(kind=kind) + value[len(secret) :]


def _is_secret(value: str, found: re.Match[str]) -> bool:
    """Returns whether a named value is a secret: an assigned one nearly always, one that just follows if it looks it."""
    if len(value) < 4 or _REFERENCE.match(value) or value.lower() in _WORDS:
        return False
    sign = found["sign"].strip()
    if sign[:1] in (":", "=", "：", "＝"):
        return bool(found["password"]) or (not value.isdigit() and len(value) >= 8)
    if sign[:1] in ("是", "为") and found["password"] and _ends_clause(found):
        return True
    return len(value) >= 6 and _looks_random(value)


def _is_call(found: re.Match[str]) -> bool:
    """Returns whether the value is a program's call: `getpass()`, or `input("…` up to its first quote."""
    value = found["value"].rstrip(".,;:")
    is_open = value.endswith("(") and found.string[found.end() : found.end() + 1] in ("'", '"')
    return bool(_CALL.fullmatch(value)) and (is_open or value.endswith(")"))


def _ends_clause(found: re.Match[str]) -> bool:
    rest = found.string[found.end() :].lstrip("\"'`”」 ")
    return not rest or rest[0] in "，。；,;\n"


def _looks_random(value: str) -> bool:
    """Returns whether a word mixes letters with digits or signs, as no word of a language does."""
    has_letter = any(character.isalpha() for character in value)
    has_digit = any(character.isdigit() for character in value)
    return has_letter and (has_digit or any(character in "!@#$%^&*+=?~" for character in value))
