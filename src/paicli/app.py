"""The composition root: from `Settings` to connected objects. It knows all parts, and no terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from paicli.config import Settings
from paicli.memory.entry import utc_now
from paicli.memory.keeper import Kept
from paicli.memory.long_term import LongTermMemory
from paicli.memory.manager import MemoryManager
from paicli.memory.retriever import LONG_TERM_WEIGHT
from paicli.memory.scope import Scopes
from paicli.memory.scoring import ScoredEntry, order, scored
from paicli.memory.session import new_session_id
from paicli.memory.stores.place import open_store
from paicli.memory.stores.projects import find_project, register
from paicli.memory.stores.transcript import Transcript

if TYPE_CHECKING:
    from paicli.agents.events import Emit
    from paicli.agents.plan import Plan
    from paicli.agents.plan_execute import PlanExecuteAgent
    from paicli.agents.react import Agent
    from paicli.llm.client import OpenAICompatibleModel
    from paicli.memory.language import Language
    from paicli.tools.guard import Approval
    from paicli.tools.registry import Toolbox

class App:
    """The connected objects of one run. Making it reads and writes nothing but the project's place.

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
        self.transcript = None if settings.read_only else Transcript(self.sessions_folder, self.session)
        self.model = connect(settings)
        self.memory = self._new_memory()

    @property
    def sessions_folder(self) -> Path:
        """Where the transcripts are."""
        return self.settings.home / "sessions"

    def _new_memory(self) -> MemoryManager:
        return MemoryManager(
            self.model,
            self.long_term,
            context_window=self.model.context_window if self.model else self.settings.preset.context_window,
            scopes=self.scopes,
            journal=self.transcript,
            session=self.session,
        )

    def toolbox(self, ask: Callable[[Approval], bool]) -> Toolbox:
        """Returns the tools, which ask before they do what needs a yes."""
        from paicli.tools import default_tools

        return default_tools(self.folder, ask)

    def save(self, text: str, scope: str | None = None) -> Kept:
        """Keeps what the user wants kept: in `scope` (`user`, `project`), or where its words say it belongs.

        For this session only where it can't be saved; `Kept.error` says why.
        """
        where = self.scopes.project_scope() if scope == "project" else scope
        return self.memory.remember(text, scope=where)

    def search(self, query: str, limit: int, *, all_scopes: bool = False) -> list[ScoredEntry]:
        """Returns the facts a question is about, best first: of the scopes in force, or of all."""
        entries = self.long_term.entries(None if all_scopes else self.scopes.active)
        found = scored(query, entries, utc_now(), source_weight=LONG_TERM_WEIGHT, from_long_term=True)
        return sorted(found, key=lambda hit: order(hit.entry, hit.score))[:limit]

    def close(self) -> None:
        """Closes what was opened."""
        self.long_term.close()
        if self.transcript:
            self.transcript.close()


def find_scopes(settings: Settings, folder: Path) -> Scopes:
    """Returns the scopes in force in a folder; a project gets registered at its first fact only."""
    project = find_project(folder, settings.home)
    if project is None:
        return Scopes()
    if settings.read_only:
        return Scopes(project.id or "", project.name)
    return Scopes(project.id or "", project.name, lambda: register(project, settings.home).id or "")


def connect(settings: Settings) -> OpenAICompatibleModel | None:
    """Returns the model of the settings, not yet called; None where an address or a key is missing."""
    if not settings.has_model:
        return None
    from paicli.llm.client import OpenAICompatibleModel

    return OpenAICompatibleModel(
        settings.preset,
        api_key=settings.key.text,
        base_url=settings.base_url,
        model=settings.model or None,
        context_window=settings.context_window,
    )
