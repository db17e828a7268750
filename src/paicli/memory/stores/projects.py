"""Finds the project a folder belongs to, and keeps the registry of projects in paicli's home."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath

from paicli.errors import StoreError, StoreUnavailable
from paicli.memory.entry import format_time, new_id, utc_now
from paicli.memory.notice import Notice
from paicli.memory.redaction import storable
from paicli.memory.scope import Scopes
from paicli.memory.stores.atomic_file import Stamp, make_private_folder, read_stamped, replace_file, set_aside, stamp
from paicli.memory.stores.lock import file_lock
from paicli.memory.stores.path_text import path_of, path_text
from paicli.memory.stores.rows import Parsed, RawRow, dump_row, dump_rows, parse_rows

_REGISTRY = "projects.json"
_BACKUP = f"{_REGISTRY}.bak"
_LOCK_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Project:
    """A project: its folder, its name for people, and its id once it is registered."""

    root: Path
    name: str
    id: str | None = None


def find_project(cwd: Path, home: Path) -> Project | None:
    """Returns the project a folder belongs to: that of the nearest folder above known as one, else the folder itself.

    A folder is known as one by git (all worktrees of a repository are its one project), by a folder `.paicli`, or by
    the registry. The user's home and the folders above it never are one: None there. Nothing is written.

    Args:
        cwd: Where the program runs.
        home: Paicli's home, with the registry.
    """
    start = cwd.resolve()
    ids = _ids(home)
    not_projects = _not_projects(home)
    for folder in (start, *start.parents):
        if folder in not_projects:
            break
        root = _root_at(folder, home) or (folder if folder in ids else None)
        if root and root not in not_projects:
            return Project(root, _name(root), ids.get(root))
    return None if start in not_projects else Project(start, _name(start), ids.get(start))


def _name(root: Path) -> str:
    return storable(PurePath(path_text(root)).name)


def register(project: Project, home: Path) -> Project:
    """Returns the project with its id, putting it into the registry where it is not there yet.

    Raises:
        StoreBusy: Another process holds the registry's lock.
        StoreUnavailable: The registry can't be written.
    """
    with _locked(home) as path:
        registry = _read(home)
        known = registry.ids.get(project.root)
        if known:
            return replace(project, id=known)
        project = replace(project, id=new_id())
        _write(path, registry, dump_row(_row(project)))
        return project


def mend_registry(home: Path, *, read_only: bool = False) -> Notice | None:
    """Sets a damaged registry aside and puts one in its place with all that it and its copy hold.

    Returns what is to be told; None where it is not damaged. Where nothing may or can be written it stays as it is.
    """
    try:
        registry, aside = _read(home), ""
        if not registry.is_damaged:
            return None
        with suppress(StoreError):
            aside = "" if read_only else _mended(home)
    except OSError:
        return None
    values = {"path": str(home / _REGISTRY), "aside": aside, "salvaged": len(registry.ids)}
    return Notice("damaged", values)


def _mended(home: Path) -> str:
    """Returns where the damaged registry is now; empty where another process was faster."""
    with _locked(home) as path:
        registry = _read(home)
        return _write(path, registry) if registry.is_damaged else ""


@contextmanager
def _locked(home: Path) -> Iterator[Path]:
    """Gives the registry's path, and holds its lock."""
    path = home / _REGISTRY
    try:
        make_private_folder(home)
        with file_lock(home / f".{_REGISTRY}.lock", timeout_seconds=_LOCK_SECONDS, place=str(path)):
            yield path
    except OSError as error:
        raise StoreUnavailable(place=str(path), reason=error.strerror or str(error)) from error


def _write(path: Path, registry: _Registry, *more: str) -> str:
    """Writes the rows and further ones; a damaged registry is set aside before. Returns where, if so."""
    aside = str(set_aside(path, utc_now())) if registry.is_damaged else ""
    data, backup = dump_rows([*(row.text for row in registry.rows), *more]), path.with_name(_BACKUP)
    if not replace_file(path, data, expected=registry.stamp):
        raise StoreUnavailable(place=str(path), reason="it was changed at the same moment")
    # A second copy and not the version before: facts whose project has lost its id would be out of reach.
    replace_file(backup, data, expected=stamp(backup))
    return aside


