"""Starts what the options ask for, and words every error that comes back: the outermost boundary."""

from __future__ import annotations

import argparse
import os
import sys

from paicli.cli.language import Language, as_language, locale_language
from paicli.cli.terminal import Terminal
from paicli.errors import ConfigError, PaicliError

DONE, FAILED, WRONG_USAGE = 0, 1, 2


def run(options: argparse.Namespace, language: Language) -> int:
    """Runs what the options ask for and returns the exit status. Nothing but the end of the process passes through."""
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
    settings = read_settings(vars(options), os.environ, folder)
    known = as_language(settings.language) or locale_language(os.environ)
    terminal.language = known or terminal.language
    app = App(settings, folder)
    try:
        if options.command:
            return run_command(options, app, terminal)
        from paicli.cli.session import ask_once, converse

        if hasattr(options, "prompt"):
            return ask_once(app, terminal, options.prompt, as_plan=hasattr(options, "plan"))
        return converse(app, terminal, both_languages=known is None)
    finally:
        app.close()


def _silence_stdout() -> None:
    """Keeps the interpreter from complaining at its end that nobody reads stdout any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
