"""The line editor: history, completion of commands, a paste as one message. Needs a capable terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.patch_stdout import patch_stdout

from paicli.cli.reader import clean, confirm_on_terminal, secret_on_terminal
from paicli.memory.redaction import redact


class LineEditor:
    """Reads inputs with a line editor.

    Args:
        history: The file of earlier inputs; None keeps them in this process only.
        describe: Returns what can be typed after `/` and what it does, in the language of the moment.
        when_ready: Is called once, when the first prompt has been shown.
        output: The terminal; the process's where None.
    """

    is_dialogue = True

    def __init__(
        self,
        history: Path | None,
        describe: Callable[[], Mapping[str, str]],
        when_ready: Callable[[], None],
        output: Output | None = None,
    ) -> None:
        os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
        kept: History = PrivateHistory(history) if history else InMemoryHistory()
        self._session: PromptSession[str] = PromptSession(
            history=kept,
            completer=CommandCompleter(describe),
            complete_while_typing=True,
            key_bindings=_bindings(),
            output=output or create_output(),
            reserve_space_for_menu=6,
        )
        self._when_ready: Callable[[], None] | None = when_ready
        self._session.app.after_render += self._rendered

    def read(self, prompt: str) -> str | None:
        """Returns the next input; None at Ctrl-D. KeyboardInterrupt passes through where the line was empty."""
        while True:
            try:
                with patch_stdout(raw=True):
                    return clean(self._session.prompt(ANSI(prompt)))
            except EOFError:
                return None
            except KeyboardInterrupt:
                if not self._session.default_buffer.text:
                    raise

    def confirm(self, question: str) -> bool:
        """Returns whether the question was answered with yes."""
        return confirm_on_terminal(question)

    def secret(self, question: str) -> str:
        """Returns what was typed without being shown."""
        return secret_on_terminal(question)

    def _rendered(self, _: object) -> None:
        if self._when_ready:
            ready, self._when_ready = self._when_ready, None
            ready()


class PrivateHistory(FileHistory):
    """Earlier inputs in a file that only the user can read, without the secrets in them.

    A file that can't be written costs nothing but the history.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        super().__init__(str(file))

    def load_history_strings(self) -> Iterable[str]:
        """Returns the inputs of earlier sessions, newest first; none where the file can't be read."""
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        """Puts an input into the file, redacted."""
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
            super().store_string(redact(string).text)
        except OSError:
            return


class CommandCompleter(Completer):
    """Completes what starts with a slash."""

    def __init__(self, describe: Callable[[], Mapping[str, str]]) -> None:
        self._describe = describe

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:  # noqa: ARG002  the base's
        """Yields what the start of a command can become."""
        typed = document.text_before_cursor.lstrip().replace("／", "/").casefold()
        if not typed.startswith("/") or "\n" in typed:
            return
        start = -len(document.text_before_cursor.lstrip())
        for command, meaning in self._describe().items():
            if command.startswith(typed) and command != typed:
                yield Completion(command, start_position=start, display_meta=meaning)


def _bindings() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("escape", "enter")
    def _new_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return bindings
