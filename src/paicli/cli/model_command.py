"""The command /model: shows the model, or changes it; what can't be used is not kept, a key is tried before it is."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

from paicli.cli.commands import nearest
from paicli.cli.dialogue import Dialogue
from paicli.cli.talk_commands import keep
from paicli.config import Settings, named_preset, read_settings
from paicli.connection import connect
from paicli.errors import KeyRejected, ModelError, ModelUnreachable, RateLimited, RequestRefused, ServerFailed
from paicli.keys import KEY_VARIABLE, Value, find_key, keep_key, needs_key
from paicli.llm.client import OpenAICompatibleModel
from paicli.llm.key import clean_key, mask_key
from paicli.llm.presets import PRESETS, preset_for

_MOST_TRIES = 4
_PASSING = (ModelUnreachable, RateLimited, ServerFailed)
"""Failures that say nothing against the choice: the endpoint may answer later."""


def model(dialogue: Dialogue, rest: str) -> None:
    """/model: shows the model; with a name, and an address behind it, changes to that one."""
    if not rest:
        _show(dialogue)
        return
    name, _, address = rest.partition(" ")
    if "://" in name and not address:
        name, address = "local", name
    settings = dialogue.app.settings
    chosen = _chosen(settings, name, address.strip() or _address_for(settings, name))
    _tell_unknown(dialogue, name, chosen)
    changed = _change(dialogue, chosen)
    if changed:
        label = changed.preset.label
        connected = dialogue.app.model.name if dialogue.app.model else name
        terminal = dialogue.terminal
        terminal.say("models.changed", style="good", model=connected, label=label, address=changed.base_url)
        keep(dialogue, {"model": name, "base_url": _kept_address(name, changed)})


def offer_key(dialogue: Dialogue) -> None:
    """Asks for another key where the endpoint has refused the one in use; the new one is tried, then kept."""
    settings = dialogue.app.settings
    if not dialogue.reader.is_dialogue or dialogue.app.model is None:
        return
    chosen = _with_typed_key(dialogue, settings)
    if chosen and _change(dialogue, chosen):
        dialogue.terminal.note("models.ask-again")
        if settings.key.kind in ("variable", "file") and settings.key.name.startswith(_variables(settings)):
            dialogue.terminal.note("models.shadowed", source=settings.key.name)


def _variables(settings: Settings) -> tuple[str, ...]:
    return (KEY_VARIABLE, *settings.preset.key_variables)


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
        _show_key(dialogue, settings.key)
    else:
        terminal.say("models.none")
    terminal.say("models.presets", style="dim", names=", ".join(preset.name for preset in PRESETS))


def _show_key(dialogue: Dialogue, key: Value) -> None:
    terminal = dialogue.terminal
    if key.text:
        source = key.name or terminal.text("models.this-session")
        terminal.say("models.key", key=mask_key(key.text), source=source)
    else:
        terminal.say("models.without-key")


def _chosen(settings: Settings, name: str, address: str) -> Settings:
    """Returns the settings with another model at an address, or its own. ConfigError passes through."""
    flags: dict[str, object] = {
        "model": name,
        "base_url": address,
        "yes": settings.yes,
        "read_only": settings.read_only,
    }
    window = settings.values["context_window"]
    if window.kind == "flag" and address in ("", settings.base_url):
        flags["context_window"] = window.text  # it was said of this endpoint
    return read_settings(flags | {key: settings.values[key].text for key in ("memory_dir", "lang")})


def _address_for(settings: Settings, name: str) -> str:
    """Returns where a model is that was named without an address: a preset's name (empty) brings its own.

    Any other name stays where we are. Only from a provider's own address a name that another provider is known for
    leads to that one: a server of one's own, or a relay, may serve a model of whatever name.
    """
    if named_preset(name):
        return ""
    provider = preset_for(name)
    if needs_key(settings.preset, settings.base_url) and provider.window_of(name):
        return provider.base_url
    return settings.base_url


def _kept_address(name: str, chosen: Settings) -> str:
    """Returns the address to keep, so that the next start leads to the same one; empty where the name alone does."""
    alone = named_preset(name) or preset_for(name)
    return "" if alone.base_url == chosen.base_url else chosen.base_url


def _tell_unknown(dialogue: Dialogue, name: str, chosen: Settings) -> None:
    """Says that a name which looks like a preset's is taken as a model's."""
    meant = nearest(name.casefold(), [preset.name for preset in PRESETS])
    if meant and named_preset(name) is None and abs(len(meant) - len(name)) <= 2:
        dialogue.terminal.note("models.no-preset", name=name, meant=meant, address=chosen.base_url)


def _change(dialogue: Dialogue, chosen: Settings) -> Settings | None:
    """Uses other settings from now on if they work, and keeps a key that was typed; returns them, else None."""
    asked = chosen if chosen.has_model else _with_typed_key(dialogue, chosen)
    for _ in range(_MOST_TRIES):
        connected = connect(asked, dialogue.app.tell_wait) if asked else None
        if asked is None or connected is None:
            break
        error = _failure(dialogue, connected)
        if error is None or _wanted_all_the_same(dialogue, error):
            changed = _with_kept_key(dialogue, asked, is_tried=error is None)
            dialogue.app.use(changed, connected)
            return changed
        connected.close()
        asked = _mended(dialogue, asked, error)
    dialogue.terminal.note("models.as-before", style="warn")
    return None


def _failure(dialogue: Dialogue, connected: OpenAICompatibleModel) -> ModelError | None:
    """Tries the model with a tiny call; returns what is wrong."""
    dialogue.terminal.note("models.testing")
    try:
        connected.probe()
    except ModelError as error:
        return error
    dialogue.terminal.note("models.works", style="good")
    return None


def _wanted_all_the_same(dialogue: Dialogue, error: ModelError) -> bool:
    if not isinstance(error, _PASSING):
        return False
    dialogue.terminal.error(error)
    return dialogue.confirm(dialogue.terminal.text("models.all-the-same"))


def _mended(dialogue: Dialogue, chosen: Settings, error: ModelError) -> Settings | None:
    """Returns what to try next after a failure: the path that the address lacks, or another key; None to give up."""
    if isinstance(error, RequestRefused) and error.values.get("status") == 404 and lacks_path(chosen.base_url):
        address = f"{chosen.base_url.rstrip('/')}/v1"
        dialogue.terminal.note("models.trying-path", address=address)
        key = chosen.key if _is_typed(chosen) else find_key(chosen.preset, address, chosen.home)
        return replace(chosen, base_url=address, key=key)
    if not isinstance(error, _PASSING):
        dialogue.terminal.error(error)
    return _with_typed_key(dialogue, chosen) if isinstance(error, KeyRejected) else None


def lacks_path(address: str) -> bool:
    """Returns whether an address is a server's alone, without the `/v1` that most want."""
    return urlsplit(address).path in ("", "/")


