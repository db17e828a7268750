"""The composition root: from `Settings` to connected objects. It knows all parts, and no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paicli import __version__
from paicli.config import Settings
from paicli.errors import ModelError, ModelNotConfigured, StoreError
from paicli.memory.entry import MemoryEntry, utc_now
from paicli.memory.keeper import Kept
from paicli.memory.long_term import LongTermMemory
from paicli.memory.manager import MemoryManager
from paicli.memory.notice import Notice
from paicli.memory.report import Extraction
from paicli.memory.retriever import LONG_TERM_WEIGHT
from paicli.memory.scope import PROJECT_PREFIX, Scopes
from paicli.memory.scoring import ScoredEntry, order, scored
from paicli.memory.session import extracted_record, new_session_id, session_record, unextracted_entries
from paicli.memory.stores.place import open_store
from paicli.memory.stores.projects import Project, find_project, register
from paicli.memory.stores.transcript import Transcript, TranscriptInfo, read_transcript, unextracted

if TYPE_CHECKING:
    from paicli.agents.events import Emit
    from paicli.agents.plan import Plan
    from paicli.agents.plan_execute import PlanExecuteAgent
    from paicli.agents.react import Agent
    from paicli.llm.client import OpenAICompatibleModel
    from paicli.memory.language import Language
    from paicli.tools.guard import Ask


class App:
    """The connected objects of one run. Making it reads the settings' places at most; it writes nothing.

    Args:
        settings: What the user chose.
        folder: Where the program runs: the root for tools, and the project for facts.
    """

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.session = new_session_id(utc_now())
        self.scopes = find_scopes(settings, folder)
        self.long_term = LongTermMemory(
            open_store(settings.memory_dir, read_only=settings.read_only),
            read_only=settings.read_only,
            session=self.session,
        )
        self.journal = None if settings.read_only else self._transcript()
        self.on_wait: Callable[[ModelError, float], None] | None = None
        """Is told of a model call that failed and is tried again after so many seconds."""
        self.model = connect(settings, self.tell_wait)
        self._is_warming_up = False
        self.memory = MemoryManager(
            self.model,
            self.long_term,
            context_window=self._window(),
            scopes=self.scopes,
            journal=self.journal,
            session=self.session,
        )

    def _transcript(self) -> Transcript:
        project = PROJECT_PREFIX + self.scopes.project if self.scopes.project else ""
        first = session_record(self.session, utc_now(), cwd=str(self.folder), project=project, version=__version__)
        return Transcript(self.sessions_folder, self.session, first)

    def tell_wait(self, error: ModelError, seconds: float) -> None:
        """Passes on that a model call failed and is tried again after so many seconds."""
        if self.on_wait:
            self.on_wait(error, seconds)

    def _window(self) -> int:
        return self.model.context_window if self.model else self.settings.preset.context_window

    @property
    def sessions_folder(self) -> Path:
        """Where the transcripts are."""
        return self.settings.home / "sessions"

    def use(self, settings: Settings, model: OpenAICompatibleModel | None = None) -> None:
        """Changes to other settings in the middle of the session: the model, its address, its key."""
        previous = self.model
        self.settings = settings
        self.model = model or connect(settings, self.tell_wait)
        self.memory.connect(self.model, self._window())
        if previous:
            previous.close()

    def warm_up(self) -> None:
        """Loads what the first question needs: the dictionary, the model's client. Meant to run behind the prompt."""
        from paicli.memory.words import warm_up

        self._is_warming_up = True
        warm_up()
        if self.model:
            self.model.warm_up()
            if self.model.context_window != self.memory.budget.context_window:
                self.memory.resize(self.model.context_window)
        self._is_warming_up = False

    def agent(self, *, emit: Emit, ask: Ask, language: Language) -> Agent:
        """Returns the agent that answers the user.

        Raises:
            ModelNotConfigured: There is no model.
        """
        from paicli.agents.react import Agent
        from paicli.tools import default_tools

        tools = default_tools(self.folder, ask, private=[self.settings.home])
        return Agent(self._connected(), self.memory, tools, emit=emit, language=language)

    def planner(self, *, confirm: Callable[[Plan], bool], emit: Emit, ask: Ask, language: Language) -> PlanExecuteAgent:
        """Returns the agent that plans and carries the plan out.

        Raises:
            ModelNotConfigured: There is no model.
        """
        from paicli.agents.plan_execute import PlanExecuteAgent
        from paicli.tools import default_tools

        tools = default_tools(self.folder, ask, private=[self.settings.home])
        return PlanExecuteAgent(self._connected(), self.memory, tools, confirm=confirm, emit=emit, language=language)

    def _connected(self) -> OpenAICompatibleModel:
        if self.model is None:
            preset = self.settings.preset
            raise ModelNotConfigured(
                reason=f"there is no key for {preset.label}",
                problem="no-key",
                preset=preset.label,
                variable=preset.key_variable or "PAICLI_API_KEY",
            )
        return self.model

    def save(self, text: str, scope: str | None = None) -> Kept:
        """Keeps what the user wants kept: in `scope` (`user`, `project`), or where its words say it belongs.

        For this session only where it can't be saved; `Kept.error` says why.
        """
        where = self.scopes.project_scope() if scope == "project" else scope
        return self.memory.remember(text, scope=where)

    def move(self, entry: MemoryEntry, scope: str) -> Kept:
        """Gives a saved fact another scope, `user` or `project`.

        Raises:
            StoreError: It is not on the disk.
        """
        where = self.scopes.project_scope() if scope == "project" else scope
        return Kept(self.long_term.replace(replace(entry, scope=where)))

    def search(self, query: str, limit: int, *, all_scopes: bool = False) -> list[ScoredEntry]:
        """Returns the facts a question is about, best first: of the scopes in force, or of all."""
        entries = self.long_term.entries(None if all_scopes else self.scopes.active)
        found = scored(query, entries, utc_now(), source_weight=LONG_TERM_WEIGHT, from_long_term=True)
        return sorted(found, key=lambda hit: order(hit.entry, hit.score))[:limit]

    def forget_conversation(self) -> None:
        """Empties the conversation; no facts will be drawn out of it later either."""
        self.memory.clear()
        if self.journal:
            with suppress(StoreError):
                self.journal.append(extracted_record("", utc_now()))

    def left_over(self) -> list[TranscriptInfo]:
        """Returns the earlier sessions that ended before facts were drawn out of them, oldest first."""
        return [] if self.settings.read_only else unextracted(self.sessions_folder)

    def catch_up(self, sessions: list[TranscriptInfo]) -> Iterator[tuple[TranscriptInfo, Extraction]]:
        """Draws facts out of earlier sessions, and notes in their transcripts that it is done.

        Raises:
            PaicliError: The model could not be asked, or its replies not read; the rest stays to be done.
        """
        for info in sessions:
            entries = unextracted_entries(read_transcript(info.path))
            if not entries:
                continue
            scopes = find_scopes(self.settings, Path(info.folder)) if info.folder else Scopes()
            extraction = self.memory.extract_from(entries, session=info.id, scopes=scopes)
            if extraction.reason:
                return
            transcript = Transcript(self.sessions_folder, info.id)
            try:
                transcript.append(extracted_record(entries[-1].id, utc_now()))
            finally:
                transcript.close()
            yield info, extraction

    def take_notices(self) -> list[Notice]:
        """Returns what the user should hear of since the last call."""
        notices = self.memory.take_notices()
        if self.model and not self._is_warming_up:  # the client that is being loaded would keep one waiting
            notices += self.model.take_notices()
        return notices

    def close(self) -> None:
        """Closes what was opened."""
        if self.model and not self._is_warming_up:  # else leaving would wait until the client is loaded
            self.model.close()
        self.long_term.close()
        if self.journal:
            self.journal.close()


