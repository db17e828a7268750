"""Work behind the prompt: loading what the first question needs, and the extractions earlier sessions left over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

from paicli.cli.dialogue import Dialogue
from paicli.cli.talk_commands import tell_extraction
from paicli.errors import PaicliError


class Outbox:
    """Holds back what background work has to say until nothing else is being printed: while a prompt waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[Callable[[], None]] = []
        self._is_open = False

    def post(self, show: Callable[[], None]) -> None:
        """Calls `show` now where a prompt is waiting, else as soon as one does."""
        with self._lock:
            if self._is_open:
                show()
            else:
                self._waiting.append(show)

    def open(self) -> None:
        """A prompt is about to wait: what was held back is shown, what comes is shown at once."""
        with self._lock:
            for show in self._waiting:
                show()
            self._waiting.clear()
            self._is_open = True

    def close(self) -> None:
        """The prompt is over: what comes is held back."""
        with self._lock:
            self._is_open = False


class Background:
    """Runs once, in a thread that never keeps the program from ending.

    Args:
        dialogue: The session it works for.
        outbox: Where it says what it did.
    """

    def __init__(self, dialogue: Dialogue, outbox: Outbox) -> None:
        self._dialogue = dialogue
        self._outbox = outbox
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Starts the work; later calls do nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="background", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        dialogue = self._dialogue
        try:
            dialogue.app.warm_up()
            self._outbox.post(dialogue.tell_notices)
            self._catch_up()
        except PaicliError as error:
            self._outbox.post(partial(dialogue.terminal.error, error))
        except Exception as error:
            kind = type(error).__name__
            self._outbox.post(partial(dialogue.terminal.note, "errors.unexpected", kind=kind, reason=str(error)))

    def _catch_up(self) -> None:
        dialogue = self._dialogue
        model = dialogue.app.model
        if model is None:
            return
        sessions = dialogue.app.left_over()
        if not sessions:
            return
        note = dialogue.terminal.note
        address = dialogue.app.settings.base_url
        told = partial(note, "session.catching-up", count=len(sessions), model=model.name, address=address)
        self._outbox.post(told)
        for info, extraction in dialogue.app.catch_up(sessions):
            if extraction.kept:
                self._outbox.post(partial(note, "session.caught-up", session=info.id))
                self._outbox.post(partial(tell_extraction, dialogue, extraction))
