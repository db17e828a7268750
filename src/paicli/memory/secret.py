"""Secrets in texts: the forms they have, and a placeholder in their place. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

PLACEHOLDER = "[redacted:{kind}]"

# A word may start after an escape as well: in JSON a line break is written \n, in a log a colour ends in m, in a URL
# a space is %20, and what follows is no part of that letter or digit.
_AFTER_ESCAPE = (
    r"(?<=\\[nrtbfv0])|(?<=\\u[0-9a-fA-F]{4})|(?<=\\x[0-9a-fA-F]{2})|(?<=[\[;]\dm)|(?<=[\[;]\d\dm)|(?<=%[0-9A-Fa-f]{2})"
)
_START = rf"(?:(?<![A-Za-z0-9_-])|{_AFTER_ESCAPE})"
_NO_LETTER = rf"(?:(?<![A-Za-z])|{_AFTER_ESCAPE})"
_QUOTE = r"(?:\\*[\"'])?"

_PEM = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:(?!-----BEGIN).)*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\s|\\+r|\\+n)*[A-Za-z0-9+/=]{16,})+(?:(?:\s|\\+r|\\+n)*[A-Za-z0-9+/=]+)?)",  # cut off before its end
    re.DOTALL,
)
# The forms that providers give their keys, each by the provider's own documentation.
_KEYS = re.compile(
    _START + r"(?:"
    r"sk-[A-Za-z0-9_-]{16,}"  # OpenAI, Anthropic, DeepSeek, Kimi, Qwen
    r"|[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{20,}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}|LTAI[A-Za-z0-9]{12,30}|AKID[A-Za-z0-9]{32}"  # AWS, Alibaba, Tencent
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{22,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}"
    r"|AIza[0-9A-Za-z_-]{30,}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{20,}"
    r"|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|gsk_[A-Za-z0-9]{20,}|tvly-[A-Za-z0-9-]{16,}"
    r"|nvapi-[A-Za-z0-9_-]{30,}|pplx-[A-Za-z0-9]{30,}|xai-[A-Za-z0-9]{30,}|r8_[A-Za-z0-9]{30,}|dop_v1_[0-9a-f]{40,}"
    r"|AGE-SECRET-KEY-1[0-9A-Z]{50,}"
    r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"
    r"|[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![A-Za-z0-9])"  # GLM
    r")"
)
_JWT = re.compile(_START + r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}")
_BEARER = re.compile(
    rf"(?P<keep>{_START}(?:bearer|authorization{_QUOTE}\s*[:=]\s*{_QUOTE}(?:basic|digest|token))\s+)[A-Za-z0-9._~+/=-]{{8,}}",
    re.IGNORECASE,
)
_URL_PASSWORD = re.compile(
    r"(?P<keep>\b[a-z][a-z0-9+.-]*://[^\s/:@\"']*:)(?!\[redacted)[^\s/?#\"'<>]+(?=@)", re.IGNORECASE
)
_URL_SIGNATURE = re.compile(
    r"(?P<keep>[?&](?:sig|signature|x-amz-signature|x-goog-signature|key)=)(?!\[redacted)[A-Za-z0-9%+/=_.~-]{16,}",
    re.IGNORECASE,
)
_SLACK_HOOK = re.compile(r"(?P<keep>hooks\.slack\.com/services/)[A-Z0-9]+/[A-Z0-9]+/[A-Za-z0-9]+")
_COOKIES = re.compile(rf"(?P<keep>cookie{_QUOTE}\s*[:=]\s*{_QUOTE})(?P<value>[\w.-]+=[^\n\"'\\]+)", re.IGNORECASE)
_COOKIE = re.compile(r"(?P<name>[\w.-]+)=(?!\[redacted)(?P<value>[^\s;,\"'\\]{8,})")
_COOKIE_ATTRIBUTES = frozenset("path domain expires max-age samesite version priority".split())
# The options by which programs take a password: `curl -u name:VALUE`, `mysql -pVALUE`.
_OPTION = re.compile(
    r"(?P<keep>(?P<option>(?<![\w-])(?:-u|-U|--user|--proxy-user)(?:[\"',=]|\\+[\"'nt]|\s)*[^\s:\"'\\/]+:)"
    r"|(?P<glued>(?<![\w-])-p)|(?P<apart>(?<![\w-])(?:-p|-a|--pass)(?:[\"',=]|\\+[\"'nt]|\s)+))"
    r"(?P<value>[^\s\"'\\`;|&]{4,})"
)
_PROGRAMS = {
    "option": re.compile(r"\b(?:curl|wget|https?|xh)\b"),
    "glued": re.compile(r"\b(?:mysql\w*|mariadb\S*|mycli|sshpass|7z|zip|unzip)\b"),
    "apart": re.compile(r"\b(?:sshpass|redis-cli|mongo\w*|(?:docker|podman|helm|az) (?:registry )?login)\b"),
}
_COMMAND_END = re.compile(r"(?<!\\)\n|[;|&]")
_LONGEST_COMMAND = 400
_LONGEST_OPTION = 40

_PASSWORDS = rf"pass(?:word|wd|phrase|code)|{_NO_LETTER}pwd|密码|密碼|口令|通行码|通行碼"
_TOKENS = r"token|令牌|權杖"
_KEY_OF = "api secret access private account master signing encryption".split()
_API_KEYS = (
    "(?:" + "|".join(rf"(?<={word})|(?<={word}[ _-])" for word in _KEY_OF) + ")key"
    rf"|(?:{_NO_LETTER}|(?<=client))secret|密钥|秘钥|密鑰|金鑰"
)
_WEAK = rf"{_NO_LETTER}(?:pass|pw)(?=\s*[:=：＝])"
_NAME = rf"(?:(?P<password>{_PASSWORDS})|(?P<token>{_TOKENS})|(?P<key>{_API_KEYS})|(?P<weak>{_WEAK}))"
_COPULA = r"(?:就|现在|現在|目前|还|還|一直|都)?(?:是|为|為|改成|改为|改為|换成|換成|设成|设为|設為)"
_NAMED = re.compile(
    rf"(?P<keep>{_NAME}(?P<closing>\\*[\"'])?"
    rf"(?P<sign>\s*(?::=|[=:：＝])\s*|\s*{_COPULA}\s*[:：]?\s*|\s+(?:is|was)\s+(?:now\s+)?|\s+|(?<=[码碼令牌杖钥鑰]))"
    r"(?P<open>\\*[\"'`“「『])?)"
    r"(?P<value>(?<=\\[\"'])(?:(?!\\+[\"'])[^\n]){4,}(?=\\+[\"'])"
    r"|(?<!\\.)(?<=\")(?:\\.|[^\"\\\n]){4,}(?=\")|(?<!\\.)(?<=')(?:\\.|[^'\\\n]){4,}(?=')|(?<=`)[^`\n]{4,}(?=`)"
    r"|(?<=[“「『])[^”」』\n]{2,40}(?=[”」』])"
    r"|[!#-&()*+\-./0-9:<=>?@A-Z\[\\\]^_a-z{|}~]{4,})",
    re.IGNORECASE,
)
_NAMES = re.compile("pass|pwd|pw|token|key|secret|密码|密碼|口令|通行码|通行碼|令牌|權杖|密钥|秘钥|密鑰|金鑰")
"""What each name begins with, in lower case: found quickly, and only there the whole pattern is tried."""
_NAME_AT_END = re.compile(rf"{_NAME}\Z", re.IGNORECASE)
_REFERENCE = re.compile(
    r"(?-i:\$[A-Z_{(])|%\w+%|[<{\[/]|\.{1,2}/|(?:os|process|self|config|settings|env|args)\.",
    re.IGNORECASE,
)
_BASE64 = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)[A-Za-z0-9+/]{40,}={0,2}")
_WORDS = frozenset(
    "str string bytes text none null true false undefined optional required empty wrong correct invalid valid needed"
    " secret hidden encrypted hashed expired missing unknown default int bool number object any self"
    " 必填 选填 可选 必需 错误 不正确 正确 默认 随机 加密 明文 密文".split()
)
_ALGORITHM = re.compile(
    r"(?:sha|md|aes|des|rsa|base|utf|hs|rs|ed|pbkdf|argon|oauth|http|v)[-_]?\d+(?:[-_/.]\w+)*", re.IGNORECASE
)
_CALL = re.compile(r"[A-Za-z_][\w.]*\((?:[^()]*\))?")
_END_MARKS = ".,;:!?()]}\\"
_SIGNS = (":", "=", "：", "＝")
_Hide = Callable[..., str]


def hide_secrets(text: str) -> tuple[str, list[str]]:
    """Returns the text with a placeholder for each secret, and the kind of each; it sees through escapes before a word."""
    kinds: list[str] = []

    def hide(kind: str, keep: str = "") -> str:
        kinds.append(kind)
        return keep + PLACEHOLDER.format(kind=kind)

    for kind, pattern in _PATTERNS:
        text = pattern.sub(lambda found, kind=kind: hide(kind, found.groupdict().get("keep") or ""), text)  # type: ignore[misc]
    text = _COOKIES.sub(lambda found: found["keep"] + _hide_cookies(found["value"], hide), text)
    text = _OPTION.sub(lambda found: _hide_option(found, hide), text)
    return _hide_all_named(text, hide), kinds


_PATTERNS = (
    ("private-key", _PEM),
    ("api-key", _KEYS),
    ("api-key", _SLACK_HOOK),
    ("token", _JWT),
    ("token", _BEARER),
    ("password", _URL_PASSWORD),
    ("token", _URL_SIGNATURE),
)


def secret_by_name(name: str, value: str) -> str:
    """Returns the kind of a secret that a value is by the name it has in a record; empty where it is none."""
    found = _NAME_AT_END.search(name.strip())
    if found is None or not _is_possible(value):
        return ""
    kind = _kind(found)
    return kind if kind == "password" or (not value.isdigit() and len(value) >= 8) else ""


def _kind(found: re.Match[str]) -> str:
    return "token" if found["token"] else "api-key" if found["key"] else "password"


def _hide_cookies(cookies: str, hide: _Hide) -> str:
    def one(found: re.Match[str]) -> str:
        is_attribute = found["name"].lower() in _COOKIE_ATTRIBUTES
        return found[0] if is_attribute else hide("token", f"{found['name']}=")

    return _COOKIE.sub(one, cookies)


def _hide_option(found: re.Match[str], hide: _Hide) -> str:
    """Hides what a command line gives as a password, if the program is one that takes it so."""
    before = _COMMAND_END.split(found.string[max(0, found.start() - _LONGEST_COMMAND) : found.start()])[-1]
    form = "option" if found["option"] else "glued" if found["glued"] else "apart"
    value = found["value"]
    if not _PROGRAMS[form].search(before) or _REFERENCE.match(value) or value.isdigit():
        return found[0]
    return hide("password", found["keep"])


def _hide_all_named(text: str, hide: _Hide) -> str:
    lower = text.lower()
    if len(lower) != len(text):  # İ has two characters in lower case
        lower = "".join(character.lower()[0] for character in text)
    parts, done = [], 0
    for name in _NAMES.finditer(lower):
        found = _NAMED.match(text, name.start()) if name.start() >= done else None
        if found and (hidden := _hide_named(found, hide)) != found[0]:
            parts += [text[done : found.start()], hidden]
            done = found.end()
    return "".join([*parts, text[done:]])


def _hide_named(found: re.Match[str], hide: _Hide) -> str:
    value = found["value"]
    secret = value.rstrip("\\" if found["open"] else _END_MARKS)
    if _is_call(found) or not _is_secret(secret, found):
        return found[0]
    kind = "password" if found["password"] else _kind(found)
    hidden = hide(kind)
    if found["closing"] == '"' and not found["open"]:  # a number in JSON: the placeholder is a text
        hidden = f'"{hidden}"'
    return found["keep"] + hidden + value[len(secret) :]


def _is_possible(value: str) -> bool:
    """Returns whether a value can be a secret at all: not too short, no word for a value, no reference to one."""
    if _BASE64.fullmatch(value):
        return True
    has_room = len(value) >= 4 or (len(value) >= 2 and not value.isascii())
    return has_room and not (_REFERENCE.match(value) or value.lower() in _WORDS or _ALGORITHM.fullmatch(value))


def _is_secret(value: str, found: re.Match[str]) -> bool:
    """Returns whether a named value is a secret: an assigned one nearly always, one that just follows if it looks it."""
    if not _is_possible(value):
        return False
    sign = found["sign"].strip()
    looks_secret = len(value) >= 6 and _looks_random(value)
    if found["weak"]:
        return looks_secret
    if sign[:1] in _SIGNS or (not sign and _is_option(found)):
        return bool(found["password"]) or (not value.isdigit() and len(value) >= 8)
    if sign and found["password"] and (found["open"] or (not sign.isascii() and _ends_clause(found))):
        return True
    is_number = not sign and not found["keep"].isascii() and value.isdigit() and len(value) >= 6
    return looks_secret or (is_number and _ends_clause(found))


def _is_option(found: re.Match[str]) -> bool:
    """Returns whether a name is an option on a command line: `--db-password VALUE`."""
    word = found.string[max(0, found.start() - _LONGEST_OPTION) : found.start()].split(" ")[-1]
    return word.lstrip("\"'([").startswith("--")


def _is_call(found: re.Match[str]) -> bool:
    """Returns whether the value is a program's call: `getpass()`, or `input("…` up to its first quote."""
    value = found["value"].rstrip(".,;:")
    is_open = value.endswith("(") and found.string[found.end() : found.end() + 1] in ("'", '"')
    return bool(_CALL.fullmatch(value)) and (is_open or value.endswith(")"))


def _ends_clause(found: re.Match[str]) -> bool:
    rest = found.string[found.end() :].lstrip("\\\"'`”」』 ")
    return not rest or rest[0] in "，。；！,;\n}了"


def _looks_random(value: str) -> bool:
    """Returns whether a word mixes letters with digits or signs, as no word of a language does."""
    has_letter = any(character.isalpha() for character in value)
    has_digit = any(character.isdigit() for character in value)
    return has_letter and (has_digit or any(character in "!@#$%^&*+=?~" for character in value))
