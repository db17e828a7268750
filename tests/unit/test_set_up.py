"""`scripts/set-up.sh` makes .venv once, and answers what is missing with the line that helps."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("cat", "cksum", "cp", "dirname", "mkdir", "sh")
FAKE_PYTHON = """#!/bin/sh
# Says of itself what the test wants, and writes down what would be installed.
case "$*" in
    *version_info\\ \\<*) exit {too_old} ;;
    *"import venv, ensurepip"*) exit {no_venv} ;;
    *"-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *"pip install"*) echo "$*" >>installed && exit {no_network} ;;
    *"%d.%d"*) echo 3.12 ;;
    --version) echo "Python 3.9.2" ;;
esac
"""


@pytest.fixture
def clone() -> Path:
    """Returns a folder with a space in its name that holds what the script needs, and a `bin` with nothing but that."""
    folder = Path.cwd() / "a clone"
    (folder / "scripts").mkdir(parents=True)
    (folder / "bin").mkdir()
    shutil.copy(ROOT / "scripts" / "set-up.sh", folder / "scripts")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name in NEEDED:
        (folder / "bin" / name).symlink_to(shutil.which(name) or name)
    return folder


def add_python(clone: Path, *, too_old: int = 0, no_venv: int = 0, no_network: int = 0) -> None:
    python = clone / "bin" / "python3"
    python.write_text(FAKE_PYTHON.format(too_old=too_old, no_venv=no_venv, no_network=no_network), encoding="utf-8")
    python.chmod(0o755)


def set_up(clone: Path, kind: str = "run") -> subprocess.CompletedProcess[str]:
    command = [str(clone / "bin" / "sh"), str(clone / "scripts" / "set-up.sh"), kind]
    return subprocess.run(command, env={"PATH": str(clone / "bin")}, capture_output=True, text=True, check=False)


def installed(clone: Path) -> list[str]:
    log = clone / "installed"
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def test_a_second_run_installs_nothing(clone: Path) -> None:
    add_python(clone)
    assert set_up(clone).returncode == 0
    assert set_up(clone).returncode == 0
    assert len(installed(clone)) == 1


def test_a_changed_list_of_packages_is_installed(clone: Path) -> None:
    add_python(clone)
    set_up(clone)
    with (clone / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("# another package\n")
    set_up(clone)
    assert len(installed(clone)) == 2


def test_the_tools_for_tests_are_enough_for_use(clone: Path) -> None:
    add_python(clone)
    set_up(clone, "dev")
    set_up(clone, "run")
    assert [line.rpartition(" ")[2] for line in installed(clone)] == [".[dev]"]


def test_a_clone_that_was_moved_is_installed_anew(clone: Path) -> None:
    add_python(clone)
    set_up(clone)
    moved = clone.rename(clone.with_name("moved"))
    set_up(moved)
    assert len(installed(moved)) == 2


def test_a_set_up_that_failed_is_tried_again(clone: Path) -> None:
    add_python(clone, no_network=1)
    failed = set_up(clone)
    add_python(clone)
    (clone / ".venv" / "bin" / "python").unlink()
    assert failed.returncode == 1
    assert "Without a network" in failed.stderr
    assert set_up(clone).returncode == 0


def test_a_missing_venv_module_is_answered_with_the_line_that_helps(clone: Path) -> None:
    add_python(clone, no_venv=1)
    answer = set_up(clone)
    assert answer.returncode == 1
    assert "sudo apt install python3-venv" in answer.stderr
    assert "sudo apt install python3.12-venv" in answer.stderr


def test_an_old_python_is_named_with_the_way_to_a_newer_one(clone: Path) -> None:
    add_python(clone, too_old=1)
    answer = set_up(clone)
    assert answer.returncode == 1
    assert "Python 3.11 or newer is needed; found: Python 3.9.2." in answer.stderr


def test_no_python_at_all_is_said(clone: Path) -> None:
    answer = set_up(clone)
    assert answer.returncode == 1
    assert "found: no python3." in answer.stderr


def test_a_newer_python_beside_an_old_one_is_found(clone: Path) -> None:
    add_python(clone)
    (clone / "bin" / "python3").rename(clone / "bin" / "python3.13")
    add_python(clone, too_old=1)
    assert set_up(clone).returncode == 0
    assert len(installed(clone)) == 1
