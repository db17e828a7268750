"""FactExtraction: what of a session still has to be looked through for facts, and the looking through."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from paicli.memory.conversation import role_of
from paicli.memory.entry import MemoryEntry
from paicli.memory.extractor import LONGEST_PIECE_TOKENS, extract
from paicli.memory.keeper import FactKeeper
from paicli.memory.protocols import LanguageModel
from paicli.memory.report import Extraction

NO_MODEL = "no-model"
DEADLINE = "deadline"


class FactExtraction:
    """Draws facts out of what was said since the last time, and keeps them.

    Args:
        keeper: Puts the facts into long-term memory.
        on_extracted: Is told the last entry that has been looked through.
    """

    def __init__(self, keeper: FactKeeper, on_extracted: Callable[[MemoryEntry], None]) -> None:
        self.model: LanguageModel | None = None
        self.is_on = True
        """Whether what is said is taken in at all."""
        self.max_piece_tokens = LONGEST_PIECE_TOKENS
        self._keeper = keeper
        self._on_extracted = on_extracted
        self._pending: list[MemoryEntry] = []
        self._earlier: list[tuple[Sequence[MemoryEntry], FactKeeper]] = []
        self._lock = threading.Lock()

    def add(self, entry: MemoryEntry) -> None:
        """Takes in what was said."""
        with self._lock:
            if self.is_on:
                self._pending.append(entry)

    def take_up(self, entries: Sequence[MemoryEntry], keeper: FactKeeper) -> None:
        """Takes in what was said before the session was taken up again, maybe in another project: with its keeper."""
        with self._lock:
            if self.is_on:
                self._earlier.append((entries, keeper))

    def drop(self, entry: MemoryEntry) -> None:
        """Lets go of what was taken back: nothing will be drawn out of it."""
        with self._lock:
            self._pending = [one for one in self._pending if one.id != entry.id]

    def clear(self) -> None:
        """Lets go of what was said: nothing will be drawn out of it."""
        with self._lock:
            self._pending.clear()
            self._earlier.clear()

    @property
    def has_pending(self) -> bool:
        """Whether the user has said something since the last time."""
        said = [*(entry for entries, _ in self._earlier for entry in entries), *self._pending]
        return any(role_of(entry) == "user" for entry in said)

    def run(self, deadline_seconds: float | None = None) -> Extraction:
        """Draws facts out of what is pending; what can't be done stays pending.

        Raises:
            ModelError: The model could not be asked.
            ExtractionFailed: Its replies could not be read.
        """
        if not self.has_pending:
            return Extraction()
        if not self.model:
            return Extraction(reason=NO_MODEL)
        return self._run() if deadline_seconds is None else _within(deadline_seconds, self._run)

    def run_on(self, entries: Sequence[MemoryEntry], keeper: FactKeeper | None = None) -> Extraction:
        """Draws facts out of the entries of a session, kept by its own `keeper` where it is another; errors as `run`."""
        if not self.model:
            return Extraction(reason=NO_MODEL)
        facts, rejected = extract(self.model, entries, self.max_piece_tokens)
        return Extraction(tuple((keeper or self._keeper).keep_all(facts)), rejected)

    def _run(self) -> Extraction:
        parts = [*self._earlier, (list(self._pending), self._keeper)]
        done: list[Extraction] = []
        for entries, keeper in parts:
            if entries:
                done.append(self.run_on(entries, keeper))
                self._done_with(entries)
        return joined(done)

    def _done_with(self, entries: Sequence[MemoryEntry]) -> None:
        done = {entry.id for entry in entries}
        with self._lock:
            self._earlier = [part for part in self._earlier if part[0] is not entries]
            self._pending = [entry for entry in self._pending if entry.id not in done]
        self._on_extracted(entries[-1])


def joined(extractions: Sequence[Extraction]) -> Extraction:
    """Returns what several extractions came to together."""
    return Extraction(tuple(kept for one in extractions for kept in one.kept), sum(one.rejected for one in extractions))


def _within(seconds: float, work: Callable[[], Extraction]) -> Extraction:
    """Runs an extraction for at most so long; it goes on in the background where it takes longer."""
    outcome: list[Extraction | BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=run, name="extraction", daemon=True)
    thread.start()
    thread.join(seconds)
    if not outcome:
        return Extraction(reason=DEADLINE)
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]
