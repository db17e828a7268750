"""execute_command with a real shell: limits that hold, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.tools import Approval, Reason
from paicli.tools.process import HEAD_BYTES, TAIL_BYTES, HeadAndTail

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the tool needs a POSIX shell")
LONG = "sleep 300"  # longer than a test may take


def is_running(pid: int) -> bool:
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(listed.stdout.strip()) and not listed.stdout.strip().startswith("Z")


def ends(pid: int) -> bool:
    """Whether the process ends soon: the kernel may need a moment after the signal."""
    for _ in range(100):
        if not is_running(pid):
            return True
        time.sleep(0.05)
    return False


def test_output_and_errors_come_in_order_with_the_exit_code(run: Any) -> None:
    outcome = run("execute_command", command="echo 一; echo two >&2; printf three")
    assert (outcome.ok, outcome.text) == (True, "一\ntwo\nthree\n[exit code 0]")


def test_a_command_that_fails_says_how_and_is_not_ok(run: Any) -> None:
    outcome = run("execute_command", command="echo before; exit 3")
    assert (outcome.ok, outcome.text) == (False, "before\n[exit code 3]")
    assert "[ended by signal 9, Killed]" in run("execute_command", command="kill -9 $$").text
    assert "[exit code 127]" in run("execute_command", command="no-such-command-here").text


def test_it_runs_in_the_project_and_bash_works(run: Any, root: Path) -> None:
    assert run("execute_command", command="pwd -P; [[ a == a ]] && echo yes").text == (
        f"{root.resolve()}\nyes\n[exit code 0]"
    )


def test_every_command_asks(run: Any, asked: list[Approval]) -> None:
    run("execute_command", command="true")
    run("execute_command", command="true")
    assert asked == [Approval("execute_command", "run", "true", Reason.COMMAND)] * 2


def test_there_is_no_input_and_no_terminal(run: Any) -> None:
    assert run("execute_command", command="cat; read x || echo nothing").text == "nothing\n[exit code 0]"
    assert not run("execute_command", command="echo x > /dev/tty").ok


@pytest.mark.parametrize(
    "command",
    [
        LONG,
        "yes",
        f"{LONG} & wait",
        f"exec >&- 2>&-; {LONG}",
        f"trap '' TERM; echo on; {LONG}; {LONG}",
        f"({LONG})|cat",
    ],
    ids=["sleep", "flood", "children", "closed output", "deaf", "pipeline"],
)
def test_the_time_limit_holds(run: Any, root: Path, command: str) -> None:
    outcome = run("execute_command", command=f"echo $$ > pid; {command}", timeout_seconds=1)
    assert not outcome.ok
    assert outcome.text.endswith("\n[ended after 1 s, its time limit; timeout_seconds can be up to 600]")
    assert ends(int((root / "pid").read_text()))


def test_what_a_command_wrote_before_its_time_was_over_is_shown(run: Any) -> None:
    assert run("execute_command", command=f"echo early; {LONG}", timeout_seconds=1).text.startswith("early\n")


def test_a_child_in_the_background_neither_holds_the_answer_nor_lives_on(run: Any, root: Path) -> None:
    for command in (f"{LONG} & echo $! > pid; echo done", f"{LONG} >/dev/null 2>&1 & echo $! > pid; echo done"):
        outcome = run("execute_command", command=command)
        assert outcome.ok
        assert outcome.text == "done\n[exit code 0]\n[what it left running in the background was ended]"
        assert ends(int((root / "pid").read_text()))


def test_a_child_that_left_the_group_does_not_hold_the_answer(run: Any, root: Path) -> None:
    outcome = run("execute_command", command=f"setsid sh -c 'echo $$ > pid; exec {LONG}' & sleep 0.3; echo done")
    try:
        assert outcome.text == "done\n[exit code 0]"
    finally:
        os.kill(int((root / "pid").read_text()), signal.SIGKILL)


def test_ctrl_c_ends_the_whole_group_and_passes_through(run: Any, root: Path) -> None:
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run("execute_command", command=f"{LONG} & echo $! > pid; kill -INT {os.getpid()}; {LONG}")
    finally:
        signal.signal(signal.SIGINT, handler)
    assert ends(int((root / "pid").read_text()))


def test_a_second_ctrl_c_does_not_save_a_deaf_process(run: Any, root: Path) -> None:
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    again = f"trap 'kill -INT {os.getpid()}' TERM; echo $$ > pid; kill -INT {os.getpid()}; while :; do sleep 0.1; done"
    try:
        with pytest.raises(KeyboardInterrupt):
            run("execute_command", command=again)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert ends(int((root / "pid").read_text()))


def test_a_handler_that_only_takes_note_of_ctrl_c_is_told_after_the_end(run: Any, root: Path) -> None:
    told: list[bool] = []
    handler = signal.signal(signal.SIGINT, lambda *_: told.append(is_running(int((root / "pid").read_text()))))
    try:
        outcome = run("execute_command", command=f"echo $$ > pid; kill -INT {os.getpid()}; {LONG}")
        after = signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert told == [False]
    assert callable(after)
    assert "[ended by signal 15, Terminated]" in outcome.text


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_end_of_the_program_ends_the_whole_group_first(run: Any, root: Path, number: signal.Signals) -> None:
    with pytest.raises(SystemExit) as ended:
        run("execute_command", command=f"{LONG} & echo $! > pid; kill -{number} {os.getpid()}; {LONG}")
    assert ended.value.code == 128 + number
    assert ends(int((root / "pid").read_text()))
    assert signal.getsignal(number) == signal.SIG_DFL


def test_a_signal_that_is_ignored_stays_so(run: Any) -> None:
    handler = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run("execute_command", command=f"kill -HUP {os.getpid()}; echo on").text == "on\n[exit code 0]"
    finally:
        signal.signal(signal.SIGHUP, handler)


def test_it_runs_in_any_thread(run: Any) -> None:
    with ThreadPoolExecutor() as pool:
        outcomes = list(pool.map(lambda number: run("execute_command", command=f"echo {number}"), range(4)))
    assert [outcome.text for outcome in outcomes] == [f"{number}\n[exit code 0]" for number in range(4)]


def test_a_long_output_keeps_its_beginning_and_its_end(run: Any) -> None:
    outcome = run("execute_command", command="seq -f '%06g' 100000")
    assert outcome.text.startswith("000001\n")
    assert outcome.text.endswith("\n100000\n[exit code 0]")
    assert f"[… {700_000 - HEAD_BYTES - TAIL_BYTES} bytes of output left out …]" in outcome.text


def test_output_is_shown_without_control_sequences_and_bad_bytes(run: Any) -> None:
    command = r"printf '\033[31mred\033[0m 10%%\r\033]0;t\a100%%\n\377\0x\n'"
    assert run("execute_command", command=command).text == "100%\n\ufffd\\x00x\n[exit code 0]"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"command": " "}, "'command' is empty"),
        (
            {"command": "ls", "timeout_seconds": 601},
            "'timeout_seconds' has value 601; it must be at least 1 and at most",
        ),
        ({"command": "ls", "timeout_seconds": 0}, "'timeout_seconds' has value 0"),
    ],
)
def test_what_can_not_be_run_is_explained_without_a_question(
    run: Any, asked: list[Approval], arguments: dict[str, Any], complaint: str
) -> None:
    assert complaint in run("execute_command", **arguments).text
    assert asked == []


def test_a_command_that_can_not_be_started_is_explained(run: Any, root: Path) -> None:
    assert "can't be started" in run("execute_command", command="echo a\0b").text
    assert "can't be started" in run("execute_command", command="true " + "x" * 3_000_000).text
    root.rmdir()
    assert "can't be started" in run("execute_command", command="true").text


def test_half_a_character_in_a_command_costs_only_itself(run: Any) -> None:
    assert run("execute_command", command="echo '\ud83d🧩'").text == "\ufffd🧩\n[exit code 0]"


def test_secrets_of_the_terminal_are_no_settings_for_pagers(run: Any) -> None:
    assert run("execute_command", command="echo $PAGER $GIT_PAGER $TERM $GIT_TERMINAL_PROMPT").text == (
        "cat cat dumb 0\n[exit code 0]"
    )


@given(st.lists(st.binary(max_size=30)))
def test_head_and_tail_hold_the_ends_of_any_stream(pieces: list[bytes]) -> None:
    kept = HeadAndTail(8, 12)
    for piece in pieces:
        kept.add(piece)
    stream = b"".join(pieces)
    if len(stream) <= 20:
        assert kept.text() == stream.decode("utf-8", "replace")
    else:
        assert "bytes of output left out" in kept.text()


@pytest.mark.parametrize("offset", range(4))
def test_no_character_is_cut_in_two(offset: int) -> None:
    kept = HeadAndTail(9, 13)
    stream = "a" * offset + "🧩" * 10
    kept.add(stream.encode())
    head, marker, tail = kept.text().split("\n")
    assert stream.startswith(head)
    assert stream.endswith(tail)
    assert marker == f"[… {len(stream.encode()) - len(head.encode()) - len(tail.encode())} bytes of output left out …]"
