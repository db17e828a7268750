"""MemoryEntry, the one remembered thing, and its form in a file."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from paicli.memory.message import Message
from paicli.memory.tokens.estimate import estimate_tokens

USER_SCOPE = "user"
_E = TypeVar("_E", bound=StrEnum)
_ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 10


class MemoryType(StrEnum):
    """What an entry is."""

    CONVERSATION = "CONVERSATION"
    FACT = "FACT"
    SUMMARY = "SUMMARY"
    TOOL_RESULT = "TOOL_RESULT"


class Origin(StrEnum):
    """Who an entry is from: how far it can be trusted."""

    USER = "user"
    """Said or saved by the user in so many words."""
    MODEL = "model"
    """Drawn out of what the user said."""
    TOOL = "tool"
    IMPORT = "import"


class FactKind(StrEnum):
    """What a fact speaks of."""

    RULE = "rule"
    PREFERENCE = "preference"
    PROFILE = "profile"
    DECISION = "decision"
    PROJECT = "project"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a fact comes from: session id, message (entry) id, and the words of it that say so."""

    session: str = ""
    message: str = ""
    quote: str = ""


def new_id() -> str:
    """Returns a random id of 10 characters without look-alikes (49 bits): unique among 100 000 entries, short to type in part."""
    return "".join(secrets.choice(_ID_ALPHABET) for _ in range(_ID_LENGTH))


def utc_now() -> datetime:
    """Returns the present moment, aware, in UTC."""
    return datetime.now(UTC)


class ReadOnly(dict[str, Any]):
    """A dict that can't be changed: what an entry says is changed by a copy, which is stored."""

    def _refuse(self, *args: object, **values: object) -> Any:  # noqa: ANN401, ARG002 - stands for all that changes a dict
        raise TypeError("An entry can't be changed: make a changed copy with dataclasses.replace, and store it.")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[ReadOnly], tuple[dict[str, Any]]]:
        return ReadOnly, (dict(self),)


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One remembered thing. Immutable; `replace` from `dataclasses` makes a changed copy.

    Args:
        content: The text.
        type: What it is.
        id: Unique among the entries of a memory.
        timestamp: When it was first said. A naive value is taken as local time; kept in UTC.
        metadata: Further values, text to text, read-only; `search` looks into them.
        token_count: Size in tokens by `estimate_tokens`, calls of the message included; computed where absent.
        scope: Where it applies: `"user"`, or `"project:ID"`.
        origin: Who it is from; None where that is not known.
        kind: What a fact speaks of; None where nobody has said.
        updated: When it was last changed or said again; None where it never was.
        pinned: Whether it belongs into every context block.
        expires: From when on it does not apply any more; None for never.
        source: Where a fact comes from.
        message: The message a conversation entry stands for.
        extra: Keys of its row in a file that this version does not know.

    Raises:
        TypeError: `content` is no text, or a key or value of `metadata` is none.
    """

    content: str
    type: MemoryType
    id: str = field(default_factory=new_id)
    timestamp: datetime = field(default_factory=utc_now)
    metadata: Mapping[str, str] = field(default_factory=dict, hash=False)
    token_count: int = -1
    _: KW_ONLY
    scope: str = USER_SCOPE
    origin: Origin | None = None
    kind: FactKind | None = None
    updated: datetime | None = None
    pinned: bool = False
    expires: datetime | None = None
    source: Provenance | None = None
    message: Message | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.content, str):
            raise TypeError(f"MemoryEntry 'content' has value {self.content!r}: not a text.")
        object.__setattr__(self, "type", MemoryType(self.type))
        object.__setattr__(self, "metadata", _texts(self.metadata))
        object.__setattr__(self, "extra", ReadOnly(self.extra))
        object.__setattr__(self, "timestamp", self.timestamp.astimezone(UTC))
        if self.token_count is None or self.token_count < 0:
            object.__setattr__(self, "token_count", self._estimate())

    def _estimate(self) -> int:
        calls = self.message.tool_calls if self.message else ()
        return estimate_tokens(self.content) + sum(estimate_tokens(call.name + call.arguments) for call in calls)

    def with_content(self, content: str, *, at: datetime | None = None) -> MemoryEntry:
        """Returns a copy that says `content`, updated `at` (now where None); the first date stays."""
        return replace(self, content=content, token_count=-1, updated=at or utc_now())

    def is_current(self, now: datetime) -> bool:
        """Returns whether the entry still applies at `now`."""
        return self.expires is None or now < self.expires


def _texts(metadata: Mapping[str, str] | None) -> ReadOnly:
    """Returns metadata that can't be changed any more. TypeError where one of them is no text."""
    if metadata is not None and not isinstance(metadata, Mapping):
        raise TypeError(f"MemoryEntry 'metadata' has value {metadata!r}: not a mapping of texts to texts.")
    for key, value in (metadata or {}).items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise TypeError(f"MemoryEntry 'metadata' has {key!r}: {value!r}; key and value must be texts.")
    return ReadOnly(metadata or {})


