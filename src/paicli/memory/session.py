"""The records of a session's transcript: plain dicts, from which its window can be built again. Pure.

Every record has `v` (1), `kind` and `at` (UTC). The kinds:

    session     id, started, cwd, project, version      once, first
    message     id, type, role, text, …                 what was said, called and answered, whole
    summary     id, text, replaces                      a compression: the entries that the summary stands for
    evicted     ids                                     entries that left the window and wait to be summarised
    clear                                               the window was emptied
    extracted   up_to                                   facts were drawn out of all up to this entry
    usage       purpose, input, output, estimated       one model call, in tokens

A record of one task of a plan has the task's id as `task` besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

from paicli.memory.entry import MemoryEntry, MemoryType, format_time, new_id, parse_time
from paicli.memory.message import Message, Role, ToolCall, Usage

SessionRecord = dict[str, Any]
VERSION = 1


def new_session_id(now: datetime) -> str:
    """Returns an id like `20260131-094502-k3xq`: local time, then 4 random characters; sorts by time."""
    return f"{now.astimezone():%Y%m%d-%H%M%S}-{new_id()[:4]}"


def session_record(session_id: str, started: datetime, *, cwd: str, project: str = "", version: str) -> SessionRecord:
    """Returns the first record of a transcript.

    Args:
        session_id: The session's id.
        started: When it began.
        cwd: The folder it runs in.
        project: The scope of the project it runs in; empty outside of one.
        version: The version of paicli that writes it.
    """
    values = {"id": session_id, "started": format_time(started), "cwd": cwd, "project": project, "version": version}
    return _record("session", started, values)


def message_record(entry: MemoryEntry, *, text: str | None = None) -> SessionRecord:
    """Returns the record of a conversation entry; what it does not have is left out.

    Args:
        entry: The entry, as it stands in the window.
        text: The whole text, where the window has a shortened one; that one is then kept as `shown`.
    """
    message = entry.message
    shown = message.text if message else entry.content
    values: dict[str, Any] = {
        "id": entry.id,
        "type": entry.type.value,
        "role": message.role if message else "",
        "text": shown if text is None else text,
        "shown": shown if text not in (None, shown) else None,
        "content": entry.content if entry.content != shown else None,
        "metadata": dict(entry.metadata),
    }
    if message:
        values |= {
            "tool_calls": [{"id": c.id, "name": c.name, "arguments": c.arguments} for c in message.tool_calls],
            "call_id": message.call_id,
            "tool_name": message.tool_name,
            "thinking": message.thinking,
        }
    always = ("id", "type", "text")
    return _record("message", entry.timestamp, {k: v for k, v in values.items() if k in always or v})


def summary_record(summary: MemoryEntry, replaces: Sequence[str]) -> SessionRecord:
    """Returns the record of a compression: the summary, and the ids of the entries it stands for."""
    values = {"id": summary.id, "text": summary.content, "metadata": dict(summary.metadata), "replaces": list(replaces)}
    return _record("summary", summary.timestamp, values)


def evicted_record(ids: Sequence[str], at: datetime) -> SessionRecord:
    """Returns the record of an eviction."""
    return _record("evicted", at, {"ids": list(ids)})


def clear_record(at: datetime) -> SessionRecord:
    """Returns the record of an emptied window."""
    return _record("clear", at, {})


def extracted_record(up_to: str, at: datetime) -> SessionRecord:
    """Returns the record of an extraction that has dealt with all up to the entry `up_to`."""
    return _record("extracted", at, {"up_to": up_to})


def usage_record(purpose: str, usage: Usage, at: datetime) -> SessionRecord:
    """Returns the record of one model call's size in tokens."""
    values = {
        "purpose": purpose,
        "input": usage.input_tokens,
        "output": usage.output_tokens,
        "cached": usage.cached_tokens,
        "estimated": usage.estimated,
    }
    return _record("usage", at, values)


def entry_from_record(record: Mapping[str, Any]) -> MemoryEntry:
    """Returns the entry that a `message` or `summary` record stands for, as it stood in the window.

    Raises:
        ValueError: It is a record of another kind, or has no id, text or date.
    """
    try:
        is_summary = {"summary": True, "message": False}[record["kind"]]
        text = str(record.get("shown") or record["text"])
        return MemoryEntry(
            content=str(record.get("content") or text),
            type=MemoryType.SUMMARY if is_summary else MemoryType(record["type"]),
            id=str(record["id"]),
            timestamp=parse_time(record["at"]),
            metadata={str(key): str(value) for key, value in dict(record.get("metadata") or {}).items()},
            message=_message(record, text),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"Record {record.get('kind')!r} stands for no entry: {error!r}.") from error


def window_of(records: Iterable[Mapping[str, Any]]) -> tuple[list[MemoryEntry], list[MemoryEntry]]:
    """Returns the window that a transcript's records leave, and the entries that wait to be summarised."""
    window: dict[str, MemoryEntry] = {}
    waiting: dict[str, MemoryEntry] = {}
    for record in _of_the_session(records):
        kind = record.get("kind")
        if kind == "message":
            entry = entry_from_record(record)
            window[entry.id] = entry
        elif kind == "summary":
            gone = set(record.get("replaces") or ())
            summary = entry_from_record(record)
            waiting = {key: entry for key, entry in waiting.items() if key not in gone}
            window = {summary.id: summary} | {key: entry for key, entry in window.items() if key not in gone}
        elif kind == "evicted":
            waiting |= {key: window.pop(key) for key in record.get("ids") or () if key in window}
        elif kind == "clear":
            window, waiting = {}, {}
    return list(window.values()), list(waiting.values())


def unextracted_entries(records: Iterable[Mapping[str, Any]]) -> list[MemoryEntry]:
    """Returns the messages out of which no facts were drawn yet, in order."""
    entries: list[MemoryEntry] = []
    for record in _of_the_session(records):
        if record.get("kind") == "message":
            entries.append(entry_from_record(record))
        elif record.get("kind") == "extracted":
            ids = [entry.id for entry in entries]
            last = record.get("up_to")
            entries = entries[ids.index(last) + 1 :] if last in ids else []
    return entries


def _of_the_session(records: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yields the records of the session's own history: those of a plan's tasks have histories of their own."""
    return (record for record in records if not record.get("task"))


def _record(kind: str, at: datetime, values: Mapping[str, Any]) -> SessionRecord:
    return {"v": VERSION, "kind": kind, "at": format_time(at), **values}


def _message(record: Mapping[str, Any], text: str) -> Message | None:
    role: Role | None = next((role for role in get_args(Role) if role == record.get("role")), None)
    if role is None:
        return None
    calls = record.get("tool_calls") or ()
    return Message(
        role,
        text,
        tool_calls=tuple(ToolCall(str(c["id"]), str(c["name"]), str(c["arguments"])) for c in calls),
        call_id=str(record.get("call_id") or ""),
        tool_name=str(record.get("tool_name") or ""),
        thinking=str(record.get("thinking") or ""),
    )
