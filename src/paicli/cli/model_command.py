"""The command /model: shows the model, or changes it, with a key that is tried before it is kept."""

from __future__ import annotations

from dataclasses import replace

from paicli.app import connect
from paicli.cli.dialogue import Dialogue
from paicli.cli.talk_commands import keep
from paicli.config import KEY_VARIABLE, Settings, Value, keep_key, read_settings
from paicli.errors import ModelError
from paicli.llm.client import OpenAICompatibleModel
from paicli.llm.key import clean_key
from paicli.llm.presets import PRESETS


def model(dialogue: Dialogue, rest: str) -> None:
    """/model: shows the model; with a name, and an address behind it, changes to that one."""
    if not rest:
        _show(dialogue)
        return
    name, _, address = rest.partition(" ")
    chosen = _chosen(dialogue.app.settings, name, address.strip())
    typed = "" if chosen.has_model else _ask_key(dialogue, chosen)
    if typed is None:
        return
    if typed:
        chosen = replace(chosen, key=Value(typed, "default", ""))
    connected = connect(chosen, dialogue.app.tell_wait)
    if connected is None or (typed and not _works(dialogue, connected)):
        return
    if typed:
        _keep_key(dialogue, chosen)
    dialogue.app.use(chosen, connected)
    dialogue.terminal.say("models.changed", style="good", model=connected.name, label=chosen.preset.label)
    keep(dialogue, {"model": name, "base_url": address.strip()})


def _show(dialogue: Dialogue) -> None:
    terminal, settings, connected = dialogue.terminal, dialogue.app.settings, dialogue.app.model
    if connected:
        name = settings.model or terminal.text("models.server-choice")
        terminal.say(
            "models.now",
            model=name,
            label=settings.preset.label,
            address=settings.base_url,
            window=connected.context_window,
        )
    else:
        terminal.say("models.none")
    terminal.say("models.presets", style="dim", names=", ".join(preset.name for preset in PRESETS))


def _chosen(settings: Settings, name: str, address: str) -> Settings:
    """Returns the settings with another model, and its own address unless one is given. ConfigError passes through."""
    flags: dict[str, object] = {
        "model": name,
        "base_url": address,
        "yes": settings.yes,
        "read_only": settings.read_only,
    }
    return read_settings(flags | {key: settings.values[key].text for key in ("memory_dir", "lang")})


def _ask_key(dialogue: Dialogue, chosen: Settings) -> str | None:
    """Returns the key the user typed; None, with the reason told, where there is none."""
    terminal, preset = dialogue.terminal, chosen.preset
    if not dialogue.reader.is_dialogue:
        terminal.note("models.no-dialogue", style="warn", variable=preset.key_variable or KEY_VARIABLE)
        return None
    terminal.say("models.needs-key", label=preset.label, url=preset.key_url)
    typed = dialogue.reader.secret(terminal.text("models.enter-key"))
    if not typed.strip():
        terminal.note("models.no-key", style="warn")
        return None
    return clean_key(typed, setting=KEY_VARIABLE)


def _works(dialogue: Dialogue, connected: OpenAICompatibleModel) -> bool:
    """Tries the model with a tiny call; tells what is wrong."""
    dialogue.terminal.note("models.testing")
    try:
        connected.probe()
    except ModelError as error:
        dialogue.terminal.error(error)
        dialogue.terminal.note("models.as-before", style="warn")
        connected.close()
        return False
    dialogue.terminal.note("models.works", style="good")
    return True


def _keep_key(dialogue: Dialogue, chosen: Settings) -> None:
    if chosen.read_only:
        return
    try:
        path = keep_key(chosen.home, chosen.base_url, chosen.key.text)
    except OSError as error:
        dialogue.terminal.note("models.not-kept", style="warn", reason=error.strerror or error)
        return
    dialogue.terminal.note("models.kept", path=path)
