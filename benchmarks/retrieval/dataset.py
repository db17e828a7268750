"""The data sets as stores of entries with questions: LoCoMo, MemoryBank in Chinese, English and across the two."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from paicli.memory.entry import MemoryEntry, MemoryType

_LOCOMO_DATE = re.compile(r"(\d+):(\d+) (am|pm) on (\d+) (\w+),? (\d+)")
_MONTHS = "January February March April May June July August September October November December".split()
_TURN = re.compile(r"D(\d+):0*(\d+)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the ids of the entries that answer it, and the group it is counted in."""

    text: str
    gold: frozenset[str]
    also: frozenset[str] = frozenset()
    group: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A store of entries, in the order they were said, and the questions asked of it."""

    name: str
    entries: tuple[MemoryEntry, ...]
    questions: tuple[Question, ...]

    @property
    def now(self) -> datetime:
        """The moment of the newest entry: the time at which the questions are asked."""
        return max(entry.timestamp for entry in self.entries)


def locomo(path: Path) -> list[Case]:
    """Returns one case per conversation of a LoCoMo file; the groups are its categories, `"1"` to `"5"`."""
    return [_locomo_case(sample) for sample in json.loads(path.read_text("utf-8"))]


def memorybank(path: Path, gold_path: Path, asked: str = "question") -> list[Case]:
    """Returns one case per user; `asked` is the key of the wording to ask (`zh_question`: the Chinese one, of the English file)."""
    talks = json.loads(path.read_text("utf-8"))
    questions = json.loads(gold_path.read_text("utf-8"))
    return list(_memorybank_cases(talks, questions, asked))


def crossed(path: Path, gold_path: Path, english_gold_path: Path) -> list[Case]:
    """Returns the cases of a Chinese store asked in English, where the English file has the question."""
    talks = json.loads(path.read_text("utf-8"))
    questions = json.loads(gold_path.read_text("utf-8"))
    translated = json.loads(english_gold_path.read_text("utf-8"))
    english = {(one["zh_user"], one["zh_question"]): one["question"] for one in translated}
    asked = [
        {**one, "english": english[key]} for one in questions if (key := (one["user"], one["question"])) in english
    ]
    return list(_memorybank_cases(talks, asked, "english"))


def _locomo_case(sample: dict[str, Any]) -> Case:
    conversation = sample["conversation"]
    entries: list[MemoryEntry] = []
    for key, turns in conversation.items():
        if isinstance(turns, list):
            moment = locomo_date(conversation[f"{key}_date_time"])
            entries += (_locomo_entry(turn, key, number, moment) for number, turn in enumerate(turns))
    known = {entry.id for entry in entries}
    questions = []
    for one in sample["qa"]:
        gold = {f"D{session}:{turn}" for text in one["evidence"] for session, turn in _TURN.findall(text)} & known
        if gold:
            questions.append(Question(one["question"], frozenset(gold), group=str(one["category"])))
    return Case(sample["sample_id"], tuple(entries), tuple(questions))


def _locomo_entry(turn: dict[str, Any], session: str, number: int, moment: datetime) -> MemoryEntry:
    image = f" [shared image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return MemoryEntry(
        f"{turn['speaker']}: {turn['text']}{image}",
        MemoryType.CONVERSATION,
        turn["dia_id"],
        moment,
        {"speaker": turn["speaker"], "session": session, "turn": str(number)},
    )


def locomo_date(text: str) -> datetime:
    """Returns the moment of `"1:56 pm on 8 May, 2023"`."""
    found = _LOCOMO_DATE.search(text)
    if not found:
        raise ValueError(f"Session date {text!r} is not of the form '1:56 pm on 8 May, 2023'.")
    hour, minute, half, day, month, year = found.groups()
    return datetime(
        int(year), _MONTHS.index(month) + 1, int(day), int(hour) % 12 + 12 * (half == "pm"), int(minute), tzinfo=UTC
    )


def _memorybank_cases(talks: dict[str, Any], questions: list[dict[str, Any]], asked: str) -> Iterator[Case]:
    for user, talk in talks.items():
        entries = [
            _memorybank_entry(exchange, day, number)
            for day, exchanges in talk["history"].items()
            for number, exchange in enumerate(exchanges)
        ]
        mine = [one for one in questions if one["user"] == user]
        if mine:
            yield Case(
                user,
                tuple(entries),
                tuple(
                    Question(one[asked], frozenset(one["gold"]), frozenset(one["also"]), one["type"]) for one in mine
                ),
            )


def _memorybank_entry(exchange: dict[str, str], day: str, number: int) -> MemoryEntry:
    return MemoryEntry(
        f"{exchange['query']}\n{exchange['response']}",
        MemoryType.CONVERSATION,
        f"{day}#{number}",
        datetime.fromisoformat(day).replace(tzinfo=UTC),
        {"session": day, "turn": str(number)},
    )
