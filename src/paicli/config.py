"""Settings: what the user chose, by flag, variable or file, and where each value comes from."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from paicli.errors import ConfigError
from paicli.keys import Value, find_key, needs_key, unreadable, write_private
from paicli.llm.endpoint import has_user, shown_url
from paicli.llm.presets import PRESETS, Preset, preset_for
from paicli.memory.notice import Notice
from paicli.memory.recall_feed import SHORT_HISTORY_TOKENS
from paicli.memory.stores.place import paicli_home

CONFIG_FILE = "config.toml"
VARIABLES = {
    "memory_dir": "PAICLI_MEMORY_DIR",
    "lang": "PAICLI_LANG",
    "model": "PAICLI_MODEL",
    "base_url": "PAICLI_BASE_URL",
    "context_window": "PAICLI_CONTEXT_WINDOW",
    "memory_mode": "PAICLI_MEMORY_MODE",
    "recall_threshold": "PAICLI_RECALL_THRESHOLD",
}
"""The variable of each setting. The keys of the configuration file are these names."""
MEMORY_MODES = ("auto", "explicit")
"""`auto`: the model draws facts out of what was said; `explicit`: only what the user asks to be remembered is kept."""
NEVER = "never"
SMALLEST_WINDOW = 2_000
"""Tokens. The prompt, the tools and the room for an answer take 1 500 of them; with fewer no message fits."""
_CHOICES = {"lang": ("zh", "en"), "memory_mode": MEMORY_MODES}
_STRENGTH = ("flag", "variable", "file", "default")


@dataclass(frozen=True)
class Settings:
    """All settings, checked.

    Args:
        home: The folder of everything paicli keeps.
        values: The settings of `VARIABLES`, as text, with their origin.
        key: The key for the endpoint in use; its text is empty where there is none.
        preset: The provider in use.
        model: The model's name as the provider knows it; empty where the server is to be asked.
        base_url: The endpoint's address.
        context_window: Tokens the model takes; None where the preset or the server knows.
        yes: Every question is answered with yes.
        read_only: Nothing is written to the disk.
        remarks: What the user should hear of about the files the settings come from.
        problems: What can't be used and was left out, where that was allowed.
    """

    home: Path
    values: Mapping[str, Value]
    key: Value = field(repr=False)
    preset: Preset
    model: str
    base_url: str
    context_window: int | None = None
    yes: bool = False
    read_only: bool = False
    remarks: tuple[Notice, ...] = ()
    problems: tuple[ConfigError, ...] = ()

    @property
    def memory_dir(self) -> str:
        """The folder of the long-term memory, or another place's address."""
        return self.values["memory_dir"].text or str(self.home / "memory")

    @property
    def language(self) -> str:
        """The language asked for, `zh` or `en`; empty where the locale decides."""
        return self.values["lang"].text

    @property
    def draws_out_facts(self) -> bool:
        """Whether the model looks for facts in what was said."""
        return self.values["memory_mode"].text != "explicit"

    @property
    def recall_threshold(self) -> int | None:
        """The size of a history, in tokens, from which on the system message stays as it is; None for never."""
        text = self.values["recall_threshold"].text or str(SHORT_HISTORY_TOKENS)
        return None if text == NEVER else int(text)

    @property
    def config_file(self) -> Path:
        """The configuration file, which need not exist."""
        return self.home / CONFIG_FILE

    @property
    def has_model(self) -> bool:
        """Whether there is all that a call needs: a key, where the provider wants one."""
        return bool(self.key.text) or not needs_key(self.preset, self.base_url)


def read_settings(
    flags: Mapping[str, object],
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    *,
    lenient: bool = False,
) -> Settings:
    """Returns the settings: flags before variables before the configuration file before defaults.

    Args:
        flags: Options of the command line by setting name; `yes` and `read_only` too.
        environ: The variables; the process's where None.
        folder: The folder whose `.env` may hold a key; the current one where None.
        lenient: Whether what can't be used in variables and files is left out, as `problems`: for what needs no model.

    Raises:
        ConfigError: A value that can't be used; it names the setting, the value and the way out.
    """
    environ = os.environ if environ is None else environ
    home = paicli_home(environ)
    remarks, problems = list[Notice](), _Problems(lenient=lenient)
    values = _values(flags, environ, _stored(home / CONFIG_FILE, remarks, problems))
    _check(values, problems)
    preset, model, base_url = _endpoint(values)
    key = Value()
    with problems.left_out():
        key = find_key(preset, base_url, home, environ, folder, remarks.append)
    return Settings(
        home=home,
        values=values,
        key=key,
        preset=preset,
        model=model,
        base_url=base_url,
        context_window=_window(values["context_window"]),
        yes=bool(flags.get("yes")),
        read_only=bool(flags.get("read_only")),
        remarks=tuple(remarks),
        problems=tuple(problems.found),
    )


class _Problems:
    """The values that can't be used and may be left out; if not `lenient`, the first one is raised."""

    def __init__(self, *, lenient: bool) -> None:
        self.found: list[ConfigError] = []
        self._lenient = lenient

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """Ends the block at a value that can't be used."""
        try:
            yield
        except ConfigError as error:
            if not self._lenient:
                raise
            self.found.append(error)