def find_scopes(settings: Settings, folder: Path) -> Scopes:
    """Returns the scopes in force in a folder; a project gets registered at its first fact only."""
    project = find_project(folder, settings.home)
    if project is None:
        return Scopes()
    if settings.read_only:
        return Scopes(project.id or "", project.name)
    return Scopes(project.id or "", project.name, partial(_register, project, settings.home))


def _register(project: Project, home: Path) -> str:
    """Returns the id a project gets; none where the home takes nothing, so that its facts are the user's until it does."""
    try:
        return register(project, home).id or ""
    except StoreError:
        return ""


def connect(settings: Settings, on_wait: Callable[[ModelError, float], None]) -> OpenAICompatibleModel | None:
    """Returns the model of the settings, not yet called; None where a key is missing.

    Args:
        settings: Which model, where, and with which key.
        on_wait: Is told of a call that failed and is tried again after so many seconds.
    """
    if not settings.has_model:
        return None
    from paicli.llm.client import OpenAICompatibleModel
    from paicli.llm.retry import Backoff

    return OpenAICompatibleModel(
        settings.preset,
        api_key=settings.key.text,
        base_url=settings.base_url,
        model=settings.model or None,
        context_window=settings.context_window,
        backoff=Backoff(on_wait=on_wait),
    )