def _with_typed_key(dialogue: Dialogue, chosen: Settings) -> Settings | None:
    """Returns the settings with the key the user types; None, with the reason told, where there is none."""
    terminal, preset = dialogue.terminal, chosen.preset
    if not dialogue.reader.is_dialogue:
        terminal.note("models.no-dialogue", style="warn", variable=preset.key_variable or KEY_VARIABLE)
        return None
    if needs_key(preset, chosen.base_url):
        terminal.say("models.needs-key", label=preset.label, url=preset.key_url)
    else:
        terminal.say("models.wants-key", address=chosen.base_url, variable=KEY_VARIABLE)
    typed = dialogue.reader.secret(terminal.text("models.enter-key"))
    if not typed.strip():
        terminal.note("models.no-key", style="warn")
        return None
    return replace(chosen, key=Value(clean_key(typed, setting=KEY_VARIABLE)))


def _is_typed(chosen: Settings) -> bool:
    return bool(chosen.key.text) and chosen.key.kind == "default"


def _with_kept_key(dialogue: Dialogue, chosen: Settings, *, is_tried: bool) -> Settings:
    """Keeps a key that was typed, if it works; returns the settings, with where it is now."""
    if chosen.read_only or not _is_typed(chosen):
        return chosen
    if not is_tried:
        dialogue.terminal.note("models.untried-key", style="warn")
        return chosen
    try:
        path = keep_key(chosen.home, chosen.base_url, chosen.key.text)
    except OSError as error:
        dialogue.terminal.note("models.not-kept", style="warn", reason=error.strerror or error)
        return chosen
    dialogue.terminal.note("models.kept", path=path)
    return replace(chosen, key=Value(chosen.key.text, "file", str(path)))
