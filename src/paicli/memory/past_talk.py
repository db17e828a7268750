"""PastTalk: finds what was said before the window, in this session and earlier ones, and the facts that go with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paicli.errors import AmbiguousEntry, UnknownEntry
from paicli.memory.conversation import ConversationMemory, as_message
from paicli.memory.entry import MemoryEntry, utc_now
from paicli.memory.long_term import LongTermMemory
from paicli.memory.protocols import Clock
from paicli.memory.redaction import redact
from paicli.memory.scope import Scopes
from paicli.memory.search.scoring import Wanted
from paicli.memory.session.past_message import PastHit, PastMessage, PastSearch
from paicli.memory.session.record import Whereabouts
from paicli.memory.stores.archive import Archive, TranscriptInfo

_ENOUGH_TIMES = 4
"""A search ends when it has so many times the messages asked for that hold every word."""
_MOST_FACTS = 5
_SHORTEST_PREFIX = 4


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: facts of long-term memory, then past messages, each best first."""

    facts: tuple[MemoryEntry, ...] = ()
    hits: tuple[PastHit, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.facts or self.hits)


class PastTalk:
    """Searches the transcripts and long-term memory.

    What another project's sessions hold is found only where everything is asked for. What stands in the window as it
    was said is not found: it need not be.

    Args:
        archive: The transcripts.
        long_term: The facts.
        history: The window of this session.
        session: This session's id.
        scopes: The scopes in force.
        here: Where this session runs.
        clock: Tells the present moment.
    """

    def __init__(  # noqa: PLR0913 -- by keyword
        self,
        archive: Archive,
        long_term: LongTermMemory,
        *,
        history: ConversationMemory,
        session: str,
        scopes: Scopes,
        here: Whereabouts,
        clock: Clock = utc_now,
    ) -> None:
        self._archive = archive
        self._long_term = long_term
        self._history = history
        self._session = session
        self._scopes = scopes
        self._here = here
        self._clock = clock

    def search(self, query: str, limit: int = 8, *, everywhere: bool = False) -> Found:
        """Returns the facts and the past messages that a text is found in.

        Args:
            query: The text.
            limit: The most messages.
            everywhere: Whether other projects are looked at as well.
        """
        if not query.strip():
            return Found()
        search = PastSearch(query, self._clock())
        for message in self._messages(everywhere=everywhere):
            search.take(message)
            if search.full >= _ENOUGH_TIMES * limit:
                break
        return Found(self._facts(query, everywhere=everywhere), tuple(search.hits(limit)))

    def message(self, entry_id: str, *, everywhere: bool = False) -> PastMessage:
        """Returns the past message, or the fact, whose id is this or begins with it.

        Raises:
            UnknownEntry: There is none, or it is another project's.
            AmbiguousEntry: There are several.
        """
        wanted = entry_id.strip().casefold()
        prefix = wanted if len(wanted) >= _SHORTEST_PREFIX else None
        fitting: dict[str, PastMessage] = {}
        for message in self._messages(everywhere=everywhere, whole=True):
            if message.id == wanted:
                return message
            if prefix and message.id.startswith(prefix):
                fitting.setdefault(message.id, message)
        for fact in self._facts_with(wanted, prefix):
            if everywhere or fact.scope in self._scopes.active:
                fitting[fact.id] = _as_message(fact)
        if not fitting:
            raise UnknownEntry(entry_id=entry_id)
        if len(fitting) > 1:
            raise AmbiguousEntry(entry_id=entry_id, count=len(fitting), ids=", ".join(list(fitting)[:5]))
        return next(iter(fitting.values()))

    def sessions(self) -> Iterator[TranscriptInfo]:
        """Yields the sessions of this project and of none in which the user spoke, newest first, but the present one."""
        for info in self._archive.sessions():
            if info.id != self._session and info.messages and self._is_here(info.project, info.root):
                yield info

    def _is_here(self, project: str, root: str | None) -> bool:
        """Returns whether something was said in this project, or outside of any."""
        return root in ("", self._here.root) or bool(project and project in self._scopes.active)

    def _messages(self, *, everywhere: bool, whole: bool = False) -> Iterator[PastMessage]:
        """Yields the messages that may be looked at, newest first; with `whole` those that stand in the window too."""
        for info in self._archive.sessions():
            shown = self._shown() if info.id == self._session and not whole else {}
            for message in reversed(self._archive.said(info)):
                if not everywhere and not self._is_here(message.project, message.root):
                    continue
                if message.id not in shown or redact(shown[message.id]).text != message.text:
                    yield message

    def _shown(self) -> dict[str, str]:
        return {entry.id: as_message(entry).text for entry in self._history}

    def _facts_with(self, wanted: str, prefix: str | None) -> Sequence[MemoryEntry]:
        """Returns the facts with an id, or whose ids begin with a text."""
        exact = self._long_term.get(wanted)
        found = self._long_term.starting_with(prefix or "", _MOST_FACTS)
        return [*found, exact] if exact else found

    def _facts(self, query: str, *, everywhere: bool) -> tuple[MemoryEntry, ...]:
        scopes = None if everywhere else self._scopes.active
        found = self._long_term.scored(query, Wanted(_MOST_FACTS), scopes=scopes, now=self._clock())
        return tuple(hit.entry for hit in found)


def _as_message(fact: MemoryEntry) -> PastMessage:
    return PastMessage(fact.id, "", fact.timestamp.isoformat(), "fact", fact.content)
