"""Starts what the options ask for, and words every error that comes back: the outermost boundary."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from paicli.cli.language import Language, as_language, locale_language
from paicli.cli.terminal import Terminal
from paicli.cli.typed import open_streams, recover_words
from paicli.errors import ConfigError, PaicliError

if TYPE_CHECKING:
    from paicli.config import Settings
    from paicli.memory.notice import Notice

DONE, FAILED, WRONG_USAGE = 0, 1, 2


def run(options: argparse.Namespace, language: Language) -> int:
    """Runs what the options ask for and returns the exit status. Nothing but the end of the process passes through."""
    open_streams()
    recover_words(options)
    terminal = Terminal(language, dialogue=_is_dialogue(options))
    try:
        return _start(options, terminal)
    except ConfigError as error:
        terminal.error(error)
        return WRONG_USAGE
    except PaicliError as error:
        terminal.error(error)
        return FAILED
    except KeyboardInterrupt:
        terminal.note("session.stopped")
        return FAILED
    except BrokenPipeError:
        _silence_stdout()
        return FAILED
    except Exception as error:
        terminal.note("errors.unexpected", style="bad", kind=type(error).__name__, reason=error)
        return FAILED


def _is_dialogue(options: argparse.Namespace) -> bool:
    if options.command or hasattr(options, "prompt"):
        return False
    return sys.stdin.isatty() and sys.stdout.isatty()


def _start(options: argparse.Namespace, terminal: Terminal) -> int:
    if options.command == "demo":
        from paicli.cli.demo import play

        return play(terminal)
    from paicli.app import App
    from paicli.cli.shell import run_command, working_folder
    from paicli.config import read_settings

    folder = working_folder()
    _refuse_empty(options)
    settings = read_settings(vars(options), os.environ, folder, lenient=bool(options.command))
    known = as_language(settings.language) or locale_language(os.environ)
    terminal.language = known or terminal.language
    for notice in _remarks(settings):
        terminal.notice(notice)
    for problem in settings.problems:
        terminal.error(problem)
    app = App(settings, folder, once=hasattr(options, "prompt"))
    try:
        if options.command:
            return run_command(options, app, terminal)
        from paicli.cli.reader import with_stdin
        from paicli.cli.session import ask_once, converse

        resumed: str | None = getattr(options, "resume", None)
        if hasattr(options, "prompt"):
            text = with_stdin(options.prompt)
            if not text.strip():
                terminal.note("help.empty-prompt", style="bad")
                return WRONG_USAGE
            return ask_once(app, terminal, text, as_plan=hasattr(options, "plan"), resumed=resumed)
        return converse(app, terminal, both_languages=known is None, resumed=resumed)
    finally:
        app.close()


def _refuse_empty(options: argparse.Namespace) -> None:
    """Refuses an option with nothing in it, such as that of a variable that is not set: it meant something."""
    for name in ("memory_dir", "model", "base_url", "context_window"):
        if not str(getattr(options, name, "x")).strip():
            raise ConfigError(key=f"--{name.replace('_', '-')}", value="", reason="it is empty", problem="empty")


def _remarks(settings: Settings) -> list[Notice]:
    """Returns what the user should hear of before anything else, and makes a home that is open to others private."""
    from paicli.memory.notice import Notice
    from paicli.memory.stores.place import tighten

    opened = not settings.read_only and tighten(settings.home)
    remarks = [Notice("folder-tightened", {"path": settings.home})] if opened else []
    return [*settings.remarks, *remarks]


def _silence_stdout() -> None:
    """Keeps the interpreter from complaining at its end that nobody reads stdout any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
