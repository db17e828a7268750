"""Shows earlier sessions: a list of them, what was said in one, and where they speak of something."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paicli.cli.escape import one_line, visible
from paicli.cli.memory_view import print_json
from paicli.cli.terminal import Terminal
from paicli.cli.wording import local_time
from paicli.memory.entry import format_time
from paicli.memory.stores.transcript import TranscriptInfo, list_transcripts, read_transcript
from paicli.memory.words import MemoryQueryTokenizer

_MOST_LISTED = 20
_MOST_MENTIONS = 10
_AROUND_MENTION = 120


def print_sessions(terminal: Terminal, home: Path, *, limit: int | None = None, as_json: bool = False) -> None:
    """Prints the earlier sessions, newest first."""
    infos = list_transcripts(home / "sessions")
    shown = infos[: limit or (None if as_json else _MOST_LISTED)]
    if as_json:
        print_json([_row(info) for info in shown])
        return
    if not infos:
        terminal.note("session.sessions-none")
        return
    headings = [terminal.text(f"session.{name}") for name in ("session", "started", "messages", "project")]
    terminal.table(headings, [_cells(terminal, info) for info in shown])
    if len(shown) < len(infos):
        terminal.note("memory.more", count=len(infos) - len(shown))


def _cells(terminal: Terminal, info: TranscriptInfo) -> list[str]:
    project = info.project + (f" ({terminal.text('session.live')})" if info.live else "")
    return [info.id, local_time(info.started), str(info.messages), project.strip()]


def _row(info: TranscriptInfo) -> dict[str, Any]:
    return {
        "id": info.id,
        "started": format_time(info.started),
        "messages": info.messages,
        "project": info.project,
        "live": info.live,
        "path": str(info.path),
    }


def print_session(
    terminal: Terminal, home: Path, session_id: str, *, limit: int | None = None, as_json: bool = False
) -> int:
    """Prints what was said in a session (the last `limit` records); returns the exit status."""
    infos = list_transcripts(home / "sessions")
    fitting = [info for info in infos if info.id.startswith(session_id)]
    if len(fitting) != 1:
        terminal.note("session.session-unknown", style="bad", id=session_id)
        return 1
    records = read_transcript(fitting[0].path)
    if as_json:
        print_json(records[-limit:] if limit else records)
        return 0
    said = [record for record in records if record.get("kind") == "message"]
    for record in said[-limit:] if limit else said:
        _print_message(terminal, record)
    return 0


def _print_message(terminal: Terminal, record: dict[str, Any]) -> None:
    speaker = one_line(str(record.get("role") or "?"))
    calls = " ".join(str(call.get("name")) for call in record.get("tool_calls") or () if isinstance(call, dict))
    terminal.line(terminal.styled(f"{speaker}:", "bold") + f" {visible(str(record.get('text') or ''))}")
    if calls:
        terminal.line(f"  → {one_line(calls)}", "dim")


def print_mentions(terminal: Terminal, folder: Path, query: str, *, but: str = "") -> None:
    """Prints where earlier sessions, all but one, speak of a text; newest first."""
    found = False
    for count, (info, role, text) in enumerate(_mentions(folder, query, but)):
        if count == _MOST_MENTIONS:
            break
        found = True
        head = terminal.styled(f"{local_time(info.started)}  {role}", "dim")
        terminal.line(f"{head}  {_excerpt(text, query)}")
    if not found:
        terminal.note("session.recall-none", query=query)


def _mentions(folder: Path, query: str, but: str) -> Iterator[tuple[TranscriptInfo, str, str]]:
    words = set(MemoryQueryTokenizer.tokenize(query))
    for info in list_transcripts(folder):
        if info.id == but:
            continue
        for record in reversed(read_transcript(info.path)):
            role, text = str(record.get("role") or ""), str(record.get("text") or "")
            if record.get("kind") != "message" or role not in ("user", "assistant"):
                continue
            if query.casefold() in text.casefold() or (words and words.issubset(MemoryQueryTokenizer.tokenize(text))):
                yield info, role, text


def _excerpt(text: str, query: str) -> str:
    """Returns the part of a text around its mention of the query, on one line."""
    line = one_line(text)
    at = line.casefold().find(query.casefold())
    start = max(0, at - _AROUND_MENTION // 4)
    end = start + _AROUND_MENTION
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")
