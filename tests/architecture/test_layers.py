"""The folders are layers, and the memory leaves the disk to its stores."""

from __future__ import annotations

from pathlib import Path

import pytest
from importlinter.cli import lint_imports
from tree import ROOT, SOURCE, called_names, imported_modules, modules, relative

DISK_AND_NETWORK = {
    "fcntl", "filelock", "glob", "io", "os", "shutil", "socket", "sqlite3", "ssl", "subprocess", "sys",
    "tempfile", "urllib.request",
}  # fmt: skip
OUTSIDE_STORES = [path for path in modules(SOURCE / "memory") if "stores" not in path.parts]
BELOW_CLI = [path for path in modules() if "cli" not in path.parts]


def test_every_contract_between_layers_holds(capsys: pytest.CaptureFixture[str]) -> None:
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert status == 0, capsys.readouterr().out


@pytest.mark.parametrize("path", modules(SOURCE / "memory"), ids=relative)
def test_a_module_of_the_memory_imports_sub_modules_and_never_the_package(path: Path) -> None:
    if path == SOURCE / "memory" / "__init__.py":
        return
    assert "paicli.memory" not in set(imported_modules(path))


@pytest.mark.parametrize("path", OUTSIDE_STORES, ids=relative)
def test_a_module_of_the_memory_outside_stores_touches_neither_disk_nor_network(path: Path) -> None:
    assert not DISK_AND_NETWORK & set(imported_modules(path))
    assert "open" not in called_names(path)


@pytest.mark.parametrize("path", BELOW_CLI, ids=relative)
def test_only_the_interface_prints(path: Path) -> None:
    assert not {"print", "input"} & called_names(path)
