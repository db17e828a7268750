"""Plays a transcript back: what its records leave of the window, and what of it is still to be extracted. Pure.

A record that can't be replayed, because something in it has the wrong type, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from paicli.memory.entry import MemoryEntry
from paicli.memory.session.record import entry_from_record

_Shape = Mapping[str, Callable[[object], bool]]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _are_mappings(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, Mapping) for item in value)


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_SHAPES: Mapping[str, _Shape] = {
    "message": {"tool_calls": _are_mappings},
    "summary": {"replaces": _are_texts},
    "undone": {"summary": _is_text},
    "shrunk": {"ids": _are_texts, "texts": _are_texts, "metadata": _are_mappings},
    "window": {"ids": _are_texts, "waiting": _are_texts},
    "evicted": {"ids": _are_texts},
    "withdrawn": {"ids": _are_texts},
    "block": {"text": _is_text, "marks": _are_texts, "after": _is_text, "first": _is_text},
    "extracted": {"up_to": _is_text},
    "usage": {"input": _is_size, "output": _is_size, "cached": _is_size},
}
"""The types of what the records hold, where it is there; what is not listed may be anything."""


def window_of(records: Iterable[Mapping[str, Any]]) -> tuple[list[MemoryEntry], list[MemoryEntry]]:
    """Returns the window that a transcript's records leave, and the entries that wait to be summarised."""
    replay = _Replay()
    for record in of_the_session(records):
        replay.take(record)
    return list(replay.window.values()), list(replay.waiting.values())


class _Replay:
    """A window to which happens again what once happened to it."""

    def __init__(self) -> None:
        self.window: dict[str, MemoryEntry] = {}
        self.waiting: dict[str, MemoryEntry] = {}
        self._before: dict[str, tuple[dict[str, MemoryEntry], dict[str, MemoryEntry], set[str]]] = {}
        self._kinds: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            "message": self._message,
            "summary": self._summary,
            "undone": self._undone,
            "shrunk": self._shrunk,
            "evicted": self._evicted,
            "withdrawn": self._withdrawn,
            "window": self._window,
            "clear": self._clear,
        }

    def take(self, record: Mapping[str, Any]) -> None:
        happen = self._kinds.get(str(record.get("kind")))
        if happen and is_sound(record):
            happen(record)

    def _message(self, record: Mapping[str, Any]) -> None:
        entry = entry_from_record(record)
        self.window[entry.id] = entry

    def _summary(self, record: Mapping[str, Any]) -> None:
        gone = set(record.get("replaces") or ())
        summary = entry_from_record(record)
        self._before[summary.id] = (self.window, self.waiting, gone)
        self.waiting = {key: entry for key, entry in self.waiting.items() if key not in gone}
        self.window = {summary.id: summary} | {key: entry for key, entry in self.window.items() if key not in gone}

    def _undone(self, record: Mapping[str, Any]) -> None:
        summary = str(record.get("summary"))
        if summary in self._before:
            window, waiting, gone = self._before.pop(summary)
            before, there = window.keys() | waiting.keys(), gone | self.window.keys() | self.waiting.keys()
            later = {key: entry for key, entry in self.window.items() if key not in before and key != summary}
            waiting_later = {key: entry for key, entry in self.waiting.items() if key not in before}
            self.window = {key: entry for key, entry in window.items() if key in there} | later
            self.waiting = {key: entry for key, entry in waiting.items() if key in there} | waiting_later

    def _shrunk(self, record: Mapping[str, Any]) -> None:
        texts, details = record.get("texts") or (), record.get("metadata") or ()
        for key, text, metadata in zip(record.get("ids") or (), texts, details, strict=False):
            if key in self.window:
                self.window[key] = _showing(self.window[key], str(text), metadata)

    def _window(self, record: Mapping[str, Any]) -> None:
        there = self.window | self.waiting
        self.window = {key: there[key] for key in record.get("ids") or () if key in there}
        self.waiting = {key: there[key] for key in record.get("waiting") or () if key in there}

    def _evicted(self, record: Mapping[str, Any]) -> None:
        self.waiting |= {key: self.window.pop(key) for key in record.get("ids") or () if key in self.window}

    def _withdrawn(self, record: Mapping[str, Any]) -> None:
        for key in record.get("ids") or ():
            self.window.pop(key, None)

    def _clear(self, _: Mapping[str, Any]) -> None:
        self.window, self.waiting = {}, {}
        self._before.clear()


def _showing(entry: MemoryEntry, text: str, metadata: Mapping[str, str]) -> MemoryEntry:
    message = entry.message and replace(entry.message, text=text)
    texts = {str(key): str(value) for key, value in metadata.items()}
    return replace(entry, content=text, message=message, metadata=texts, token_count=-1)


def block_of(records: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Returns the `block` record that holds at the end of a transcript; an empty one where there is none."""
    block: Mapping[str, Any] = {}
    for record in of_the_session(records):
        if record.get("kind") in ("block", "clear"):
            block = record if record["kind"] == "block" else {}
    return block


def unextracted_entries(records: Iterable[Mapping[str, Any]]) -> list[MemoryEntry]:
    """Returns the messages out of which no facts were drawn yet, in order."""
    entries: list[MemoryEntry] = []
    for record in of_the_session(records):
        if record.get("kind") == "message":
            entries += [entry_from_record(record)] if is_sound(record) else []
        elif record.get("kind") == "withdrawn":
            entries = [entry for entry in entries if entry.id not in set(record.get("ids") or ())]
        elif record.get("kind") == "extracted":
            ids = [entry.id for entry in entries]
            last = record.get("up_to")
            entries = entries[ids.index(last) + 1 :] if last in ids else []
    return entries


def is_cleared(records: Iterable[Mapping[str, Any]]) -> bool:
    """Returns whether the window was emptied by the user and nothing was said since."""
    kinds = [record.get("kind") for record in of_the_session(records)]
    return next((kind == "clear" for kind in reversed(kinds) if kind in ("message", "clear")), False)


def is_sound(record: Mapping[str, Any]) -> bool:
    """Returns whether a record can be replayed: what it holds has the right types, and it has an entry where it should."""
    if not _has_shape(record):
        return False
    if record.get("kind") in ("message", "summary"):
        try:
            entry_from_record(record)
        except (ValueError, OverflowError, RecursionError):
            return False
    return True


def _has_shape(record: Mapping[str, Any]) -> bool:
    shape = _SHAPES.get(str(record.get("kind")), {})
    return all(fits(record[name]) for name, fits in shape.items() if name in record)


def of_the_session(records: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yields the records of the session's own history: those of a plan's tasks have histories of their own."""
    return (record for record in records if not record.get("task") and _has_shape(record))
