"""Ways to find entries that are compared: the article's ranking, plain BM25, and paicli's."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from paicli.memory.entry import MemoryEntry
from paicli.memory.long_term import LongTermMemory
from paicli.memory.search.words import all_words
from paicli.memory.stores.in_memory import InMemoryStore


class ArticleRanking:
    """The article's: share of the question's words found (as substrings) × `max(0.5, 1 − hours / 24)`; the whole question found is 1."""

    name = "article"

    def load(self, entries: Sequence[MemoryEntry], now: datetime) -> None:
        """Takes a store's entries."""
        self._now = now
        self._entries = [
            (entry, f"{entry.content} {' '.join(entry.metadata.values())}".casefold()) for entry in entries
        ]

    def ask(self, question: str, limit: int) -> list[str]:
        """Returns the ids of the best entries."""
        import rjieba

        folded = question.casefold()
        words = {word for word in rjieba.cut(folded) if len(word) > 1 and word[0].isalnum()}
        scored = [(self._score(folded, words, entry, text), entry.id) for entry, text in self._entries]
        return [entry_id for score, entry_id in sorted(scored, key=lambda pair: -pair[0])[:limit] if score]

    def _score(self, question: str, words: set[str], entry: MemoryEntry, text: str) -> float:
        match = 1.0 if question in text else sum(word in text for word in words) / max(1, len(words))
        hours = (self._now - entry.timestamp).total_seconds() / 3600
        return match * max(0.5, 1 - hours / 24)


class PlainBM25:
    """Okapi BM25 with k1 0.9, b 0.4 over paicli's words, and nothing else."""

    name = "bm25"

    def load(self, entries: Sequence[MemoryEntry], now: datetime) -> None:  # noqa: ARG002 -- it knows no time
        """Takes a store's entries."""
        self._ids = [entry.id for entry in entries]
        self._counts = [Counter(all_words(entry.content)) for entry in entries]
        self._average = sum(counts.total() for counts in self._counts) / len(entries)
        self._frequency = Counter(word for counts in self._counts for word in counts)

    def ask(self, question: str, limit: int) -> list[str]:
        """Returns the ids of the best entries."""
        words = set(all_words(question))
        scores = [
            (self._score(words, counts), entry_id) for counts, entry_id in zip(self._counts, self._ids, strict=True)
        ]
        return [entry_id for score, entry_id in sorted(scores, key=lambda pair: -pair[0])[:limit] if score]

    def _score(self, words: set[str], counts: Counter[str]) -> float:
        norm = 0.9 * (0.6 + 0.4 * counts.total() / self._average)
        return sum(self._rarity(word) * counts[word] * 1.9 / (counts[word] + norm) for word in words if word in counts)

    def _rarity(self, word: str) -> float:
        frequency = self._frequency[word]
        return math.log1p((len(self._ids) - frequency + 0.5) / (frequency + 0.5))


class LongTermSearch:
    """paicli as it is used: `LongTermMemory.search`."""

    name = "words"

    def load(self, entries: Sequence[MemoryEntry], now: datetime) -> None:
        """Takes a store's entries."""
        self._memory = LongTermMemory(InMemoryStore(), clock=lambda: now)
        for entry in entries:
            self._memory.store(entry)
        self._memory.search("", 1)  # builds the index

    def ask(self, question: str, limit: int) -> list[str]:
        """Returns the ids of the best entries."""
        return [entry.id for entry in self._memory.search(question, limit)]
