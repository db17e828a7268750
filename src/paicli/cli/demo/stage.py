"""The stage of the demonstration: the temporary home, the memories over it, and how a scene speaks."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from paicli.agents.react import Agent
from paicli.cli.dialogue import tell_remembered
from paicli.cli.render import AnswerPrinter
from paicli.cli.terminal import Terminal
from paicli.memory.long_term import LongTermMemory
from paicli.memory.manager import MemoryManager
from paicli.testing.scripted import ScriptedModel
from paicli.tools import default_tools


@dataclass
class Stage:
    """What a scene plays on.

    Args:
        terminal: Where to print.
        folder: The temporary home.
    """

    terminal: Terminal
    folder: Path
    _scenes: int = field(default=0, init=False)

    @property
    def memory_folder(self) -> Path:
        """Where the facts are kept."""
        return self.folder / "memory"

    @property
    def work_folder(self) -> Path:
        """Where projects are made."""
        folder = self.folder / "work"
        folder.mkdir(exist_ok=True)
        return folder

    def scene(self, code: str) -> None:
        """Announces the next scene."""
        self._scenes += 1
        self.terminal.line()
        self.terminal.line(f"{self._scenes}. {self.terminal.text(f'demo.{code}')}", "bold")

    def tell(self, code: str, *, style: str = "dim", **values: object) -> None:
        """Tells what is going on."""
        self.terminal.say(f"demo.{code}", style=style, **values)

    def line_of(self, code: str) -> str:
        """Returns a line that a person of the play says."""
        return self.terminal.text(f"demo.{code}")

    def user(self, text: str) -> None:
        """Shows what the user types."""
        self.terminal.line(f"{self.terminal.styled('>', 'accent')} {text}")

    def memory(self, model: ScriptedModel) -> MemoryManager:
        """Returns a memory as a new session has it: an empty conversation over the facts on the disk."""
        return MemoryManager(model, LongTermMemory.open(self.memory_folder), context_window=model.context_window)

    def ask(self, model: ScriptedModel, memory: MemoryManager, text: str) -> None:
        """Lets the user say something, and the agent with its real tools answer."""
        self.user(text)
        terminal = self.terminal
        printer = AnswerPrinter(terminal, lambda kept: tell_remembered(terminal, kept))
        tools = default_tools(self.work_folder, lambda _: True)
        Agent(model, memory, tools, emit=printer.emit, language=terminal.language).run(text)
        printer.end()
