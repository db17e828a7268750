"""A client for a server on loopback that waits for nothing between its tries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from paicli.llm.client import OpenAICompatibleModel
from paicli.llm.presets import Preset, find_preset
from paicli.llm.retry import Backoff
from paicli.testing.server import ChatServer

KEY = "sk-test-0123456789abcdef"
Connect = Callable[..., OpenAICompatibleModel]


@pytest.fixture
def waits() -> list[float]:
    """The seconds a client would have waited between its tries."""
    return []


@pytest.fixture
def connect(waits: list[float]) -> Iterator[Connect]:
    """Makes clients; `changes` are fields of the preset."""
    models: list[OpenAICompatibleModel] = []

    def make(
        server: ChatServer | str,
        preset: Preset | None = None,
        *,
        key: str = KEY,
        model: str = "glm-5.1",
        **changes: Any,
    ) -> OpenAICompatibleModel:
        address = server if isinstance(server, str) else server.base_url
        made = OpenAICompatibleModel(
            replace(preset or find_preset("glm"), **changes),
            api_key=key,
            base_url=address,
            model=model,
            backoff=Backoff(sleep=waits.append),
        )
        models.append(made)
        return made

    yield make
    for model in models:
        model.close()
