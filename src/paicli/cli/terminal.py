"""Terminal: where everything is printed. Data goes to stdout; notices go to stderr unless someone sits in front."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

from paicli.cli.escape import visible
from paicli.cli.language import Language
from paicli.cli.texts import sentence
from paicli.cli.waiting import WaitingLine
from paicli.cli.wording import error_text, notice_text
from paicli.cli.wrap import wrapped
from paicli.errors import PaicliError
from paicli.memory.notice import Notice

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {"dim": "2", "bold": "1", "good": "32", "warn": "33", "bad": "31", "accent": "36"}
_WIDTH = 80
_NARROWEST = 20
"""In fewer columns nothing is broken between words."""


class Terminal:
    """Prints in the language of the interface; colour only where the stream is a terminal that wants it.

    Args:
        language: The language of the interface.
        dialogue: Whether someone sits in front of it. Then notices stand among the rest, else they go to stderr.
        environ: The variables NO_COLOR and TERM are looked up in; the process's where None.
    """

    def __init__(self, language: Language, *, dialogue: bool = False, environ: Mapping[str, str] | None = None) -> None:
        environ = os.environ if environ is None else environ
        self.language = language
        self.dialogue = dialogue
        self.dumb = environ.get("TERM", "") == "dumb"
        self._plain = self.dumb or bool(environ.get("NO_COLOR"))
        self._waiting = WaitingLine(self._write_waiting, self._waiting_text)

    @property
    def coloured(self) -> bool:
        """Whether stdout takes colour."""
        return not self._plain and sys.stdout.isatty()

    def text(self, code: str, /, **values: object) -> str:
        """Returns a sentence in the language of the interface."""
        return sentence(code, self.language, **values)

    def say(self, code: str, /, *, style: str = "", **values: object) -> None:
        """Prints a sentence to stdout."""
        self.line(self._wrapped(self.text(code, **values)), style)

    def line(self, text: str = "", style: str = "") -> None:
        """Prints a line that is safe to print already to stdout."""
        self.write(self.styled(text, style) + "\n")

    def write(self, text: str) -> None:
        """Prints text that is safe to print already to stdout, at once."""
        self._waiting.hide()
        _write(sys.stdout, text)

    def wait(self) -> None:
        """Shows that an answer is being waited for, where the terminal can take that away again."""
        if self.dialogue and not self.dumb and sys.stdout.isatty():
            self._waiting.start()

    def wait_no_longer(self) -> None:
        """Takes away what `wait` has shown."""
        self._waiting.stop()

    def _write_waiting(self, text: str) -> None:
        _write(sys.stdout, text)

    def _waiting_text(self, seconds: int) -> str:
        return self.styled(self.text("session.waiting", seconds=seconds), "dim")

    def styled(self, text: str, style: str) -> str:
        """Returns the text in a style: dim, bold, good, warn, bad, accent; as it is where there is no colour."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if style and text and self.coloured else text

    def note(self, code: str, /, *, style: str = "dim", **values: object) -> None:
        """Prints a sentence that is a notice."""
        self._note(self.text(code, **values), style)

    def notice(self, notice: Notice) -> None:
        """Prints a notice of the layers below."""
        self._note(notice_text(notice, self.language), "warn")

    def error(self, error: PaicliError, **more: object) -> None:
        """Prints what went wrong; see `error_text`."""
        more.setdefault("sessions_command", "/resume" if self.dialogue else "paicli sessions list")
        more.setdefault("list_command", "/memory list" if self.dialogue else "paicli memory list")
        self._note(error_text(error, self.language, in_shell=not self.dialogue, **more), "bad")

    def _note(self, text: str, style: str) -> None:
        if self.dialogue:
            self.line(self._wrapped(text), style)
        else:
            _write(sys.stderr, text + "\n")

    def _wrapped(self, text: str) -> str:
        """Returns the text broken where the terminal's line ends, between words."""
        try:
            columns = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
        except (OSError, ValueError):
            columns = 0
        return wrapped(text, columns, "  ") if columns >= _NARROWEST else text

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Prints a table, its last column as wide as there is room; without a terminal one row a line, for `grep`."""
        if not sys.stdout.isatty():
            for row in rows:
                self.line("  ".join(visible(cell).replace("\n", " ") for cell in row))
            return
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="bold")
        for position, heading in enumerate(headings):
            last = position == len(headings) - 1
            table.add_column(heading, no_wrap=not last, overflow="fold", style="" if last else "dim")
        for row in rows:
            table.add_row(*(Text(visible(cell)) for cell in row))
        self.console().print(table)

    def panel(self, title: str, body: str) -> None:
        """Prints a framed text that is safe to print already."""
        from rich.panel import Panel
        from rich.text import Text

        self.console().print(Panel(Text(body), title=Text(title), title_align="left", border_style="dim"))

    def console(self) -> Console:
        """Returns a rich console on stdout, 80 columns wide where there is no terminal."""
        from rich.console import Console

        return Console(
            file=sys.stdout,
            width=None if sys.stdout.isatty() else _WIDTH,
            no_color=not self.coloured,
            color_system="standard" if self.coloured else None,
            highlight=False,
            markup=False,
            emoji=False,
        )


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()
