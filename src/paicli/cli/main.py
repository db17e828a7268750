"""The command `paicli`: reads the options, then starts what they ask for.

`--help` needs nothing but argparse: everything else is imported once it is known what to do.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, TypeAlias

from paicli import __version__
from paicli.cli.language import Language, first_language
from paicli.cli.texts import sentence

WRONG_USAGE = 2
_ABSENT: dict[str, Any] = {"default": argparse.SUPPRESS}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `paicli` with the arguments (those of the process where None) and returns its exit status: 0, 1 or 2."""
    arguments = sys.argv[1:] if arguments is None else arguments
    language = first_language(arguments, os.environ)
    _degrade_output()
    options = parse(arguments, language)
    from paicli.cli.run import run

    return run(options, language)


def parse(arguments: Sequence[str], language: Language) -> argparse.Namespace:
    """Returns the options as attributes; one that was not given is absent.

    Raises:
        SystemExit: With status 0 after `--help` and `--version`, with 2 after a complaint.
    """
    parser = _OptionParsers(language).whole()
    options = parser.parse_args(arguments)
    options.command = getattr(options, "command", None)
    prompt = getattr(options, "prompt", None)
    if prompt is None and hasattr(options, "plan"):
        parser.error(sentence("help.needs-prompt", language))
    if prompt is not None and not prompt.strip():
        parser.error(sentence("help.empty-prompt", language))
    if prompt is not None and options.command:
        parser.error(sentence("help.prompt-and-command", language, command=options.command))
    if hasattr(options, "resume") and options.command:
        parser.error(sentence("help.resume-and-command", language, command=options.command))
    return options


def _degrade_output() -> None:
    """Lets a terminal that can't show a character show a question mark instead of ending the program."""
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="replace")


class _Formatter(argparse.HelpFormatter):
    """Lays help out in the language of the interface. Asks for the width itself, as argparse loads much to do so."""

    language: Language = "en"

    def __init__(self, prog: str) -> None:
        try:
            columns = os.get_terminal_size().columns
        except OSError:
            columns = 80
        super().__init__(prog, width=max(columns, 40) - 2)

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, sentence("help.usage", self.language) if prefix is None else prefix)


class _ChineseFormatter(_Formatter):
    """Lays help out by columns of the terminal: a Chinese character takes two, and argparse counts it as one."""

    language = "zh"

    def format_help(self) -> str:
        from paicli.cli.wrap import columns_of

        lines = super().format_help().split("\n")
        for number, line in enumerate(lines):
            left, gap, right = _split_columns(line)
            extra = columns_of(left) - len(left)
            if gap and right:
                lines[number] = left + " " * max(2, gap - extra) + right
            elif line.endswith(":") and not line.startswith(" "):
                lines[number] = f"{line[:-1]}："
        return "\n".join(lines)

    def _split_lines(self, text: str, width: int) -> list[str]:
        from paicli.cli.wrap import wrapped

        return wrapped(" ".join(text.split()), width).split("\n")


def _split_columns(line: str) -> tuple[str, int, str]:
    """Returns the option of a line of help, the size of the gap behind it, and what is said of it."""
    start = len(line) - len(line.lstrip())
    at = line.find("  ", start)
    if start == 0 or at < 0:
        return line, 0, ""
    right = line[at:].lstrip()
    return line[:at], len(line) - at - len(right), right


class _Parser(argparse.ArgumentParser):
    """A parser that helps and complains in the language of the interface, its own arguments under one heading."""

    def __init__(self, *, language: Language, prog: str, description: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            add_help=False,
            allow_abbrev=False,
            formatter_class=_ChineseFormatter if language == "zh" else _Formatter,
        )
        self.language = language
        self.own = self.add_argument_group(sentence("help.arguments", language))
        self._add_common(self.add_argument_group(sentence("help.options", language)))

    def _add_common(self, options: argparse._ArgumentGroup) -> None:
        """Adds the options every command takes; those not given stay absent, so that one before the command counts."""
        options.add_argument("-h", "--help", action="help", help=sentence("help.help", self.language))
        for name, kind in (("memory-dir", "place"), ("model", "name"), ("base-url", "url"), ("context-window", "n")):
            metavar = sentence(f"help.value-{kind}", self.language)
            options.add_argument(f"--{name}", metavar=metavar, help=sentence(f"help.{name}", self.language), **_ABSENT)
        options.add_argument("--lang", choices=("zh", "en"), help=sentence("help.lang", self.language), **_ABSENT)
        for name in ("yes", "read-only"):
            options.add_argument(
                f"--{name}", action="store_true", help=sentence(f"help.{name}", self.language), **_ABSENT
            )

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(WRONG_USAGE, sentence("help.wrong-usage", self.language, detail=message) + "\n")


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"  # noqa: SLF001  argparse has no public name for it


