"""Measures rankings: python benchmarks/retrieval --data FOLDER [--adapters article,bm25,words].

The folder holds `locomo_dev.json`, `memorybank_zh_dev.json`, `memorybank_en_dev.json` and, for the last two, `…_gold.json`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from adapters import ArticleRanking, LongTermSearch, PlainBM25
from dataset import Case, crossed, locomo, memorybank
from measure import HEAD, Adapter, measure, row

ADAPTERS: dict[str, Callable[[], Adapter]] = {"article": ArticleRanking, "bm25": PlainBM25, "words": LongTermSearch}


def memorybank_cases(data: Path) -> dict[str, list[Case]]:
    """Returns the cases of MemoryBank: in each language, and asked in one about the other."""
    zh, zh_gold = data / "memorybank_zh_dev.json", data / "memorybank_zh_dev_gold.json"
    en, en_gold = data / "memorybank_en_dev.json", data / "memorybank_en_dev_gold.json"
    return {
        "zh": memorybank(zh, zh_gold),
        "en": memorybank(en, en_gold),
        "zh2en": memorybank(en, en_gold, asked="zh_question"),
        "en2zh": crossed(zh, zh_gold, en_gold),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the data sets")
    parser.add_argument("--adapters", default=",".join(ADAPTERS))
    options = parser.parse_args()
    talks, users = locomo(options.data / "locomo_dev.json"), memorybank_cases(options.data)
    print(HEAD)
    for name in options.adapters.split(","):
        adapter = ADAPTERS[name]()
        answered = measure(adapter, talks)
        print(row(f"{name} LoCoMo 1-4", answered, "1234"))
        for category in "12345":
            print(row(f"{name} LoCoMo {category}", answered, category))
        for label, cases in users.items():
            print(row(f"{name} MemoryBank {label}", measure(adapter, cases)))


if __name__ == "__main__":
    main()
