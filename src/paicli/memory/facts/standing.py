"""Which facts stand in every context block, and which of them come first."""

from __future__ import annotations

import re
from collections.abc import Iterable

from paicli.memory.entry import FactKind, MemoryEntry, MemoryType, Origin
from paicli.memory.facts.kind import kind_of

_PLACEHOLDER = re.compile(r"\[redacted:[\w-]+\]")
_NAMES_OF_SECRETS = re.compile(
    r"\b(?:(?:the|my|our|user'?s?|is|are|a|an|this|that|here|remember|note|api|key|token|secret|password|passwd|private)\b)"
    r"|用户|我|的|是|为|请|记住|记一下|密钥|令牌|口令|密码|私钥",
    re.IGNORECASE,
)


def standing(entry: MemoryEntry) -> int | None:
    """Returns the rank of a fact among those that stand in every block: 0 pinned, 1 rules, 2 preferences; None for others.

    What the user saved in so many words without a word of what it is about counts as a preference.
    """
    if entry.type is not MemoryType.FACT or says_only_placeholders(entry.content):
        return None
    kind = kind_of(entry)
    if entry.pinned:
        return 0
    if kind is FactKind.RULE:
        return 1
    if kind in (FactKind.PREFERENCE, FactKind.DECISION) or (kind is FactKind.OTHER and entry.origin is Origin.USER):
        return 2
    return None


def standing_order(rank: int, entry: MemoryEntry) -> tuple[int, float, str]:
    """Returns the sort key of a standing fact: by rank, of equals the newest first."""
    return rank, -(entry.updated or entry.timestamp).timestamp(), entry.id


def standing_first(entries: Iterable[MemoryEntry]) -> list[MemoryEntry]:
    """Returns the facts that stand in every block, most important first: pinned, rules, then the newest preferences."""
    ranked = ((standing(entry), entry) for entry in entries)
    keyed = [(standing_order(rank, entry), entry) for rank, entry in ranked if rank is not None]
    return [entry for _, entry in sorted(keyed, key=lambda pair: pair[0])]


def says_only_placeholders(text: str) -> bool:
    """Returns whether nothing is left of a text but the places of secrets, and words for what stood there.

    >>> says_only_placeholders("我的密钥是 [redacted:api-key]"), says_only_placeholders("the db listens on port 5432")
    (True, False)
    """
    rest, placeholders = _PLACEHOLDER.subn(" ", text)
    return placeholders > 0 and not any(character.isalnum() for character in _NAMES_OF_SECRETS.sub(" ", rest))
