"""What a server tells of its models: which there are, and how many tokens they take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

Get = Callable[[str], Any]
"""Returns the JSON at an address; None where there is none."""

_FIELDS = ("context_length", "max_model_len", "context_window", "max_context_length", "max_input_tokens", "n_ctx")


def ask_models(get: Get, base_url: str, model: str) -> tuple[str, int | None]:
    """Returns the name of the model that is meant, and its window in tokens or None.

    Args:
        get: Fetches JSON.
        base_url: The endpoint.
        model: Its name; empty for the first one the server lists.
    """
    listed = _models_in(get(f"{base_url}/models"))
    meant = next((entry for entry in listed if entry.get("id") == model), None)
    if meant is None and (not model or len(listed) == 1):
        meant = next(iter(listed), None)
    name = model or str((meant or {}).get("id", ""))
    return name, _window_in(meant or {}) or _llama_window(get, base_url) or _ollama_window(get, base_url, name)


def _models_in(answer: object) -> list[Mapping[str, Any]]:
    data = answer.get("data") if isinstance(answer, Mapping) else answer
    return [entry for entry in data if isinstance(entry, Mapping)] if isinstance(data, list) else []


def _window_in(entry: Mapping[str, Any]) -> int | None:
    meta = entry.get("meta")
    for fields in (entry, meta if isinstance(meta, Mapping) else {}):
        for name in _FIELDS:
            if _is_size(fields.get(name)):
                return int(fields[name])
    return None


def _llama_window(get: Get, base_url: str) -> int | None:
    """Returns the window a llama.cpp server was started with: its list of models has only the one of the training."""
    properties = get(f"{_root_of(base_url)}/props")
    settings = properties.get("default_generation_settings") if isinstance(properties, Mapping) else None
    size = settings.get("n_ctx") if isinstance(settings, Mapping) else None
    return size if _is_size(size) else None


def _ollama_window(get: Get, base_url: str, model: str) -> int | None:
    """Returns the window with which Ollama has loaded the model: it cuts longer requests without a word."""
    answer = get(f"{_root_of(base_url)}/api/ps")
    loaded = answer.get("models") if isinstance(answer, Mapping) else None
    for entry in loaded if isinstance(loaded, list) else ():
        if isinstance(entry, Mapping) and entry.get("name") in (model, f"{model}:latest"):
            return entry["context_length"] if _is_size(entry.get("context_length")) else None
    return None


def _root_of(base_url: str) -> str:
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
