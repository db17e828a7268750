from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from paicli.cli.model_command import _address_for
from paicli.config import read_settings
from paicli.memory.message import Message
from paicli.testing.replies import HttpError
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules

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


def test_a_key_for_an_empty_account_is_one_line_and_not_kept(talk: Any, provider: list[Any], home: Path) -> None:
    provider.append(HttpError(402, {"error": {"message": "Insufficient Balance"}}))
    out = talk("/model deepseek", "/model", secret=KEY)
    assert "no balance" in out
    assert "The model is as it was" in out
    assert "No model is connected" in out
    assert not (home / "keys.json").exists()


def test_a_key_that_is_refused_is_asked_for_again_and_not_kept(talk: Any, provider: list[Any], home: Path) -> None:
    provider += [HttpError(401, {"error": {"message": "invalid key"}})] * 4
    out = talk("/model deepseek", "/model", secret=KEY)
    assert out.count("refused the key …0123") == 4
    assert "The model is as it was" in out
    assert not (home / "keys.json").exists()


def test_no_key_and_a_key_that_is_none_change_nothing(talk: Any, home: Path) -> None:
    assert "No key was given" in talk("/model deepseek", secret="")
    assert "has the value" in talk("/model deepseek", secret="ключ")
    assert not home.exists()


def test_an_address_needs_no_key_and_is_kept(talk: Any, home: Path) -> None:
    with ChatServer(["hi", "I am here"]) as server:
        out = talk(f"/model mine {server.base_url}", "hello", "/clear --forget", "/model")
    assert f"Now using mine (local / OpenAI-compatible) · {server.base_url}" in out
    assert "I am here" in out
    assert "Key: none" in out
    assert f'base_url = "{server.base_url}"' in (home / "config.toml").read_text()


def test_an_address_whose_server_wants_a_key_has_it_asked_for_tried_and_kept(talk: Any, home: Path) -> None:
    with ChatServer(["hi"], rules=Rules(key=KEY)) as server:
        out = talk(f"/model mine {server.base_url}", "/model", secret=KEY)
    assert f"{server.base_url} wants a key" in out
    assert "PAICLI_API_KEY" in out
    assert "Now using mine" in out
    assert json.loads((home / "keys.json").read_text()) == {server.base_url: KEY}
    assert f"Key: …0123 (from {home / 'keys.json'})" in out


def test_a_name_that_no_preset_has_stays_at_the_address_in_use_now_and_at_the_next_start(talk: Any, home: Path) -> None:
    with ChatServer(lambda _: "hi") as server:
        out = talk(f"/model local {server.base_url}", "/model deepsek", "/model qwen3:8b")
    assert "No preset is named deepsek (did you mean deepseek?)" in out
    assert f"Now using deepsek (local / OpenAI-compatible) · {server.base_url}" in out
    assert f"Now using qwen3:8b (local / OpenAI-compatible) · {server.base_url}" in out
    settings = read_settings({})
    assert (settings.model, settings.base_url, settings.preset.name) == ("qwen3:8b", server.base_url, "local")


def test_the_name_of_a_preset_changes_the_endpoint(talk: Any, provider: list[Any]) -> None:
    provider.append("hi")
    with ChatServer(lambda _: "hi") as server:
        talk(f"/model local {server.base_url}", "/model deepseek", secret=KEY)
    settings = read_settings({})
    assert (settings.preset.name, settings.key.text) == ("deepseek", KEY)
    assert settings.values["base_url"].text == ""


def test_a_model_that_a_provider_is_known_for_leads_from_one_provider_to_the_other() -> None:
    at_glm, at_home = read_settings({}), read_settings({"base_url": "http://127.0.0.1:9/v1"})
    assert _address_for(at_glm, "deepseek-v4-pro") == "https://api.deepseek.com"
    assert _address_for(at_glm, "glm-4.6") == at_glm.base_url
    assert _address_for(at_glm, "unheard-of") == at_glm.base_url
    assert _address_for(at_home, "deepseek-v4-pro") == at_home.base_url
    assert _address_for(at_home, "deepseek") == ""


def test_an_address_without_v1_is_completed(talk: Any, home: Path) -> None:
    with ChatServer(["hi"]) as server:
        out = talk(f"/model mine {server.base_url.removesuffix('/v1')}")
    assert f"trying {server.base_url}" in out
    assert read_settings({}).base_url == server.base_url


def test_a_server_that_is_down_is_kept_only_after_a_yes(talk: Any, home: Path) -> None:
    with ChatServer([]) as server:
        address = server.base_url
    out = talk(f"/model mine {address}", "/model", answers=[False])
    assert "nothing listens there. Is the server running?" in out
    assert "Now using" not in out
    assert not (home / "config.toml").exists()
    assert "Now using mine" in talk(f"/model mine {address}", answers=[True])
    assert read_settings({}).base_url == address


def test_a_refused_answer_has_another_key_asked_for(talk: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAICLI_API_KEY", "sk-wrong0000000000000000")
    with ChatServer(lambda _: "good morning", rules=Rules(key=KEY)) as server:
        out = talk("hello", "hello", secret=KEY, app=None, base_url=server.base_url, context_window="9000")
    assert "refused the key …0000" in out
    assert "The new key is in use; ask again" in out
    assert "PAICLI_API_KEY goes before this choice" in out
    assert "good morning" in out
    assert json.loads((home / "keys.json").read_text()) == {server.base_url: KEY}


def test_a_change_of_the_model_lets_work_behind_the_prompt_come_to_its_end(new_app: Any) -> None:
    arrived, change = Event(), Event()

    def reply(_: object) -> str:
        arrived.set()
        assert change.wait(60)
        return "late"

    with ChatServer(reply) as slow, ChatServer(["hi"]) as other:
        app = new_app(base_url=slow.base_url, context_window="9000")
        answers: list[str] = []
        model = app.model
        thread = Thread(target=lambda: answers.append(model.chat([Message("user", "hello")]).text))
        thread.start()
        assert arrived.wait(60)
        app.use(read_settings({"base_url": other.base_url, "context_window": "9000"}))
        change.set()
        thread.join()
        app.close()
    assert answers == ["late"]


def test_a_bad_address_is_one_line(talk: Any) -> None:
    assert "has the value 'nowhere'" in talk("/model mine nowhere")


def test_a_variable_that_goes_before_the_choice_is_told(talk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAICLI_MODEL", "something")
    with ChatServer(["hi"]) as server:
        assert "PAICLI_MODEL goes before this choice" in talk(f"/model mine {server.base_url}")
