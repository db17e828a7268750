"""Scene: a conversation in a window of 2 000 tokens is compressed and goes on."""

from __future__ import annotations

from paicli.cli.demo.stage import Stage
from paicli.testing.scripted import ScriptedModel

WINDOW_TOKENS = 2_000
ROUNDS = 14


def play(stage: Stage) -> bool:
    """Plays the scene; returns whether every request fitted and the compressions made the history smaller."""
    stage.scene("window")
    model = ScriptedModel([], context_window=WINDOW_TOKENS, by_purpose={"summary": lambda *_: stage.line_of("summary")})
    memory = stage.memory(model)
    shrunk, fits = [], True
    for number in range(1, ROUNDS + 1):
        memory.add_user_message(stage.terminal.text("demo.window-question", number=number))
        memory.add_assistant_message(stage.terminal.text("demo.window-answer", number=number) * 4)
        for notice in memory.take_notices():
            if notice.code == "compressed":
                before, after = int(str(notice.values["before"])), int(str(notice.values["after"]))
                shrunk.append(after < before)
                stage.tell("compressed", style="", number=number, before=before, after=after)
        fits = fits and memory.status().short_term_tokens <= WINDOW_TOKENS
    summary = next((entry.content for entry in memory.short_term if entry.type.value == "SUMMARY"), "")
    stage.terminal.panel(stage.line_of("summary-title"), summary)
    status = memory.status()
    stage.tell("window-end", rounds=ROUNDS, tokens=status.short_term_tokens, limit=status.short_term_limit)
    return fits and bool(shrunk) and all(shrunk)
