"""M15: the article's demonstration, with a real process in a pseudo-terminal and a real server on loopback."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from person import Person

from paicli.memory import MemoryEntry, MemoryType
from paicli.memory.entry import to_row
from paicli.testing.replies import Answer, Call
from paicli.testing.server import ChatServer

FIRST = {"zh": "帮我创建一个 Java 项目叫 myapp", "en": "Create a Java project called myapp"}
STATEMENT = {"zh": "JDK 可以保持 {version}，你记一下", "en": "JDK can stay at {version}, please remember that"}
SECOND = {"zh": "帮我再创建一个项目", "en": "Create another project for me"}
MAVEN = {"zh": "项目使用Maven构建", "en": "The project is built with Maven"}
WORDINGS = [
    ("zh", 17, "用户偏好 JDK 17"),
    ("zh", 17, "JDK 保持 17"),
    ("zh", 17, "用户要求以后都用 JDK 17"),
    ("zh", 17, "The user wants JDK 17"),
    ("zh", 21, "用户的 JDK 版本是 21"),
    ("en", 17, "The user wants JDK 17"),
    ("en", 17, "Prefers JDK 17"),
    ("en", 17, "JDK stays at version 17"),
    ("en", 21, "The user prefers JDK 21"),
]


class Script:
    """A model that knows nothing by itself: what version it takes is what its system message tells."""

    def __init__(self, wording: str, quote: str) -> None:
        self.wording = wording
        self.quote = quote
        self.projects = 0

    def __call__(self, body: dict[str, Any]) -> Answer:
        system, last = body["messages"][0]["content"], body["messages"][-1]
        if not body.get("tools"):
            return json.dumps({"facts": [{"fact": self.wording, "quote": self.quote}]}, ensure_ascii=False)
        if last["role"] == "tool":
            return "done: " + last["content"].splitlines()[0]
        if last["content"] in (*FIRST.values(), *SECOND.values()):
            return self._project(system.partition("<memory>")[2])
        return "ok"

    def _project(self, notes: str) -> Call:
        self.projects += 1
        told = re.search(r"JDK\D*?(\d+)", notes)
        arguments = {"name": f"app{self.projects}", "type": "java"}
        return Call("create_project", arguments | ({"java_version": int(told[1])} if told else {}))


@contextmanager
def at_the_terminal(server: ChatServer, folder: Path, language: str) -> Iterator[Person]:
    """Someone who starts the program and leaves it in the end."""
    person = Person(["--base-url", server.base_url, "--model", "scripted", "--lang", language], folder=folder)
    try:
        yield person
        assert person.leaves() == 0, person.screen
    finally:
        person.process.close(force=True)


def says(person: Person, server: ChatServer, line: str, answers: int = 1) -> dict[str, Any]:
    """Types a line, waits for its answers, and returns the request that carried it first."""
    before = len(server.requests)
    person.types(line)
    person.waits_until(lambda: len(server.requests) >= before + answers, f"request {before + answers}")
    person.looks(0.5)
    return server.requests[before]


def java_version(folder: Path, name: str) -> str:
    """The version a project on disk is built for."""
    pom = (folder / name / "pom.xml").read_text(encoding="utf-8")
    found = re.search(r"<maven\.compiler\.release>(\d+)<", pom)
    assert found, pom
    assert not list((folder / name).glob("**/*gradle*"))
    return found[1]


def other_facts(home: Path, count: int = 200) -> None:
    """Puts facts into the memory that have nothing to do with the story, some from long ago, as older versions wrote them."""
    subjects = [
        "支付服务",
        "订单服务",
        "网关",
        "日志平台",
        "The billing job",
        "The search index",
        "项目约定缓存层",
        "用户偏好终端",
    ]
    verbs = ["使用 Redis", "依赖 Kafka", "部署在 k8s 上", "runs on Node.js", "is tested with pytest"]
    start = datetime(2026, 1, 1, tzinfo=UTC)
    rows = []
    for number in range(count):
        content = f"{subjects[number % 8]} {verbs[number % 5]}，端口 {9000 + number}"
        row = to_row(MemoryEntry(content, MemoryType.FACT, timestamp=start + timedelta(hours=number)))
        rows.append({key: value for key, value in row.items() if key != "scope"})
    memory = home / "memory"
    memory.mkdir(parents=True)
    (memory / "long_term_memory.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")


@pytest.mark.parametrize(("language", "version", "wording"), WORDINGS)
def test_what_was_said_once_shapes_the_next_project_in_this_session_and_after_a_restart(
    language: str, version: int, wording: str, home: Path, tmp_path: Path
) -> None:
    other_facts(home)
    statement = STATEMENT[language].format(version=version)
    quote = re.split("[，,]", statement)[0]
    with ChatServer(Script(wording, quote)) as server:
        with at_the_terminal(server, tmp_path, language) as person:
            says(person, server, FIRST[language], answers=2)
            says(person, server, statement)
            says(person, server, "/clear")  # what was said is looked through for facts first
            request = says(person, server, SECOND[language], answers=2)
        assert_carries(request, SECOND[language], version)
        with at_the_terminal(server, tmp_path, language) as person:
            request = says(person, server, SECOND[language], answers=2)
        assert_carries(request, SECOND[language], version)
        assert server.violations == []
    assert java_version(tmp_path, "app1") == "21"
    assert java_version(tmp_path, "app2") == java_version(tmp_path, "app3") == str(version)


def assert_carries(request: dict[str, Any], line: str, version: int) -> None:
    """The fact stands in the one system message, and the user's line is theirs byte for byte."""
    messages = request["messages"]
    assert [message["role"] for message in messages].count("system") == 1
    assert re.search(rf"JDK\D*{version}", messages[0]["content"]), messages[0]["content"]
    assert messages[-1] == {"role": "user", "content": line}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_saved_fact_is_shown_and_reaches_the_model(language: str, home: Path, tmp_path: Path) -> None:
    other_facts(home)
    with ChatServer(Script("", "")) as server, at_the_terminal(server, tmp_path, language) as person:
        person.types(f"/save {MAVEN[language]}")
        person.sees(MAVEN[language])
        person.types("/memory")
        person.sees("201")
        request = says(person, server, SECOND[language], answers=2)
        assert MAVEN[language] in request["messages"][0]["content"]
    assert java_version(tmp_path, "app1")
    assert server.violations == []
