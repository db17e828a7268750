"""Keys of endpoints: where they come from, and where one that the user gave is kept."""

from __future__ import annotations

import json
import logging
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from paicli.errors import ConfigError
from paicli.llm.key import clean_key
from paicli.llm.presets import Preset
from paicli.memory.notice import Notice

KEYS_FILE = "keys.json"
KEY_VARIABLE = "PAICLI_API_KEY"
"""Holds the key for whatever endpoint is used; a preset's own variable is read for that preset's endpoint only."""


@dataclass(frozen=True, slots=True)
class Value:
    """A setting's value and where it comes from: `flag`, `variable`, `file` or `default`, and which one."""

    text: str = ""
    kind: str = "default"
    name: str = ""


def needs_key(preset: Preset, base_url: str) -> bool:
    """Returns whether an endpoint can't be used without a key: a provider's own can't, another address may do."""
    return bool(preset.key_variables) and _is_own(preset, base_url)


def _is_own(preset: Preset, base_url: str) -> bool:
    """Returns whether an address is the provider's: its host, by the same protocol."""
    own, used = urlsplit(preset.base_url), urlsplit(base_url)
    return (own.scheme, own.netloc) == (used.scheme, used.netloc)


def find_key(
    preset: Preset,
    base_url: str,
    home: Path,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    tell: Callable[[Notice], None] = lambda _: None,
) -> Value:
    """Returns the key for an endpoint: from the variables, `./.env`, `~/.env`, or the keys that were kept.

    A preset's own variable counts for the preset's own address only, so that no other server is sent its key.

    Args:
        preset: The provider.
        base_url: The endpoint.
        home: Paicli's home, with the keys that were kept.
        environ: The variables; the process's where None.
        folder: The folder whose `.env` is read; the current one where None.
        tell: Is told of lines of a `.env` that can't be read.

    Raises:
        ConfigError: What stands there can't be a key, or a `.env` is no text.
    """
    names = (KEY_VARIABLE, *(preset.key_variables if _is_own(preset, base_url) else ()))
    for file_name, variables in _sources(os.environ if environ is None else environ, folder, tell):
        for name in names:
            key = (variables.get(name) or "").strip()
            origin = f"{name} ({file_name})" if file_name else name
            if key:
                return Value(clean_key(key, setting=origin), "file" if file_name else "variable", origin)
    kept = kept_key(home, base_url)
    return Value(kept, "file", str(home / KEYS_FILE)) if kept else Value()


def _sources(
    environ: Mapping[str, str], folder: Path | None, tell: Callable[[Notice], None]
) -> Iterator[tuple[str, Mapping[str, str | None] | Mapping[str, str]]]:
    """Yields the places keys may stand in, the first that has one counts: each a file's name and its variables."""
    yield "", environ
    for file in ((folder or Path.cwd()) / ".env", Path.home() / ".env"):
        yield str(file), _dotenv(file, tell)


def _dotenv(file: Path, tell: Callable[[Notice], None]) -> Mapping[str, str | None]:
    """Returns the variables of a `.env` file; the caller looks up keys in it, and nothing else."""
    try:
        if not file.is_file():
            return {}
        from dotenv import dotenv_values

        with _bad_lines() as bad:
            variables = dotenv_values(file, interpolate=False, encoding="utf-8-sig")
    except OSError:
        return {}
    except UnicodeDecodeError as error:
        raise unreadable(".env", file, error) from error
    if bad:
        tell(Notice("dotenv-lines", {"path": file, "lines": ", ".join(bad)}))
    return variables


@contextmanager
def _bad_lines() -> Iterator[list[str]]:
    """Gives the numbers of the lines that python-dotenv could not read, about which it only writes to the log."""
    bad: list[str] = []

    def take(record: logging.LogRecord) -> bool:
        bad.extend(re.findall(r"\d+", record.getMessage())[-1:])
        return False

    log = logging.getLogger("dotenv.main")
    log.addFilter(take)
    try:
        yield bad
    finally:
        log.removeFilter(take)


def unreadable(key: str, file: Path, error: Exception) -> ConfigError:
    """Returns the error for a file that can't be read."""
    reason = f"it can't be read ({error}); mend or remove it"
    return ConfigError(key=key, value=file, reason=reason, problem="unreadable", detail=error)


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
        file = home / KEYS_FILE
        content = json.loads(file.read_text(encoding="utf-8-sig")) if file.is_file() else {}
    except (OSError, ValueError, RecursionError):
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
