"""Runs a session: reads inputs, carries out commands, has everything else answered, and leaves properly."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from paicli import __version__
from paicli.app import App
from paicli.cli import memory_commands, talk_commands
from paicli.cli.background import Background, Outbox
from paicli.cli.commands import FIRST, FURTHER, MEMORY_ACTIONS, Typed, as_command, as_message, nearest
from paicli.cli.dialogue import Dialogue
from paicli.cli.escape import one_line, visible
from paicli.cli.language import Language
from paicli.cli.reader import PipeReader, PlainReader, Reader
from paicli.cli.resume import resume, resume_at_start
from paicli.cli.terminal import Terminal
from paicli.cli.texts import sentence
from paicli.cli.turn import answer, carry_out_plan, meet_without_model
from paicli.errors import KeyRejected, PaicliError
from paicli.keys import KEY_VARIABLE
from paicli.memory.language import language_of

Command = Callable[[Dialogue, str], None]


def _change_model(dialogue: Dialogue, rest: str) -> None:
    from paicli.cli.model_command import model

    model(dialogue, rest)


_COMMANDS: Mapping[str, Command] = {
    "help": talk_commands.show_help,
    "memory": memory_commands.memory,
    "save": memory_commands.save,
    "clear": talk_commands.clear,
    "compact": talk_commands.compact,
    "context": talk_commands.context,
    "recall": memory_commands.recall,
    "resume": resume,
    "model": _change_model,
    "lang": talk_commands.lang,
    "exit": talk_commands.leave,
    "why": memory_commands.why,
    "cost": memory_commands.cost,
}


def converse(app: App, terminal: Terminal, *, both_languages: bool, resumed: str | None = None) -> int:
    """Runs an interactive session, or one whose inputs come through a pipe; returns the exit status.

    Args:
        app: The connected objects.
        terminal: Where to print.
        both_languages: Whether nobody has said which language: the greeting is in both, the first input decides.
        resumed: The session to go on with: its id, or nothing for one to be chosen; None for a new one.

    Raises:
        StoreError: It can't be gone on with, and nobody is there to choose another.
    """
    outbox = Outbox()
    dialogue = Dialogue(app, terminal, PipeReader())
    background = Background(dialogue, outbox)
    dialogue.reader = _reader(dialogue, background.start)
    _greet(app, terminal, ("zh", "en") if both_languages else (terminal.language,))
    if resumed is not None:
        resume_at_start(dialogue, resumed)
    if not terminal.dialogue:
        background.start()
    return Session(dialogue, outbox, language_open=both_languages).run()


def ask_once(app: App, terminal: Terminal, text: str, *, as_plan: bool, resumed: str | None = None) -> int:
    """Answers one question on stdout; what happens meanwhile is told on stderr. Returns the exit status.

    Raises:
        StoreError: The session to go on with, as for `converse`, can't be.
    """
    dialogue = Dialogue(app, terminal, PlainReader() if sys.stdin.isatty() else PipeReader())
    if resumed is not None:
        resume_at_start(dialogue, resumed)
    if as_plan:
        return 0 if carry_out_plan(dialogue, text).ok else 1
    if resumed is None:  # a session of its own, and a question is no talk: what it asks to remember is kept, no more
        app.memory.extract_nothing()
    try:
        terminal.line(visible(answer(dialogue, text, show_text=False)))
    finally:
        if resumed is None:
            app.leave_nothing_over()
    return 0


def _reader(dialogue: Dialogue, when_ready: Callable[[], None]) -> Reader:
    """Returns the best way to read inputs here: line editor, plain terminal, or lines of a pipe."""
    terminal, settings = dialogue.terminal, dialogue.app.settings
    if not terminal.dialogue:
        return PipeReader()
    if terminal.dumb:
        return PlainReader(when_ready)
    from paicli.cli.editor import LineEditor

    history: Path | None = None if settings.read_only else settings.home / "history"
    return LineEditor(history, lambda: described_commands(terminal.language), when_ready)


def described_commands(language: Language) -> dict[str, str]:
    """Returns what can be typed after `/`, with what it does, for completion."""
    names = [*FIRST, *FURTHER, *(f"memory-{action}" for action in MEMORY_ACTIONS)]
    meanings = {}
    for name in names:
        usage, _, meaning = sentence(f"commands.{name}", language).partition("  ")
        meanings["/" + name.replace("-", " ")] = meaning.strip() or usage
    return meanings


def _greet(app: App, terminal: Terminal, languages: tuple[Language, ...]) -> None:
    """Prints who is there, and in one line how to connect a model where there is none."""
    spoken = terminal.language
    for language in languages:
        if language != languages[0]:
            terminal.line()
        terminal.language = language
        if terminal.dialogue and language == languages[0]:
            model = app.settings.model or app.settings.preset.name if app.model else terminal.text("session.no-model")
            project = app.scopes.name or terminal.text("session.no-project")
            terminal.say("session.banner", style="bold", version=__version__, model=model, project=one_line(project))
        if app.model is None:
            preset = app.settings.preset
            variable = preset.key_variable or KEY_VARIABLE
            terminal.note("session.memory-only", style="warn", preset=preset.name, variable=variable)
        if app.settings.read_only:
            terminal.note("session.read-only", style="warn")
        if terminal.dialogue:
            terminal.say("session.banner-help", style="dim")
    terminal.language = spoken


class Session:
    """The loop of a session.

    Args:
        dialogue: The session as commands see it.
        outbox: Where background work speaks.
        language_open: Whether the first input decides the language of the interface.
    """

    def __init__(self, dialogue: Dialogue, outbox: Outbox, *, language_open: bool) -> None:
        self._dialogue = dialogue
        self._terminal = dialogue.terminal
        self._outbox = outbox
        self._language_open = language_open
        self._asked_to_leave = False

    def run(self) -> int:
        """Runs until the user leaves or the input ends; returns the exit status."""
        while not self._dialogue.leaving:
            try:
                line = self._read()
            except KeyboardInterrupt:
                self._interrupted()
                continue
            self._asked_to_leave = False
            if line is None:
                self._do(partial(talk_commands.leave, self._dialogue))
                break
            if line.strip():
                self._do(partial(self._meet, line))
        if self._terminal.dialogue:
            self._terminal.say("session.bye", style="dim")
        return 0

    def _read(self) -> str | None:
        mark = "plan> " if self._dialogue.plan_next else "> "
        self._outbox.open()
        if self._terminal.dumb:  # nothing can be printed above its prompt: what comes now waits for the next one
            self._outbox.close()
        try:
            return self._dialogue.reader.read(self._terminal.styled(mark, "accent"))
        finally:
            self._outbox.close()

    def _interrupted(self) -> None:
        """Ctrl-C at an empty prompt: says how to leave; at once again it leaves."""
        if self._asked_to_leave:
            self._do(partial(talk_commands.leave, self._dialogue))
            self._dialogue.leaving = True
            return
        self._asked_to_leave = True
        self._terminal.note("session.leave-hint")

    def _do(self, work: Callable[[], None]) -> None:
        """Does something for the user; whatever goes wrong is one line, and the prompt comes back."""
        try:
            work()
        except KeyboardInterrupt:
            if not self._dialogue.has_told_stop:
                self._terminal.note("session.stopped")
            self._dialogue.has_told_stop = False
        except PaicliError as error:
            self._terminal.error(error)
            self._offer_key(error)
        except (BrokenPipeError, SystemExit):
            raise
        except Exception as error:
            self._terminal.note("errors.unexpected", style="bad", kind=type(error).__name__, reason=error)
        self._dialogue.tell_notices()

    def _offer_key(self, error: PaicliError) -> None:
        if isinstance(error, KeyRejected):
            from paicli.cli.model_command import offer_key

            self._do(partial(offer_key, self._dialogue))

    def _meet(self, line: str) -> None:
        command = as_command(line)
        if self._language_open and command is None:
            self._language_open = False
            self._terminal.language = language_of([line], self._terminal.language)
        if command:
            self._carry_out(command)
        else:
            self._answer(as_message(line))

    def _carry_out(self, command: Typed) -> None:
        if command.name == "plan":
            goal = talk_commands.plan(self._dialogue, command.rest)
            if goal:
                carry_out_plan(self._dialogue, goal)
        elif command.name in _COMMANDS:
            _COMMANDS[command.name](self._dialogue, command.rest)
        else:
            meant = nearest(command.name, (*FIRST, *FURTHER))
            hint = self._terminal.text("commands.meant", name=f"/{meant}") if meant else ""
            self._terminal.note("commands.unknown", style="warn", name=command.name, hint=hint)

    def _answer(self, text: str) -> None:
        planned, self._dialogue.plan_next = self._dialogue.plan_next, False
        if self._dialogue.app.model is None and not planned:
            meet_without_model(self._dialogue, text)
        elif planned:
            carry_out_plan(self._dialogue, text)
        else:
            answer(self._dialogue, text)
