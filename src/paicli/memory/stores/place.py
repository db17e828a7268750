"""Where the memory is kept by default, and how a place becomes a store."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from paicli.errors import StoreUnavailable
from paicli.memory.protocols import MemoryStore

_DATABASES = ("sqlite://", "postgresql://", "postgres://")
_START_BYTES = 1024
_OURS = {"memory", "sessions", "config.toml", "keys.json", "history", "projects.json", "projects.json.bak", "told.json"}


def paicli_home(environment: Mapping[str, str] | None = None) -> Path:
    """Returns the folder of everything paicli writes: `PAICLI_HOME`, else `~/.paicli`. It need not exist.

    Raises:
        StoreUnavailable: It begins with the `~` of somebody who is not known.
    """
    chosen = (os.environ if environment is None else environment).get("PAICLI_HOME", "").strip()
    return _absolute(chosen or "~/.paicli")


def default_place(environment: Mapping[str, str] | None = None) -> str:
    """Returns the place of the long-term memory: `PAICLI_MEMORY_DIR`, else the folder `memory` in paicli's home."""
    values = os.environ if environment is None else environment
    return values.get("PAICLI_MEMORY_DIR", "").strip() or str(paicli_home(values) / "memory")


def open_store(place: str | Path, *, read_only: bool = False) -> MemoryStore:
    """Returns the store at a place; nothing is read or written yet.

    Args:
        place: A folder, or a file in it whose name ends in `.json`.
        read_only: Whether nothing at all may be written, a damaged file not set aside either.

    Raises:
        StoreUnavailable: The place is the address of a database, which this version can't use, or a file that holds
            something else than a memory.
    """
    from paicli.memory.stores.json_file import JsonFileStore

    if str(place).lower().startswith(_DATABASES):
        raise StoreUnavailable(
            place=_without_password(str(place)), reason="this version keeps memories in a folder only"
        )
    path = _absolute(place)
    if path.is_file() and not _may_be_memory(path):
        raise StoreUnavailable(place=str(path), reason="it is a file, and no memory")
    if path.suffix == ".json" and not path.is_dir():
        return JsonFileStore(path.parent, file_name=path.name, read_only=read_only)
    return JsonFileStore(path, read_only=read_only)


def _may_be_memory(file: Path) -> bool:
    """Returns whether a file may be a memory, maybe a damaged one; another JSON file must not be set aside as one."""
    if file.suffix != ".json":
        return False
    try:
        with file.open("rb") as stream:
            start = stream.read(_START_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError:
        return True  # the store tells why
    return not start.startswith(b"{")


def default_store(*, read_only: bool = False) -> MemoryStore:
    """Returns the store at the default place; nothing is read or written yet."""
    return open_store(default_place(), read_only=read_only)


def tighten(home: Path) -> bool:
    """Makes a home that others can enter private to its owner; returns whether it did.

    Only a folder that is paicli's alone: its default name, or nothing in it but what paicli makes.
    """
    try:
        mode = home.stat().st_mode
        if os.name != "posix" or not mode & 0o077 or not (home.name == ".paicli" or _is_ours(home)):
            return False
        home.chmod(mode & 0o700)
    except OSError:
        return False
    return True


def _is_ours(home: Path) -> bool:
    names = {path.name for path in home.iterdir() if not path.name.startswith(".")}
    return bool(names) and names <= _OURS


def _absolute(place: str | Path) -> Path:
    try:
        return Path(place).expanduser().absolute()
    except RuntimeError as error:
        raise StoreUnavailable(place=str(place), reason="nobody has this home folder") from error


def _without_password(address: str) -> str:
    head, at, tail = address.rpartition("@")
    scheme, separator, login = head.partition("://")
    return f"{scheme}{separator}{login.partition(':')[0]}{at}{tail}" if at else address