def to_row(entry: MemoryEntry) -> dict[str, Any]:
    """Returns the entry as a row of the memory file: the original's six keys, then ours where they say something."""
    row: dict[str, Any] = {
        "id": entry.id,
        "content": entry.content,
        "type": entry.type.value,
        "timestamp": format_time(entry.timestamp),
        "metadata": dict(entry.metadata),
        "tokenCount": entry.token_count,
        "scope": entry.scope,
    }
    optional: dict[str, Any] = {
        "origin": entry.origin and entry.origin.value,
        "kind": entry.kind and entry.kind.value,
        "updated": entry.updated and format_time(entry.updated),
        "pinned": entry.pinned or None,
        "expires": entry.expires and format_time(entry.expires),
        "source": entry.source and {key: value for key, value in _provenance_row(entry.source).items() if value},
    }
    row |= {key: value for key, value in optional.items() if value is not None}
    return row | {key: value for key, value in entry.extra.items() if key not in row}


def from_row(row: Mapping[str, Any]) -> MemoryEntry:
    """Returns the entry a row of the memory file stands for.

    A date that is missing or can't be read becomes the year 1970: the entry stays usable and never wins by being odd.

    Raises:
        ValueError: The row has no text as content, or a type that does not exist.
    """
    content = row.get("content")
    if not isinstance(content, str) or not content.strip():
        raise ValueError(f"Row {row.get('id')!r} has content {content!r}: not a text.")
    metadata = row.get("metadata")
    count = row.get("tokenCount")
    return MemoryEntry(
        content=content,
        type=MemoryType(row.get("type", MemoryType.FACT)),
        id=str(row.get("id") or new_id()),
        timestamp=_time_or_none(row.get("timestamp")) or datetime.fromtimestamp(0, UTC),
        metadata={str(key): str(value) for key, value in metadata.items()} if isinstance(metadata, Mapping) else {},
        token_count=count if isinstance(count, int) and not isinstance(count, bool) else -1,
        scope=str(row.get("scope") or USER_SCOPE),
        origin=_member(Origin, row.get("origin")),
        kind=_member(FactKind, row.get("kind")),
        updated=_time_or_none(row.get("updated")),
        pinned=row.get("pinned") is True,
        expires=_time_or_none(row.get("expires")),
        source=_provenance(row.get("source")),
        extra={key: value for key, value in row.items() if key not in _KNOWN_KEYS},
    )


_KNOWN_KEYS = frozenset(
    "id content type timestamp metadata tokenCount scope origin kind updated pinned expires source".split()
)


def format_time(moment: datetime) -> str:
    """Returns a moment as ISO 8601 in UTC with `Z`, which Java's `Instant.parse` reads too."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """Returns the moment an ISO 8601 text names; without an offset it is local time.

    Raises:
        ValueError: The text is no date.
    """
    return datetime.fromisoformat(text.strip()).astimezone(UTC)


def _time_or_none(value: object) -> datetime | None:
    if isinstance(value, str):
        try:
            return parse_time(value)
        except (ValueError, OverflowError):
            return None
    return None


def _member(kind: type[_E], value: object) -> _E | None:
    return kind(value) if isinstance(value, str) and value in kind._value2member_map_ else None


def _provenance(value: object) -> Provenance | None:
    if not isinstance(value, Mapping):
        return None
    return Provenance(*(str(value.get(key) or "") for key in ("session", "message", "quote")))


def _provenance_row(source: Provenance) -> dict[str, str]:
    return {"session": source.session, "message": source.message, "quote": source.quote}
