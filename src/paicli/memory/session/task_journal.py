"""TaskJournal: marks the records of one task of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paicli.memory.protocols import Journal


@dataclass(frozen=True, slots=True)
class TaskJournal:
    """Passes records on to a session's journal with the id of the task they belong to."""

    journal: Journal
    task: str

    def append(self, record: Mapping[str, Any]) -> None:
        """Takes a record."""
        self.journal.append({**record, "task": self.task})
