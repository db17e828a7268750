"""Settings: what the user chose, by flag, variable or file, and where each value comes from."""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from paicli.errors import ConfigError
from paicli.llm.key import clean_key
from paicli.llm.presets import PRESETS, Preset, preset_for
from paicli.memory.stores.place import paicli_home

CONFIG_FILE = "config.toml"
KEYS_FILE = "keys.json"
VARIABLES = {
    "memory_dir": "PAICLI_MEMORY_DIR",
    "lang": "PAICLI_LANG",
    "model": "PAICLI_MODEL",
    "base_url": "PAICLI_BASE_URL",
    "context_window": "PAICLI_CONTEXT_WINDOW",
}
"""The variable of each setting. The keys of the configuration file are these names."""
KEY_VARIABLE = "PAICLI_API_KEY"
"""Holds the key for whatever endpoint is used; a preset's own variable is read for that preset's endpoint only."""
SMALLEST_WINDOW = 512
_STRENGTH = ("flag", "variable", "file", "default")


@dataclass(frozen=True, slots=True)
class Value:
    """A setting's value and where it comes from: `flag`, `variable`, `file` or `default`, and which one."""

    text: str = ""
    kind: str = "default"
    name: str = ""


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

    @property
    def memory_dir(self) -> str:
        """The folder of the long-term memory, or another place's address."""
        return self.values["memory_dir"].text or str(self.home / "memory")

    @property
    def language(self) -> str:
        """The language asked for, `zh` or `en`; empty where the locale decides."""
        return self.values["lang"].text

    @property
    def config_file(self) -> Path:
        """The configuration file, which need not exist."""
        return self.home / CONFIG_FILE

    @property
    def has_model(self) -> bool:
        """Whether there is all that a call needs: a key, where the provider wants one."""
        return bool(self.key.text) or not needs_key(self.preset, self.base_url)


def read_settings(
    flags: Mapping[str, object], environ: Mapping[str, str] | None = None, folder: Path | None = None
) -> Settings:
    """Returns the settings: flags before variables before the configuration file before defaults.

    Args:
        flags: Options of the command line by setting name; `yes` and `read_only` too.
        environ: The variables; the process's where None.
        folder: The folder whose `.env` may hold a key; the current one where None.

    Raises:
        ConfigError: A value that can't be used; it names the setting, the value and the way out.
    """
    environ = os.environ if environ is None else environ
    home = paicli_home(environ)
    values = _values(flags, environ, home / CONFIG_FILE)
    if values["lang"].text not in ("", "zh", "en"):
        raise _error("lang", values["lang"], "it must be zh or en", "language")
    window = _window(values["context_window"])
    preset, model, base_url = _endpoint(values)
    return Settings(
        home=home,
        values=values,
        key=find_key(preset, base_url, home, environ, folder),
        preset=preset,
        model=model,
        base_url=base_url,
        context_window=window,
        yes=bool(flags.get("yes")),
        read_only=bool(flags.get("read_only")),
    )


def _values(flags: Mapping[str, object], environ: Mapping[str, str], file: Path) -> dict[str, Value]:
    stored = _stored(file)
    values = {}
    for name, variable in VARIABLES.items():
        candidates = (
            Value(str(flags.get(name) or ""), "flag", "--" + name.replace("_", "-")),
            Value(environ.get(variable, "").strip(), "variable", variable),
            Value(stored.get(name, ""), "file", str(file)),
        )
        values[name] = next((value for value in candidates if value.text), Value())
    return values


def _stored(file: Path) -> dict[str, str]:
    """Returns the settings of the configuration file as text; none where there is no such file, or no access to it."""
    try:
        content: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError:
        return {}
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _unreadable(CONFIG_FILE, file, error) from error
    stored = {}
    for name in VARIABLES:
        value = content.get(name, "")
        if isinstance(value, bool) or not isinstance(value, str | int):
            reason = 'a text is needed, such as model = "glm"'
            raise ConfigError(key=f"{name} ({file})", value=value, reason=reason, problem="not-text")
        stored[name] = str(value).strip()
    return stored


def _unreadable(key: str, file: Path, error: Exception) -> ConfigError:
    reason = f"it can't be read ({error}); mend or remove it"
    return ConfigError(key=key, value=file, reason=reason, problem="unreadable", detail=error)


