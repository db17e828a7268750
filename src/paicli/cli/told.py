"""Remembers what needs to be said only once, ever."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from paicli.config import Settings
from paicli.keys import write_private

_FILE = "told.json"


def first_time(settings: Settings, what: str) -> bool:
    """Returns whether something is to be said for the first time, and notes that it has been."""
    file = settings.home / _FILE
    told = _told(file)
    if what in told:
        return False
    if not settings.read_only:
        with suppress(OSError):
            write_private(file, json.dumps([*told, what], ensure_ascii=False, indent=1) + "\n")
    return True


def _told(file: Path) -> list[str]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [what for what in content if isinstance(what, str)] if isinstance(content, list) else []
