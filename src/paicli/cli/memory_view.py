"""Shows entries of the long-term memory and what happened to them; used by the shell's commands and the CLI's."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from paicli.cli.escape import one_line
from paicli.cli.terminal import Terminal
from paicli.cli.wording import local_day, local_time, scope_name, short_id
from paicli.memory.change import Change, ChangeKind
from paicli.memory.context_block import ContextBlock
from paicli.memory.entry import MemoryEntry, to_row
from paicli.memory.scope import Scopes
from paicli.memory.search.scoring import ScoredEntry
from paicli.memory.stores.rows import dump_json

if TYPE_CHECKING:
    from paicli.app import App

TEXT_LENGTH = 60
_MOST_ELSEWHERE = 100


def print_json(value: object) -> None:
    """Prints a value as JSON, in ASCII where stdout can't show all characters."""
    universal = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    sys.stdout.write(dump_json(value, ensure_ascii=not universal) + "\n")


def scored_row(scored: ScoredEntry) -> dict[str, Any]:
    """Returns an entry as the file holds it, with its score and the parts that make it."""
    parts = {
        "score": scored.score,
        "match": scored.match,
        "recency": scored.recency,
        "sourceWeight": scored.source_weight,
        "share": scored.share,
    }
    return to_row(scored.entry) | parts


def print_entries(terminal: Terminal, entries: Sequence[MemoryEntry], scopes: Scopes, limit: int | None = None) -> None:
    """Prints entries, the newest last where they are in order, so that it stands next to the prompt."""
    shown = entries if limit is None else entries[-limit:]
    headings = [terminal.text(f"memory.{name}") for name in ("id", "scope", "date", "content")]
    terminal.table(headings, [_cells(terminal, entry, scopes) for entry in shown])
    if len(shown) < len(entries):
        terminal.note("memory.more", count=len(entries) - len(shown))


def print_scored(terminal: Terminal, found: Iterable[ScoredEntry], scopes: Scopes) -> None:
    """Prints entries with their scores, best first."""
    headings = [terminal.text(f"memory.{name}") for name in ("score", "id", "scope", "date", "content")]
    rows = [[f"{scored.score:.2f}", *_cells(terminal, scored.entry, scopes)] for scored in found]
    terminal.table(headings, rows)


def print_no_hit(terminal: Terminal, app: App, query: str, *, command: str, everywhere: bool) -> None:
    """Says that nothing was found; where other projects have something, how to see that."""
    elsewhere = 0 if everywhere else len(app.search(query, _MOST_ELSEWHERE, all_scopes=True))
    if elsewhere:
        terminal.note("memory.hits-elsewhere", query=query, count=elsewhere, command=f"{command} --all")
    else:
        terminal.note("memory.no-hit", query=query)


def print_block(terminal: Terminal, block: ContextBlock, scopes: Scopes) -> None:
    """Prints what a question would carry along: what always goes along, then what it recalls, best first."""
    headings = [terminal.text(f"memory.{name}") for name in ("score", "id", "scope", "date", "content")]
    always = terminal.text("session.why-core")
    rows = [[always, *_cells(terminal, entry, scopes)] for entry in block.core]
    rows += [[f"{found.score:.2f}", *_cells(terminal, found.entry, scopes)] for found in block.recalled]
    terminal.table(headings, rows)


def _cells(terminal: Terminal, entry: MemoryEntry, scopes: Scopes) -> list[str]:
    scope = scope_name(entry.scope, scopes, terminal.language)
    return [short_id(entry), scope, local_day(entry.updated or entry.timestamp), one_line(entry.content)]


def print_entry(terminal: Terminal, entry: MemoryEntry, scopes: Scopes, place: str) -> None:
    """Prints all that is known of an entry."""
    for name, value in _properties(terminal, entry, scopes, place).items():
        if value:
            terminal.line(f"{terminal.styled(terminal.text(f'memory.show-{name}'), 'dim')}: {value}")


def _properties(terminal: Terminal, entry: MemoryEntry, scopes: Scopes, place: str) -> Mapping[str, str]:
    source = entry.source
    return {
        "id": one_line(entry.id),
        "content": one_line(entry.content),
        "scope": scope_name(entry.scope, scopes, terminal.language),
        "kind": terminal.text(f"memory.kind-{entry.kind.value}") if entry.kind else "",
        "origin": terminal.text(f"memory.origin-{entry.origin.value}") if entry.origin else "",
        "created": local_time(entry.timestamp),
        "updated": local_time(entry.updated) if entry.updated else "",
        "source": one_line(source.session) if source else "",
        "quote": one_line(source.quote) if source else "",
        "metadata": one_line(", ".join(f"{key}={value}" for key, value in entry.metadata.items())),
        "place": one_line(place),
    }


def print_change_taken_back(terminal: Terminal, change: Change, undo: str, scopes: Scopes) -> None:
    """Prints what an undo has done, and where the fact applies."""
    entry = change.before or change.entry
    scope = scope_name(entry.scope, scopes, terminal.language)
    if change.kind is ChangeKind.ADDED and change.before:
        was = one_line(change.entry.content, TEXT_LENGTH)
        terminal.say("memory.undo-edited", style="warn", was=was, undo=undo, **labels(entry))
    else:
        terminal.say(f"memory.undo-{change.kind.value}", style="good", scope=scope, **labels(entry))


def labels(entry: MemoryEntry) -> dict[str, str]:
    """Returns the values by which sentences name an entry: its short id and its text on one line."""
    return {"id": short_id(entry), "text": one_line(entry.content, TEXT_LENGTH)}


def print_receipt(terminal: Terminal, receipt: ContextBlock, *, was_sent: bool = True) -> None:
    """Prints what a request carried of long-term memory, or would have, and why each entry was chosen."""
    terminal.say("session.why-title" if was_sent else "session.why-title-alone", tokens=receipt.tokens)
    for entry in receipt.core:
        _print_reason(terminal, entry, terminal.text("session.why-core"))
    for scored in receipt.recalled:
        parts = {"match": scored.match, "recency": scored.recency, "weight": scored.source_weight}
        _print_reason(terminal, scored.entry, terminal.text("session.why-recalled", score=scored.score, **parts))
    if receipt.skipped:
        terminal.say("session.why-skipped", style="dim", count=len(receipt.skipped))


def _print_reason(terminal: Terminal, entry: MemoryEntry, reason: str) -> None:
    terminal.line(f"  {short_id(entry)}  {one_line(entry.content)}  {terminal.styled(f'({reason})', 'dim')}")
