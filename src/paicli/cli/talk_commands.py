"""The commands about the conversation: /clear, /compact, /context, /plan, /lang, /help, /exit."""

from __future__ import annotations

import os

from paicli.cli.commands import FIRST, FURTHER, MEMORY_ACTIONS
from paicli.cli.dialogue import Dialogue
from paicli.cli.language import as_language
from paicli.config import VARIABLES, keep_settings
from paicli.errors import ConfigError, PaicliError
from paicli.memory.report import Extraction

EXIT_SECONDS = 5.0
"""How long leaving waits for an extraction; the rest is taken up at the next start."""
_BAR_WIDTH = 30
_UNDO = ("undo", "撤销")


def show_help(dialogue: Dialogue, rest: str) -> None:
    """/help: the first commands; with `all` every one."""
    terminal, everything = dialogue.terminal, rest.casefold() in ("all", "全部")
    names = [*FIRST, *FURTHER, *(f"memory-{action}" for action in MEMORY_ACTIONS)] if everything else FIRST
    for name in names:
        terminal.say(f"commands.{name}")
    terminal.say("commands.keys", style="dim")
    if not everything:
        terminal.say("commands.more", style="dim")


def clear(dialogue: Dialogue, rest: str) -> None:
    """/clear: extracts facts, says what was kept, then empties the conversation; asks first where nothing could be."""
    terminal, memory = dialogue.terminal, dialogue.app.memory
    option = rest.casefold()
    if option not in ("", "--forget"):
        terminal.note("commands.unknown-option", style="warn", name="clear", option=rest)
        return
    if option == "--forget":
        dialogue.app.forget_conversation()
        terminal.say("session.cleared-forgotten")
        return
    if not extract(dialogue) and not dialogue.confirm(terminal.text("session.clear-anyway")):
        terminal.note("session.not-cleared")
        return
    memory.clear()
    terminal.say("session.cleared")


def extract(dialogue: Dialogue, deadline_seconds: float | None = None) -> bool:
    """Extracts facts from the conversation and tells what was kept, or why nothing could be; returns whether it could."""
    memory, terminal = dialogue.app.memory, dialogue.terminal
    if not memory.has_unextracted:
        return True
    if dialogue.app.model:
        terminal.note("session.extracting")
    try:
        extraction = memory.extract_and_save_facts(deadline_seconds)
    except PaicliError as error:
        terminal.error(error)
        return False
    if extraction.reason:
        code = f"session.extraction-{extraction.reason}"
        terminal.note(code, style="warn", seconds=int(deadline_seconds or 0))
        return False
    tell_extraction(dialogue, extraction)
    return True


def tell_extraction(dialogue: Dialogue, extraction: Extraction) -> None:
    """Prints what an extraction kept."""
    dialogue.tell_remembered(extraction.kept)
    if not extraction.kept:
        dialogue.terminal.note("session.nothing-extracted")
    if extraction.rejected:
        dialogue.terminal.note("session.rejected", count=extraction.rejected)


def leave(dialogue: Dialogue, _: str = "") -> None:
    """/exit: extracts facts, for 5 seconds at most, and ends the session."""
    dialogue.leaving = True
    if dialogue.app.model and not extract(dialogue, EXIT_SECONDS) and not dialogue.app.settings.read_only:
        dialogue.terminal.note("session.extraction-left")


def compact(dialogue: Dialogue, focus: str) -> None:
    """/compact: compresses the conversation now; `undo` takes the latest compression back. What it did is a notice."""
    terminal, memory = dialogue.terminal, dialogue.app.memory
    if focus.casefold() in _UNDO:
        report = memory.undo_compression()
        if report is None:
            terminal.note("session.nothing-to-uncompress")
        else:
            tokens = memory.status().short_term_tokens
            terminal.say("session.uncompressed", style="good", before=report.tokens_after, after=tokens)
        return
    terminal.note("session.compressing")
    if memory.compress_now(focus) is None:
        terminal.note("session.nothing-to-compress")


def context(dialogue: Dialogue, _: str) -> None:
    """/context: how the window is shared out, and from where on it is compressed."""
    terminal, shares = dialogue.terminal, dialogue.app.shares(dialogue.terminal.language)
    terminal.say("session.context-window", window=shares.window)
    rows = []
    for name, tokens in shares.parts.items():
        share = tokens / shares.window
        rows.append([f"{tokens:,}", f"{share:.1%}", _bar(share), terminal.text(f"session.context-{name}")])
    terminal.table(["token", "%", "", ""], rows)
    warn, compress, hard = shares.thresholds
    used = shares.talk / shares.limit if shares.limit else 1.0
    terminal.say("session.context-limit", style="dim", tokens=shares.talk, limit=shares.limit, share=used)
    terminal.say("session.context-thresholds", style="dim", warn=warn, compress=compress, hard=hard)


def _bar(share: float) -> str:
    """Returns a bar for a share of the window; the least share is a dot."""
    length = round(share * _BAR_WIDTH)
    return ("#" * length or "." * (share > 0)).ljust(_BAR_WIDTH)


def plan(dialogue: Dialogue, goal: str) -> str | None:
    """/plan: returns the goal to be planned now; without one the next input is planned, or no longer."""
    if goal:
        return goal
    dialogue.plan_next = not dialogue.plan_next
    dialogue.terminal.note("session.plan-next" if dialogue.plan_next else "session.plan-off")
    return None


def lang(dialogue: Dialogue, rest: str) -> None:
    """/lang: changes the language of the interface, from now on and at the next start."""
    language = as_language(rest) if rest.casefold() in ("zh", "en", "中文", "english") else None
    language = "zh" if rest == "中文" else language
    if not rest:
        dialogue.terminal.say("session.lang-now")
        dialogue.terminal.say("session.lang-hint", style="dim")
        return
    if language is None:
        dialogue.terminal.note("commands.usage", usage=dialogue.terminal.text("commands.lang"))
        return
    dialogue.terminal.language = language
    dialogue.terminal.say("session.lang-now")
    keep(dialogue, {"lang": language})


def keep(dialogue: Dialogue, changes: dict[str, str]) -> None:
    """Writes settings into the configuration file; says so where it can't be."""
    settings = dialogue.app.settings
    if settings.read_only:
        return
    try:
        keep_settings(settings.config_file, changes)
    except ConfigError as error:
        dialogue.terminal.error(error)
        return
    for variable in (VARIABLES[name] for name in changes):
        if os.environ.get(variable):
            dialogue.terminal.note("models.shadowed", source=variable)
