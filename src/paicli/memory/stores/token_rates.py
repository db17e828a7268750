"""Keeps what was learned of models' token rates, between sessions, in a file of paicli's home."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paicli.errors import StoreError
from paicli.memory.redaction import storable
from paicli.memory.stores.atomic_file import Stamp, make_private_folder, read_stamped, replace_file
from paicli.memory.stores.lock import file_lock
from paicli.memory.tokens.rates import TokenRates

FILE_NAME = "token_rates.json"
_MOST_MODELS = 64
_LOCK_SECONDS = 2.0


def load_token_rates(home: Path) -> dict[str, TokenRates]:
    """Returns the rates of the models that are known in a home; what is missing or damaged is learned anew.

    Nothing is written.
    """
    try:
        rows = _read(home / FILE_NAME)[1]
    except OSError:
        return {}
    known = ((model, TokenRates.from_row(row)) for model, row in rows.items())
    return {model: rates for model, rates in known if rates}


def save_token_rates(home: Path, rates: Mapping[str, TokenRates], *, read_only: bool = False) -> bool:
    """Keeps rates in a home; of a model that another process learned more about, the other's stay.

    Args:
        home: Paicli's home; made where it is missing.
        rates: What was learned, by model. The 64 models of which something was kept last stay in the file.
        read_only: Whether nothing may be written.

    Returns whether the file holds them now. It is no error if not: the next session learns again.
    """
    learned = {storable(model): of_model for model, of_model in rates.items() if of_model.reports}
    if read_only or not learned:
        return False
    path = home / FILE_NAME
    try:
        make_private_folder(home)
        with file_lock(home / f".{FILE_NAME}.lock", timeout_seconds=_LOCK_SECONDS, place=str(path)):
            stamp, rows = _read(path)
            merged = _merged(rows, learned)
            return merged == rows or replace_file(path, _dumped(merged), expected=stamp)
    except (OSError, StoreError):
        return False


def _read(path: Path) -> tuple[Stamp | None, dict[str, Any]]:
    """Returns the stamp of the file and its rows by model; no rows where it is no file of rates."""
    content = read_stamped(path)
    if not content:
        return None, {}
    try:
        value = json.loads(content[1])
    except (ValueError, RecursionError):
        return content[0], {}
    rows = value.get("models") if isinstance(value, Mapping) else None
    return content[0], dict(rows) if isinstance(rows, Mapping) else {}


def _merged(rows: Mapping[str, Any], learned: Mapping[str, TokenRates]) -> dict[str, Any]:
    merged = dict(rows)
    for model, rates in learned.items():
        known = TokenRates.from_row(merged.get(model))
        if not known or known.reports < rates.reports:
            merged.pop(model, None)
            merged[model] = rates.to_row()
    return dict(list(merged.items())[-_MOST_MODELS:])


def _dumped(rows: Mapping[str, Any]) -> bytes:
    return (json.dumps({"models": rows}, ensure_ascii=False) + "\n").encode()
