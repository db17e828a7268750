"""A session that is taken up again, and a compression that is taken back, as the next request shows them."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from person import Person

from paicli.testing.replies import Call
from paicli.testing.server import ChatServer

SUMMARY = "Goal: tidy the harbour. Decided: gate 4711 stays."
TALK = [f"question {number}: what about pier {number}?" for number in range(1, 7)]
LAST = "and now?"


def reply(request: dict[str, Any]) -> Any:
    messages = request["messages"]
    if not request.get("tools"):
        return '{"facts": []}' if "facts" in messages[0]["content"] else SUMMARY
    last = messages[-1]
    if last["role"] == "tool":
        return "read it"
    if "pier 2" in last["content"]:
        return Call("list_dir", {"path": "."})
    return "answer to: " + last["content"] + " " + "word " * 60


class House:
    """People with a home each, in one folder, in front of one server."""

    def __init__(self, folder: Path, server: ChatServer) -> None:
        self.folder = folder / "shop"
        self.folder.mkdir(exist_ok=True)
        self.people: list[Person] = []
        self._root = folder
        self._server = server

    def seat(self, home: str, *arguments: str, folder: Path | None = None, sees: str = "> ") -> Person:
        options = ("--lang", "en", "--base-url", self._server.base_url, "--model", "m", "--context-window", "32000")
        environment = {"PAICLI_HOME": str(self._root / home)}
        person = Person((*options, *arguments), folder=folder or self.folder, environment=environment)
        self.people.append(person)
        person.sees(sees)
        return person

    def talks(self, person: Person, lines: list[str]) -> None:
        for line in lines:
            count = len(self.chats())
            person.types(line)
            wanted = count + (2 if "pier 2" in line else 1)
            person.waits_until(lambda wanted=wanted: len(self.chats()) >= wanted, line)  # type: ignore[misc]
            person.waits_until(lambda: person.screen.splitlines()[-1].strip() == ">", "the prompt after " + line)

    def chats(self) -> list[dict[str, Any]]:
        return [request for request in self._server.requests if request.get("tools")]

    def last_request(self) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.chats()[-1]["messages"]
        return messages


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with ChatServer(reply) as server:
        place = House(tmp_path, server)
        yield place
        for person in place.people:
            person.process.close(force=True)
        assert server.violations == []


def kill(person: Person) -> None:
    person.process.kill(signal.SIGKILL)
    person.waits_until(lambda: not person.process.isalive(), "the end")


Walk = Callable[[House, Person], None]


def talked(house: House, person: Person) -> None:
    house.talks(person, TALK)


def compacted(house: House, person: Person) -> None:
    house.talks(person, TALK)
    person.types("/compact the gate")
    person.sees("Conversation compressed")
    house.talks(person, ["one more: pier 7"])


def compacted_and_taken_back(house: House, person: Person) -> None:
    compacted(house, person)
    person.types("/compact undo")
    person.sees("The compression was taken back")


@pytest.mark.parametrize("walk", [compacted, compacted_and_taken_back])
def test_a_session_resumed_after_kill_9_sends_what_an_unbroken_one_sends(walk: Walk, house: House) -> None:
    unbroken = house.seat("unbroken")
    walk(house, unbroken)
    house.talks(unbroken, [LAST])
    expected = house.last_request()
    broken = house.seat("broken")
    walk(house, broken)
    kill(broken)
    resumed = house.seat("broken", "--resume")
    resumed.sees("goes on")
    house.talks(resumed, [LAST])
    assert house.last_request() == expected
    assert resumed.leaves() == 0


def test_a_compression_that_is_taken_back_leaves_no_trace_in_the_request(house: House) -> None:
    plain = house.seat("plain")
    house.talks(plain, [*TALK, LAST])
    expected = json.dumps(house.last_request(), ensure_ascii=False)
    person = house.seat("other")
    talked(house, person)
    person.types("/compact")
    person.sees("Conversation compressed")
    person.types("/compact undo")
    person.sees("The compression was taken back")
    person.types("/compact undo")
    person.sees("There is no compression of this run to take back")
    house.talks(person, [LAST])
    assert json.dumps(house.last_request(), ensure_ascii=False) == expected


def test_a_resumed_session_has_placeholders_says_where_it_was_and_goes_on_in_its_transcript(
    house: House, tmp_path: Path
) -> None:
    first = house.seat("home")
    house.talks(first, ["password = hunter2secret please"])
    kill(first)
    (tmp_path / "elsewhere").mkdir()
    (path,) = (tmp_path / "home" / "sessions").glob("*.jsonl")
    with path.open("ab") as file:
        file.write(b'{"kind": "mess')
    second = house.seat("home", "--resume", path.stem[:-2], folder=tmp_path / "elsewhere")
    for said in ("goes on", "Placeholders stand", "1 line of the transcript", "This session was in"):
        second.sees(said)
    house.talks(second, [LAST])
    assert "[redacted:password]" in house.last_request()[1]["content"]
    assert "hunter2secret" not in json.dumps(house.last_request())
    third = house.seat("home", "--resume", path.stem)
    third.sees("is running in another process")
    third.types("/resume")
    third.sees("no earlier session of this project")
    assert third.leaves() == second.leaves() == 0
    assert [one.name for one in path.parent.glob("*.jsonl")] == [path.name]


def test_one_of_several_sessions_is_chosen_from_a_list(house: House) -> None:
    for words in ("the lighthouse", "the crane"):
        person = house.seat("home")
        house.talks(person, [words])
        assert person.leaves() == 0
    person = house.seat("home", "--resume", sees="Which one?")
    person.sees("the lighthouse")
    person.types("2")
    person.sees("goes on")
    house.talks(person, [LAST])
    assert house.last_request()[1]["content"] == "the lighthouse"
    person.types("/resume")
    person.sees("the crane")
    person.types("/resume 1")
    person.sees("goes back to it")
    house.talks(person, [LAST])
    assert house.last_request()[1]["content"] == "the crane"
    assert person.leaves() == 0