class _OptionParsers:
    """Builds the parsers. Each option is accepted before and after the subcommand."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def whole(self) -> argparse.ArgumentParser:
        parser = _Parser(language=self._language, prog="paicli", description=self._say("about"))
        own = parser.own
        own.add_argument("-p", "--prompt", metavar=self._say("value-text"), help=self._say("prompt"), **_ABSENT)
        own.add_argument("--plan", action="store_true", help=self._say("plan"), **_ABSENT)
        own.add_argument(
            "--resume", metavar=self._say("value-id"), nargs="?", const="", help=self._say("resume"), **_ABSENT
        )
        own.add_argument("--version", action="version", version=f"paicli {__version__}", help=self._say("version"))
        commands = parser.add_subparsers(
            dest="command", metavar=self._say("value-command"), title=self._say("commands")
        )
        self._command(commands, "demo")
        self._memory(self._group(commands, "memory"))
        sessions = self._group(commands, "sessions")
        self._printing(self._command(sessions, "sessions-list"))
        shown = self._command(sessions, "sessions-show", "id")
        shown.own.add_argument("--full", action="store_true", help=self._say("full"))
        self._printing(shown)
        self._printing(self._command(self._group(commands, "config"), "config-show"), limited=False)
        return parser

    def _memory(self, actions: _Commands) -> None:
        scope = self._command(actions, "memory-add", "text").own.add_mutually_exclusive_group()
        scope.add_argument("-g", "--global", dest="scope", action="store_const", const="user", help=self._say("global"))
        scope.add_argument(
            "-p", "--project", dest="scope", action="store_const", const="project", help=self._say("project")
        )
        listed = self._command(actions, "memory-list")
        listed.own.add_argument("--all", dest="all_scopes", action="store_true", help=self._say("all-scopes-list"))
        self._printing(listed)
        search = self._command(actions, "memory-search", "text")
        search.own.add_argument("--all", dest="all_scopes", action="store_true", help=self._say("all-scopes"))
        self._printing(search)
        self._printing(self._command(actions, "memory-show", "id"), limited=False)
        self._command(actions, "memory-forget", "id")
        self._command(actions, "memory-undo")

    def _group(self, commands: _Commands, name: str) -> _Commands:
        parser = self._command(commands, name)
        return parser.add_subparsers(
            dest="action", metavar=self._say("value-command"), required=True, title=self._say("commands")
        )

    def _command(self, commands: _Commands, code: str, argument: str = "") -> _Parser:
        """Adds the command `code` (`GROUP-NAME` or `NAME`), with `text` (any number of words) or `id` as its argument."""
        about = self._say(code)
        name = code.rpartition("-")[2]
        parser = commands.add_parser(name, language=self._language, help=about, description=about)
        if argument:
            many = "+" if argument == "text" else None
            parser.own.add_argument(
                argument, nargs=many, metavar=self._say(f"value-{argument}"), help=self._say(argument)
            )
        return parser

    def _printing(self, parser: _Parser, *, limited: bool = True) -> None:
        parser.own.add_argument("--json", action="store_true", help=self._say("json"))
        if limited:
            parser.own.add_argument(
                "--limit", type=self._positive, metavar=self._say("value-n"), help=self._say("limit")
            )

    def _positive(self, value: str) -> int:
        if not value.isdecimal() or int(value) == 0:
            raise argparse.ArgumentTypeError(sentence("help.not-positive", self._language, value=value))
        return int(value)

    def _say(self, code: str) -> str:
        return sentence(f"help.{code}", self._language).replace("%", "%%")


if __name__ == "__main__":
    sys.exit(main())
