"""`paicli config show`: each setting with its value and where it comes from."""

from __future__ import annotations

from paicli.cli.memory_view import print_json
from paicli.cli.terminal import Terminal
from paicli.cli.wrap import columns_of
from paicli.config import NEVER, Settings
from paicli.keys import Value
from paicli.llm.key import mask_key


def print_settings(terminal: Terminal, settings: Settings, *, as_json: bool = False) -> None:
    """Prints all settings as a table, or as JSON; of a key only that there is one."""
    rows = _rows(settings)
    if as_json:
        print_json({name: {"value": value, "source": _source(terminal, origin)} for name, value, origin in rows})
        return
    headings = [terminal.text(f"settings.{name}") for name in ("setting", "value", "source")]
    names = max(columns_of(name) for name, _, _ in rows)
    values = max(columns_of(value) for _, value, _ in rows)
    terminal.table(
        headings,
        [[f"{name:<{names}}", f"{value or '-':<{values}}", _source(terminal, origin)] for name, value, origin in rows],
    )
    terminal.note("settings.file", path=settings.config_file)


def _rows(settings: Settings) -> list[tuple[str, str, Value]]:
    values = settings.values
    window = settings.context_window or settings.preset.context_window
    return [
        ("home", str(settings.home), Value()),
        ("memory_dir", settings.memory_dir, values["memory_dir"]),
        ("lang", settings.language, values["lang"]),
        ("provider", settings.preset.name, values["model"]),
        ("model", settings.model, values["model"]),
        ("base_url", settings.base_url, values["base_url"]),
        ("context_window", str(window or ""), values["context_window"]),
        ("memory_mode", values["memory_mode"].text or "auto", values["memory_mode"]),
        ("recall_threshold", _threshold(settings), values["recall_threshold"]),
        ("key", mask_key(settings.key.text) if settings.key.text else "", settings.key),
    ]


def _threshold(settings: Settings) -> str:
    return NEVER if settings.recall_threshold is None else str(settings.recall_threshold)


def _source(terminal: Terminal, origin: Value) -> str:
    if origin.kind == "default":
        return terminal.text("settings.default")
    return origin.name
