"""How much an entry's age takes from its score. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from paicli.memory.entry import MemoryEntry, Origin

RECENCY_SHARE = 0.1
"""How much of the score recency decides; 1 is the article's formula. From 0 to 0.2 what is found does not change by measure."""
EXPLICIT_RECENCY_FLOOR = 0.9
"""What the user saved in so many words fades no further."""
_HOURS_A_DAY = 24.0
_LATER_EXPONENT = 0.15


def recency(age: timedelta) -> float:
    """Returns the weight of an age, in 0..1: the article's 1.0 → 0.5 over 24 hours, then `0.5 × (24 / hours) ** 0.15`.

    The second part carries the line on: 0.30 after a month, 0.21 after a year. A date up to a day ahead counts as now
    (a clock that is off); one further ahead is no date to trust, and weighs 0.5.
    """
    return weight_of_age(age.total_seconds() / 3600)


def weight_of_age(hours: float) -> float:
    """Returns `recency` of an age in hours."""
    if hours < -_HOURS_A_DAY:
        return 0.5
    if hours <= _HOURS_A_DAY:
        return 1.0 - max(hours, 0.0) / (2 * _HOURS_A_DAY)
    return 0.5 * float((_HOURS_A_DAY / hours) ** _LATER_EXPONENT)


def dated(entry: MemoryEntry) -> datetime:
    """Returns when an entry was last said or changed."""
    return entry.updated or entry.timestamp


def is_lasting(entry: MemoryEntry) -> bool:
    """Returns whether the user saved or pinned the entry in so many words."""
    return entry.pinned or entry.origin is Origin.USER


def entry_recency(entry: MemoryEntry, now: datetime) -> float:
    """Returns an entry's weight by age: what the user saved in so many words, or pinned, not below 0.9."""
    weight = recency(now - dated(entry))
    return max(weight, EXPLICIT_RECENCY_FLOOR) if is_lasting(entry) else weight


def combined(match: float, recency_weight: float, source_weight: float = 1.0, share: float = RECENCY_SHARE) -> float:
    """Returns `match × (1 − share + share × recency) × source weight`."""
    return match * (1.0 - share + share * recency_weight) * source_weight
