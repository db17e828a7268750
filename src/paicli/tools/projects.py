"""The tool create_project: a new Java, Python or Node project that builds and has a test."""

from __future__ import annotations

import keyword
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paicli.errors import ToolError
from paicli.llm.model import ToolSpec
from paicli.tools.guard import Guard
from paicli.tools.templates import Files, java_files, node_files, python_files
from paicli.tools.tool import checked, shown

DEFAULT_JAVA_VERSION = 21
MAX_NAME_CHARACTERS = 100
# What Maven, PyPI and npm all take as a name.
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_PACKAGE_PART = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# The Java Language Specification, 3.9, and the literals of 3.10.
_JAVA_WORDS = frozenset(
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends final "
    "finally float for goto if implements import instanceof int interface long native new package private protected "
    "public return short static strictfp super switch synchronized this throw throws transient try void volatile while "
    "_ true false null".split()
)
_TAKEN_MODULES = sys.stdlib_module_names | {"pytest", "tests"}
_HOW_TO = {
    "java": "Build and test it with: mvn test",
    "python": "Test it with: python -m pytest",
    "node": "Test it with: npm test",
}


class CreateProject:
    """Makes a project in a folder of its own: all of its files or none."""

    spec = ToolSpec(
        "create_project",
        "Create a new project that builds, with a test. Java: Maven with JUnit 5. Python: hatchling with pytest. "
        "Node: ES modules with node --test.",
        {
            "type": "object",
            "properties": {
                "name": {
                    "type": "string",
                    "description": "The project's name and its folder's: letters a-z, digits, '-', '_', '.'.",
                },
                "type": {"type": "string", "enum": ["java", "python", "node"], "description": "The kind of project."},
                "path": {
                    "type": "string",
                    "default": ".",
                    "description": "The folder in which the project's folder is made; '.' is the project root.",
                },
                "java_version": {
                    "type": "integer",
                    "minimum": 8,
                    "maximum": 99,
                    "default": DEFAULT_JAVA_VERSION,
                    "description": "Java only: the JDK version to compile for. Pass what the user prefers.",
                },
                "group_id": {
                    "type": "string",
                    "default": "com.example",
                    "description": "Java only: Maven's groupId, and the beginning of the package.",
                },
            },
            "required": ["name", "type"],
            "additionalProperties": False,
        },
    )

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def run(self, arguments: Mapping[str, Any]) -> str:
        """Returns the folder, its files and the command that tests it."""
        given = checked(self.spec, arguments)
        name, kind = _checked_name(given["name"]), given["type"]
        files = _files(name, given)
        folder = self._guard.path(self.spec.name, "create", f"{given['path'].strip() or '.'}/{name}")
        shown_folder = self._guard.shown(folder)
        _refuse_used(folder, shown_folder)
        try:
            _write_all(folder, files)
        except OSError as error:
            raise ToolError(
                reason=f"The project can't be made in '{shown_folder}': {error.strerror or error}. Nothing was written."
            ) from error
        target = f", JDK {given['java_version']}, Maven" if kind == "java" else ""
        listing = "\n".join(f"  {path}" for path in files)
        return f"Created the {kind} project '{name}' in {shown_folder}{target}:\n{listing}\n{_HOW_TO[kind]}"


def _files(name: str, given: Mapping[str, Any]) -> Files:
    if given["type"] == "java":
        group = _checked_group(given["group_id"].strip())
        return java_files(name, f"{group}.{java_package_part(name)}", group, given["java_version"])
    if given["type"] == "python":
        return python_files(name, python_module(name))
    return node_files(name.lower())


def java_package_part(name: str) -> str:
    """Returns the last part of the package for a project's name.

    >>> java_package_part("My-App"), java_package_part("class"), java_package_part("2048")
    ('myapp', 'class_', '_2048')
    """
    part = re.sub(r"[^a-z0-9_]", "", name.lower())
    if part in _JAVA_WORDS:
        return f"{part}_"
    return f"_{part}" if part[0].isdigit() else part


def python_module(name: str) -> str:
    """Returns the module for a project's name, never one that would hide another.

    >>> python_module("My-App"), python_module("json"), python_module("2048")
    ('my_app', 'json_app', '_2048')
    """
    module = re.sub(r"[^a-z0-9]+", "_", name.lower())
    if module in _TAKEN_MODULES or keyword.iskeyword(module):
        return f"{module}_app"
    return f"_{module}" if module[0].isdigit() else module


def _checked_name(name: str) -> str:
    name = name.strip()
    if len(name) > MAX_NAME_CHARACTERS or not _NAME.fullmatch(name):
        raise ToolError(
            reason=f"create_project: 'name' has value '{shown(name)}'; use letters a-z, digits, '-', '_' and '.', "
            f"at most {MAX_NAME_CHARACTERS}, beginning and ending with a letter or digit, such as 'my-app'. "
            "The folder goes into 'path'."
        )
    return name


def _checked_group(group: str) -> str:
    for part in group.split("."):
        if part in _JAVA_WORDS or not _PACKAGE_PART.fullmatch(part):
            raise ToolError(
                reason=f"create_project: 'group_id' has value '{shown(group)}'; use the form of a Java package, "
                "such as 'com.example'."
            )
    return group


def _refuse_used(folder: Path, name: str) -> None:
    try:
        used = any(folder.iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        raise ToolError(
            reason=f"'{name}' can't be the project's folder: {error.strerror or error}. Choose another name or path."
        ) from error
    if used:
        raise ToolError(
            reason=f"The folder '{name}' exists and is not empty; nothing was written. Choose another name or path, "
            "or change its files with write_file."
        )


def _write_all(folder: Path, files: Files) -> None:
    """Writes the files near the place they are for, and then moves them there; where that fails, nothing stays."""
    base = folder  # the part of the path that exists: an empty folder stays the folder that it is
    while not base.exists():
        base = base.parent
    staging = Path(tempfile.mkdtemp(prefix=".paicli-", dir=base))
    try:
        for path, text in files.items():
            target = staging / folder.relative_to(base) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        _move_all(staging, base)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _move_all(source: Path, target: Path) -> None:
    children = list(source.iterdir())
    try:
        for child in children:
            child.rename(target / child.name)
    except BaseException:
        for moved in (target / child.name for child in children if not child.exists()):
            shutil.rmtree(moved) if moved.is_dir() else moved.unlink()
        raise
