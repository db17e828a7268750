"""Shrinking: old tool results become head and tail with a pointer."""

from __future__ import annotations

from dataclasses import replace

from paicli.memory import MemoryEntry, MemoryType
from paicli.memory.compression.atoms import atoms_from_json
from paicli.memory.compression.shrinking import old_results, recent_results, shrunk
from paicli.memory.message import Message, ToolCall
from paicli.memory.tokens.estimate import estimate_tokens

LONG = "first line\n" + "filler of a file\n" * 400 + "/srv/deep/inside.yml\n" + "filler of a file\n" * 400 + "last line"


def result(text: str = LONG) -> MemoryEntry:
    return MemoryEntry(text, MemoryType.TOOL_RESULT, message=Message("tool", text, call_id="1", tool_name="read_file"))


def talk(rounds: int, steps: int = 1) -> list[MemoryEntry]:
    entries: list[MemoryEntry] = []
    for _ in range(rounds):
        entries.append(MemoryEntry("question", MemoryType.CONVERSATION, message=Message("user", "question")))
        for _ in range(steps):
            call = Message("assistant", "", tool_calls=(ToolCall("1", "read_file"),))
            entries += [MemoryEntry("", MemoryType.CONVERSATION, message=call), result()]
    return entries


def test_head_and_tail_stay_with_a_pointer_to_the_whole_text() -> None:
    entry = result()
    short = shrunk(entry)
    assert short.content.startswith("first line\n")
    assert short.content.endswith("last line")
    assert f"of {len(LONG)} characters left out" in short.content
    assert f"recall with entry_id {entry.id}" in short.content
    assert estimate_tokens(short.content) == short.token_count < 260
    assert short.message == replace(entry.message or Message("tool"), text=short.content)
    assert (short.id, short.type, short.timestamp) == (entry.id, entry.type, entry.timestamp)


def test_it_is_the_same_each_time_and_a_second_time_changes_nothing() -> None:
    entry = result()
    assert shrunk(entry) == shrunk(entry)
    assert shrunk(shrunk(entry)) is shrunk(shrunk(entry)) or shrunk(shrunk(entry)) == shrunk(entry)


def test_the_names_in_what_is_left_out_are_remembered() -> None:
    assert [atom.value for atom in atoms_from_json(shrunk(result()).metadata["atoms"])] == ["/srv/deep/inside.yml"]


def test_a_small_result_stays_as_it_is() -> None:
    entry = result("x" * 1_500)
    assert shrunk(entry) is entry


def test_text_without_lines_and_of_any_script_is_cut_too() -> None:
    for text in ("x" * 90_000, "中" * 5_000, "🙂" * 3_000):
        assert shrunk(result(text)).token_count < 260


def test_results_of_the_last_three_rounds_are_not_old() -> None:
    assert old_results(talk(3)) == []
    entries = talk(5)
    assert [entry.id for entry in old_results(entries)] == [entries[2].id, entries[5].id]


def test_of_all_results_those_of_the_newest_step_stay() -> None:
    entries = talk(2, steps=2)
    assert [entry.id for entry in recent_results(entries)] == [entries[2].id, entries[4].id, entries[7].id]
    assert recent_results([]) == []
