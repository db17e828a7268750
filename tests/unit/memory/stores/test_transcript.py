from __future__ import annotations

import json
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from paicli.errors import SessionRunning, StoreUnavailable
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.message import Message
from paicli.memory.session import record as session
from paicli.memory.stores.archive import list_transcripts, unextracted
from paicli.memory.stores.transcript import Transcript, read_transcript

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def said(text: str, entry_id: str = "m1") -> dict[str, Any]:
    return session.message_record(
        MemoryEntry(text, MemoryType.CONVERSATION, entry_id, NOON, message=Message("user", text))
    )


def write(folder: Path, session_id: str, *records: dict[str, Any]) -> None:
    transcript = Transcript(folder, session_id)
    for record in records:
        transcript.append(record)
    transcript.close()


def test_nothing_is_made_before_the_first_record(tmp_path: Path) -> None:
    Transcript(tmp_path / "sessions", "s").close()
    assert list_transcripts(tmp_path / "sessions") == unextracted(tmp_path / "sessions") == []
    assert list(tmp_path.iterdir()) == []


def test_records_are_lines_in_a_private_file_and_there_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "sessions"
    transcript = Transcript(
        folder, "s", session.session_record("s", NOON, session.Whereabouts("/x", "project:a", "/x", "1"))
    )
    transcript.append(said("你好\n🧩"))
    lines = transcript.path.read_text("utf-8").splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["session", "message"]
    assert "你好" in lines[1]
    assert stat.S_IMODE(transcript.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    transcript.close()
    assert [path.name for path in folder.iterdir()] == ["s.jsonl"]


def test_secrets_and_unfit_characters_do_not_reach_the_file(tmp_path: Path) -> None:
    write(tmp_path, "s", said("密码是 hunter2 \ud83d \0"))
    (record,) = read_transcript(tmp_path / "s.jsonl")
    assert record["text"] == "密码是 [redacted:password] \ufffd "


def test_a_transcript_is_carried_on_behind_a_broken_line(tmp_path: Path) -> None:
    write(tmp_path, "s", said("one"))
    with (tmp_path / "s.jsonl").open("a") as file:
        file.write('{"kind": "mess')
    write(tmp_path, "s", said("two", "m2"))
    assert [record["text"] for record in read_transcript(tmp_path / "s.jsonl")] == ["one", "two"]


def test_rows_that_are_no_records_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'null\n7\n"x"\n\xff\n{"kind": "message"}\n\n' + json.dumps(said("one")).encode() + b"\n[1]\n")
    assert [record["text"] for record in read_transcript(path)] == ["one"]


def test_a_missing_transcript_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        read_transcript(tmp_path / "none.jsonl")


def test_a_transcript_that_can_not_be_written_says_so_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    transcript = Transcript(tmp_path / "file" / "sessions", "s")
    with pytest.raises(StoreUnavailable):
        transcript.append(said("one"))
    transcript.append(said("two"))
    assert transcript.failed
    transcript.close()


def test_a_session_that_runs_is_told_and_can_not_be_opened_twice(tmp_path: Path) -> None:
    running, second = Transcript(tmp_path, "s"), Transcript(tmp_path, "s")
    running.append(said("one"))
    with pytest.raises(SessionRunning):
        second.append(said("two"))
    second.close()
    assert [info.live for info in list_transcripts(tmp_path)] == [True]
    assert unextracted(tmp_path) == []
    running.close()
    assert [info.live for info in list_transcripts(tmp_path)] == [False]


def test_a_record_that_comes_after_the_end_does_not_make_the_session_run_again(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path, "s")
    transcript.append(said("one"))
    transcript.close()
    transcript.append(said("late", "m2"))
    assert [info.live for info in list_transcripts(tmp_path)] == [False]
    assert [record["text"] for record in read_transcript(tmp_path / "s.jsonl")] == ["one"]


def test_a_session_that_goes_on_says_so_once_at_its_first_record(tmp_path: Path) -> None:
    first = session.session_record("s", NOON, session.Whereabouts("/x"))
    again = session.resumed_record(NOON, session.Whereabouts("/y"))
    for records in ([said("one")], [], [said("two", "m2"), said("three", "m3")]):
        transcript = Transcript(tmp_path, "s", first, again)
        transcript.open()
        for record in records:
            transcript.append(record)
        transcript.close()
    kinds = [record["kind"] for record in read_transcript(tmp_path / "s.jsonl")]
    assert kinds == ["session", "message", "resumed", "message", "message"]


def test_opening_can_fail_as_writing_can(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable):
        Transcript(tmp_path / "file" / "sessions", "s").open()


def test_a_killed_session_is_no_longer_running_and_waits_for_extraction(tmp_path: Path) -> None:
    code = (
        "import json, sys, time\n"
        "from pathlib import Path\n"
        "from paicli.memory.stores.transcript import Transcript\n"
        "transcript = Transcript(Path(sys.argv[1]), 's')\n"
        "transcript.append(json.loads(sys.argv[2]))\n"
        "print('written', flush=True)\n"
        "time.sleep(60)\n"
    )
    arguments = [sys.executable, "-c", code, str(tmp_path), json.dumps(said("one"))]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        is_live = [info.live for info in list_transcripts(tmp_path)]
        process.kill()
    assert is_live == [True]
    assert [(info.id, info.live, info.messages) for info in unextracted(tmp_path)] == [("s", False, 1)]


def test_sessions_are_listed_newest_first_with_what_they_say_of_themselves(tmp_path: Path) -> None:
    first = session.session_record("20260131-1", NOON, session.Whereabouts("/x", "project:a", "/x", "1"))
    write(tmp_path, "20260131-1", first, said("one"), said("two", "m2"))
    write(tmp_path, "20260201-1", said("three"))
    (tmp_path / "20260202-1.jsonl").write_text("broken")
    infos = list_transcripts(tmp_path)
    assert [(info.id, info.messages, info.project) for info in infos] == [
        ("20260201-1", 1, ""),
        ("20260131-1", 2, "project:a"),
    ]
    assert infos[1].started == NOON


def test_sessions_wait_until_facts_were_drawn_out_of_all_the_user_said(tmp_path: Path) -> None:
    write(tmp_path, "1", said("one"), session.extracted_record("m1", NOON))
    write(tmp_path, "2", said("one"), session.extracted_record("m1", NOON), said("two", "m2"))
    write(tmp_path, "3", said("one"))
    write(tmp_path, "4", session.clear_record(NOON))
    assert [info.id for info in unextracted(tmp_path)] == ["2", "3"]
    assert [info.id for info in unextracted(tmp_path, limit=2)] == ["3"]
