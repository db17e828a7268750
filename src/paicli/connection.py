"""Connects the model that the settings name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from paicli.config import Settings
from paicli.errors import ModelError

if TYPE_CHECKING:
    from paicli.llm.client import OpenAICompatibleModel


def connect(settings: Settings, on_wait: Callable[[ModelError, float], None]) -> OpenAICompatibleModel | None:
    """Returns the model of the settings, not yet called; None where a key is missing.

    Args:
        settings: Which model, where, and with which key.
        on_wait: Is told of a call that failed and is tried again after so many seconds.
    """
    if not settings.has_model:
        return None
    from paicli.llm.client import OpenAICompatibleModel
    from paicli.llm.retry import Backoff

    return OpenAICompatibleModel(
        settings.preset,
        api_key=settings.key.text,
        base_url=settings.base_url,
        model=settings.model or None,
        context_window=settings.context_window,
        backoff=Backoff(on_wait=on_wait),
    )
