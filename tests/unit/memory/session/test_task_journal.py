"""TaskJournal: the records of a task say whose they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paicli.memory.session.task_journal import TaskJournal


class Records:
    """A journal that keeps what it is told."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []

    def append(self, record: Mapping[str, Any]) -> None:
        self.all.append(dict(record))


def test_a_record_has_the_tasks_id() -> None:
    records = Records()
    TaskJournal(records, "t1").append({"kind": "message"})
    assert records.all == [{"kind": "message", "task": "t1"}]
