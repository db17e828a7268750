"""The composition root: from `Settings` to connected objects. It knows all parts, and no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from paicli import __version__
from paicli.config import Settings
from paicli.connection import connect
from paicli.errors import ModelError, ModelNotConfigured, StoreError
from paicli.memory.earlier_session import EarlierSessions, Resumed
from paicli.memory.entry import MemoryEntry, utc_now
from paicli.memory.keeper import Kept
from paicli.memory.long_term import LongTermMemory
from paicli.memory.manager import MemoryManager
from paicli.memory.notice import Notice
from paicli.memory.past_talk import PastTalk
from paicli.memory.report import Extraction
from paicli.memory.retriever import LONG_TERM_WEIGHT
from paicli.memory.scope import PROJECT_PREFIX, Scopes
from paicli.memory.search.scoring import ScoredEntry, Wanted
from paicli.memory.session import record as records
from paicli.memory.session.record import SessionRecord, Whereabouts, new_session_id
from paicli.memory.stores.archive import Archive, TranscriptInfo
from paicli.memory.stores.path_text import path_of, path_text
from paicli.memory.stores.place import open_store
from paicli.memory.stores.projects import find_project, mend_registry, scopes_in
from paicli.memory.stores.token_rates import load_token_rates, save_token_rates
from paicli.memory.stores.transcript import Transcript
from paicli.memory.tokens.counter import CalibratedCounter

if TYPE_CHECKING:
    from paicli.agents.events import Emit
    from paicli.agents.plan import Plan
    from paicli.agents.plan_execute import PlanExecuteAgent
    from paicli.agents.react import Agent
    from paicli.llm.client import OpenAICompatibleModel
    from paicli.memory.language import Language
    from paicli.memory.shares import Shares
    from paicli.tools.guard import Ask
    from paicli.tools.registry import Toolbox


class App:
    """The connected objects of one run. Making it reads the settings' places at most; it writes nothing, but mends.

    Args:
        settings: What the user chose.
        folder: Where the program runs: the root for tools, and the project for facts.
        once: Whether the run answers one question: a new session says so of itself.
    """

    def __init__(self, settings: Settings, folder: Path, *, once: bool = False) -> None:
        self.settings = settings
        self._once = once
        self.folder = folder
        self.session = new_session_id(utc_now())
        mended = mend_registry(settings.home, read_only=settings.read_only)
        self._notices = [mended] if mended else []
        self.project = find_project(folder, settings.home)
        self.scopes = scopes_in(self.project, settings.home, read_only=settings.read_only)
        self.archive = Archive(self.sessions_folder)
        self._earlier = EarlierSessions(self.archive, self._scopes_at, utc_now, read_only=settings.read_only)
        self.long_term = LongTermMemory(
            open_store(settings.memory_dir, read_only=settings.read_only),
            read_only=settings.read_only,
            session=self.session,
        )
        self.journal = None if settings.read_only else self._transcript(self.session)
        self.on_wait: Callable[[ModelError, float], None] | None = None
        """Is told of a model call that failed and is tried again after so many seconds."""
        self.model = connect(settings, self.tell_wait)
        self._counter = CalibratedCounter(rates=load_token_rates(settings.home))
        self._count_for_model()
        self._is_warming_up = False
        self.memory = self._memory()

    def _memory(self) -> MemoryManager:
        memory = MemoryManager(
            self.model,
            self.long_term,
            context_window=self._window(),
            scopes=self.scopes,
            journal=self.journal,
            session=self.session,
            counter=self._counter,
            recall_threshold=self.settings.recall_threshold,
        )
        memory.compress_in_background()
        if not self.settings.draws_out_facts:
            memory.extract_nothing()
        return memory

    def _transcript(self, session_id: str) -> Transcript:
        now, where = utc_now(), self.whereabouts
        first, again = records.session_record(session_id, now, where), records.resumed_record(now, where)
        return Transcript(self.sessions_folder, session_id, first | ({"once": True} if self._once else {}), again)

    @property
    def whereabouts(self) -> Whereabouts:
        """Where the session runs."""
        project = PROJECT_PREFIX + self.scopes.project if self.scopes.project else ""
        root = path_text(self.project.root) if self.project else ""
        return Whereabouts(path_text(self.folder), project, root, __version__)

    @property
    def past(self) -> PastTalk:
        """What was said before the window, in this session and earlier ones."""
        return PastTalk(
            self.archive,
            self.long_term,
            history=self.memory.short_term,
            session=self.session,
            scopes=self.scopes,
            here=self.whereabouts,
        )

    def tell_wait(self, error: ModelError, seconds: float) -> None:
        """Passes on that a model call failed and is tried again after so many seconds."""
        if self.on_wait:
            self.on_wait(error, seconds)

    def _count_for_model(self) -> None:
        """Has the counter use, and learn, the rates of the present model at its provider."""
        if self.model:
            self._counter.model = f"{self.settings.preset.name}/{self.model.name}"

    def _window(self) -> int:
        return self.model.context_window if self.model else self.settings.preset.context_window

    @property
    def sessions_folder(self) -> Path:
        """Where the transcripts are."""
        return self.settings.home / "sessions"

    def use(self, settings: Settings, model: OpenAICompatibleModel | None = None) -> None:
        """Changes to other settings in the middle of the session: the model, its address, its key."""
        previous, self.settings = self.model, settings
        self.model = model or connect(settings, self.tell_wait)
        self._count_for_model()
        self.memory.connect(self.model, self._window())
        if previous:
            previous.close()

    def warm_up(self) -> None:
        """Loads what the first question needs: the dictionary, the model's client. Meant to run behind the prompt."""
        from paicli.memory.search.words import warm_up

        self._is_warming_up = True
        warm_up()
        if model := self.model:
            model.warm_up()
            self._count_for_model()
            if model is self.model and model.context_window != self.memory.budget.context_window:
                self.memory.resize(model.context_window)
        self._is_warming_up = False

    def agent(self, *, emit: Emit, ask: Ask, language: Language) -> Agent:
        """Returns the agent that answers the user.

        Raises:
            ModelNotConfigured: There is no model.
        """
        from paicli.agents.react import Agent

        return Agent(self._connected(), self.memory, self._tools(ask), emit=emit, language=language)

    def planner(self, *, confirm: Callable[[Plan], bool], emit: Emit, ask: Ask, language: Language) -> PlanExecuteAgent:
        """Returns the agent that plans and carries the plan out.

        Raises:
            ModelNotConfigured: There is no model.
        """
        from paicli.agents.plan_execute import PlanExecuteAgent

        tools = self._tools(ask)
        return PlanExecuteAgent(self._connected(), self.memory, tools, confirm=confirm, emit=emit, language=language)

    def _tools(self, ask: Ask) -> Toolbox:
        from paicli.tools import default_tools
        from paicli.tools.recall import Recall

        more, read_only = [Recall(self.past)], self.settings.read_only
        return default_tools(self.folder, ask, [self.settings.home], more, read_only=read_only)

    def shares(self, language: Language) -> Shares:
        """Returns how the model's window is shared out at the moment, for the agent that speaks a language."""
        from paicli.agents.prompt import agent_prompt

        schemas = [spec.schema() for spec in self._tools(lambda _: False).specs()]
        return self.memory.shares(agent_prompt(language), schemas)

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
        wanted = Wanted(limit, source_weight=LONG_TERM_WEIGHT)
        return self.long_term.scored(query, wanted, scopes=None if all_scopes else self.scopes.active)

    def forget_conversation(self) -> None:
        """Empties the conversation; no facts will be drawn out of it later either, and nothing of it recalled."""
        self.memory.clear()
        self.leave_nothing_over()
        self._note(records.forgotten_record(utc_now()))

    def leave_nothing_over(self) -> None:
        """Notes that no facts are to be drawn out of what was said so far, at a later start either."""
        self._note(records.extracted_record("", utc_now()))

    def _note(self, record: SessionRecord) -> None:
        if self.journal and self.journal.path.exists():
            with suppress(StoreError):
                self.journal.append(record)

    def resume(self, session_id: str) -> Resumed:
        """Takes an earlier session up again, in the place of the present one, which can be resumed later likewise.

        The window is what it was, but for placeholders where secrets were; what is said goes on in the same transcript.

        Args:
            session_id: The session's id, or its beginning.

        Raises:
            UnknownSession: There is none, or it is the present one.
            AmbiguousSession: There are several.
            SessionRunning: It is open in another process, or facts are just being drawn out of it.
            StoreUnavailable: Its transcript can't be read or written.
        """
        resumed = self._earlier.take_up(session_id, present=self.session, claim=self._move_to)
        self.memory.restore(resumed.window, resumed.waiting, resumed.pending, resumed.block)
        for purpose, use in resumed.usage:
            sizes = (use.input_tokens, use.output_tokens)
            self.memory.budget.record_usage(*sizes, purpose=purpose, estimated=use.estimated)
        return resumed

    def _scopes_at(self, folder: str) -> Scopes:
        home = self.settings.home
        project = find_project(path_of(folder), home) if folder else None
        return scopes_in(project, home, read_only=self.settings.read_only)

    def _move_to(self, session_id: str) -> None:
        """Makes another session the present one, with an empty window; the present one stays where that fails."""
        journal = None if self.settings.read_only else self._transcript(session_id)
        if journal:
            journal.open()
        self._leave()
        self.session, self.journal, self.long_term.session = session_id, journal, session_id
        self.memory = self._memory()

    def _leave(self) -> None:
        if not self.settings.draws_out_facts:
            self.leave_nothing_over()
        if self.journal:
            self.journal.close()

    def left_over(self) -> list[TranscriptInfo]:
        """Returns the earlier sessions that ended before facts were drawn out of them, oldest first."""
        return self._earlier.left_over() if self.settings.draws_out_facts else []

    def catch_up(self, sessions: Sequence[TranscriptInfo]) -> Iterator[tuple[TranscriptInfo, Extraction]]:
        """Draws facts out of earlier sessions, and notes in their transcripts that it is done.

        Raises:
            PaicliError: The model could not be asked, or its replies not read; the rest stays to be done.
        """
        return self._earlier.catch_up(
            sessions,
            lambda entries, session, scopes: self.memory.extract_from(entries, session=session, scopes=scopes),
        )

    def take_notices(self) -> list[Notice]:
        """Returns what the user should hear of since the last call."""
        notices, self._notices = self._notices + self.memory.take_notices(), []
        if self.model and not self._is_warming_up:  # the client that is being loaded would keep one waiting
            notices += self.model.take_notices()
        return notices

    def close(self) -> None:
        """Closes what was opened."""
        if self.model and not self._is_warming_up:  # else leaving would wait until the client is loaded
            self.model.close()
        save_token_rates(self.settings.home, self._counter.rates, read_only=self.settings.read_only)
        self.long_term.close()
        self._leave()
