"""Agents with a memory that touches no disk, scripted models, and real clients of a strict server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from paicli.agents.events import Event
from paicli.errors import ToolError
from paicli.llm.client import OpenAICompatibleModel
from paicli.llm.model import ToolSpec
from paicli.llm.presets import find_preset
from paicli.llm.retry import Backoff
from paicli.memory.long_term import LongTermMemory
from paicli.memory.manager import MemoryManager
from paicli.memory.stores.in_memory import InMemoryStore
from paicli.testing.server import ChatServer
from paicli.tools.registry import Toolbox

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
Connect = Callable[..., OpenAICompatibleModel]
MakeMemory = Callable[..., MemoryManager]


@dataclass
class ListJournal:
    """A journal in a list."""

    records: list[dict[str, Any]] = field(default_factory=list)

    def append(self, record: Mapping[str, Any]) -> None:
        self.records.append(dict(record))


@dataclass
class Log:
    """The events of an agent. `stop_at` is asked about each, and says whether the user presses Ctrl-C at it."""

    stop_at: Callable[[Event], bool] = lambda event: False
    events: list[Event] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if self.stop_at(event):
            raise KeyboardInterrupt

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


@dataclass
class ReadFile:
    """A tool that answers from a mapping, or does what it finds there."""

    files: Mapping[str, str | BaseException]
    description: str = "Reads a file."

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec("read_file", self.description, PATH)

    def run(self, arguments: Mapping[str, Any]) -> str:
        found = self.files.get(arguments["path"])
        if isinstance(found, BaseException):
            raise found
        if found is None:
            raise ToolError(reason=f"There is no file '{arguments['path']}'.")
        return found


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def journal() -> ListJournal:
    return ListJournal()


@pytest.fixture
def tools() -> Toolbox:
    return Toolbox([ReadFile({"a.txt": "alpha", "b.txt": "beta", "stop.txt": KeyboardInterrupt()})])


@pytest.fixture
def wordy_tools() -> Toolbox:
    """Tools whose schemas take more room than is kept for them in a small window."""
    return Toolbox([ReadFile({}, "Reads a file. " * 60)])


@pytest.fixture
def make_memory(journal: ListJournal) -> MakeMemory:
    def make(model: Any, **options: Any) -> MemoryManager:
        options = {"context_window": model.context_window, "journal": journal, "session": "s1"} | options
        return MemoryManager(model, LongTermMemory(InMemoryStore()), **options)

    return make


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Makes clients that wait for nothing between their tries; `changes` are fields of the preset."""
    models: list[OpenAICompatibleModel] = []

    def make(server: ChatServer, *, context_window: int = 128_000, **changes: Any) -> OpenAICompatibleModel:
        models.append(
            OpenAICompatibleModel(
                replace(find_preset("openai"), **changes),
                api_key="sk-test-0123456789abcdef",
                base_url=server.base_url,
                model="gpt-x",
                context_window=context_window,
                backoff=Backoff(sleep=lambda seconds: None),
            )
        )
        return models[-1]

    yield make
    for model in models:
        model.close()
