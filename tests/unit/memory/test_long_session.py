"""Long sessions: what is read and said many times over fits the window, and exact names outlive useless summaries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from paicli.memory import InMemoryStore, LongTermMemory, MemoryManager
from paicli.memory.message import ToolCall, render
from paicli.memory.tokens.estimate import EstimatingCounter
from paicli.testing import ScriptedModel


class Records:
    """A journal in a list."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []

    def append(self, record: Mapping[str, Any]) -> None:
        self.all.append(dict(record))


def memory_with(model: ScriptedModel, records: Records | None = None) -> MemoryManager:
    return MemoryManager(model, LongTermMemory(InMemoryStore()), journal=records)


@pytest.mark.parametrize("line", ["a line of a file that is read\n", "文件里的一行，读了很多遍\n"])
def test_sixty_reads_of_twenty_thousand_characters_stay_within_the_window(line: str) -> None:
    model = ScriptedModel(lambda _messages, _tools: "notes")
    memory, counter = memory_with(model), EstimatingCounter()
    text = (line * 1_700)[:20_000]
    largest = 0
    for number in range(60):
        memory.add_user_message(f"read part {number}")
        memory.add_assistant_message("", [ToolCall(str(number), "read_file")])
        memory.add_tool_result("read_file", text, call_id=str(number))
        largest = max(largest, counter.count(render(memory.request("prompt"))))
        memory.add_assistant_message(f"part {number} is read")
    assert largest <= 200_000
    assert len(model.requests) <= 6
    assert "evicted" not in {notice.code for notice in memory.take_notices()}


def test_one_round_of_sixty_reads_loses_nothing_from_the_window() -> None:
    records = Records()
    memory = memory_with(ScriptedModel([]), records)
    memory.add_user_message("read them all")
    for number in range(60):
        memory.add_assistant_message("", [ToolCall(str(number), "read_file")])
        memory.add_tool_result("read_file", f"part {number} " + "x" * 20_000, call_id=str(number))
    assert "evicted" not in {record["kind"] for record in records.all}
    text = json.dumps(render(memory.request("prompt")))
    assert all(f"part {number} " in text for number in range(60))


def test_planted_names_outlive_ten_useless_summaries() -> None:
    records = Records()
    memory = memory_with(ScriptedModel(lambda _messages, _tools: "They talked."), records)
    forms = ("/srv/app/part-{n}/a.yml", "handleOrder{n}Event", "端口 {n}43", "ERR-4{n}", "9f3c{n}ab", "v2.{n}.1")
    planted = [forms[number % 6].format(n=100 + number) for number in range(84)]
    done = 0
    for number, name in enumerate(planted):
        memory.add_user_message(f"第 {number} 条：{name}，以后会用到。" + "接着往下做，慢慢来。" * 20)
        memory.add_assistant_message("好的，记下了。" * 20)
        if number % 8 == 7 and memory.compress_now():
            done += 1
    assert done == 10
    window = "\n".join(entry.content for entry in memory.short_term)
    said = "\n".join(record["text"] for record in records.all if record["kind"] == "message")
    assert [name for name in planted if name not in window] == []
    assert [name for name in planted if name not in said] == []
