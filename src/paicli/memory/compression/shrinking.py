"""Shrinking: old tool results become head and tail, with a pointer to the whole text. No model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from paicli.memory.compression.atoms import atoms_in, atoms_to_json
from paicli.memory.conversation import PROTECTED_ROUNDS, role_of, rounds, steps
from paicli.memory.entry import MemoryEntry
from paicli.memory.tokens.estimate import estimate_tokens

HEAD_TOKENS = 120
TAIL_TOKENS = 80
SMALLEST_SHRUNK_TOKENS = 400
"""What is smaller stays: little is won, and the pointer costs some itself."""
MOST_ATOMS = 40
"""So many atoms of a tool's result are remembered; a listing may have thousands."""
_MOST_CHARACTERS_A_TOKEN = 8
_POINTER = "\n[… {left_out} of {whole} characters left out; for the whole text: recall with entry_id {id} …]\n"


def shrunk(entry: MemoryEntry) -> MemoryEntry:
    """Returns a tool result as head and tail, under the same id; itself where that is hardly smaller. Pure.

    The atoms of what is left out go into the metadata, for a later summary.
    """
    text = entry.content
    if "shrunk" in entry.metadata or estimate_tokens(text) < SMALLEST_SHRUNK_TOKENS:
        return entry
    head, tail = _start(text, HEAD_TOKENS), _start(text[::-1], TAIL_TOKENS)[::-1]
    left_out = text[len(head) : len(text) - len(tail)]
    short = f"{head}{_POINTER.format(left_out=len(left_out), whole=len(text), id=entry.id)}{tail}"
    metadata = {**entry.metadata, "shrunk": str(len(text))}
    atoms = atoms_in(left_out, said=False, limit=MOST_ATOMS)
    if atoms:
        metadata["atoms"] = atoms_to_json(atoms)
    message = replace(entry.message, text=short) if entry.message else None
    return replace(entry, content=short, message=message, metadata=metadata, token_count=-1)


def _start(text: str, tokens: int) -> str:
    """Returns the longest start of a text of at most so many tokens, to the end of a line where one is near."""
    low, high = 0, min(len(text), tokens * _MOST_CHARACTERS_A_TOKEN)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate_tokens(text[:middle]) <= tokens else (low, middle - 1)
    line_end = text.rfind("\n", low // 2, low)
    return text[: line_end if line_end > 0 else low]


def old_results(entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Returns, shrunk, the tool results of rounds before the last three that get smaller by it, oldest first."""
    return _smaller(entry for part in rounds(entries)[:-PROTECTED_ROUNDS] for entry in part)


def recent_results(entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Returns, shrunk, all tool results but those of the newest step that get smaller by it, oldest first."""
    parts = rounds(entries)
    newest = {entry.id for step in steps(parts[-1])[-1:] for entry in step} if parts else set()
    return _smaller(entry for part in parts for entry in part if entry.id not in newest)


def _smaller(entries: Iterable[MemoryEntry]) -> list[MemoryEntry]:
    results = ((entry, shrunk(entry)) for entry in entries if role_of(entry) == "tool")
    return [short for entry, short in results if short is not entry]
