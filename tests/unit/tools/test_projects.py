"""create_project makes projects that build, or nothing."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.tools.projects import java_package_part, python_module

POM = {"m": "http://maven.apache.org/POM/4.0.0"}
NAMES = st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,20}[A-Za-z0-9])?", fullmatch=True)


def files_of(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def command(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def need(tool: str) -> str:
    return shutil.which(tool) or pytest.skip(f"{tool} is not installed")


def pom_value(folder: Path, path: str) -> str | None:
    return ET.parse(folder / "pom.xml").findtext(path, namespaces=POM)


def release(folder: Path) -> str | None:
    return pom_value(folder, "m:properties/m:maven.compiler.release")


def test_a_java_project_is_maven_with_the_version_asked_for(run: Any, root: Path) -> None:
    outcome = run("create_project", name="myapp", type="java", java_version=17)
    assert outcome.ok
    assert outcome.text.startswith("Created the java project 'myapp' in myapp, JDK 17, Maven:\n  pom.xml\n")
    assert files_of(root / "myapp") == [
        ".gitignore",
        "pom.xml",
        "src/main/java/com/example/myapp/App.java",
        "src/test/java/com/example/myapp/AppTest.java",
    ]
    assert release(root / "myapp") == "17"
    assert pom_value(root / "myapp", "m:artifactId") == "myapp"
    assert pom_value(root / "myapp", "m:groupId") == "com.example"
    assert list(root.rglob("*gradle*")) == []


@pytest.mark.parametrize(("given", "written"), [(None, "21"), ("17", "17"), (8, "8"), ("21", "21"), (25.0, "25")])
def test_the_version_stands_where_the_compiler_reads_it(run: Any, root: Path, given: Any, written: str) -> None:
    assert run("create_project", name="app", type="Java", java_version=given).ok
    assert release(root / "app") == written


@pytest.mark.parametrize(
    ("name", "package"),
    [("my-app", "myapp"), ("My.App_2", "myapp_2"), ("class", "class_"), ("2048", "_2048"), ("true", "true_")],
)
def test_any_name_becomes_a_valid_package(run: Any, root: Path, name: str, package: str) -> None:
    assert run("create_project", name=name, type="java", java_version=17, group_id="org.demo").ok
    source = root / name / "src/main/java/org/demo" / package / "App.java"
    assert source.read_text().startswith(f"package org.demo.{package};")
    javac = need("javac")
    compiled = command(javac, "--release", "17", "-d", "classes", str(source), folder=root / name)
    assert (compiled.returncode, compiled.stderr) == (0, "")


@pytest.mark.parametrize("version", [8, 17])
def test_the_java_project_compiles_and_runs(run: Any, root: Path, version: int) -> None:
    javac, java = need("javac"), need("java")
    run("create_project", name="my-app", type="java", java_version=version)
    folder = root / "my-app"
    source = "src/main/java/com/example/myapp/App.java"
    compiled = command(javac, "-Xlint:-options", "--release", str(version), "-d", "classes", source, folder=folder)
    assert compiled.returncode == 0, compiled.stderr
    assert command(java, "-cp", "classes", "com.example.myapp.App", "Ada", folder=folder).stdout == "Hello, Ada!\n"


def test_maven_builds_and_tests_the_java_project(run: Any, root: Path) -> None:
    maven, javac = need("mvn"), need("javac")
    version = command(javac, "-version", folder=root).stdout.split()[-1].split(".")[0]
    run("create_project", name="my-app", type="java", java_version=version)
    folder = root / "my-app"
    built = command(maven, "-o", "-B", "package", folder=folder)
    if built.returncode and "offline mode" in built.stdout:
        pytest.skip("Maven's plug-ins are not on this machine, and tests don't use the network")
    assert built.returncode == 0, built.stdout
    assert "Tests run: 1, Failures: 0" in built.stdout
    jar = "target/my-app-0.1.0-SNAPSHOT.jar"
    assert command(need("java"), "-jar", jar, "Ada", folder=folder).stdout == "Hello, Ada!\n"


def test_the_python_project_passes_its_own_test(run: Any, root: Path) -> None:
    assert run("create_project", name="My-App", type="python").ok
    folder = root / "My-App"
    project = tomllib.loads((folder / "pyproject.toml").read_text())
    assert project["build-system"]["build-backend"] == "hatchling.build"
    assert project["project"]["name"] == "My-App"
    assert project["project"]["scripts"] == {"My-App": "my_app.main:main"}
    tested = command(sys.executable, "-m", "pytest", "-q", folder=folder)
    assert "1 passed" in tested.stdout, tested.stdout + tested.stderr
    shown = command(sys.executable, "src/my_app/main.py", "Ada", folder=folder)
    assert shown.stdout == "Hello, Ada!\n"


def test_the_python_project_makes_a_wheel(run: Any, root: Path) -> None:
    if not importlib.util.find_spec("hatchling"):
        pytest.skip("hatchling is not installed")
    run("create_project", name="2048", type="python")
    built = command(sys.executable, "-m", "hatchling", "build", "-t", "wheel", folder=root / "2048")
    assert built.returncode == 0, built.stderr
    assert len(list((root / "2048" / "dist").glob("*.whl"))) == 1


@pytest.mark.parametrize("name", ["json", "class", "tests", "pytest"])
def test_a_python_project_hides_no_other_module(run: Any, root: Path, name: str) -> None:
    run("create_project", name=name, type="python")
    assert (root / name / "src" / f"{name}_app" / "main.py").is_file()
    assert "1 passed" in command(sys.executable, "-m", "pytest", "-q", folder=root / name).stdout


def test_the_node_project_passes_its_own_test(run: Any, root: Path) -> None:
    assert run("create_project", name="My-App", type="node").ok
    folder = root / "My-App"
    package = json.loads((folder / "package.json").read_text())
    assert (package["name"], package["type"], package["scripts"]["test"]) == ("my-app", "module", "node --test")
    node = need("node")
    tested = command(node, "--test", folder=folder)
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "greets by name" in tested.stdout
    assert command(node, "src/index.js", "Ada", folder=folder).stdout == "Hello, Ada!\n"


def test_it_is_made_where_the_path_says(run: Any, root: Path) -> None:
    assert run("create_project", name="web", type="node", path="a/b").text.startswith(
        "Created the node project 'web' in a/b/web:"
    )
    assert run("create_project", name="web", type="node", path="").ok
    assert (root / "a/b/web/package.json").is_file()
    assert (root / "web/package.json").is_file()


def test_an_empty_folder_is_filled_and_stays_the_same_folder(run: Any, root: Path) -> None:
    (root / "web").mkdir(mode=0o750)
    before = (root / "web").stat()
    assert run("create_project", name="web", type="node").ok
    after = (root / "web").stat()
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert len(files_of(root / "web")) == 5


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"type": "rust"}, "'type' has value 'rust'; use one of: java, python, node"),
        ({"name": ""}, "'name' has value ''; use letters"),
        ({"name": "a/b"}, "'name' has value 'a/b'; use letters"),
        ({"name": "a\\b"}, "use letters"),
        ({"name": ".."}, "'name' has value '..'"),
        ({"name": ".hidden"}, "'name' has value '.hidden'"),
        ({"name": "我的项目"}, "'name' has value '我的项目'; use letters"),
        ({"name": "x" * 101}, "at most 100"),
        ({"name": "a</artifactId>"}, "use letters"),
        ({"java_version": "seventeen"}, "'java_version' has value 'seventeen'; it must be a whole number"),
        ({"java_version": "1.8"}, "'java_version' has value '1.8'; it must be a whole number"),
        ({"java_version": 7}, "'java_version' has value 7; it must be at least 8"),
        ({"java_version": 1700}, "at most 99"),
        ({"group_id": "com..example"}, "'group_id' has value 'com..example'; use the form of a Java package"),
        ({"group_id": "com.class"}, "'group_id' has value 'com.class'"),
        ({"group_id": "a-b"}, "such as 'com.example'"),
    ],
)
def test_what_can_not_be_made_is_an_error_and_leaves_nothing(
    run: Any, root: Path, arguments: dict[str, Any], complaint: str
) -> None:
    outcome = run("create_project", **({"name": "app", "type": "java"} | arguments))
    assert not outcome.ok
    assert complaint in outcome.text
    assert list(root.iterdir()) == []


def test_a_folder_in_use_is_left_alone(run: Any, root: Path) -> None:
    (root / "app").mkdir()
    (root / "app" / "mine.txt").write_text("mine")
    (root / "file").touch()
    outcome = run("create_project", name="app", type="java")
    assert not outcome.ok
    assert "The folder 'app' exists and is not empty; nothing was written. Choose another name" in outcome.text
    assert (
        "'file' can't be the project's folder: Not a directory" in run("create_project", name="file", type="node").text
    )
    assert "can't be the project's folder" in run("create_project", name="x", type="node", path="file").text
    assert files_of(root) == ["app/mine.txt", "file"]


@pytest.mark.parametrize("before", [[], ["app"]])
def test_a_disk_that_fails_half_way_leaves_nothing(
    run: Any, root: Path, monkeypatch: pytest.MonkeyPatch, before: list[str]
) -> None:
    for name in before:
        (root / name).mkdir()
    left = iter(range(2))
    write = Path.write_text

    def failing(path: Path, text: str, **options: Any) -> int:
        if next(left, None) is None:
            raise OSError(28, "No space left on device")
        return write(path, text, **options)

    monkeypatch.setattr(Path, "write_text", failing)
    outcome = run("create_project", name="app", type="java", path=".")
    assert "can't be made in 'app': No space left on device. Nothing was written" in outcome.text
    assert [path.name for path in root.rglob("*")] == before


def test_a_move_that_fails_half_way_is_taken_back(run: Any, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "app").mkdir()
    left = iter(range(2))
    rename = Path.rename

    def failing(path: Path, target: Path) -> Path:
        if next(left, None) is None:
            raise OSError(5, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    assert "Input/output error" in run("create_project", name="app", type="java").text
    assert [path.name for path in root.rglob("*")] == ["app"]


@given(NAMES)
def test_every_name_gives_identifiers(name: str) -> None:
    assert java_package_part(name).isidentifier()
    assert python_module(name).isidentifier()
    assert python_module(name) not in sys.stdlib_module_names


def test_modes_are_those_of_the_user(run: Any, root: Path) -> None:
    run("create_project", name="app", type="node")
    umask = os.umask(0)
    os.umask(umask)
    assert (root / "app").stat().st_mode & 0o777 == 0o777 & ~umask
    assert (root / "app/package.json").stat().st_mode & 0o777 == 0o666 & ~umask
