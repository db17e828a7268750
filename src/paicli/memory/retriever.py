"""MemoryRetriever: what of both memories matters to a question, and the text to inject for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paicli.memory.context_block import MOST_CONSIDERED, ContextBlock, build_block
from paicli.memory.conversation import ConversationMemory, role_of
from paicli.memory.entry import MemoryEntry, utc_now
from paicli.memory.language import Language, language_of
from paicli.memory.long_term import LongTermMemory
from paicli.memory.protocols import Clock
from paicli.memory.scope import Scopes
from paicli.memory.search.scoring import ScoredEntry, Wanted, order, scored
from paicli.memory.tokens.estimate import estimate_tokens

LONG_TERM_WEIGHT = 1.2
"""Long-term entries are refined, so they weigh more (the article's factor)."""
MOST_RECALLED = 20


class MemoryRetriever:
    """Ranks entries of short-term and long-term memory for a question.

    Args:
        short_term: The history of this session; None where there is none.
        long_term: The facts that outlive a session.
        long_term_weight: The factor for entries of long-term memory.
        scopes: Facts of other scopes are not looked at; None looks at all.
        clock: Tells the present moment.
        language: The language of the block's headings; None takes the question's.
        count: Tells a text's size in tokens.
    """

    def __init__(  # noqa: PLR0913 -- the first three are the article's, the rest by keyword
        self,
        short_term: ConversationMemory | None,
        long_term: LongTermMemory,
        long_term_weight: float = LONG_TERM_WEIGHT,
        *,
        scopes: Scopes | None = None,
        clock: Clock = utc_now,
        language: Language | None = None,
        count: Callable[[str], int] = estimate_tokens,
    ) -> None:
        self.long_term_weight = long_term_weight
        self._short_term = short_term
        self._long_term = long_term
        self._scopes = scopes
        self._clock = clock
        self._language = language
        self._count = count

    def retrieve(self, query: str, limit: int = 5) -> list[MemoryEntry]:
        """Returns the `limit` most relevant entries of both memories, best first; none for an empty question."""
        return [found.entry for found in self.scored(query, limit)]

    def scored(self, query: str, limit: int = 5) -> list[ScoredEntry]:
        """Returns what `retrieve` returns, each entry with its score and the parts of it."""
        found = scored(query, self._recent(), self._clock(), source_weight=1.0, from_long_term=False)
        return _best([*found, *self._scored_facts(query, limit)], limit)

    def build_context_for_query(self, query: str, max_tokens: int = 500) -> str:
        """Returns the text to inject for a question, from long-term memory only, of at most `max_tokens`; may be empty."""
        return self.context_block(query, max_tokens).text

    def context_block(self, query: str, max_tokens: int = 500) -> ContextBlock:
        """Returns the block for a question: the core of the scopes in force, and what the question recalls."""
        recalled = self._scored_facts(query, MOST_RECALLED)
        language = self._language or language_of([query], default="en")
        standing = self._long_term.standing(self._active(), MOST_CONSIDERED)
        return build_block(standing, recalled, max_tokens, language, self._count)

    def _scored_facts(self, query: str, limit: int) -> list[ScoredEntry]:
        wanted = Wanted(limit, source_weight=self.long_term_weight)
        return self._long_term.scored(query, wanted, scopes=self._active(), now=self._clock())

    def _active(self) -> tuple[str, ...] | None:
        return self._scopes.active if self._scopes else None

    def _recent(self) -> Sequence[MemoryEntry]:
        """Returns the history without the message that is being answered: a question is no memory of itself."""
        entries = list(self._short_term or ())
        newest = next((entry.id for entry in reversed(entries) if role_of(entry) == "user"), None)
        return [entry for entry in entries if entry.id != newest]


def _best(found: Sequence[ScoredEntry], limit: int) -> list[ScoredEntry]:
    return sorted(found, key=lambda one: order(one.entry, one.score))[: max(0, limit)]
