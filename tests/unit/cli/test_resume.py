from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from paicli.cli.resume import resume_at_start
from paicli.errors import SessionRunning, UnknownSession
from paicli.memory.stores.archive import list_transcripts
from paicli.memory.stores.transcript import Transcript, read_transcript
from paicli.testing.scripted import ScriptedModel


def model(*replies: Any, **more: Any) -> ScriptedModel:
    return ScriptedModel(list(replies), by_purpose={"facts": lambda *_: '{"facts": []}', **more})


def texts(request: Any) -> list[str]:
    return [message.text for message in request.messages if message.role != "system"]


def test_a_session_is_taken_up_by_id_and_goes_on_in_its_transcript(talk: Any, home: Path) -> None:
    talk("the harbour has gate 4711", model=model("noted"))
    (info,) = list_transcripts(home / "sessions")
    again = model("yes")
    out = talk(f"/resume {info.id[:15]}", "still there?", model=again)
    assert f"Session {info.id} goes on" in out
    assert "last question: the harbour has gate 4711" in out
    assert "last answer: noted" in out
    assert texts(again.requests[0]) == ["the harbour has gate 4711", "noted", "still there?"]
    kinds = [record["kind"] for record in read_transcript(info.path)]
    assert kinds.count("session") == kinds.count("resumed") == 1
    assert len(list_transcripts(home / "sessions")) == 1


def test_the_sessions_are_listed_newest_first_and_chosen_by_number(talk: Any) -> None:
    talk("about lighthouses", model=model("ok"))
    talk("about cranes", "more of them", model=model("ok", "ok"))
    again = model("ok")
    out = talk("/resume", "/resume 2", "go on", model=again)
    rows = [line for line in out.splitlines() if re.match(r"\d  20", line)]
    assert ["cranes" in rows[0], "lighthouses" in rows[1]] == [True, True]
    assert re.search(r" 2  shop  about cranes$", rows[0])
    assert texts(again.requests[0])[0] == "about lighthouses"


def test_the_session_that_is_left_can_be_gone_back_to(talk: Any, home: Path) -> None:
    talk("first session", model=model("ok"))
    (first,) = list_transcripts(home / "sessions")
    out = talk("second session", f"/resume {first.id}", "back in the first", model=model("ok", "ok"))
    second = next(info for info in list_transcripts(home / "sessions") if info.id != first.id)
    assert f"/resume {second.id} goes back to it" in out
    assert [info.messages for info in (first, second)] == [1, 1]
    assert not second.live


def test_what_can_not_be_taken_up_is_one_line_and_the_list(talk: Any, home: Path) -> None:
    talk("first session", model=model("ok"))
    talk("second session", model=model("ok"))
    oldest = list_transcripts(home / "sessions")[-1]
    out = talk("/resume 1999", f"/resume {oldest.id[:4]}")
    assert "no other session with the id '1999'" in out
    assert "fits 2 sessions: " in out
    assert out.count("first session") == 2
    running = Transcript(home / "sessions", oldest.id)
    running.open()
    assert f"The session {oldest.id} is running in another process" in talk(f"/resume {oldest.id}")
    running.close()


def test_in_a_project_without_sessions_there_is_nothing_to_resume(talk: Any, new_app: Any, bank: Path) -> None:
    talk("in the shop", model=model("ok"))
    assert "no earlier session of this project" in talk("/resume", app=new_app(folder=bank))


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """Returns the folder of another project."""
    folder = tmp_path / "bank"
    folder.mkdir()
    return folder


def test_where_nobody_can_choose_the_newest_is_taken(new_app: Any, talk: Any, home: Path) -> None:
    from paicli.cli.dialogue import Dialogue
    from paicli.cli.reader import PipeReader
    from paicli.cli.terminal import Terminal

    talk("first session", model=model("ok"))
    talk("second session", model=model("ok"))
    app = new_app()
    dialogue = Dialogue(app, Terminal("en"), PipeReader())
    resume_at_start(dialogue, "")
    assert [entry.content for entry in app.memory.short_term] == ["second session", "ok"]
    with pytest.raises(UnknownSession):
        resume_at_start(dialogue, "1999")
    app.close()


def test_read_only_resumes_without_writing_and_not_what_is_running(talk: Any, home: Path, new_app: Any) -> None:
    talk("the harbour has gate 4711", model=model("noted"))
    (info,) = list_transcripts(home / "sessions")
    before = info.path.read_bytes()
    again = model("yes")
    talk(f"/resume {info.id}", "still there?", model=again, read_only=True)
    assert texts(again.requests[0])[0] == "the harbour has gate 4711"
    assert info.path.read_bytes() == before
    running = Transcript(home / "sessions", info.id)
    running.open()
    with pytest.raises(SessionRunning):
        new_app(read_only=True).resume(info.id)
    running.close()


def test_what_was_not_extracted_is_extracted_in_the_project_it_was_said_in(
    new_app: Any, talk: Any, home: Path, bank: Path
) -> None:
    app = new_app(model("ok"))
    app.agent(emit=print, ask=lambda _: False, language="en").run("this project uses pnpm for everything")
    app.journal.close()  # as if the process had been killed
    (info,) = list_transcripts(home / "sessions")
    again = new_app(model(facts=lambda *_: json.dumps({"facts": [FACT]})), bank)
    again.resume(info.id)
    kept = again.memory.extract_and_save_facts().kept
    registered = json.loads((home / "projects.json").read_text())
    (project,) = [row for row in registered if row["path"].endswith("shop")]
    assert [one.entry.scope for one in kept] == [f"project:{project['id']}"]
    again.close()
    assert new_app().left_over() == []


