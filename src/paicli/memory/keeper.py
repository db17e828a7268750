"""FactKeeper: puts facts into long-term memory, with scope and provenance, and says honestly what became of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from paicli.errors import EmptyContent, StoreError
from paicli.memory.entry import FactKind, MemoryEntry, MemoryType, Origin, Provenance
from paicli.memory.facts.grounding import GroundedFact, meaningful_words
from paicli.memory.facts.kind import classify
from paicli.memory.facts.statement import statement_in
from paicli.memory.long_term import LongTermMemory
from paicli.memory.scope import Scopes, speaks_of_project, speaks_of_somebody


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a fact.

    Args:
        entry: The entry that says it now.
        is_new: Whether it was not known before.
        is_reworded: Whether a known entry got a better wording.
        error: Why it is not on disk, and held for this session only; None where it is saved.
    """

    entry: MemoryEntry
    is_new: bool = True
    is_reworded: bool = False
    error: StoreError | None = None

    @property
    def saved(self) -> bool:
        """Whether the fact is on disk."""
        return self.error is None


@dataclass(slots=True)
class FactKeeper:
    """Keeps facts in a long-term memory, in the scopes in force."""

    long_term: LongTermMemory
    scopes: Scopes
    session: str = ""

    def store(self, text: str, *, kind: FactKind | None = None, scope: str | None = None) -> MemoryEntry:
        """Keeps what the user saves in so many words; returns the kept entry, which is on disk.

        Raises:
            StoreError: It could not be saved.
        """
        return self.long_term.store(self._explicit(text, kind, scope))

    def remember(self, text: str, *, kind: FactKind | None = None, scope: str | None = None) -> Kept:
        """Keeps what the user saves in so many words; for this session only where the disk takes nothing."""
        return self._keep(self._explicit(text, kind, scope))

    def remember_statement(self, message: MemoryEntry) -> Kept | None:
        """Keeps what a user's message asks to be remembered, by rule; None where it asks for nothing."""
        statement = statement_in(message.content)
        if statement is None:
            return None
        source = Provenance(self.session, message.id, message.content)
        return self._keep(replace(self._explicit(statement, None, None), source=source), automatic=True)

    def keep(self, fact: GroundedFact) -> Kept:
        """Keeps a fact drawn out of the talk. Where the same message already gave one, its wording is made better."""
        earlier = self._from_same_message(fact.message_id)
        words = meaningful_words(fact.content)
        for entry in earlier:
            known = meaningful_words(entry.content)
            if known and known <= words:
                return self._reword(entry, fact.content)
            if words <= known:
                return Kept(entry, is_new=False)
        return self._keep(fact.as_entry(scope=self._scope_of(fact), session=self.session), automatic=True)

    def keep_all(self, facts: Iterable[GroundedFact]) -> list[Kept]:
        """Keeps facts drawn out of the talk, in order."""
        return [self.keep(fact) for fact in facts]

    def _scope_of(self, fact: GroundedFact) -> str:
        """Returns a fact's scope by the user's words; by the model's where those speak of neither person nor project."""
        says = speaks_of_somebody(fact.quote) or speaks_of_project(fact.quote)
        return self.scopes.for_text(fact.quote if says else fact.content)

    def _explicit(self, text: str, kind: FactKind | None, scope: str | None) -> MemoryEntry:
        said = text.strip()
        return MemoryEntry(
            said,
            MemoryType.FACT,
            scope=scope or self.scopes.for_text(said),
            origin=Origin.USER,
            kind=kind or classify(said),
            source=Provenance(self.session) if self.session else None,
        )

    def _keep(self, entry: MemoryEntry, *, automatic: bool = False) -> Kept:
        try:
            kept = self.long_term.store(entry, automatic=automatic)
        except EmptyContent:
            raise
        except StoreError as error:
            return Kept(self.long_term.keep_for_session(entry), error=error)
        return Kept(kept, is_new=kept.id == entry.id)

    def _reword(self, entry: MemoryEntry, content: str) -> Kept:
        if entry.content == content:
            return Kept(entry, is_new=False)
        try:
            return Kept(
                self.long_term.replace(entry.with_content(content), automatic=True), is_new=False, is_reworded=True
            )
        except StoreError as error:
            return Kept(entry, is_new=False, error=error)

    def _from_same_message(self, message_id: str) -> list[MemoryEntry]:
        return [
            entry
            for entry in self.long_term.said_in(message_id)
            if entry.scope in self.scopes.active and entry.origin is Origin.USER
        ]
