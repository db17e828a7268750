"""Paths as text that is the same under every locale: in a file, the name of a folder is its bytes read as UTF-8."""

from __future__ import annotations

import os
from pathlib import Path


def path_text(path: Path) -> str:
    """Returns a path as text; bytes that are no UTF-8 become lone surrogates.

    >>> path_text(Path("work") / "shop")
    'work/shop'
    """
    try:
        return os.fsencode(path).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # it did not come from the system
        return str(path)


def path_of(text: str) -> Path:
    """Returns the path that `path_text` made a text of."""
    try:
        return Path(os.fsdecode(text.encode("utf-8", "surrogateescape")))
    except UnicodeEncodeError:  # nor did this one
        return Path(text)