FACT = {
    "fact": "The project uses pnpm for everything",
    "quote": "this project uses pnpm for everything",
    "kind": "project",
}


def test_the_calls_of_the_session_are_on_its_account_again(talk: Any, home: Path, new_app: Any) -> None:
    talk("hello there", model=model("ok"))
    (info,) = list_transcripts(home / "sessions")
    app = new_app()
    app.resume(info.id)
    assert set(app.memory.budget.by_purpose) == {"chat", "facts"}
    app.close()


def test_the_model_finds_what_was_said_by_the_tool(talk: Any) -> None:
    from paicli.memory.message import ToolCall

    talk("the harbour has gate 4711", model=model("noted"))
    asks = model(ToolCall("1", "recall", '{"query": "harbour gate"}'), "gate 4711")
    talk("which gate?", model=asks)
    assert "the harbour has gate 4711" in texts(asks.requests[1])[-1]
    assert [spec.name for spec in asks.requests[0].tools][-1] == "recall"


def test_an_entry_is_shown_whole_by_its_id(talk: Any) -> None:
    talk("the harbour has gate 4711 " + "and more " * 60 + "the end", model=model("noted"))
    out = talk("/recall 4711")
    entry_id = re.findall(r"\b[2-9a-hjkmnp-z]{10}\b", out)[-1]
    assert "the end" not in out
    assert "the end" in talk(f"/recall {entry_id}")
    assert "speaks of 'zzzzzzzzzz'" in talk("/recall zzzzzzzzzz")


def test_the_talk_of_another_project_is_found_with_all_only(talk: Any, new_app: Any, bank: Path) -> None:
    talk("the harbour has gate 4711", model=model("noted"))
    out = talk("/recall 4711", "/recall 4711 --all", app=new_app(folder=bank))
    assert out.count("the harbour has gate 4711") == 1
    assert "--all looks at other projects too" in out


def test_a_compression_is_reported_and_taken_back(talk: Any) -> None:
    scripted = model(*["words and more " * 40] * 5, summary=lambda *_: "Goal: piers.")
    out = talk(*[f"question {number} " * 5 for number in range(5)], "/compact piers", "/compact undo", model=scripted)
    assert re.search(r"Conversation compressed: [\d,]+ → [\d,]+ tokens \(2 rounds; ", out)
    assert re.search(r"The compression was taken back: [\d,]+ → [\d,]+ tokens", out)
    assert "no compression of this run" in talk("/compact undo")


def test_a_single_question_can_go_on_with_the_newest_session(shell: Any, home: Path) -> None:
    from paicli.testing.server import ChatServer

    with ChatServer(lambda _: "noted") as server:
        options = ("--base-url", server.base_url, "--context-window", "9000")
        shell("-p", "the harbour has gate 4711", *options)
        status, out, err = shell("-p", "which gate?", "--resume", *options)
        assert (status, out, "goes on" in err) == (0, "noted\n", True)
        said = [message["content"] for message in server.requests[-1]["messages"][1:]]
        assert said == ["the harbour has gate 4711", "noted", "which gate?"]
        assert shell("-p", "which gate?", "--resume", "1999", *options)[0] == 1
    assert len(list_transcripts(home / "sessions")) == 1


def test_a_damaged_record_costs_neither_the_session_that_runs_nor_the_one_taken_up(
    talk: Any, shell: Any, home: Path
) -> None:
    talk("the harbour has gate 4711", model=model("noted"))
    (info,) = list_transcripts(home / "sessions")
    with info.path.open("a") as file:
        file.write('{"kind": "shrunk", "ids": 5, "texts": 3}\n{"kind": "block", "text": 5, "marks": 7}\n')
    status, out, _ = shell("sessions", "show", info.id)
    assert (status, "gate 4711" in out) == (0, True)
    again = model("yes")
    out = talk(f"/resume {info.id}", "still there?", model=again)
    assert "2 lines of the transcript can't be read" in out
    assert texts(again.requests[0])[0] == "the harbour has gate 4711"


def test_where_nobody_can_choose_a_newest_session_that_is_running_is_an_error(
    talk: Any, shell: Any, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    talk("first session", model=model("ok"))
    (info,) = list_transcripts(home / "sessions")
    running = Transcript(home / "sessions", info.id)
    running.open()
    for arguments in (("-p", "go on", "--resume"), ("--resume",)):
        status, out, err = shell(*arguments)
        assert (status, out) == (1, "")
        assert "is running" in err
    running.close()


def test_sessions_of_one_question_are_listed_but_not_offered(
    talk: Any, shell: Any, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from paicli.testing.server import ChatServer

    monkeypatch.chdir(project)
    talk("a long talk", model=model("ok"))
    with ChatServer(lambda _: "noted") as server:
        shell("-p", "a quick question", "--base-url", server.base_url, "--context-window", "9000")
    out = talk("/resume")
    assert ("a long talk" in out, "a quick question" in out) == (True, False)
    assert "a quick question" in shell("sessions", "list")[1]
    (once,) = [info for info in list_transcripts(home / "sessions") if info.once]
    assert "last question: a quick question" in talk(f"/resume {once.id}", "and more", model=model("ok"))
    assert "a quick question" in talk("/resume")


def test_a_session_that_was_cleared_says_so_when_it_is_taken_up(talk: Any, home: Path) -> None:
    talk("the harbour has gate 4711", "/clear", model=model("noted"))
    (info,) = list_transcripts(home / "sessions")
    assert "Its conversation was cleared by /clear" in talk(f"/resume {info.id}")
