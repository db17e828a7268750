"""Reads the repository's files, for the tests of this folder."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "paicli"
_LEFT_BY_TOOLS = {"__pycache__", "build", "dist"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def repository_files() -> list[Path]:
    """Returns the files that git knows or would add; without git, all but what tools leave behind."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return [path for path in _walk(ROOT) if path.is_file()]
    paths = (ROOT / name for name in listing.stdout.decode().split("\0") if name)
    return [path for path in paths if path.is_file()]


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in _LEFT_BY_TOOLS or (path.name.startswith(".") and path.name not in {".ci", ".gitignore"}):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _walk(path)
        else:
            yield path


def modules(folder: Path = SOURCE) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(path: Path) -> Iterator[Function]:
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def imported_modules(path: Path) -> Iterator[str]:
    """Yields what a file imports, at its top or inside functions; a sub-module taken from its package by its own name."""
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (_origin(node.module or "", alias.name) for alias in node.names)


def _origin(module: str, name: str) -> str:
    inside = (SOURCE.parent / module.replace(".", "/") / name).with_suffix(".py")
    return f"{module}.{name}" if inside.is_file() else module


def called_names(path: Path) -> set[str]:
    """Returns the plain names that a file calls: `open` for `open(…)`, nothing for `path.open(…)`."""
    calls = (node.func for node in ast.walk(syntax(path)) if isinstance(node, ast.Call))
    return {function.id for function in calls if isinstance(function, ast.Name)}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
