"""Shows earlier sessions: a list of them, what was said in one, and where they speak of something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from paicli.app import App
from paicli.cli.escape import one_line, visible
from paicli.cli.memory_view import print_json
from paicli.cli.render import summary
from paicli.cli.terminal import Terminal
from paicli.cli.wording import local_day, local_time, short_id
from paicli.memory.entry import format_time
from paicli.memory.past_talk import Found
from paicli.memory.session.past_message import PastMessage
from paicli.memory.stores.archive import TranscriptInfo, transcript_paths
from paicli.memory.stores.transcript import load_transcript

_MOST_LISTED = 20
_WORDS_LENGTH = 60
_PROJECT_LENGTH = 12
_CALL_LENGTH = 76
_LINES_SHOWN = 8
_CHARACTERS_SHOWN = 800
_SUMMARY_KINDS = ("summary", "undone", "evicted", "withdrawn", "clear", "resumed", "shrunk")


def print_sessions(terminal: Terminal, app: App, *, limit: int | None = None, as_json: bool = False) -> None:
    """Prints the sessions of all projects, newest first."""
    if as_json:
        print_json([_row(info) for info in islice(app.archive.sessions(), limit)])
        return
    shown = list(islice(app.archive.sessions(), limit or _MOST_LISTED))
    if not shown:
        terminal.note("sessions.none")
        return
    names = ("id", "spoken", "rounds", "project", "words")
    terminal.table([terminal.text(f"sessions.{name}") for name in names], [_cells(terminal, info) for info in shown])
    further = len(transcript_paths(app.sessions_folder)) - len(shown)
    if further > 0:
        terminal.note("memory.more", count=further)


def print_choice(terminal: Terminal, infos: Sequence[TranscriptInfo]) -> None:
    """Prints sessions with the numbers by which they can be chosen."""
    names = ("number", "spoken", "rounds", "project", "words")
    rows = [[str(number), *_cells(terminal, info)[1:]] for number, info in enumerate(infos, 1)]
    terminal.table([terminal.text(f"sessions.{name}") for name in names], rows)


def _cells(terminal: Terminal, info: TranscriptInfo) -> list[str]:
    running = f"({terminal.text('sessions.live')}) " if info.live else ""
    project = one_line(Path(info.root).name, _PROJECT_LENGTH) if info.root else ""
    words = running + one_line(info.first_words, _WORDS_LENGTH)
    return [info.id, local_time(info.spoken), str(info.messages), project, words]


def _row(info: TranscriptInfo) -> dict[str, Any]:
    return {
        "id": info.id,
        "started": format_time(info.started),
        "spoken": format_time(info.spoken),
        "messages": info.messages,
        "first_words": info.first_words,
        "project": info.project,
        "folder": info.folder,
        "live": info.live,
        "path": str(info.path),
    }


def print_session(
    terminal: Terminal,
    app: App,
    session_id: str,
    *,
    limit: int | None = None,
    full: bool = False,
    as_json: bool = False,
) -> int:
    """Prints what was said in a session, and what became of its window (the last `limit` records); returns the status.

    Raises:
        UnknownSession: There is none whose id begins so.
        AmbiguousSession: There are several.
        StoreUnavailable: The transcript can't be read.
    """
    loaded = load_transcript(app.archive.find(session_id).path)
    records = loaded.records
    if as_json:
        print_json(records[-limit:] if limit else records)
        return 0
    told = [record for record in records if record.get("kind") in ("message", *_SUMMARY_KINDS)]
    for record in told[-limit:] if limit else told:
        print_record(terminal, record, full=full)
    if loaded.damaged:
        terminal.note("sessions.damaged", style="warn", count=loaded.damaged)
    return 0


def print_record(terminal: Terminal, record: Mapping[str, Any], *, full: bool) -> None:
    """Prints a record of a transcript; a long text is cut unless it is wanted in full."""
    kind, text = record.get("kind"), str(record.get("text") or "")
    if kind == "summary":
        terminal.say("sessions.was-compressed", style="dim", count=len(record.get("replaces") or ()))
    elif kind != "message":
        ids, summary_id = record.get("ids") or (), str(record.get("summary") or "")
        values = {"count": len(ids), "summary": summary_id, "folder": str(record.get("cwd") or "")}
        terminal.say(f"sessions.was-{kind}", style="dim", **values)
        return
    speaker = str(record.get("role") or kind)
    name = f"{speaker} {record['tool_name']}" if record.get("tool_name") else speaker
    task = f"{record['task']} · " if record.get("task") else ""
    calls = [call for call in record.get("tool_calls") or () if isinstance(call, dict)]
    if text.strip() or not calls:
        shown = text if full else _shortened(terminal, text)
        terminal.line(f"{terminal.styled(one_line(task + name) + ':', 'bold')} {visible(shown)}")
    for call in calls:
        arguments = summary(str(call.get("arguments") or ""))
        terminal.line("  → " + one_line(f"{task}{call.get('name')} {arguments}", 0 if full else _CALL_LENGTH), "dim")


def _shortened(terminal: Terminal, text: str) -> str:
    lines = text.splitlines()
    if len(lines) <= _LINES_SHOWN and len(text) <= _CHARACTERS_SHOWN:
        return text
    start = "\n".join(lines[:_LINES_SHOWN])[:_CHARACTERS_SHOWN]
    return f"{start}\n{terminal.text('sessions.shortened', count=len(text) - len(start))}"


def print_found(terminal: Terminal, found: Found) -> None:
    """Prints what a search of the past came to: facts first, then what was said, each on a line or two."""
    for fact in found.facts:
        head = f"{local_day(fact.updated or fact.timestamp)}  {terminal.text('sessions.fact')}  {short_id(fact)}"
        terminal.line(f"{terminal.styled(head, 'dim')}  {one_line(fact.content)}")
    for hit in found.hits:
        terminal.line(terminal.styled(_head(hit.message), "dim"))
        terminal.line(f"  {one_line(hit.snippet)}")
    if found.hits:
        terminal.say("sessions.whole-entry", style="dim")


def print_past(terminal: Terminal, message: PastMessage) -> None:
    """Prints all of a past message."""
    terminal.line(_head(message), "dim")
    terminal.line(visible(message.text))


def _head(message: PastMessage) -> str:
    speaker = f"{message.role} {message.tool}".strip()
    return one_line(f"{local_time(message.moment)}  {speaker}  {message.session}  {message.id}")
