"""The folders are layers, and the memory leaves the disk to its stores."""

from __future__ import annotations

import pytest
from importlinter.cli import lint_imports
from tree import ROOT, SOURCE, called_names, imported_modules, modules, relative

DISK_AND_NETWORK = {
    "fcntl", "filelock", "glob", "io", "open", "os", "shutil", "socket", "sqlite3", "ssl", "subprocess", "sys",
    "tempfile", "urllib.request",
}  # fmt: skip
OUTSIDE_STORES = [path for path in modules(SOURCE / "memory") if "stores" not in path.parts]
BELOW_CLI = [path for path in modules() if "cli" not in path.parts]


def test_every_contract_between_layers_holds(capsys: pytest.CaptureFixture[str]) -> None:
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert status == 0, capsys.readouterr().out


def test_the_memory_imports_its_sub_modules_and_never_the_package() -> None:
    inside = [path for path in modules(SOURCE / "memory") if path != SOURCE / "memory" / "__init__.py"]
    assert [relative(path) for path in inside if "paicli.memory" in imported_modules(path)] == []


def test_the_memory_outside_stores_touches_neither_disk_nor_network() -> None:
    reaching = {
        relative(path): DISK_AND_NETWORK & ({*imported_modules(path)} | called_names(path)) for path in OUTSIDE_STORES
    }
    assert {path: names for path, names in reaching.items() if names} == {}


def test_only_the_interface_prints_and_asks() -> None:
    assert [relative(path) for path in BELOW_CLI if {"print", "input"} & called_names(path)] == []