def scopes_in(project: Project | None, home: Path, *, read_only: bool = False) -> Scopes:
    """Returns the scopes in force in a project, or in none; it gets registered at its first fact only."""
    name_of = partial(_name_of, home)
    if project is None:
        return Scopes(name_of=name_of)
    return Scopes(project.id or "", project.name, None if read_only else partial(_register, project, home), name_of)


def _name_of(home: Path, project_id: str) -> str:
    """Returns the name of a registered project; empty where there is none, or the registry can't be read."""
    try:
        rows = _read(home).rows
    except OSError:
        return ""
    return next((str(row.value.get("name") or "") for row in rows if _has_id(row.value, project_id)), "")


def _has_id(row: object, project_id: str) -> bool:
    return isinstance(row, Mapping) and row.get("id") == project_id


def _register(project: Project, home: Path) -> str:
    """Returns the id a project gets; none where the home takes nothing, so that its facts are the user's until it does."""
    try:
        return register(project, home).id or ""
    except StoreError:
        return ""


def _row(project: Project) -> dict[str, str]:
    return {
        "id": project.id or "",
        "path": path_text(project.root),
        "name": storable(project.name),
        "created": format_time(utc_now()),
    }


@dataclass(frozen=True, slots=True)
class _Registry:
    """The registry's rows, whether its file is damaged, and the file's stamp."""

    rows: tuple[RawRow, ...] = ()
    is_damaged: bool = False
    stamp: Stamp | None = None

    @property
    def ids(self) -> dict[Path, str]:
        """The ids of the projects by their folders."""
        return {path_of(row.value["path"]): row.value["id"] for row in self.rows if _is_row(row.value)}


def _read(home: Path) -> _Registry:
    """Returns the registry, with what its copy has beyond it where it is damaged or gone. OSError passes through."""
    content = read_stamped(home / _REGISTRY)
    parsed = parse_rows(content[1], _is_row) if content else Parsed(())
    rows = parsed.rows
    if parsed.damaged or not content:
        backup = read_stamped(home / _BACKUP)
        known = {row.value["path"] for row in rows if _is_row(row.value)}
        more = parse_rows(backup[1], _is_row).rows if backup else ()
        rows += tuple(row for row in more if _is_row(row.value) and row.value["path"] not in known)
    return _Registry(rows, parsed.damaged, content[0] if content else None)


def _ids(home: Path) -> dict[Path, str]:
    """Returns the ids of the registered projects by their folders."""
    try:
        return _read(home).ids
    except OSError:  # their facts are out of reach then, and that is told when one is to be kept
        return {}


def _is_row(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(value.get(key), str) and value[key] for key in ("id", "path"))


def _not_projects(home: Path) -> set[Path]:
    try:
        user_home = Path.home().resolve()
    except RuntimeError:  # no home is known
        return {home.resolve()}
    return {user_home, *user_home.parents, home.resolve()}


def _root_at(folder: Path, home: Path) -> Path | None:
    """Returns the root of the project that a folder is by its own content; None where it is none."""
    git = folder / ".git"
    if git.is_dir():
        return folder
    if git.is_file():
        return _main_worktree(git) or folder
    own = folder / ".paicli"
    return folder if own.is_dir() and own.resolve() != home.resolve() else None


def _main_worktree(git_file: Path) -> Path | None:
    """Returns the folder of the repository that a worktree's `.git` file belongs to; None where it is no worktree.

    The repository must name the worktree as its own: a folder that only claims to belong to one gets none of its facts.
    """
    try:
        git_folder = (git_file.parent / _line_in(git_file).removeprefix("gitdir:").strip()).resolve()
        common = (git_folder / _line_in(git_folder / "commondir")).resolve()
        named = Path(_line_in(git_folder / "gitdir"))
        is_named = (git_folder / named).resolve() == git_file.resolve()
    except (OSError, ValueError):
        return None
    if not is_named or common not in git_folder.parents:
        return None
    return common.parent if common.name == ".git" else common


def _line_in(file: Path) -> str:
    """Returns what a file of one line, a path, holds, as the system takes it."""
    return os.fsdecode(file.read_bytes()).strip()
