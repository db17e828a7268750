"""The subcommands `memory`, `sessions` and `config`: what works from the shell, without a model."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from paicli.app import App
from paicli.cli.memory_view import (
    labels,
    print_change_taken_back,
    print_entries,
    print_entry,
    print_json,
    print_no_hit,
    print_scored,
    scored_row,
)
from paicli.cli.reader import STDIN, read_all
from paicli.cli.session_view import print_session, print_sessions
from paicli.cli.settings_view import print_settings
from paicli.cli.terminal import Terminal
from paicli.cli.wording import scope_name
from paicli.memory.entry import to_row

DEFAULT_HITS = 10


def run_command(options: argparse.Namespace, app: App, terminal: Terminal) -> int:
    """Runs the subcommand the options name; returns the exit status. Errors pass through."""
    try:
        if options.command == "memory":
            _check_readable(app)
        return _COMMANDS[f"{options.command} {options.action}"](options, app, terminal)
    finally:
        for notice in app.take_notices():
            if notice.code != "store-unreadable":  # it is the error
                terminal.notice(notice)


def _check_readable(app: App) -> None:
    """Raises the error for which the memory can't be read: that nothing is in it would be untrue."""
    app.long_term.entries()
    if app.long_term.problem:
        raise app.long_term.problem


def _add(options: argparse.Namespace, app: App, terminal: Terminal) -> int:
    text = " ".join(options.text)
    saved = app.save(read_all() if text == STDIN else text, options.scope)
    if saved.error:
        raise saved.error
    scope = scope_name(saved.entry.scope, app.scopes, terminal.language)
    terminal.say("memory.saved" if saved.is_new else "memory.known", scope=scope, **labels(saved.entry))
    if options.scope == "project" and not app.scopes.in_project:
        terminal.note("memory.no-project")
    return 0


def _list(options: argparse.Namespace, app: App, terminal: Terminal) -> int:
    entries = app.long_term.entries()
    if options.json:
        print_json([to_row(entry) for entry in (entries[-options.limit :] if options.limit else entries)])
    elif entries:
        print_entries(terminal, entries, app.scopes, options.limit)
    else:
        terminal.note("memory.none", save="paicli memory add")
    return 0


def _search(options: argparse.Namespace, app: App, terminal: Terminal) -> int:
    query = " ".join(options.text)
    found = app.search(query, options.limit or DEFAULT_HITS, all_scopes=options.all_scopes)
    if options.json:
        print_json([scored_row(scored) for scored in found])
    elif found:
        print_scored(terminal, found, app.scopes)
    else:
        print_no_hit(terminal, app, query, command="paicli memory search", everywhere=options.all_scopes)
    return 0


def _show(options: argparse.Namespace, app: App, terminal: Terminal) -> int:
    entry = app.long_term.find(options.id)
    if options.json:
        print_json(to_row(entry))
    else:
        print_entry(terminal, entry, app.scopes, app.long_term.location)
    return 0


def _forget(options: argparse.Namespace, app: App, terminal: Terminal) -> int:
    entry = app.long_term.forget(app.long_term.find(options.id).id)
    terminal.say("memory.forgotten", undo="paicli memory undo", **labels(entry))
    return 0


def _undo(_: argparse.Namespace, app: App, terminal: Terminal) -> int:
    change = app.long_term.undo()
    if change is None:
        terminal.note("memory.nothing-to-undo")
        return 1
    print_change_taken_back(terminal, change, "paicli memory undo", app.scopes)
    return 0


def _sessions(options: argparse.Namespace, app: App, terminal: Terminal) -> int:
    print_sessions(terminal, app, limit=options.limit, as_json=options.json)
    return 0


def _session(options: argparse.Namespace, app: App, terminal: Terminal) -> int:
    return print_session(terminal, app, options.id, limit=options.limit, full=options.full, as_json=options.json)


def _config(options: argparse.Namespace, app: App, terminal: Terminal) -> int:
    print_settings(terminal, app.settings, as_json=options.json)
    return 0


_COMMANDS: Mapping[str, Callable[[argparse.Namespace, App, Terminal], int]] = {
    "memory add": _add,
    "memory list": _list,
    "memory search": _search,
    "memory show": _show,
    "memory forget": _forget,
    "memory undo": _undo,
    "sessions list": _sessions,
    "sessions show": _session,
    "config show": _config,
}


def working_folder() -> Path:
    """Returns the folder the program was started in; the home where that folder is gone."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path.home()
