"""The server speaks chat-completions to any client, and plays the faults it is told to."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from paicli.testing.replies import Broken, Call, Empty, HttpError, NoUsage, Raw, Slow
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules

BODY = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}


def post(server: ChatServer, body: Any = BODY, *, path: str = "/v1/chat/completions", key: str = "") -> tuple[int, str]:
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=20)
    data = body if isinstance(body, str) else json.dumps(body)
    connection.request("POST", path, data, {"Authorization": f"Bearer {key}"})
    response = connection.getresponse()
    try:
        return response.status, response.read().decode()
    finally:
        connection.close()


def get(server: ChatServer, path: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=20)
    connection.request("GET", path)
    response = connection.getresponse()
    try:
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def events(text: str) -> list[Any]:
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    return [line if line == "[DONE]" else json.loads(line) for line in lines]


def test_an_answer_in_one_piece_has_its_text_and_usage() -> None:
    with ChatServer(["你好"]) as server:
        status, text = post(server)
    answer = json.loads(text)
    assert status == 200
    assert answer["choices"][0]["message"] == {"role": "assistant", "content": "你好"}
    assert answer["usage"]["prompt_tokens"] > 0


def test_a_stream_ends_with_its_usage_only_where_that_is_asked_for() -> None:
    with ChatServer(["one", "two", NoUsage("three")]) as server:
        plain = events(post(server, {**BODY, "stream": True})[1])
        asked = {**BODY, "stream": True, "stream_options": {"include_usage": True}}
        counted = events(post(server, asked)[1])
        uncounted = events(post(server, asked)[1])
    assert plain[-1] == counted[-1] == "[DONE]"
    assert "usage" not in plain[-2]
    assert counted[-2]["choices"] == []
    assert counted[-2]["usage"]["completion_tokens"] >= 1
    assert "usage" not in uncounted[-2]


def test_calls_are_streamed_in_pieces() -> None:
    with ChatServer([[Call("ls", {"path": "some/where"}), Call("cat", id="mine")]]) as server:
        pieces = events(post(server, {**BODY, "stream": True})[1])[:-1]
    fragments = [piece["choices"][0]["delta"].get("tool_calls", [{}])[0] for piece in pieces]
    arguments = "".join(part["function"]["arguments"] for part in fragments if part.get("index") == 0)
    assert json.loads(arguments) == {"path": "some/where"}
    assert [part["id"] for part in fragments if part.get("id")][1] == "mine"
    assert pieces[-1]["choices"][0]["finish_reason"] == "tool_calls"


def test_a_stream_that_breaks_off_is_cut_in_the_middle() -> None:
    with ChatServer([Broken(2)]) as server, pytest.raises((http.client.IncompleteRead, ConnectionError)):
        post(server, {**BODY, "stream": True})


def test_a_stream_that_breaks_off_politely_lacks_only_its_end() -> None:
    with ChatServer([Broken(2, politely=True)]) as server:
        assert len(events(post(server, {**BODY, "stream": True})[1])) == 2


def test_comments_keep_a_slow_stream_alive() -> None:
    with ChatServer([Slow(0.2, "hi", "stream", keep_alive=True)]) as server:
        text = post(server, {**BODY, "stream": True})[1]
    assert ": keep-alive" in text
    assert events(text)[-1] == "[DONE]"


def test_raw_pieces_are_sent_as_they_are() -> None:
    with ChatServer([Raw([{"choices": None}, "{half"])]) as server:
        text = post(server, {**BODY, "stream": True})[1]
    assert 'data: {"choices": null}\n\ndata: {half\n\n' in text


@pytest.mark.parametrize(
    ("content", "message"), [("null", {"content": None}), ("absent", {}), ("blank", {"content": " \n"})]
)
def test_empty_answers_have_three_forms(content: Any, message: dict[str, Any]) -> None:
    with ChatServer([Empty(content)]) as server:
        assert json.loads(post(server)[1])["choices"][0]["message"] == {"role": "assistant", **message}


def test_an_error_is_sent_with_its_status_and_headers() -> None:
    with ChatServer([HttpError(429, {"error": "busy"}), HttpError(502, "<html>bad</html>")]) as server:
        assert post(server) == (429, '{"error": "busy"}')
        assert post(server) == (502, "<html>bad</html>")


def test_a_function_answers_from_the_request() -> None:
    with ChatServer([lambda body: body["messages"][0]["content"].upper()]) as server:
        assert "HELLO" in post(server)[1]


def test_a_request_no_provider_takes_is_refused_and_noted_and_uses_up_no_reply() -> None:
    with ChatServer(["later"]) as server:
        status, text = post(server, {"model": "m", "messages": [{"role": "tool", "tool_call_id": "x", "content": "y"}]})
        assert status == 400
        assert "without its call" in json.loads(text)["error"]["message"]
        assert len(server.violations) == len(server.requests) == 1
        assert post(server)[0] == 200


def test_a_request_too_many_is_refused_and_noted() -> None:
    with ChatServer([]) as server:
        assert post(server)[0] == 400
        assert server.violations == ["no reply left for request 1"]


def test_a_wrong_key_is_refused() -> None:
    with ChatServer(["ok"], rules=Rules(key="right")) as server:
        assert post(server, key="wrong")[0] == 401
        assert post(server, key="right")[0] == 200
        assert get(server, "/v1/models")[0] == 401


def test_a_request_over_the_window_is_refused_with_the_window() -> None:
    with ChatServer(["ok"], rules=Rules(context_window=100)) as server:
        status, text = post(server, {"model": "m", "messages": [{"role": "user", "content": "word " * 200}]})
    assert status == 400
    assert "maximum context length is 100 tokens" in text
    assert server.violations == []


def test_models_are_listed() -> None:
    with ChatServer([], models={"context_length": 4096}) as server:
        status, answer = get(server, "/v1/models")
    assert (status, answer["data"][0]["context_length"]) == (200, 4096)


def test_other_paths_and_other_bodies_are_refused() -> None:
    with ChatServer([]) as server:
        assert post(server, path="/v1/other")[0] == 404
        assert get(server, "/v1/other")[0] == 404
        assert post(server, "{half")[0] == 400
        assert post(server, "[]")[0] == 400


def test_a_server_that_is_not_running_has_no_address() -> None:
    with pytest.raises(RuntimeError, match="not running"):
        _ = ChatServer([]).base_url
