from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paicli.cli.reader import clean
from paicli.cli.typed import decoded, recover_line, recover_words

FACT = "项目甲使用 Maven 🧩 – naïve"
LOCALES = [
    {"LC_ALL": "C", "PYTHONUTF8": "0"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "gbk"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:strict"},
    {"LC_ALL": "C.UTF-8"},
]


def paicli(
    *arguments: str, text: str = "", cwd: Path | None = None, **environ: str
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "paicli", *arguments]
    return subprocess.run(
        command,
        input=text.encode(),
        capture_output=True,
        env={**os.environ, **environ},
        cwd=cwd,
        timeout=60,
        check=True,
    )


def facts(home: Path) -> list[str]:
    rows = json.loads((home / "memory" / "long_term_memory.json").read_text("utf-8"))
    return [row["content"] for row in rows]


@pytest.mark.parametrize("environ", LOCALES, ids=str)
def test_what_is_saved_and_searched_is_the_same_under_every_locale(home: Path, environ: dict[str, str]) -> None:
    paicli("memory", "add", FACT, **environ)
    paicli(text="/save 我们的仓库叫 青松 🌲\n", **environ)
    assert facts(home) == [FACT, "我们的仓库叫 青松 🌲"]
    found = json.loads(paicli("memory", "search", "青松", "--json", **environ).stdout.decode("ascii", "replace"))
    assert len(found) == 1
    listed = paicli("memory", "list", "--json", **environ).stdout
    encoding = environ.get("PYTHONIOENCODING", "utf-8").partition(":")[0]
    assert [row["content"] for row in json.loads(listed.decode(encoding))] == facts(home)


def test_a_project_in_a_folder_with_a_chinese_name_is_the_same_under_every_locale(tmp_path: Path, home: Path) -> None:
    folder = tmp_path / "项目甲"
    folder.mkdir()
    for number, environ in enumerate(LOCALES):
        paicli("memory", "add", "-p", f"本项目用 pnpm，第 {number} 条", cwd=folder, **environ)
    registered = json.loads((home / "projects.json").read_text("utf-8"))
    assert [(row["path"], row["name"]) for row in registered] == [(str(folder), "项目甲")]


def test_bytes_are_read_as_utf_8_and_only_what_is_mostly_not_as_something_else() -> None:
    assert decoded(FACT.encode(), "gbk") == FACT
    assert decoded("端口是八千零八十".encode("gbk"), "gbk") == "端口是八千零八十"
    assert decoded("café".encode("latin-1"), "latin-1") == "café"
    assert decoded("喜欢".encode() + b"\xff", "gbk") == "喜欢\ufffd"
    assert decoded(b"\xff\xfe", "ascii") == "\ufffd\ufffd"
    assert decoded(b"\xff", "no-such-encoding") == "\ufffd"


def test_words_that_the_locale_could_not_decode_are_recovered_and_paths_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "fsencode", lambda word: word.encode("ascii", "surrogateescape"))
    escaped = FACT.encode().decode("ascii", "surrogateescape")
    options = argparse.Namespace(text=[escaped, "plain"], prompt=escaped, id="喜欢", memory_dir=escaped, command=None)
    recover_words(options)
    assert (options.text, options.prompt, options.memory_dir) == ([FACT, "plain"], FACT, escaped)
    assert options.id == "喜欢"


@pytest.mark.parametrize("declared", ["gbk:strict", "latin-1", ""])
def test_a_line_is_recovered_from_the_bytes_it_was(declared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", declared)
    assert clean(FACT) == FACT
    assert clean("\ud83e\udde9 \ud83d") == "🧩 \ufffd"
    assert recover_line("喜欢\udcff") == "喜欢\ufffd"
    if declared.startswith("gbk"):
        assert recover_line("喜欢猫".encode("gbk").decode("utf-8", "surrogateescape")) == "喜欢猫"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", ["", "memory list", "memory add x", "-p x", "--help"])
def test_a_closed_stream_is_no_fault(arguments: str, closed: str) -> None:
    done = subprocess.run(
        f"{sys.executable} -m paicli {arguments} {closed}",
        shell=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr
    assert b"unexpected" not in done.stderr