def _window(value: Value) -> int | None:
    if not value.text:
        return None
    digits = value.text.replace("_", "").replace(",", "")
    if not digits.isdecimal() or int(digits) < SMALLEST_WINDOW:
        raise _error("context_window", value, f"a number of tokens from {SMALLEST_WINDOW} on is needed", "window")
    return int(digits)


def _endpoint(values: Mapping[str, Value]) -> tuple[Preset, str, str]:
    """Returns the preset, the model's name and the address.

    The name of a preset brings its own address along: an address that was set by weaker means is left aside.
    """
    model, address = values["model"], values["base_url"]
    named = next((preset for preset in PRESETS if preset.name == model.text.lower()), None)
    if named and _STRENGTH.index(address.kind) > _STRENGTH.index(model.kind):
        address = Value()
    if address.text and not address.text.startswith(("http://", "https://")):
        raise _error("base_url", address, "an address such as http://localhost:11434/v1 is needed", "address")
    base_url = address.text.rstrip("/")
    preset = named or preset_for(model.text, base_url)
    name = preset.default_model if named or not model.text else model.text
    return preset, name, base_url or preset.base_url


def _error(name: str, value: Value, reason: str, problem: str) -> ConfigError:
    return ConfigError(key=value.name or name, value=value.text, reason=reason, problem=problem)


def needs_key(preset: Preset, base_url: str) -> bool:
    """Returns whether an endpoint can't be used without a key: a provider's own can't, another address may do."""
    return bool(preset.key_variables) and _is_own(preset, base_url)


def _is_own(preset: Preset, base_url: str) -> bool:
    """Returns whether an address is the provider's: its host, by the same protocol."""
    own, used = urlsplit(preset.base_url), urlsplit(base_url)
    return (own.scheme, own.netloc) == (used.scheme, used.netloc)


def find_key(
    preset: Preset, base_url: str, home: Path, environ: Mapping[str, str] | None = None, folder: Path | None = None
) -> Value:
    """Returns the key for an endpoint: from the variables, `./.env`, `~/.env`, or the keys that were kept.

    A preset's own variable counts for the preset's own address only, so that no other server is sent its key.
    """
    environ = os.environ if environ is None else environ
    names = (KEY_VARIABLE, *(preset.key_variables if _is_own(preset, base_url) else ()))
    sources: list[tuple[str, Mapping[str, str | None] | Mapping[str, str]]] = [("", environ)]
    sources += [(str(file), _dotenv(file)) for file in ((folder or Path.cwd()) / ".env", Path.home() / ".env")]
    for file_name, variables in sources:
        for name in names:
            key = (variables.get(name) or "").strip()
            origin = f"{name} ({file_name})" if file_name else name
            if key:
                return Value(clean_key(key, setting=origin), "file" if file_name else "variable", origin)
    kept = kept_key(home, base_url)
    return Value(kept, "file", str(home / KEYS_FILE)) if kept else Value()


def _dotenv(file: Path) -> Mapping[str, str | None]:
    """Returns the variables of a `.env` file; the caller looks up keys in it, and nothing else."""
    if not file.is_file():
        return {}
    from dotenv import dotenv_values

    try:
        return dotenv_values(file, interpolate=False, encoding="utf-8-sig")
    except OSError:
        return {}
    except UnicodeDecodeError as error:
        raise _unreadable(".env", file, error) from error


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


def kept_key(home: Path, base_url: str) -> str:
    """Returns the key kept for an endpoint; empty where there is none, or the file can't be read."""
    return _kept(home).get(base_url.rstrip("/"), "")


def keep_key(home: Path, base_url: str, key: str) -> Path:
    """Keeps the key for an endpoint and returns the file.

    Raises:
        OSError: The file can't be written.
    """
    file = home / KEYS_FILE
    write_private(file, json.dumps(_kept(home) | {base_url.rstrip("/"): key}, indent=2) + "\n")
    return file


def _kept(home: Path) -> dict[str, str]:
    try:
        content = json.loads((home / KEYS_FILE).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    kept = content.items() if isinstance(content, dict) else ()
    return {address: key for address, key in kept if isinstance(key, str)}


def write_private(file: Path, text: str) -> None:
    """Writes a file whole or not at all, readable by its owner only, its folder too. OSError passes through."""
    target = file.resolve()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
