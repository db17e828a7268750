"""Scene: among 200 other facts the one that matters is found, and a receipt says why."""

from __future__ import annotations

from paicli.cli.demo.stage import Stage
from paicli.cli.memory_view import print_receipt
from paicli.memory.entry import FactKind, MemoryEntry, MemoryType, Origin
from paicli.testing.scripted import ScriptedModel

OTHER_FACTS = 200
_CONTEXT_TOKENS = 500


def play(stage: Stage) -> bool:
    """Plays the scene; returns whether the fact was recalled."""
    stage.scene("receipt")
    memory = stage.memory(ScriptedModel())
    for number in range(1, OTHER_FACTS + 1):
        memory.long_term.store(_project_fact(stage.terminal.text("demo.other-fact", number=number)))
    wanted = memory.long_term.store(_project_fact(stage.line_of("receipt-fact")))
    stage.tell("receipt-stored", count=OTHER_FACTS)
    question = stage.line_of("receipt-question")
    stage.user(question)
    block = memory.context_block(question, _CONTEXT_TOKENS)
    stage.user("/why")
    print_receipt(stage.terminal, block)
    memory.long_term.close()
    return wanted.id in {entry.id for entry in (*block.core, *(scored.entry for scored in block.recalled))}


def _project_fact(text: str) -> MemoryEntry:
    return MemoryEntry(text, MemoryType.FACT, origin=Origin.MODEL, kind=FactKind.PROJECT)
