"""Finds the project a folder belongs to, and keeps the registry of projects in paicli's home."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from paicli.errors import StoreUnavailable
from paicli.memory.entry import format_time, new_id, utc_now
from paicli.memory.redaction import storable
from paicli.memory.stores.atomic_file import make_private_folder, read_stamped, replace_file, set_aside, stamp
from paicli.memory.stores.lock import file_lock
from paicli.memory.stores.rows import Parsed, dump_row, dump_rows, parse_rows

_REGISTRY = "projects.json"
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
            return Project(root, root.name, ids.get(root))
    return None if start in not_projects else Project(start, start.name, ids.get(start))


def register(project: Project, home: Path) -> Project:
    """Returns the project with its id, putting it into the registry where it is not there yet.

    Raises:
        StoreBusy: Another process holds the registry's lock.
        StoreUnavailable: The registry can't be written.
    """
    path = home / _REGISTRY
    try:
        make_private_folder(home)
        with file_lock(home / f".{_REGISTRY}.lock", timeout_seconds=_LOCK_SECONDS, place=str(path)):
            parsed, is_damaged = _read(home)
            known = _registered(parsed).get(project.root)
            if known:
                return replace(project, id=known)
            if is_damaged:
                set_aside(path, utc_now())
            project = replace(project, id=new_id())
            texts = [row.text for row in parsed.rows]
            data = dump_rows([*texts, dump_row(_row(project))])
            if not replace_file(path, data, expected=stamp(path), backup=home / f"{_REGISTRY}.bak"):
                raise StoreUnavailable(place=str(path), reason="it was changed at the same moment")
            return project
    except OSError as error:
        raise StoreUnavailable(place=str(path), reason=error.strerror or str(error)) from error


def _row(project: Project) -> dict[str, str]:
    return {
        "id": project.id or "",
        "path": storable(str(project.root)),
        "name": storable(project.name),
        "created": format_time(utc_now()),
    }


def _read(home: Path) -> tuple[Parsed, bool]:
    """Returns the registry's rows, those of its last good version where it has none left, and whether it is damaged."""
    content = read_stamped(home / _REGISTRY)
    parsed = parse_rows(content[1], _is_row) if content else Parsed(())
    if parsed.damaged and not parsed.rows:
        backup = read_stamped(home / f"{_REGISTRY}.bak")
        return (parse_rows(backup[1], _is_row) if backup else parsed), True
    return parsed, parsed.damaged


def _ids(home: Path) -> dict[Path, str]:
    """Returns the ids of the registered projects by their folders."""
    try:
        return _registered(_read(home)[0])
    except OSError:  # their facts are out of reach then, and that is told when one is to be kept
        return {}


def _registered(parsed: Parsed) -> dict[Path, str]:
    return {Path(row.value["path"]): row.value["id"] for row in parsed.rows if _is_row(row.value)}


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
        link = git_file.read_text("utf-8").removeprefix("gitdir:").strip()
        git_folder = (git_file.parent / link).resolve()
        common = (git_folder / (git_folder / "commondir").read_text("utf-8").strip()).resolve()
        named = Path((git_folder / "gitdir").read_text("utf-8").strip())
        is_named = (git_folder / named).resolve() == git_file.resolve()
    except (OSError, ValueError):
        return None
    if not is_named or common not in git_folder.parents:
        return None
    return common.parent if common.name == ".git" else common