def _values(flags: Mapping[str, object], environ: Mapping[str, str], stored: Mapping[str, Value]) -> dict[str, Value]:
    values = {}
    for name, variable in VARIABLES.items():
        candidates = (
            Value(str(flags.get(name) or ""), "flag", "--" + name.replace("_", "-")),
            Value(environ.get(variable, "").strip(), "variable", variable),
            stored.get(name, Value()),
        )
        values[name] = next((value for value in candidates if value.text), Value())
    return values


def _check(values: dict[str, Value], problems: _Problems) -> None:
    """Checks the values; those left out get their default. The place of the memory never is: it would be another one."""
    for name, value in values.items():
        if value.kind == "flag" or name == "memory_dir":
            _check_value(name, value)
        elif value.text:
            values[name] = Value()
            with problems.left_out():
                _check_value(name, value)
                values[name] = value


def _check_value(name: str, value: Value) -> None:
    if name in _CHOICES and value.text not in _CHOICES[name]:
        raise _error(name, value, f"it must be {' or '.join(_CHOICES[name])}", name.replace("_", "-"))
    if name == "context_window":
        _window(value)
    if name == "recall_threshold" and value.text != NEVER and not value.text.isdecimal():
        raise _error(name, value, f"a number of tokens is needed, or '{NEVER}'", "threshold")
    if name == "base_url" and not value.text.startswith(("http://", "https://")):
        raise _error(name, value, "an address such as http://localhost:11434/v1 is needed", "address")
    if name == "memory_dir":
        try:
            Path(value.text).expanduser()
        except RuntimeError as error:
            raise _error(name, value, "nobody has this home folder", "no-home") from error


def _stored(file: Path, remarks: list[Notice], problems: _Problems) -> dict[str, Value]:
    """Returns the settings of the configuration file; none where there is no such file, or no access to it."""
    content: dict[str, Any] = {}
    with problems.left_out():
        try:
            data = file.read_bytes() if file.is_file() else b""
            content = _intact(data)
            content = tomllib.loads(data.decode("utf-8-sig"))
        except OSError:
            return {}
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise unreadable(CONFIG_FILE, file, error) from error
    for key in content.keys() - VARIABLES.keys():
        meant = next(iter(get_close_matches(key, VARIABLES, n=1)), "")
        remarks.append(Notice("unknown-setting", {"key": key, "path": file, "meant": meant or ", ".join(VARIABLES)}))
    stored = {}
    for name in VARIABLES:
        with problems.left_out():
            stored[name] = Value(_as_text(name, content.get(name, ""), file), "file", str(file))
    return stored


def _intact(data: bytes) -> dict[str, Any]:
    """Returns what can be read of a broken configuration file: its lines of the form `name = "value"`."""
    content: dict[str, Any] = {}
    for line in data.decode("utf-8-sig", "replace").splitlines():
        if line.lstrip().startswith("["):
            break
        with suppress(tomllib.TOMLDecodeError):
            content |= tomllib.loads(line)
    return content


def _as_text(name: str, value: object, file: Path) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        reason = 'a text is needed, such as model = "glm"'
        raise ConfigError(key=f"{name} ({file})", value=value, reason=reason, problem="not-text")
    return str(value).strip()


def _window(value: Value) -> int | None:
    if not value.text:
        return None
    digits = value.text.replace("_", "").replace(",", "")
    if not digits.isdecimal() or int(digits) < SMALLEST_WINDOW:
        reason = f"a number of tokens from {SMALLEST_WINDOW} on is needed"
        raise _error("context_window", value, reason, "window", smallest=SMALLEST_WINDOW)
    return int(digits)


def _endpoint(values: Mapping[str, Value]) -> tuple[Preset, str, str]:
    """Returns the preset, the model's name and the address.

    The name of a preset brings its own address along: an address that was set by weaker means is left aside.
    """
    model, address = values["model"], values["base_url"]
    named = named_preset(model.text)
    if named and _STRENGTH.index(address.kind) > _STRENGTH.index(model.kind):
        address = Value()
    base_url = address.text.rstrip("/")
    if has_user(base_url):  # it would be written down, and the key goes another way
        reason = "a user name or password is no part of it; give the key by PAICLI_API_KEY, or when asked for it"
        raise _error("base_url", Value(shown_url(base_url), address.kind, address.name), reason, "user-info")
    preset = named or preset_for(model.text, base_url)
    name = preset.default_model if named or not model.text else model.text
    return preset, name, base_url or preset.base_url


def named_preset(name: str) -> Preset | None:
    """Returns the preset of this name; None where it is no preset's."""
    return next((preset for preset in PRESETS if preset.name == name.strip().lower()), None)


def _error(name: str, value: Value, reason: str, problem: str, **more: object) -> ConfigError:
    return ConfigError(key=value.name or name, value=value.text, reason=reason, problem=problem, **more)


def keep_settings(file: Path, changes: Mapping[str, str]) -> None:
    """Writes settings into the configuration file, comments and all else in it left as they are; "" removes one.

    Raises:
        ConfigError: The file can't be written.
    """
    import tomlkit

    try:
        document = tomlkit.parse(file.read_text(encoding="utf-8-sig")) if file.exists() else tomlkit.document()
        for name, value in changes.items():
            if value:
                document[name] = value
            else:
                document.pop(name, None)
        write_private(file, tomlkit.dumps(document))
    except (OSError, ValueError) as error:
        reason = f"it can't be written ({error})"
        raise ConfigError(key=CONFIG_FILE, value=file, reason=reason, problem="unwritable", detail=error) from error
