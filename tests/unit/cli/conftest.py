"""What the tests of the interface share: a session with a scripted model, or none, whose inputs are given as lines."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from paicli.app import App
from paicli.cli.background import Outbox
from paicli.cli.dialogue import Dialogue
from paicli.cli.main import main
from paicli.cli.session import Session
from paicli.cli.terminal import Terminal
from paicli.config import read_settings
from paicli.testing.scripted import ScriptedModel


class LinesReader:
    """A reader whose inputs, answers and secrets are given. `None` among the inputs is Ctrl-C."""

    def __init__(self, lines: Sequence[str | None], answers: Sequence[bool] = (), secret: str = "") -> None:
        self.is_dialogue = True
        self.questions: list[str] = []
        self._lines = list(lines)
        self._answers = list(answers)
        self._secret = secret

    def read(self, prompt: str) -> str | None:
        if not self._lines:
            return None
        line = self._lines.pop(0)
        if line is None:
            raise KeyboardInterrupt
        return line

    def confirm(self, question: str) -> bool:
        self.questions.append(question)
        return self._answers.pop(0)

    def secret(self, question: str) -> str:
        self.questions.append(question)
        return self._secret


class ScriptedApp(App):
    """An App whose model is a scripted one."""

    def __init__(self, folder: Path, model: ScriptedModel | None, **flags: object) -> None:
        super().__init__(read_settings(flags, os.environ, folder), folder)
        self.scripted = model
        if model:
            self.model = _Closable(model)  # type: ignore[assignment]  # it only lacks what a network needs
            self.memory.connect(self.model, model.context_window)


class _Closable:
    """A scripted model with the further methods of a real one."""

    def __init__(self, model: ScriptedModel) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def warm_up(self) -> None:
        return

    def take_notices(self) -> list[Any]:
        return []

    def close(self) -> None:
        return


Talk = Callable[..., str]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def new_app(project: Path) -> Callable[..., App]:
    """Returns a function that makes an App in the project or another folder, with a scripted model or none."""

    def make(model: ScriptedModel | None = None, folder: Path | None = None, **flags: object) -> App:
        return ScriptedApp(folder or project, model, **flags)

    return make


@pytest.fixture
def talk(project: Path, capsys: pytest.CaptureFixture[str]) -> Talk:
    """Returns a function that runs a session over the given lines and returns all that was printed."""

    def run(
        *lines: str | None,
        model: ScriptedModel | None = None,
        answers: Sequence[bool] = (),
        secret: str = "",
        language: str = "en",
        app: App | None = None,
        language_open: bool = False,
        **flags: object,
    ) -> str:
        app = app or ScriptedApp(project, model, **flags)
        terminal = Terminal("zh" if language == "zh" else "en", dialogue=True, environ={"NO_COLOR": "1"})
        reader = LinesReader(lines, answers, secret)
        status = Session(Dialogue(app, terminal, reader), Outbox(), language_open=language_open).run()
        app.close()
        assert status == 0
        return capsys.readouterr().out

    return run


Shell = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    """Returns a function that runs `paicli` with the given arguments: its exit status, stdout and stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            status = main(["--lang", "en", *arguments])
        except SystemExit as ended:
            status = int(str(ended.code))
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture(autouse=True)
def _no_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives the process a stdin with nothing in it: no test waits for a person."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())
