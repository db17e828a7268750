"""Where the memory is kept by default, and how a place becomes a store."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from paicli.errors import StoreUnavailable
from paicli.memory.protocols import MemoryStore

_DATABASES = ("sqlite://", "postgresql://", "postgres://")


def paicli_home(environment: Mapping[str, str] | None = None) -> Path:
    """Returns the folder of everything paicli writes: `PAICLI_HOME`, else `~/.paicli`. It need not exist."""
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
        StoreUnavailable: The place is the address of a database, which this version can't use.
    """
    from paicli.memory.stores.json_file import JsonFileStore

    if str(place).lower().startswith(_DATABASES):
        raise StoreUnavailable(
            place=_without_password(str(place)), reason="this version keeps memories in a folder only"
        )
    path = _absolute(place)
    if path.suffix == ".json" and not path.is_dir():
        return JsonFileStore(path.parent, file_name=path.name, read_only=read_only)
    return JsonFileStore(path, read_only=read_only)


def default_store(*, read_only: bool = False) -> MemoryStore:
    """Returns the store at the default place; nothing is read or written yet."""
    return open_store(default_place(), read_only=read_only)


def _absolute(place: str | Path) -> Path:
    return Path(place).expanduser().absolute()


def _without_password(address: str) -> str:
    head, at, tail = address.rpartition("@")
    scheme, separator, login = head.partition("://")
    return f"{scheme}{separator}{login.partition(':')[0]}{at}{tail}" if at else address
