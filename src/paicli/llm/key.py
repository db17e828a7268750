"""API keys as people paste them: cleaned, checked, and shortened for showing."""

from __future__ import annotations

import string

from paicli.errors import ConfigError

_SHOWN_CHARACTERS = 4
_ALLOWED = frozenset(string.ascii_letters + string.digits + string.punctuation)


def clean_key(text: str, *, setting: str = "api_key") -> str:
    """Returns a key without the white space and quotes it was pasted with.

    Args:
        text: What was pasted.
        setting: Where it comes from, for the error: the name of a variable or option.

    Raises:
        ConfigError: Nothing is left, or it has a character that no key has and no header can carry.

    >>> clean_key(' "sk-0123456789abcdef"\\n')
    'sk-0123456789abcdef'
    """
    key = text.strip().strip("\"'\u201c\u201d\u2018\u2019\ufeff\u200b").strip()
    if key.lower().startswith("bearer "):
        key = key[len("bearer ") :].strip()
    if not key:
        raise ConfigError(key=setting, value="", reason="it is empty", problem="empty")
    for position, character in enumerate(key, 1):
        if character not in _ALLOWED:
            what = "white space" if character.isspace() else f"U+{ord(character):04X}"
            reason = f"character {position} of {len(key)} is {what}, which no key has; copy it again"
            problem = "key-space" if character.isspace() else "key-character"
            place = {"position": position, "length": len(key), "character": f"U+{ord(character):04X}"}
            raise ConfigError(key=setting, value=mask_key(key), reason=reason, problem=problem, **place)
    return key


def mask_key(key: str) -> str:
    """Returns what may be shown of a key: its last four characters, and nothing of a short one.

    >>> mask_key("sk-0123456789abcdef"), mask_key("short")
    ('…cdef', '…')
    """
    tail = key[-_SHOWN_CHARACTERS:] if len(key) >= 4 * _SHOWN_CHARACTERS else ""
    return "…" + "".join(character if character in _ALLOWED else "?" for character in tail)
