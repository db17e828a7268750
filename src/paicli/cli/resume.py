"""Takes an earlier session up again: at the start (`--resume`) and by the command /resume."""

from __future__ import annotations

from itertools import islice

from paicli.cli.dialogue import Dialogue
from paicli.cli.escape import one_line
from paicli.cli.reader import PlainReader
from paicli.cli.session_view import print_choice
from paicli.cli.wording import local_time
from paicli.errors import AmbiguousSession, StoreError, UnknownSession
from paicli.memory.conversation import role_of
from paicli.memory.earlier_session import Resumed
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.stores.archive import TranscriptInfo

MOST_OFFERED = 10
_LAST_WORDS = 70


def resume(dialogue: Dialogue, wanted: str) -> None:
    """/resume: takes a session up by its id or its number in the list; shows the list where there is no choice."""
    if wanted:
        _take_up(dialogue, _id_of(dialogue, wanted))
    else:
        _offer(dialogue)
        _say_how(dialogue)


def resume_at_start(dialogue: Dialogue, wanted: str) -> None:
    """--resume: takes a session up before the first input; without an id at a terminal it is chosen from a list.

    Raises:
        StoreError: It can't be taken up, and nobody is there to choose another.
    """
    is_asked = dialogue.terminal.dialogue
    if wanted:
        if is_asked:
            _try(dialogue, wanted)
        else:
            tell(dialogue, dialogue.app.resume(wanted))
        return
    infos = list(islice(dialogue.app.past.sessions(), 1)) if not is_asked else _offered(dialogue)
    if infos and not is_asked:
        tell(dialogue, dialogue.app.resume(infos[0].id))
    elif len(infos) > 1:
        _offer(dialogue)
        answer = (PlainReader().read(dialogue.terminal.text("sessions.which") + " ") or "").strip()
        _try(dialogue, answer or infos[0].id)
    elif infos:
        _try(dialogue, infos[0].id)
    else:
        dialogue.terminal.note("sessions.none-here")


def _try(dialogue: Dialogue, wanted: str) -> None:
    """Takes a session up; where that can't be, says why, and the session that has begun goes on."""
    try:
        _take_up(dialogue, _id_of(dialogue, wanted))
    except StoreError as error:
        dialogue.terminal.error(error)


def _take_up(dialogue: Dialogue, session_id: str) -> None:
    app, before = dialogue.app, dialogue.app.session
    is_left = len(app.memory.short_term) > 0
    try:
        resumed = app.resume(session_id)
    except (UnknownSession, AmbiguousSession) as error:
        dialogue.terminal.error(error)
        _offer(dialogue, session_id if isinstance(error, AmbiguousSession) else "")
        _say_how(dialogue)
        return
    if is_left and app.journal:
        dialogue.terminal.note("sessions.left", id=before)
    tell(dialogue, resumed)


def _id_of(dialogue: Dialogue, wanted: str) -> str:
    """Returns the id that is meant by a number in the list that was shown last."""
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 4 else 0
    return dialogue.offered[number - 1] if 0 < number <= len(dialogue.offered) else wanted


def _say_how(dialogue: Dialogue) -> None:
    if dialogue.offered:
        dialogue.terminal.say("sessions.choose", style="dim")


def _offer(dialogue: Dialogue, prefix: str = "") -> None:
    """Shows the sessions that can be taken up, newest first, with the numbers by which they can be chosen."""
    shown = _offered(dialogue, prefix)
    dialogue.offered = [info.id for info in shown]
    if shown:
        print_choice(dialogue.terminal, shown)
    else:
        dialogue.terminal.note("sessions.none-here")


def _offered(dialogue: Dialogue, prefix: str = "") -> list[TranscriptInfo]:
    """Returns the sessions to choose from: those that answered one question only where their id was begun."""
    infos = dialogue.app.past.sessions()
    return list(islice((i for i in infos if i.id.startswith(prefix) and (prefix or not i.once)), MOST_OFFERED))


def tell(dialogue: Dialogue, resumed: Resumed) -> None:
    """Says which session goes on, where it stands, and what is not as it was."""
    terminal, info = dialogue.terminal, resumed.info
    tokens = dialogue.app.memory.status().short_term_tokens
    terminal.note(
        "sessions.resumed",
        style="good",
        id=info.id,
        started=local_time(info.started),
        rounds=info.messages,
        tokens=tokens,
    )
    for speaker in ("user", "assistant"):
        last = next((entry for entry in reversed(resumed.window) if _speaks(entry, speaker)), None)
        if last:
            terminal.note(f"sessions.last-{speaker}", text=one_line(last.content, _LAST_WORDS))
    _tell_differences(dialogue, resumed, info)


def _tell_differences(dialogue: Dialogue, resumed: Resumed, info: TranscriptInfo) -> None:
    note = dialogue.terminal.note
    if any(entry.type is MemoryType.SUMMARY for entry in resumed.window):
        note("sessions.summarised")
    if resumed.cleared:
        note("sessions.cleared")
    if resumed.placeholders:
        note("sessions.placeholders", count=resumed.placeholders)
    if resumed.damaged:
        note("sessions.damaged", style="warn", count=resumed.damaged)
    here = str(dialogue.app.folder)
    if info.folder and info.folder != here:
        note("sessions.elsewhere", style="warn", folder=info.folder, here=here)


def _speaks(entry: MemoryEntry, speaker: str) -> bool:
    return role_of(entry) == speaker and bool(entry.content.strip())
