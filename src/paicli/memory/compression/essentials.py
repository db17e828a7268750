"""Essentials: the rules and atoms of what is compressed, and the block in which they stand beside its summary."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paicli.memory.compression.atoms import Atom, atoms_from_json, atoms_in, atoms_to_json, newest_last, stands_in
from paicli.memory.compression.plan import CompressionPlan
from paicli.memory.compression.rules import rules_after, rules_from_json, rules_left, rules_to_json
from paicli.memory.compression.shrinking import MOST_ATOMS
from paicli.memory.conversation import as_message, role_of
from paicli.memory.entry import MemoryEntry
from paicli.memory.language import Language
from paicli.memory.redaction import redact
from paicli.memory.tokens.estimate import estimate_tokens

MOST_CARRIED = 1_000
"""So many atoms go on from summary to summary; what is older is found in the transcript."""
SEPARATOR = "; "
_MOST_CHARACTERS_PRINTED = 8_000
"""So much of a tool's output, or of what a tool is given, is looked through."""
_HEADINGS: dict[Language, tuple[str, str]] = {
    "zh": ("【用户规则，后面的优先】", "【原样保留】"),
    "en": ("[User's rules, later ones win]", "[Word for word] "),
}
_BEFORE = "\n\n"
"""What parts the block from the summary."""


@dataclass(frozen=True, slots=True)
class Essentials:
    """What must survive a compression: the rules that stand, and the atoms, both oldest first."""

    rules: tuple[str, ...] = ()
    atoms: tuple[Atom, ...] = ()

    def metadata(self) -> dict[str, str]:
        """Returns them as metadata of a summary, from which the next compression takes them up."""
        values = {"rules": rules_to_json(self.rules), "atoms": atoms_to_json(self.atoms)}
        return {key: value for key, value in values.items() if value != "[]"}


@dataclass(frozen=True, slots=True)
class KeptBlock:
    """The text beside a summary, how many rules and atoms stand there, and for how many atoms there was no room."""

    text: str = ""
    rules: int = 0
    put_back: int = 0
    left_out: int = 0


def essentials_of(plan: CompressionPlan) -> Essentials:
    """Returns the rules and atoms of what a plan replaces: those carried so far, and those of its entries."""
    carried: Mapping[str, str] = plan.previous.metadata if plan.previous else {}
    said = [redact(entry.content).text for entry in plan.entries if role_of(entry) == "user"]
    rules = rules_left(rules_after(rules_from_json(carried.get("rules")), said), plan.said_later)
    found = [atom for entry in plan.entries for atom in _atoms_of(entry)]
    atoms = newest_last([*atoms_from_json(carried.get("atoms")), *found])
    return Essentials(tuple(rules), tuple(_to_carry(atoms)))


def _atoms_of(entry: MemoryEntry) -> Iterator[Atom]:
    """Yields the atoms of an entry, those of the part that was cut out of it first."""
    message = as_message(entry)
    if message.role == "tool":
        yield from (Atom(redact(a.value).text, a.label, a.said) for a in atoms_from_json(entry.metadata.get("atoms")))
        yield from _printed(message.text)
        return
    for call in message.tool_calls:
        yield from _printed(_plain_arguments(call.arguments))
    yield from atoms_in(redact(message.text).text)


def _printed(text: str) -> list[Atom]:
    """Returns the first atoms of what no person wrote."""
    return atoms_in(redact(text[:_MOST_CHARACTERS_PRINTED]).text, said=False, limit=MOST_ATOMS)


def _plain_arguments(arguments: str) -> str:
    """Returns a call's arguments as plain text, a value a line: in JSON text a line end is no line end."""
    try:
        values: Any = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    if not isinstance(values, dict):
        return arguments
    return "\n".join(f"{key}: {value}" for key, value in values.items())


def _to_carry(atoms: Sequence[Atom]) -> list[Atom]:
    """Returns the atoms that go on: the newest, those that somebody said before those that a tool printed."""
    if len(atoms) <= MOST_CARRIED:
        return list(atoms)
    chosen = set(_best_first(atoms)[:MOST_CARRIED])
    return [atom for atom in atoms if atom in chosen]


def _best_first(atoms: Sequence[Atom]) -> list[Atom]:
    newest = atoms[::-1]
    return [*(atom for atom in newest if atom.said), *(atom for atom in newest if not atom.said)]


def kept_block(essentials: Essentials, summary: str, language: Language, allowance: int, room: int) -> KeptBlock:
    """Returns the block to stand beside a summary.

    All rules stand in it; of the atoms that the summary has not those that fit, what was said before what a tool
    printed, the newest first.

    Args:
        essentials: The rules and atoms.
        summary: The summary, with what it has of them.
        language: The language of the headings.
        allowance: Tokens for the block.
        room: Tokens above which the block may not go: summary and block stay smaller than their source.
    """
    missing = [atom for atom in essentials.atoms if not stands_in(atom, summary)]
    best = _best_first(missing)
    low, high = 0, len(best)
    while low < high:
        middle = (low + high + 1) // 2
        text = _block_text(essentials.rules, _in_order(best[:middle], missing), language)
        low, high = (middle, high) if estimate_tokens(text) <= min(allowance, room) else (low, middle - 1)
    text = _block_text(essentials.rules, _in_order(best[:low], missing), language)
    return KeptBlock(text, len(essentials.rules), low, len(missing) - low)


def _in_order(chosen: Sequence[Atom], atoms: Sequence[Atom]) -> list[Atom]:
    kept = set(chosen)
    return [atom for atom in atoms if atom in kept]


def _block_text(rules: Sequence[str], atoms: Sequence[Atom], language: Language) -> str:
    rules_heading, atoms_heading = _HEADINGS[language]
    lines = [rules_heading, *(f"- {rule}" for rule in rules)] if rules else []
    if atoms:
        lines.append(atoms_heading + SEPARATOR.join(map(str, atoms)))
    return "\n".join(lines)


def with_block(text: str, block: KeptBlock) -> str:
    """Returns the content of a summary: what was written for it, and the block beside it."""
    return f"{text}{_BEFORE}{block.text}" if block.text else text


def without_block(content: str) -> str:
    """Returns what was written for a summary, without the block beside it."""
    for heading in (heading for headings in _HEADINGS.values() for heading in headings):
        if _BEFORE + heading in content:
            return content.rpartition(_BEFORE + heading)[0]
    return content
