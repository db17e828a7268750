"""The commands about memory: /memory with its actions, /save, /why, /cost, /recall."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress

from paicli.cli.commands import MEMORY_ACTIONS, nearest
from paicli.cli.dialogue import Dialogue
from paicli.cli.memory_view import (
    labels,
    print_change_taken_back,
    print_entries,
    print_entry,
    print_no_hit,
    print_receipt,
    print_scored,
)
from paicli.cli.session_view import print_found, print_past
from paicli.cli.wording import scope_name
from paicli.errors import StoreError

_MOST_LISTED = 50
_MOST_FOUND = 10
_ALL = ("all", "全部")
_READING = frozenset(("list", "search", "show", "forget"))
_EVERYWHERE = "--all"
_ENTRY_ID = re.compile(r"[2-9a-hjkmnp-z]{10}")


def memory(dialogue: Dialogue, rest: str) -> None:
    """/memory: the status, or one of its actions."""
    action, _, argument = rest.partition(" ")
    name = action.casefold()
    if not name:
        _status(dialogue)
    elif name in _ACTIONS:
        if name not in _READING or _is_readable(dialogue):
            _ACTIONS[name](dialogue, argument.strip())
    else:
        meant = nearest(name, MEMORY_ACTIONS)
        hint = dialogue.terminal.text("commands.meant", name=f"/memory {meant}") if meant else ""
        dialogue.terminal.note("commands.unknown", style="warn", name=f"memory {action}", hint=hint)


def _is_readable(dialogue: Dialogue) -> bool:
    """Says why the memory can't be read, if so; returns whether there is anything to show all the same."""
    long_term = dialogue.app.long_term
    long_term.entries()
    if long_term.problem:
        dialogue.terminal.error(long_term.problem)
    return not long_term.problem or bool(long_term.session_only)


def _status(dialogue: Dialogue) -> None:
    status, terminal = dialogue.app.memory.status(), dialogue.terminal
    terminal.say(
        "session.status-short",
        tokens=status.short_term_tokens,
        limit=status.short_term_limit,
        share=status.usage_ratio,
        entries=status.entries,
        rounds=status.rounds,
    )
    if status.waiting:
        terminal.say("session.status-waiting", count=status.waiting)
    terminal.say("session.status-long", facts=status.facts, place=status.location)
    session_only = len(dialogue.app.long_term.session_only)
    if session_only:
        terminal.say("session.status-session-only", style="warn", count=session_only)
    usage = status.usage
    terminal.say("session.status-calls", calls=usage.calls, input=usage.input_tokens, output=usage.output_tokens)
    if usage.estimated_calls:
        terminal.say("session.status-estimated", count=usage.estimated_calls)


def _list(dialogue: Dialogue, rest: str) -> None:
    entries = dialogue.app.long_term.entries()
    limit = max(1, int(rest)) if rest.isdecimal() else _MOST_LISTED
    if entries:
        print_entries(dialogue.terminal, entries, dialogue.app.scopes, None if rest in _ALL else limit)
    else:
        dialogue.terminal.note("memory.none", save="/save")


def _search(dialogue: Dialogue, query: str) -> None:
    if not query:
        _usage(dialogue, "memory-search")
        return
    words = [word for word in query.split() if word != _EVERYWHERE]
    everywhere = len(words) < len(query.split())
    query = " ".join(words) if everywhere else query
    found = dialogue.app.search(query, _MOST_FOUND, all_scopes=everywhere)
    if found:
        print_scored(dialogue.terminal, found, dialogue.app.scopes)
    else:
        print_no_hit(dialogue.terminal, dialogue.app, query, command="/memory search", everywhere=everywhere)


def _show(dialogue: Dialogue, entry_id: str) -> None:
    if not entry_id:
        _usage(dialogue, "memory-show")
        return
    long_term = dialogue.app.long_term
    print_entry(dialogue.terminal, long_term.find(entry_id), dialogue.app.scopes, long_term.location)


def _forget(dialogue: Dialogue, entry_id: str) -> None:
    if not entry_id:
        _usage(dialogue, "memory-forget")
        return
    long_term = dialogue.app.long_term
    entry = long_term.forget(long_term.find(entry_id).id)
    dialogue.terminal.say("memory.forgotten", undo="/memory undo", **labels(entry))


