"""The blocks of README and docs run as pasted, links lead somewhere, and the map of the article names tests that exist."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tree import ROOT, SOURCE, relative

from paicli.llm.presets import DEFAULT_PRESET, PRESETS, Preset

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
READMES = [path for path in DOCUMENTS if path.name.startswith("README")]
BLOCK = re.compile(r"(?:<!-- (?P<mark>.*?) -->\n)?```(?P<language>\w+)\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:)(?P<target>[^)#]+)(?:#[^)]*)?\)")
RUN = "run by the tests"
NOT_RUN = re.compile(r"not run by the tests: \w.+")
TEST = re.compile(r"`(?P<file>tests/[\w/]+\.py)::(?P<name>\w+)`")
MODULE = re.compile(r"`(?P<file>(?:memory|agents|llm|tools|cli)/[\w/]+\.py)`")
ROWS = [f"M{number}" for number in range(1, 16)]
MAP = ROOT / "docs" / "article-map.md"


@dataclass(frozen=True)
class Block:
    """A block of code of a document, and what the comment above it says."""

    document: Path
    mark: str
    language: str
    code: str

    def __str__(self) -> str:
        return f"{relative(self.document)}: {self.code.splitlines()[0]}"


def blocks(document: Path) -> list[Block]:
    found = BLOCK.finditer(document.read_text(encoding="utf-8"))
    return [Block(document, match["mark"] or "", match["language"], match["code"]) for match in found]


README_BLOCKS = [block for path in READMES for block in blocks(path)]
RUNNABLE = [block for block in README_BLOCKS if block.mark == RUN]


@pytest.mark.parametrize("block", README_BLOCKS, ids=str)
def test_a_block_of_the_readme_is_run_or_says_why_not(block: Block) -> None:
    assert block.mark == RUN or NOT_RUN.fullmatch(block.mark)


@pytest.mark.parametrize("block", RUNNABLE, ids=str)
def test_a_block_of_the_readme_runs_as_pasted(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    command = Path("bin") / "paicli"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m paicli "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(command.parent.resolve()), prepend=":")
    interpreter = [sys.executable, "-"] if block.language == "python" else ["bash", "-eu"]
    run = subprocess.run(interpreter, input=block.code, capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "Traceback" not in run.stderr


def test_the_readme_shows_the_shell_and_the_library() -> None:
    assert {block.language for block in RUNNABLE} == {"python", "sh"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_a_link_to_a_file_leads_somewhere(document: Path) -> None:
    targets = [match["target"] for match in LINK.finditer(document.read_text(encoding="utf-8"))]
    assert [target for target in targets if not (document.parent / target).exists()] == []


@pytest.mark.parametrize("record", sorted(ROOT.glob("docs/decisions/*.md")), ids=relative)
def test_a_decision_record_has_at_most_fifty_lines(record: Path) -> None:
    assert len(record.read_text(encoding="utf-8").splitlines()) <= 50


@pytest.mark.parametrize("row", ROWS)
def test_every_row_of_the_article_has_its_module_and_tests(row: str) -> None:
    text = "\n".join(line for line in MAP.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {row} |"))
    assert MODULE.search(text)
    assert TEST.search(text)


def test_the_map_of_the_article_names_modules_and_tests_that_exist() -> None:
    text = MAP.read_text(encoding="utf-8")
    modules = [match["file"] for match in MODULE.finditer(text)]
    assert [name for name in modules if not (SOURCE / name).is_file()] == []
    tests = [(match["file"], match["name"]) for match in TEST.finditer(text)]
    assert [f"{file}::{name}" for file, name in tests if name not in functions_of(ROOT / file)] == []


def functions_of(path: Path) -> set[str]:
    if not path.is_file():
        return set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_the_readme_lists_a_preset_as_it_is(preset: Preset) -> None:
    choice = "`paicli`" if preset.name == DEFAULT_PRESET else f"`paicli --model {preset.name}`"
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    row = next(line for line in lines if line.startswith("|") and choice in line)
    assert [value for value in (preset.key_variable, preset.default_model) if value and f"`{value}`" not in row] == []
