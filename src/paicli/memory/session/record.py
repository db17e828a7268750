"""The records of a session's transcript: plain dicts, from which its window can be built again. Pure.

Every record has `v` (1), `kind` and `at` (UTC). The kinds:

    session     id, started, cwd, project, root, version  comes first; once: true in a run that answers one question
    resumed     cwd, project, root, version             the session was taken up again, maybe somewhere else
    message     id, type, role, text, …                 what was said, called and answered, whole
    summary     id, text, replaces                      a compression: the entries that the summary stands for
    undone      summary                                 the compression of this summary was taken back
    shrunk      ids, texts, metadata                    tool results of which the window shows less from now on
    window      ids, waiting                            what the window holds from now on, and what waits
    evicted     ids                                     entries that left the window and wait to be summarised
    withdrawn   ids                                     messages taken back out of the window: nothing came back to them
    block       text, marks, after, first               what the system message says of long-term memory from now on
    clear                                               the window was emptied
    forgotten                                           nothing said so far is to be found again
    extracted   up_to                                   facts were drawn out of all up to this entry
    usage       purpose, input, output, estimated       one model call, in tokens

A record of one task of a plan has the task's id as `task` besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, get_args

from paicli.memory.entry import MemoryEntry, MemoryType, format_time, new_id, parse_time
from paicli.memory.message import Message, Role, ToolCall, Usage

SessionRecord = dict[str, Any]
VERSION = 1


def new_session_id(now: datetime) -> str:
    """Returns an id like `20260131-094502-k3xq`: local time, then 4 random characters; sorts by time."""
    return f"{now.astimezone():%Y%m%d-%H%M%S}-{new_id()[:4]}"


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a session runs.

    Args:
        cwd: The folder.
        project: The scope of the project; empty outside of one, and where it is not yet registered.
        root: The project's folder; empty outside of one.
        version: The version of paicli.
    """

    cwd: str = ""
    project: str = ""
    root: str = ""
    version: str = ""


def session_record(session_id: str, started: datetime, where: Whereabouts) -> SessionRecord:
    """Returns the first record of a transcript."""
    return _record("session", started, {"id": session_id, "started": format_time(started), **asdict(where)})


def resumed_record(at: datetime, where: Whereabouts) -> SessionRecord:
    """Returns the record that a session was taken up again."""
    return _record("resumed", at, asdict(where))


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


def undone_record(summary_id: str, at: datetime) -> SessionRecord:
    """Returns the record that the compression of a summary was taken back."""
    return _record("undone", at, {"summary": summary_id})


def shrunk_record(entries: Sequence[MemoryEntry], at: datetime) -> SessionRecord:
    """Returns the record of entries of which the window shows less from now on: the entries as it shows them."""
    values = {
        "ids": [entry.id for entry in entries],
        "texts": [entry.content for entry in entries],
        "metadata": [dict(entry.metadata) for entry in entries],
    }
    return _record("shrunk", at, values)


def evicted_record(ids: Sequence[str], at: datetime) -> SessionRecord:
    """Returns the record of an eviction."""
    return _record("evicted", at, {"ids": list(ids)})


def window_record(window: Iterable[str], waiting: Iterable[str], at: datetime) -> SessionRecord:
    """Returns the record of what the window holds from now on, of what was in it or waits."""
    return _record("window", at, {"ids": list(window), "waiting": list(waiting)})


def withdrawn_record(ids: Sequence[str], at: datetime) -> SessionRecord:
    """Returns the record of messages that were taken back out of the window, because nothing came back to them."""
    return _record("withdrawn", at, {"ids": list(ids)})


def block_record(state: Mapping[str, Any], at: datetime) -> SessionRecord:
    """Returns the record of what the system message says of long-term memory from now on; see `RecallFeed.state`."""
    return _record("block", at, state)


def clear_record(at: datetime) -> SessionRecord:
    """Returns the record of an emptied window."""
    return _record("clear", at, {})


def forgotten_record(at: datetime) -> SessionRecord:
    """Returns the record that nothing of what was said so far is to be found again."""
    return _record("forgotten", at, {})


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
