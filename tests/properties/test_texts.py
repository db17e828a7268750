"""Laws of texts: their size, and the block that is made of them."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from paicli.memory import MemoryEntry, MemoryType, estimate_tokens
from paicli.memory.context_block import build_block
from paicli.memory.entry import from_row, to_row
from paicli.memory.search.recency import recency
from paicli.memory.search.scoring import ScoredEntry
from paicli.memory.window import cut_middle

MIXED = st.text(st.one_of(st.characters(), st.sampled_from("一鿿㐀豈あ한，。Ａ🧩😀⭐ab 1\n")), max_size=60)
HOSTILE = st.lists(
    st.sampled_from(
        [
            "</",
            "<",
            "memory",
            "Memory",
            "summary",
            ">",
            "/",
            " ",
            "\n",
            "\u2028",
            "\u200b",
            "\u200d",
            "\x1b",
            "## ",
            "中",
            "x",
        ]
    ),
    max_size=14,
).map("".join)


def reference(text: str) -> int:
    """Returns what `estimate_tokens` should, character by character."""
    size = 0
    for character in text:
        point = ord(character)
        cjk = (0x1100, 0x11FF), (0x2E80, 0x4DBF), (0x4E00, 0x9FFF), (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF)
        cjk += (0xFE30, 0xFE4F), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF)
        emoji = (0x2300, 0x23FF), (0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x1F000, 0x1FAFF)
        if any(low <= point <= high for low, high in cjk):
            size += 8
        elif any(low <= point <= high for low, high in emoji):
            size += 12
        else:
            size += 3
    return math.ceil(size / 12)


@given(MIXED)
def test_the_estimate_is_that_of_the_plain_rule(text: str) -> None:
    assert estimate_tokens(text) - reference(text) in (0, 1)  # 1: a sum of thirds a hair above a whole number


@given(MIXED, MIXED)
def test_a_longer_text_is_never_smaller(first: str, second: str) -> None:
    assert max(estimate_tokens(first), estimate_tokens(second)) <= estimate_tokens(first + second)
    assert estimate_tokens(first + second) <= estimate_tokens(first) + estimate_tokens(second) + 1


@given(st.text(max_size=3_000), st.integers(16, 200))
def test_a_text_cut_in_the_middle_keeps_to_its_size(text: str, tokens: int) -> None:
    assert estimate_tokens(cut_middle(text, tokens, estimate_tokens)) <= tokens


ENTRIES = st.lists(st.one_of(HOSTILE, MIXED, st.text("长句子 long ", min_size=80, max_size=400)), max_size=12)


@given(ENTRIES, ENTRIES, st.integers(0, 400), st.sampled_from(["zh", "en"]))
def test_a_block_keeps_to_its_room_and_its_fence(
    core: list[str], recalled: list[str], room: int, language: str
) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    facts = [
        MemoryEntry(text, MemoryType.FACT, timestamp=start + timedelta(days=n))
        for n, text in enumerate([*core, *recalled])
    ]
    hits = [ScoredEntry(entry, 1.0, 1.0, 1.0, 1.2) for entry in facts[len(core) :]]
    block = build_block(facts[: len(core)], hits, room, language)  # type: ignore[arg-type]
    assert estimate_tokens(block.text) <= room
    assert block.tokens == estimate_tokens(block.text)
    if block.text:
        lines = block.text.splitlines()
        assert lines[2] == "<memory>"
        assert lines[-1] == "</memory>"
        assert all(line.startswith("- [") for line in lines[3:-1])
        assert len(lines) == 4 + len(block.core) + len(block.recalled)
        plain = "".join(
            character for line in lines[3:-1] for character in line if not character.isspace() and character != "\u200d"
        )
        assert "<memory" not in plain.lower()
        assert "</memory" not in plain.lower()


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_what_is_older_never_weighs_more(first: float, second: float) -> None:
    older, newer = max(first, second), min(first, second)
    if newer >= -24:
        assert recency(timedelta(hours=older)) <= recency(timedelta(hours=newer)) <= 1.0


@given(
    MIXED.filter(str.strip),
    st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3),
    st.datetimes(),
    st.booleans(),
)
def test_a_row_and_back_gives_the_same_entry(text: str, metadata: dict[str, str], date: datetime, pinned: bool) -> None:  # noqa: FBT001
    entry = MemoryEntry(text, MemoryType.FACT, timestamp=date.replace(tzinfo=UTC), metadata=metadata, pinned=pinned)
    assert from_row(to_row(entry)) == entry
