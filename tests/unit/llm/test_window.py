"""What a server tells of its models is used where no preset knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from paicli.errors import ContextOverflow
from paicli.llm.client import OpenAICompatibleModel
from paicli.llm.presets import find_preset
from paicli.llm.window import ask_models
from paicli.memory.message import Message
from paicli.testing.replies import HttpError
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules

HELLO = [Message("user", "hello")]


def ask(answers: Mapping[str, Any], model: str = "m") -> tuple[str, int | None]:
    return ask_models(lambda address: answers.get(address.removeprefix("http://host")), "http://host/v1", model)


@pytest.mark.parametrize("field", ["context_length", "max_model_len", "context_window", "max_context_length"])
def test_the_window_is_read_from_the_list_of_models(field: str) -> None:
    assert ask({"/v1/models": {"data": [{"id": "other", field: 1}, {"id": "m", field: 8192}]}}) == ("m", 8192)


def test_the_window_of_the_training_is_not_taken_for_that_of_the_server() -> None:
    models = {"data": [{"id": "m.gguf", "meta": {"n_ctx_train": 131_072}}]}
    properties = {"default_generation_settings": {"n_ctx": 4096}}
    assert ask({"/v1/models": models, "/props": properties}) == ("m", 4096)


def test_the_window_that_ollama_has_loaded_is_read() -> None:
    loaded = {"models": [{"name": "qwen3:latest", "context_length": 16_384}]}
    assert ask({"/v1/models": {"data": [{"id": "qwen3"}, {"id": "x"}]}, "/api/ps": loaded}, "qwen3") == (
        "qwen3",
        16_384,
    )


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {},
        [],
        {"data": None},
        {"data": [None, 3]},
        {"data": [{"id": "m", "context_length": "8192"}]},
        {"data": [{"id": "m", "context_length": True}]},
    ],
)
def test_a_server_that_tells_nothing_usable_leaves_it_open(answer: Any) -> None:
    assert ask({"/v1/models": answer, "/props": answer, "/api/ps": answer}) == ("m", None)


def test_the_first_model_is_taken_where_none_is_named() -> None:
    assert ask({"/v1/models": {"data": [{"id": "first"}, {"id": "second"}]}}, "")[0] == "first"


def test_a_client_asks_the_server_for_its_model_and_window_once(connect: Any) -> None:
    with ChatServer(["a", "b"], models={"max_model_len": 8192}) as server:
        model = connect(server, find_preset("local"), key="", model="")
        assert model.context_window == 32_768
        model.chat(HELLO)
        model.chat(HELLO)
        assert (model.name, model.context_window) == ("scripted", 8192)
        assert model.take_notices() == []
    assert server.requests[0]["model"] == "scripted"


def test_a_window_that_nobody_knows_is_assumed_and_said_once(connect: Any) -> None:
    with ChatServer(["a", "b"]) as server:
        model = connect(server, find_preset("local"), key="", model="mystery")
        model.chat(HELLO)
        model.chat(HELLO)
        assert model.context_window == 32_768
        assert [(notice.code, notice.values["window"]) for notice in model.take_notices()] == [
            ("window-unknown", 32_768)
        ]
        assert model.take_notices() == []


def test_a_window_that_was_given_counts_more_than_all_others_until_an_overflow() -> None:
    overflow = HttpError(400, {"error": {"message": "maximum context length is 4096 tokens"}})
    with ChatServer([overflow], models={"context_length": 999_999}) as server:
        preset = find_preset("local")
        model = OpenAICompatibleModel(preset, base_url=server.base_url, model="m", context_window=20_000)
        assert model.context_window == 20_000
        with pytest.raises(ContextOverflow, match="4096"):
            model.chat(HELLO)
        assert model.context_window == 4096
        model.close()


def test_a_server_that_is_away_leaves_the_question_for_later(connect: Any) -> None:
    model = connect("http://127.0.0.1:9/v1", find_preset("local"), key="", model="mystery")
    model.warm_up()
    assert model.take_notices() == []
    assert model.context_window == 32_768


def test_a_server_that_refuses_the_key_leaves_the_question_for_later(connect: Any) -> None:
    with ChatServer([], rules=Rules(key="another")) as server:
        model = connect(server, find_preset("local"), model="mystery")
        model.warm_up()
    assert model.take_notices() == []


def test_nobody_waits_for_the_package_to_be_loaded(connect: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing, and asking what is to be told, while another thread loads the client."""
    loading = []

    with ChatServer(["fine"]) as server:
        model = connect(server)

        def load(name: str) -> None:
            loading.append(name)
            assert model.take_notices() == []
            model.close()

        monkeypatch.setattr("paicli.llm.client.import_module", load)
        assert model.chat([Message("user", "hi")]).text == "fine"
    assert loading
