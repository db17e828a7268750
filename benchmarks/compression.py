"""Measures what compression keeps, how often it asks a model, and how long a turn waits for it. No network, a scripted model.

python benchmarks/compression.py

reads    60 rounds of a 20 000-character read in a window of 200 000 tokens
keys     84 planted keys, a summariser whose texts are useless, 10 compressions in a row
atoms    200 planted names and values and 20 rules, with an allowance of 3 000 and of 1 500 tokens
latency  8 groups on a model that takes a second to answer; and how long the prompt waits for a preparation
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from paicli.memory import ContextCompressor, ConversationMemory, LongTermMemory, MemoryEntry, MemoryManager, MemoryType
from paicli.memory.budget import Pressure, TokenBudget
from paicli.memory.compression.plan import Limits
from paicli.memory.entry import utc_now
from paicli.memory.history_window import HistoryWindow
from paicli.memory.message import Message, ToolCall, render
from paicli.memory.past_talk import PastTalk
from paicli.memory.scope import Scopes
from paicli.memory.session.log import SessionLog
from paicli.memory.session.record import Whereabouts, session_record
from paicli.memory.stores.archive import Archive
from paicli.memory.stores.in_memory import InMemoryStore
from paicli.memory.stores.transcript import Transcript
from paicli.memory.tokens.estimate import EstimatingCounter
from paicli.testing import ScriptedModel

WINDOW = 200_000
SESSION = "20260101-000000-demo"
USELESS = "They talked about some things and went on."
KINDS = (
    "/srv/app/part-{n}/settings.yml",
    "https://ci.example.com/job/{n}",
    "handleOrder{n}Event",
    "v2.{n}.1",
    "端口 {n}43",
    "ERR-4{n}",
    "超时 {n} 秒",
    "9f3c{n}ab",
)
"""Forms of planted names and values; `{n}` is a number from 100 on."""


def memory_with(model: ScriptedModel, transcript: Transcript | None = None) -> MemoryManager:
    return MemoryManager(model, LongTermMemory(InMemoryStore()), context_window=WINDOW, journal=transcript)


def reads() -> None:
    model = ScriptedModel(lambda *_: "Goal: read the files. State: they were read.")
    memory = memory_with(model)
    text = "".join(f"line {number} of a file that is long enough to matter\n" for number in range(400))[:20_000]
    sizes: list[int] = []
    counter = EstimatingCounter()
    for number in range(60):
        memory.add_user_message(f"Read part {number} of the code and tell what it does.")
        memory.add_assistant_message("", [ToolCall(f"c{number}", "read_file", f'{{"path": "src/part_{number}.py"}}')])
        sizes.append(counter.count(render(memory.request("You help."))))
        memory.add_tool_result("read_file", text, call_id=f"c{number}")
        sizes.append(counter.count(render(memory.request("You help."))))
        memory.add_assistant_message(f"Part {number} reads settings. " * 10)
    codes = [notice.code for notice in memory.take_notices()]
    print(f"reads    largest request {max(sizes):,} of {WINDOW:,} tokens; model calls {len(model.requests)};", end=" ")
    print(f"{codes.count('results-shortened')} times results were shortened")


def keys() -> None:
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "sessions"
        transcript = Transcript(folder, SESSION)
        transcript.append(session_record(SESSION, utc_now(), Whereabouts()))
        memory = memory_with(ScriptedModel(lambda *_: USELESS), transcript)
        planted = [KINDS[number % len(KINDS)].format(n=100 + number) for number in range(84)]
        compressions = 0
        for number, key in enumerate(planted):
            memory.add_user_message(f"Note {number}: {key}, we need it later on. " + "And so on and so forth. " * 20)
            memory.add_assistant_message("Understood, it goes on from here. " * 10)
            if number % 8 == 7 and memory.compress_now():
                compressions += 1
        window = "\n".join(entry.content for entry in memory.short_term)
        scopes, here = Scopes(), Whereabouts()
        past = PastTalk(
            Archive(folder), memory.long_term, history=memory.short_term, session=SESSION, scopes=scopes, here=here
        )
        in_window = [key for key in planted if key in window]
        recalled = [
            key
            for key in planted
            if key not in in_window and any(key in hit.message.text for hit in past.search(key).hits)
        ]
        transcript.close()
    print(f"keys     {len(in_window)} of 84 in the window, {len(recalled)} more by recall, {compressions} compressions")


def atoms(allowance: int) -> None:
    planted = [KINDS[number % len(KINDS)].format(n=100 + number) for number in range(200)]
    rules = [f"不要改动 module{number:02} 的接口" for number in range(20)]
    history = ConversationMemory(1_000_000)
    for number, atom in enumerate(planted):
        rule = f"{rules[number // 10]}。" if number % 10 == 0 else ""
        say(history, "user", f"{rule}第 {number} 条：{atom}，先记一下，后面部署的时候会用到")
        say(history, "assistant", "好的，记下了。我们接着往下做。")
    for _ in range(3):
        say(history, "user", "继续")
    compressor = ContextCompressor(ScriptedModel(lambda *_: "谈了一些事。"), limits=Limits(allowance_tokens=allowance))
    compressor.compress(history)
    summary = next(iter(history)).content
    kept = [atom for atom in planted if atom in summary]
    newest = kept == planted[len(planted) - len(kept) :]
    stand = sum(rule in summary for rule in rules)
    print(
        f"atoms    allowance {allowance:,}: {len(kept) / 2:.0f} % of the atoms, {stand} of 20 rules, newest: {newest}"
    )


def say(history: ConversationMemory, role: str, text: str) -> None:
    message = Message("user" if role == "user" else "assistant", text)
    history.append(MemoryEntry(text, MemoryType.CONVERSATION, message=message))


def latency() -> None:
    def slow(*_: object) -> str:
        time.sleep(1.0)
        return "notes"

    history = ConversationMemory(1_000_000)
    for number in range(23):
        say(history, "user", f"question {number} " + "with some words " * 10)
        say(history, "assistant", "an answer " * 20)
    start = time.perf_counter()
    ContextCompressor(ScriptedModel(slow)).compress(history)
    whole = time.perf_counter() - start

    window = HistoryWindow(ConversationMemory(1), TokenBudget(8_000), EstimatingCounter(), SessionLog(None, utc_now))
    window.compression.compressor = ContextCompressor(ScriptedModel(slow))
    window.compression.in_background = True
    window.follow()
    longest = 0.0
    for number in range(46):
        start = time.perf_counter()
        window.take(MemoryEntry(f"question {number} " + "with some words " * 23, MemoryType.CONVERSATION))
        longest = max(longest, time.perf_counter() - start)
    assert window.compression.pressure >= Pressure.COMPRESS, "the preparation has not begun"  # noqa: S101 - else the figure says nothing
    print(f"latency  8 groups in {whole:.2f} s; a turn at 80 % waits {longest * 1000:.0f} ms at most")


def main() -> None:
    reads()
    keys()
    atoms(3_000)
    atoms(1_500)
    latency()


if __name__ == "__main__":
    main()
