"""SessionLog: every kind of record, and a journal that fails."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from paicli.errors import StoreUnavailable
from paicli.memory import MemoryEntry, MemoryType
from paicli.memory.message import Usage
from paicli.memory.session.log import SessionLog

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ENTRY = MemoryEntry("hi", MemoryType.CONVERSATION, timestamp=NOW)


class Records:
    """A journal that keeps what it is told, or refuses it."""

    def __init__(self, *, is_full: bool = False) -> None:
        self.all: list[dict[str, Any]] = []
        self.is_full = is_full

    def append(self, record: Mapping[str, Any]) -> None:
        if self.is_full:
            raise StoreUnavailable(place="/full", reason="no space left")
        self.all.append(dict(record))


def tell_all(log: SessionLog) -> None:
    log.message(ENTRY, "hi there")
    log.summary(MemoryEntry("s", MemoryType.SUMMARY), [ENTRY.id])
    log.evicted([ENTRY])
    log.evicted([])
    log.extracted(ENTRY)
    log.usage("chat", Usage(1, 2))
    log.clear()


def test_everything_that_happens_is_a_record() -> None:
    records = Records()
    tell_all(SessionLog(records, lambda: NOW))
    assert [record["kind"] for record in records.all] == [
        "message",
        "summary",
        "evicted",
        "extracted",
        "usage",
        "clear",
    ]
    assert records.all[0]["text"] == "hi there"


def test_without_a_journal_nothing_is_noted() -> None:
    log = SessionLog(None, lambda: NOW)
    tell_all(log)
    assert log.notices == []


def test_a_journal_that_fails_is_a_notice_with_the_reason() -> None:
    log = SessionLog(Records(is_full=True), lambda: NOW)
    log.message(ENTRY)
    assert [(notice.code, notice.values["reason"]) for notice in log.notices] == [("journal-failed", "no space left")]
