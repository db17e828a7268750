"""The rows of the memory file as entries, each with its text, and those that are no entries kept as they are."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from paicli.memory.entry import MemoryEntry, from_row, to_row
from paicli.memory.redaction import storable_json
from paicli.memory.stores.rows import RawRow, dump_row

_ID_LENGTH = 10
_OUR_KEYS = ("scope", "origin", "kind", "updated", "pinned", "expires", "source")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the file: its text, and the entry it stands for; None where it is not understood."""

    text: str
    entry: MemoryEntry | None


Rows = dict[str | int, Row]
"""Rows in the order of the file: by the entry's id, or by their number where they are not understood."""


def row_of(entry: MemoryEntry) -> Row:
    """Returns an entry's row."""
    return Row(dump_row(storable_json(to_row(entry))), entry)


def is_entry_row(value: object) -> bool:
    """Returns whether a value found in a damaged file is an entry's row, and no piece of one."""
    return isinstance(value, Mapping) and isinstance(value.get("content"), str) and ("id" in value or "type" in value)


def read_rows(raw_rows: Iterable[RawRow], *, drop_copies: bool = False) -> Rows:
    """Returns the rows of a file. Of two with the same id the later one gets another id.

    Args:
        raw_rows: As they stand in the file.
        drop_copies: Whether a row with the id and content of an earlier one is left out.
    """
    rows: Rows = {}
    twins: Counter[str] = Counter()
    for number, raw in enumerate(raw_rows):
        entry = _entry_or_none(raw)
        if entry is None:
            rows[number] = Row(raw.text, None)
        elif entry.id not in rows:
            rows[entry.id] = Row(raw.text, entry)
        elif not (drop_copies and rows[entry.id].entry == entry):
            twin = replace(entry, id=_free_id(entry.id, rows, twins))
            rows[twin.id] = row_of(twin)
    return rows


def entries_of(rows: Rows) -> list[MemoryEntry]:
    """Returns the entries of the rows that are understood."""
    return [row.entry for row in rows.values() if row.entry]


def restored(row: Row, known: MemoryEntry | None) -> Row:
    """Returns a row with what our keys said, where a program that does not know them has left them out."""
    if row.entry is None or known is None or known.content != row.entry.content:
        return row
    ours = {key: getattr(known, key) for key in _OUR_KEYS}
    return row_of(replace(row.entry, extra={**known.extra, **row.entry.extra}, **ours))


def lacks_our_keys(row: Row) -> bool:
    """Returns whether a row was written by a program that does not know our keys."""
    return row.entry is not None and '"scope"' not in row.text


def _entry_or_none(raw: RawRow) -> MemoryEntry | None:
    if not isinstance(raw.value, Mapping):
        return None
    try:
        value = storable_json(raw.value) if "\\u" in raw.text else raw.value
        if not value.get("id"):
            value = {**value, "id": _stable_id(str(value.get("content")))}
        return from_row(value)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None


def _stable_id(content: str) -> str:
    """Returns an id for a row without one, the same at each reading."""
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:_ID_LENGTH]


def _free_id(entry_id: str, rows: Rows, twins: Counter[str]) -> str:
    """Returns an id that no row has; `twins` counts those that were given, so that no number is tried again."""
    while True:
        twins[entry_id] += 1
        free = f"{entry_id}-{twins[entry_id] + 1}"
        if free not in rows:
            return free
