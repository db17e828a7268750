"""A transcript played back is the window: whatever was said, compressed, taken back, evicted, withdrawn and cleared."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from paicli.errors import CompressionFailed, MessageTooLarge
from paicli.memory.long_term import LongTermMemory
from paicli.memory.manager import MemoryManager
from paicli.memory.message import ToolCall
from paicli.memory.session.replay import block_of, window_of
from paicli.memory.stores.in_memory import InMemoryStore
from paicli.testing.scripted import ScriptedModel

STEPS = ("talk", "read", "compact", "undo", "withdraw", "clear", "ask", "fail")


class Records:
    """A journal in memory, as JSON makes it."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []

    def append(self, record: Mapping[str, Any]) -> None:
        self.all.append(json.loads(json.dumps(record)))


class Walk:
    """A session that does what it is told, by name."""

    def __init__(self, seed: int, window: int) -> None:
        self.random = random.Random(seed)
        self.records = Records()
        self.fails = False
        model = ScriptedModel(lambda *_: "" if self.fails else "Goal: piers. " + "x" * self.random.randrange(200))
        long_term = LongTermMemory(InMemoryStore())
        self.memory = MemoryManager(
            model, long_term, context_window=window, journal=self.records, session="s", recall_threshold=300
        )
        for number in range(4):
            self.memory.store_fact(f"pier {number} has gate {number * 7919}")
        self._number = 0

    def do(self, step: str) -> None:
        with suppress(CompressionFailed, MessageTooLarge):
            getattr(self, step)()

    def talk(self) -> None:
        self._number += 1
        self.memory.add_user_message(f"问题 {self._number} pier " + "词 word " * self.random.randrange(60))
        self.memory.add_assistant_message(f"answer {self._number} " + "词 word " * self.random.randrange(60))

    def read(self) -> None:
        calls = [ToolCall(f"c{number}", "read_file") for number in range(self.random.randrange(1, 4))]
        self.memory.add_user_message("read it")
        self.memory.add_assistant_message("", calls, "hm")
        for call in calls:
            text = "\n".join(f"line {number} of /srv/a.txt" for number in range(self.random.randrange(400)))
            self.memory.add_tool_result(call.name, text, call_id=call.id)

    def ask(self) -> None:
        query = f"which gate has pier {self.random.randrange(4)}?"
        found = self.memory.context_block(query)
        self.memory.add_user_message(query)
        self.memory.place(found, query)
        self.memory.request("Be brief.")

    def withdraw(self) -> None:
        self.memory.withdraw(self.memory.add_user_message("never mind"))

    def compact(self) -> None:
        self.memory.compress_now()

    def undo(self) -> None:
        self.memory.undo_compression()

    def clear(self) -> None:
        self.memory.clear()

    def fail(self) -> None:
        self.fails = not self.fails


@given(
    steps=st.lists(st.sampled_from((*STEPS[:2], *STEPS)), max_size=25),
    seed=st.integers(0, 1_000),
    window=st.sampled_from((3_000, 8_000, 32_000)),
)
def test_what_the_records_leave_is_the_window(steps: list[str], seed: int, window: int) -> None:
    walk = Walk(seed, window)
    for step in steps:
        walk.do(step)
    kept, waiting = window_of(walk.records.all)
    assert kept == list(walk.memory.short_term)
    assert waiting == walk.memory.short_term.compressed_summaries
    again = MemoryManager(None, walk.memory.long_term, context_window=window)
    again.restore(kept, waiting, block=block_of(walk.records.all))
    assert again._history.feed.state == walk.memory._history.feed.state
