"""Scene: a fact is remembered, survives /clear and a restart, and decides how the next project is made."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from paicli.cli.demo.stage import Stage
from paicli.cli.dialogue import tell_remembered
from paicli.llm.model import ToolSpec
from paicli.memory.message import Message, ToolCall
from paicli.testing.scripted import Answer, ScriptedModel

_JDK = re.compile(r"JDK\D{0,12}(\d+)", re.IGNORECASE)


def play(stage: Stage) -> bool:
    """Plays the scene; returns whether the new projects got the remembered version."""
    stage.scene("article")
    model = ScriptedModel(_Scriptwriter(stage), by_purpose={"facts": lambda *_: _facts(stage)})
    memory = stage.memory(model)
    stage.ask(model, memory, stage.line_of("ask-first"))
    _show_version(stage, "myapp")
    stage.ask(model, memory, stage.line_of("ask-remember"))
    stage.user("/clear")
    tell_remembered(stage.terminal, memory.extract_and_save_facts().kept)
    memory.clear()
    stage.tell("cleared")
    stage.ask(model, memory, stage.line_of("ask-again"))
    stage.tell("injected")
    stage.terminal.panel(stage.line_of("block"), memory.last_receipt.text if memory.last_receipt else "")
    same_session = _show_version(stage, "myapp-2")
    memory.long_term.close()
    stage.tell("restart")
    memory = stage.memory(model)
    stage.ask(model, memory, stage.line_of("ask-again"))
    after_restart = _show_version(stage, "myapp-3")
    memory.long_term.close()
    return same_session == after_restart == "17"


def _facts(stage: Stage) -> str:
    said = stage.line_of("ask-remember")
    return json.dumps({"facts": [{"fact": stage.line_of("fact"), "quote": said, "kind": "preference"}]})


class _Scriptwriter:
    """Plays a model: makes the project asked for, with the JDK that the system message names, if it names one."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._projects = 0

    def __call__(self, messages: list[Message], _: Sequence[ToolSpec]) -> Answer:
        last = messages[-1]
        if last.role == "tool":
            return self._stage.line_of("answer-done")
        if last.text == self._stage.line_of("ask-remember"):
            return self._stage.line_of("answer-remember")
        return self._create(messages)

    def _create(self, messages: Sequence[Message]) -> ToolCall:
        self._projects += 1
        name = "myapp" if self._projects == 1 else f"myapp-{self._projects}"
        arguments: dict[str, object] = {"name": name, "type": "java"}
        notes = "\n".join(message.text for message in messages if message.role == "system")
        found = _JDK.search(notes)
        if found:
            arguments["java_version"] = int(found[1])
        return ToolCall(f"call-{self._projects}", "create_project", json.dumps(arguments))


def _show_version(stage: Stage, project: str) -> str:
    """Prints the JDK version in a project's pom.xml and returns it."""
    pom: Path = stage.work_folder / project / "pom.xml"
    text = pom.read_text(encoding="utf-8") if pom.exists() else ""
    found = re.search(r"<(maven\.compiler\.release)>(\d+)</\1>", text)
    stage.tell("pom", style="good", path=f"{project}/pom.xml", line=found[0] if found else "?")
    return found[2] if found else ""