def _undo(dialogue: Dialogue, _: str) -> None:
    app, terminal = dialogue.app, dialogue.terminal
    change = app.long_term.undo(session=app.session)
    if change is None and (earlier := app.long_term.newest_change()):
        entry = earlier.entry
        scope = scope_name(entry.scope, app.scopes, terminal.language)
        question = terminal.text("memory.undo-earlier", scope=scope, **labels(entry))
        if dialogue.reader.is_dialogue and not dialogue.confirm(question):
            return
        change = app.long_term.undo()
    if change:
        print_change_taken_back(terminal, change, "/memory undo", app.scopes)
    else:
        terminal.note("memory.nothing-to-undo")


def save(dialogue: Dialogue, rest: str) -> None:
    """/save: remembers a fact, with -g or -p before or after it for its scope; alone they change the last one's."""
    text, scope = _with_scope(rest)
    in_project = dialogue.app.scopes.in_project
    if scope == "project" and not in_project:
        dialogue.terminal.note("memory.no-project", style="warn")
    if text:
        dialogue.tell_saved(dialogue.app.save(text, scope))
    elif scope and dialogue.last_saved and in_project:
        dialogue.tell_saved(dialogue.app.move(dialogue.last_saved, scope))
    else:
        _usage(dialogue, "save")


def _with_scope(rest: str) -> tuple[str, str | None]:
    """Returns the text of a /save and the scope its options ask for; quotes around the whole text are dropped."""
    scopes = {"-g": "user", "--global": "user", "-p": "project", "--project": "project"}
    text, scope = rest.strip(), None
    first, _, after = text.partition(" ")
    before, _, last = text.rpartition(" ")
    if text in scopes:
        text, scope = "", scopes[text]
    elif first in scopes:
        text, scope = after.strip(), scopes[first]
    elif last in scopes:
        text, scope = before.strip(), scopes[last]
    if len(text) >= 2 and text[0] + text[-1] in ('""', "''", "“”"):
        text = text[1:-1].strip()
    return text, scope


def why(dialogue: Dialogue, _: str = "") -> None:
    """/why: the long-term memory that the last request carried, and why each entry was chosen."""
    receipt, terminal = dialogue.app.memory.last_receipt, dialogue.terminal
    was_sent = dialogue.app.model is not None
    if receipt:
        print_receipt(terminal, receipt, was_sent=was_sent)
    else:
        terminal.note("session.why-none" if was_sent else "session.why-none-alone")


def cost(dialogue: Dialogue, _: str = "") -> None:
    """/cost: the model calls and their tokens, by purpose."""
    status, terminal = dialogue.app.memory.status(), dialogue.terminal
    if not status.usage.calls:
        terminal.note("session.no-calls")
        return
    totals = {**status.by_purpose, terminal.text("session.total"): status.usage}
    rows = [
        [name, *(f"{number:,}" for number in (use.calls, use.input_tokens, use.output_tokens, use.estimated_calls))]
        for name, use in totals.items()
    ]
    terminal.table(
        [terminal.text(f"session.{name}") for name in ("purpose", "calls", "input", "output", "estimated")], rows
    )


def recall(dialogue: Dialogue, rest: str) -> None:
    """/recall: what was said of a text before the window, in this session and earlier ones; an entry's id shows all of it.

    With `--all` other projects are looked at as well.
    """
    words = [word for word in rest.split() if word != _EVERYWHERE]
    query, everywhere, past = " ".join(words), _EVERYWHERE in rest.split(), dialogue.app.past
    if not query:
        _usage(dialogue, "recall")
        return
    if _ENTRY_ID.fullmatch(query):
        with suppress(StoreError):
            print_past(dialogue.terminal, past.message(query, everywhere=everywhere))
            return
    found = past.search(query, _MOST_FOUND, everywhere=everywhere)
    if found:
        print_found(dialogue.terminal, found)
    else:
        dialogue.terminal.note("sessions.recall-none" if everywhere else "sessions.recall-none-here", query=query)


def _usage(dialogue: Dialogue, command: str) -> None:
    dialogue.terminal.note("commands.usage", usage=dialogue.terminal.text(f"commands.{command}"))


_ACTIONS: Mapping[str, Callable[[Dialogue, str], None]] = {
    "list": _list,
    "search": _search,
    "show": _show,
    "forget": _forget,
    "undo": _undo,
    "why": why,
    "cost": cost,
    "add": save,
}
