"""Processes that are killed, that store at the same time, and an editor in between: with real processes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paicli.memory.long_term import LongTermMemory
from paicli.memory.stores.json_file import JsonFileStore
from paicli.testing.store_contract import fact

FILE = "long_term_memory.json"
STORING = """
import sys
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.long_term import LongTermMemory

memory = LongTermMemory.open(sys.argv[1])
for number in range(int(sys.argv[3])):
    memory.store(MemoryEntry(f"Worker {sys.argv[2]} says {number}.", MemoryType.FACT))
    print(number, flush=True)
"""


def storing(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", STORING, str(folder), name, str(count)]
    return subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def contents(folder: Path) -> list[str]:
    return [row["content"] for row in json.loads((folder / FILE).read_text("utf-8"))]


def test_a_killed_process_loses_no_fact_that_it_said_was_stored(tmp_path: Path) -> None:
    chance = random.Random(28)
    acknowledged: list[str] = []
    for kill in range(20):
        with storing(tmp_path, f"w{kill}", 100_000) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.random() * 0.05)
            process.kill()
            numbers = [0, *(int(line) for line in process.stdout if line.endswith("\n"))]
        acknowledged += [f"Worker w{kill} says {number}." for number in numbers]
        assert set(acknowledged) <= set(contents(tmp_path))
    memory = LongTermMemory.open(tmp_path)
    assert memory.take_notices() == []
    assert len(memory) >= len(acknowledged)
    assert list(tmp_path.glob(f"{FILE}.damaged-*")) == []


def test_two_processes_that_store_at_once_lose_nothing(tmp_path: Path) -> None:
    with storing(tmp_path, "a", 50) as first, storing(tmp_path, "b", 50) as second:
        for process in (first, second):
            process.communicate("")
    assert sorted(contents(tmp_path)) == sorted(
        f"Worker {name} says {number}." for name in "ab" for number in range(50)
    )


def test_an_edit_between_two_saves_of_running_processes_is_kept(tmp_path: Path) -> None:
    first, second = LongTermMemory.open(tmp_path), LongTermMemory.open(tmp_path)
    first.store(fact(1))
    second.store(fact(2))
    path = tmp_path / FILE
    path.write_text(path.read_text("utf-8").replace("Service 1", "Service one"), "utf-8")
    with storing(tmp_path, "a", 3) as process:
        process.communicate("")
    first.store(fact(3))
    second.store(fact(4))
    assert len(contents(tmp_path)) == 7
    assert any("Service one" in content for content in contents(tmp_path))


def test_a_lock_left_by_a_killed_process_holds_nobody_up(tmp_path: Path) -> None:
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from paicli.memory.stores.json_file import JsonFileStore\n"
        "with JsonFileStore(Path(sys.argv[1])).transaction():\n"
        "    print('held', flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    with JsonFileStore(tmp_path, lock_seconds=0.5).transaction():
        pass


@pytest.mark.parametrize("locale", ["C", "POSIX", "zh_CN.GBK"])
def test_the_locale_does_not_matter(tmp_path: Path, locale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys\n"
        "from paicli.memory.entry import MemoryEntry, MemoryType\n"
        "from paicli.memory.long_term import LongTermMemory\n"
        "memory = LongTermMemory.open(sys.argv[1])\n"
        "memory.store(MemoryEntry('用户喜欢茶 \\U0001f9e9', MemoryType.FACT))\n"
        "assert [entry.content for entry in LongTermMemory.open(sys.argv[1])] == ['用户喜欢茶 \\U0001f9e9']\n"
    )
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("PYTHONIOENCODING", "gbk")
    script = tmp_path / "script.py"
    script.write_text(code, "utf-8")
    subprocess.run([sys.executable, str(script), str(tmp_path / "memory")], check=True)
    assert "用户喜欢茶 🧩" in (tmp_path / "memory" / FILE).read_text("utf-8")


def test_importing_the_memory_loads_no_lock_and_no_dictionary_and_writes_nothing(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "import paicli.memory.long_term, paicli.memory.stores.transcript, paicli.memory.stores.projects\n"
        "heavy = {'filelock', 'rjieba', 'openai'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
