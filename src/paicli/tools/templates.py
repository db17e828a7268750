"""The files of a new project, by their path in it. Pure: names go in, texts come out."""

from __future__ import annotations

import json
from string import Template

Files = dict[str, str]

# Releases of the time of writing that also run on old JDKs: JUnit 5 needs Java 8, and so do these plug-ins.
_POM = Template("""\
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 https://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>

  <groupId>$group</groupId>
  <artifactId>$name</artifactId>
  <version>0.1.0-SNAPSHOT</version>
  <packaging>jar</packaging>

  <properties>
    <maven.compiler.release>$release</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <junit.version>5.11.4</junit.version>
  </properties>

  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>$${junit.version}</version>
      <scope>test</scope>
    </dependency>
  </dependencies>

  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.3.1</version>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.13.0</version>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.2.5</version>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-jar-plugin</artifactId>
        <version>3.4.2</version>
        <configuration>
          <archive>
            <manifest>
              <mainClass>$package.App</mainClass>
            </manifest>
          </archive>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
""")

_APP = Template("""\
package $package;

/** Says hello. */
public final class App {

    private App() {
    }

    static String greeting(String name) {
        return "Hello, " + name + "!";
    }

    public static void main(String[] args) {
        System.out.println(greeting(args.length > 0 ? args[0] : "world"));
    }
}
""")

_APP_TEST = Template("""\
package $package;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AppTest {

    @Test
    void greetsByName() {
        assertEquals("Hello, Ada!", App.greeting("Ada"));
    }
}
""")


def java_files(name: str, package: str, group: str, release: int) -> Files:
    """Returns a Maven project for the given Java release with one class and one JUnit 5 test."""
    values = {"name": name, "package": package, "group": group, "release": release}
    folder = package.replace(".", "/")
    return {
        "pom.xml": _POM.substitute(values),
        f"src/main/java/{folder}/App.java": _APP.substitute(values),
        f"src/test/java/{folder}/AppTest.java": _APP_TEST.substitute(values),
        ".gitignore": "target/\n.idea/\n*.iml\n.classpath\n.project\n.settings/\n",
    }


_PYPROJECT = Template("""\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "$name"
version = "0.1.0"
requires-python = ">=3.10"
dependencies = []

[project.scripts]
"$name" = "$module.main:main"

[dependency-groups]
dev = ["pytest>=8"]

[tool.hatch.build.targets.wheel]
packages = ["src/$module"]

[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]
""")

_MAIN = '''\
"""Says hello."""

import sys


def greeting(name: str) -> str:
    return f"Hello, {name}!"


def main() -> None:
    print(greeting(sys.argv[1] if len(sys.argv) > 1 else "world"))


if __name__ == "__main__":
    main()
'''

_MAIN_TEST = Template("""\
from $module.main import greeting


def test_greets_by_name() -> None:
    assert greeting("Ada") == "Hello, Ada!"
""")


def python_files(name: str, module: str) -> Files:
    """Returns a hatchling project with one module and one pytest test, which runs without an install."""
    values = {"name": name, "module": module}
    return {
        "pyproject.toml": _PYPROJECT.substitute(values),
        f"src/{module}/__init__.py": "",
        f"src/{module}/main.py": _MAIN,
        "tests/test_main.py": _MAIN_TEST.substitute(values),
        ".gitignore": "__pycache__/\n.venv/\n.pytest_cache/\ndist/\n*.egg-info/\n",
    }


_INDEX = """\
import process from "node:process";
import { greeting } from "./greeting.js";

console.log(greeting(process.argv[2] ?? "world"));
"""

_GREETING = """\
export function greeting(name) {
  return `Hello, ${name}!`;
}
"""

_GREETING_TEST = """\
import assert from "node:assert/strict";
import { test } from "node:test";
import { greeting } from "../src/greeting.js";

test("greets by name", () => {
  assert.equal(greeting("Ada"), "Hello, Ada!");
});
"""


def node_files(name: str) -> Files:
    """Returns an ES module project with one test for Node's own runner, and no dependencies."""
    package = {
        "name": name,
        "version": "0.1.0",
        "private": True,
        "type": "module",
        "main": "src/index.js",
        "scripts": {"start": "node src/index.js", "test": "node --test"},
        "engines": {"node": ">=18"},
    }
    return {
        "package.json": json.dumps(package, indent=2) + "\n",
        "src/index.js": _INDEX,
        "src/greeting.js": _GREETING,
        "test/greeting.test.js": _GREETING_TEST,
        ".gitignore": "node_modules/\ncoverage/\n",
    }
