from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from paicli.cli.editor import CommandCompleter, LineEditor, PrivateHistory
from paicli.cli.reader import PipeReader, PlainReader, clean, is_yes


def edited(typed: str, history: Path | None = None, inputs: int = 1) -> list[str | None]:
    """Returns what a line editor reads when this is typed."""
    ready: list[str] = []
    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        editor = LineEditor(
            history, lambda: {"/memory": "status", "/memory list": "all"}, lambda: ready.append("yes"), DummyOutput()
        )
        keyboard.send_text(typed)
        read = [editor.read("> ") for _ in range(inputs)]
    assert ready == ["yes"]
    return read


def test_a_line_is_read_as_it_was_typed() -> None:
    assert edited("你好 {a} %s\r") == ["你好 {a} %s"]


def test_a_bracketed_paste_is_one_input() -> None:
    assert edited("\x1b[200~one\r\n/clear\r\nthree\x1b[201~\r") == ["one\n/clear\nthree"]


def test_alt_enter_begins_a_new_line() -> None:
    assert edited("one\x1b\rtwo\r") == ["one\ntwo"]


def test_what_begins_with_a_slash_is_completed() -> None:
    completer = CommandCompleter(lambda: {"/memory": "status", "/memory list": "all", "/save": "keep"})

    def completed(typed: str) -> list[str]:
        return [one.text for one in completer.get_completions(Document(typed), CompleteEvent())]

    assert completed("/m") == ["/memory", "/memory list"]
    assert completed(" ／MEMORY") == ["/memory list"]
    assert completed("m") == completed("/m\nx") == []


def test_ctrl_d_is_the_end() -> None:
    assert edited("\x04") == [None]


def test_ctrl_c_empties_a_line_and_passes_on_an_empty_one() -> None:
    assert edited("half a li\x03whole\r") == ["whole"]
    with pytest.raises(KeyboardInterrupt):
        edited("\x03")


def test_the_history_is_private_and_holds_no_secret(tmp_path: Path) -> None:
    file = tmp_path / "home" / "history"
    edited("the key is sk-demo0000000000000000000000\rsecond\r", file, inputs=2)
    assert file.stat().st_mode & 0o777 == 0o600
    assert "sk-demo" not in file.read_text(encoding="utf-8")
    assert edited("\x1b[A\r", file) == ["second"]


def test_a_history_that_can_not_be_written_costs_nothing_but_itself(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert edited("hello\r", tmp_path / "file" / "history") == ["hello"]
    assert list(PrivateHistory(tmp_path).load_history_strings()) == []


def test_without_a_history_file_nothing_is_written(home: Path) -> None:
    edited("hello\r")
    assert not home.exists()


def test_a_pipe_is_read_line_by_line_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\r\n\ntwo"))
    reader = PipeReader()
    assert [reader.read("> ") for _ in range(4)] == ["one", "", "two", None]
    assert not reader.confirm("sure?")
    assert reader.secret("key: ") == ""


def test_a_plain_terminal_is_asked_and_shows_its_prompt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ready: list[int] = []
    monkeypatch.setattr(sys, "stdin", io.StringIO("hello\nyes\nno\n"))
    reader = PlainReader(lambda: ready.append(1))
    assert reader.read("> ") == "hello"
    assert reader.confirm("sure?")
    assert not reader.confirm("sure?")
    assert not reader.confirm("the end?")
    assert reader.read("> ") is None
    assert ready == [1]
    assert "sure? [y/N]" in capsys.readouterr().err


@pytest.mark.parametrize(("answer", "yes"), [("y", True), (" Yes ", True), ("好的。", True), ("n", False), ("", False)])
def test_a_yes_is_understood_in_both_languages(answer: str, yes: bool) -> None:  # noqa: FBT001
    assert is_yes(answer) is yes


def test_what_no_encoding_can_express_is_replaced() -> None:
    assert clean("a\ud83db\x00c🧩") == "a\ufffdbc🧩"
    assert clean(os.fsdecode(b"\xff")) == "\ufffd"
