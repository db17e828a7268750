"""The process that the demonstration kills: stores facts, and names each once `store` has returned."""

from __future__ import annotations

import sys
from itertools import count

from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.long_term import LongTermMemory


def write(folder: str) -> None:
    """Stores one fact after the other, until it is killed."""
    memory = LongTermMemory.open(folder)
    for number in count(1):
        memory.store(MemoryEntry(f"fact {number}", MemoryType.FACT))
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    write(sys.argv[1])
