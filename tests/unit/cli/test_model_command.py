from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paicli.testing.replies import HttpError
from paicli.testing.server import ChatServer

KEY = "sk-0123456789abcdef0123"


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Puts a server on loopback in the place of DeepSeek; the list takes its replies."""
    from dataclasses import replace

    import paicli.config
    from paicli.llm import presets

    replies: list[Any] = []
    with ChatServer(lambda _: replies.pop(0)) as server:
        local = tuple(
            replace(preset, base_url=server.base_url) if preset.name == "deepseek" else preset
            for preset in presets.PRESETS
        )
        monkeypatch.setattr(presets, "PRESETS", local)
        monkeypatch.setattr(paicli.config, "PRESETS", local)
        yield replies


def test_without_a_name_the_model_is_shown(talk: Any) -> None:
    out = talk("/model")
    assert "No model is connected" in out
    assert "glm, deepseek, qwen, kimi, openai, local" in out


def test_a_key_is_tried_and_then_kept_for_the_user_alone(talk: Any, provider: list[Any], home: Path) -> None:
    provider += ["hi", "hello there"]
    out = talk("/model deepseek", "hello", "/clear --forget", secret=f" {KEY}\n")
    assert "get one here: https://platform.deepseek.com" in out
    assert "It works" in out
    assert "hello there" in out
    assert KEY not in out
    keys = home / "keys.json"
    assert list(json.loads(keys.read_text()).values()) == [KEY]
    assert keys.stat().st_mode & 0o777 == 0o600
    assert 'model = "deepseek"' in (home / "config.toml").read_text()
    assert all(KEY not in path.read_text() for path in home.rglob("*.jsonl"))


@pytest.mark.parametrize(
    ("status", "message", "said"),
    [(401, "invalid key", "refused the key …0123"), (402, "Insufficient Balance", "no balance")],
)
def test_a_key_that_does_not_work_is_one_line_and_not_kept(
    status: int, message: str, said: str, talk: Any, provider: list[Any], home: Path
) -> None:
    provider.append(HttpError(status, {"error": {"message": message}}))
    out = talk("/model deepseek", "/model", secret=KEY)
    assert said in out
    assert "The model is as it was" in out
    assert "No model is connected" in out
    assert not (home / "keys.json").exists()


def test_no_key_and_a_key_that_is_none_change_nothing(talk: Any, home: Path) -> None:
    assert "No key was given" in talk("/model deepseek", secret="")
    assert "has the value" in talk("/model deepseek", secret="ключ")
    assert not home.exists()


def test_an_address_needs_no_key_and_is_kept(talk: Any, home: Path) -> None:
    with ChatServer(["I am here"]) as server:
        out = talk(f"/model mine {server.base_url}", "hello", "/clear --forget", "/model")
    assert "Now using mine" in out
    assert "I am here" in out
    assert server.base_url in out
    assert f'base_url = "{server.base_url}"' in (home / "config.toml").read_text()


def test_a_bad_address_is_one_line(talk: Any) -> None:
    assert "has the value 'nowhere'" in talk("/model mine nowhere")


def test_a_variable_that_goes_before_the_choice_is_told(talk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAICLI_MODEL", "something")
    with ChatServer([]) as server:
        assert "PAICLI_MODEL goes before this choice" in talk(f"/model mine {server.base_url}")
