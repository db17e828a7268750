from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from paicli.errors import StoreUnavailable
from paicli.memory.stores.path_text import path_of, path_text
from paicli.memory.stores.projects import Project, find_project, mend_registry, register


def made(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


def root_of(folder: Path, home: Path) -> Path | None:
    project = find_project(folder, home)
    return project.root if project else None


def test_a_folder_that_nothing_is_known_of_is_its_own_project(tmp_path: Path, home: Path) -> None:
    folder = made(tmp_path / "a" / "sub")
    assert find_project(folder, home) == Project(folder, "sub")
    assert not home.exists()


@pytest.mark.parametrize("sign", [".git", ".paicli"])
def test_a_folder_below_a_known_one_belongs_to_it(tmp_path: Path, home: Path, sign: str) -> None:
    made(tmp_path / "a" / sign)
    assert root_of(made(tmp_path / "a" / "sub" / "deep"), home) == tmp_path / "a"


def test_the_nearest_known_folder_counts(tmp_path: Path, home: Path) -> None:
    made(tmp_path / "a" / ".git")
    register(Project(made(tmp_path / "a" / "service"), "service"), home)
    assert root_of(made(tmp_path / "a" / "service" / "sub"), home) == tmp_path / "a" / "service"
    assert root_of(made(tmp_path / "a" / "other"), home) == tmp_path / "a"


def test_a_person_without_a_home_has_projects_too(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", unknown)
    assert root_of(made(tmp_path / "a"), home) == tmp_path / "a"


def test_the_home_never_is_a_project(home: Path) -> None:
    person = home.parent
    made(person / ".git")
    made(home)
    for folder in (person, person.parent, home):
        assert find_project(folder, home) is None
    assert root_of(made(person / "work"), home) == person / "work"


def test_a_registered_project_is_known_from_its_subfolders(tmp_path: Path, home: Path) -> None:
    folder = made(tmp_path / "a")
    found = find_project(folder, home)
    assert found is not None
    project = register(found, home)
    assert project.id
    assert find_project(made(folder / "sub"), home) == project
    assert find_project(made(tmp_path / "b"), home) == Project(tmp_path / "b", "b")
    assert register(replace(project, id=None), home) == project


def test_the_registry_is_private_and_keeps_what_it_does_not_know(tmp_path: Path, home: Path) -> None:
    register(Project(made(tmp_path / "a"), "a"), home)
    path = home / "projects.json"
    rows = json.loads(path.read_text())
    path.write_text(json.dumps([*rows, None, {"theirs": 1}]))
    register(Project(made(tmp_path / "b"), "b"), home)
    kept = json.loads(path.read_text())
    assert kept[1:3] == [None, {"theirs": 1}]
    assert [row["name"] for row in (kept[0], kept[3])] == ["a", "b"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.parametrize("data", ["", "[{", "null"])
def test_a_damaged_registry_is_set_aside_and_its_last_version_used(tmp_path: Path, home: Path, data: str) -> None:
    project = register(Project(made(tmp_path / "a"), "a"), home)
    register(Project(made(tmp_path / "b"), "b"), home)
    (home / "projects.json").write_text(data)
    assert find_project(tmp_path / "a", home) == project
    register(Project(made(tmp_path / "c"), "c"), home)
    assert find_project(tmp_path / "a", home) == project
    (aside,) = home.glob("projects.json.damaged-*")
    assert aside.read_text() == data


def test_a_registry_that_can_not_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = made(tmp_path / "a")
    for home in (tmp_path / "file", tmp_path / "file" / "home"):
        assert find_project(folder, home) == Project(folder, "a")
        with pytest.raises(StoreUnavailable):
            register(Project(folder, "a"), home)


def test_an_unreadable_registry_is_not_overwritten(tmp_path: Path, home: Path) -> None:
    made(home / "projects.json")
    assert find_project(made(tmp_path / "a"), home) == Project(tmp_path / "a", "a")
    with pytest.raises(StoreUnavailable):
        register(Project(tmp_path / "a", "a"), home)


def test_projects_registered_at_once_are_all_there(tmp_path: Path, home: Path) -> None:
    projects = [Project(made(tmp_path / f"p{number}"), f"p{number}") for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        ids = set(pool.map(lambda project: register(project, home).id, projects * 2))
    assert len(ids) == 8


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_all_worktrees_of_a_repository_are_one_project(tmp_path: Path, home: Path) -> None:
    repository = made(tmp_path / "main")
    git = ["git", "-C", str(repository), "-c", "user.name=x", "-c", "user.email=x@example.com"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "tree")], check=True, capture_output=True)
    assert root_of(tmp_path / "tree", home) == repository
    assert root_of(made(tmp_path / "tree" / "sub"), home) == repository


def test_a_folder_that_only_claims_to_be_a_worktree_gets_no_facts_of_another(tmp_path: Path, home: Path) -> None:
    git_folder = made(tmp_path / "victim" / ".git" / "worktrees" / "w")
    (git_folder / "commondir").write_text("../..\n")
    (git_folder / "gitdir").write_text(f"{tmp_path / 'elsewhere' / '.git'}\n")
    thief = made(tmp_path / "thief")
    (thief / ".git").write_text(f"gitdir: {git_folder}\n")
    assert root_of(thief, home) == thief


@pytest.mark.parametrize(
    "content", [b"", b"gitdir: ../main/.git/modules/sub\n", b"\xff\xfe", b"gitdir: " + b"x" * 5000]
)
def test_a_submodule_or_a_broken_git_file_makes_a_project_of_its_folder(
    tmp_path: Path, home: Path, content: bytes
) -> None:
    folder = made(tmp_path / "sub")
    (folder / ".git").write_bytes(content)
    assert root_of(folder, home) == folder


def ids_of(home: Path, *folders: Path) -> list[str | None]:
    found = [find_project(folder, home) for folder in folders]
    return [project.id if project else None for project in found]


@pytest.fixture
def three(tmp_path: Path, home: Path) -> list[Path]:
    """Three registered projects."""
    folders = [made(tmp_path / name) for name in ("a", "b", "c")]
    for folder in folders:
        register(Project(folder, folder.name), home)
    return folders


@pytest.mark.parametrize("kept", [0, 1, 40, 0.5, 0.6, 0.9])
def test_a_truncated_registry_loses_no_id(home: Path, tmp_path: Path, three: list[Path], kept: float) -> None:
    before = ids_of(home, *three)
    registry = home / "projects.json"
    data = registry.read_bytes()
    registry.write_bytes(data[: int(kept * len(data)) if kept < 1 else int(kept)])
    assert ids_of(home, *three) == before
    new = register(Project(made(tmp_path / "d"), "d"), home)
    assert ids_of(home, *three, tmp_path / "d") == [*before, new.id]
    json.loads(registry.read_bytes())
    assert len(list(home.glob("projects.json.damaged-*"))) == 1


def test_a_registry_that_is_gone_is_taken_from_its_copy(home: Path, three: list[Path]) -> None:
    before = ids_of(home, *three)
    (home / "projects.json").unlink()
    assert mend_registry(home) is None
    assert ids_of(home, *three) == before


def test_a_damaged_registry_is_mended_once_and_told(home: Path, three: list[Path]) -> None:
    before = ids_of(home, *three)
    registry = home / "projects.json"
    whole = registry.read_bytes()
    registry.write_bytes(whole[:-10])
    left = mend_registry(home, read_only=True)
    assert left
    assert (left.code, left.values["aside"]) == ("damaged", "")
    assert registry.read_bytes() == whole[:-10]
    told = mend_registry(home)
    assert told
    assert Path(str(told.values["aside"])).read_bytes() == whole[:-10]
    assert told.values["path"] == str(registry)
    assert mend_registry(home) is None
    assert ids_of(home, *three) == before
    assert json.loads((home / "projects.json.bak").read_bytes()) == json.loads(whole)


def test_a_registry_that_is_no_file_keeps_nobody_waiting(home: Path, tmp_path: Path) -> None:
    made(home)
    os.mkfifo(home / "projects.json")
    assert mend_registry(home) is None
    assert root_of(made(tmp_path / "a"), home) == tmp_path / "a"
    with pytest.raises(StoreUnavailable, match="not a file"):
        register(Project(tmp_path / "a", "a"), home)


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="names are Unicode there")
def test_a_folder_whose_name_is_no_utf_8_keeps_its_id(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path / os.fsdecode(b"caf\xe9"))
    registered = register(Project(folder, folder.name), home)
    assert ids_of(home, made(folder / "sub")) == [registered.id]
    assert path_of(path_text(folder)) == folder
