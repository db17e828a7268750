"""The client against a real server: answers of all shapes arrive whole."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from paicli.llm.model import Delta, ToolSpec
from paicli.llm.presets import find_preset
from paicli.memory.message import Message, Quirks, Reply, ThinkingEcho, ToolCall
from paicli.testing.replies import Call, HttpError, NoUsage, Raw, chunk
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules

HELLO = [Message("system", "Be brief."), Message("user", "你好 🧩")]


def test_text_arrives_in_pieces_and_whole(connect: Any) -> None:
    pieces: list[Delta] = []
    with ChatServer(["你好，世界! This is a streamed answer."]) as server:
        reply = connect(server).chat(HELLO, on_delta=pieces.append)
    assert reply.text == "你好，世界! This is a streamed answer."
    assert "".join(piece.text for piece in pieces) == reply.text
    assert len(pieces) > 2
    assert reply.finish_reason == "stop"
    assert server.violations == []


def test_the_request_carries_the_messages_and_nothing_that_was_not_asked_for(connect: Any) -> None:
    with ChatServer(["ok"], rules=Rules(reject_unknown_fields=True)) as server:
        connect(server).chat(HELLO, max_tokens=50)
    assert server.requests == [
        {
            "model": "glm-5.1",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "你好 🧩"}],
            "max_tokens": 50,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]


def test_openai_is_told_the_limit_by_its_own_field(connect: Any) -> None:
    with ChatServer(["ok"]) as server:
        connect(server, find_preset("openai")).chat(HELLO, max_tokens=50)
    assert server.requests[0]["max_completion_tokens"] == 50
    assert "max_tokens" not in server.requests[0]


def test_thinking_is_kept_apart(connect: Any) -> None:
    pieces: list[Delta] = []
    with ChatServer([Reply("42", thinking="six times seven …")]) as server:
        reply = connect(server).chat(HELLO, on_delta=pieces.append)
    assert (reply.text, reply.thinking) == ("42", "six times seven …")
    assert "".join(piece.thinking for piece in pieces) == "six times seven …"


def test_the_tag_of_local_models_is_split_off(connect: Any) -> None:
    with ChatServer(["<think>\nhm</think>\n\nThe tag is <think>."]) as server:
        reply = connect(server).chat(HELLO)
    assert (reply.text, reply.thinking) == ("The tag is <think>.", "\nhm")


def test_thinking_goes_back_where_a_provider_requires_it(connect: Any) -> None:
    quirks = Quirks(thinking=ThinkingEcho.WITH_CALLS, thinking_required=True)
    with ChatServer([Call("ls", thinking="look first"), "done"], rules=Rules(require_thinking_echo=True)) as server:
        model = connect(server, quirks=quirks)
        first = model.chat(HELLO)
        call = Message("assistant", "", first.tool_calls, thinking=first.thinking)
        assert model.chat([*HELLO, call, Message("tool", "a.txt", call_id=first.tool_calls[0].id)]).text == "done"
    assert server.requests[1]["messages"][2]["reasoning_content"] == "look first"


def test_thinking_stays_here_where_a_provider_refuses_it(connect: Any) -> None:
    history = [*HELLO, Message("assistant", "hi", thinking="greet"), Message("user", "again")]
    with ChatServer(["ok"], rules=Rules(reject_unknown_fields=True)) as server:
        assert connect(server, quirks=Quirks()).chat(history).text == "ok"


def test_tool_calls_are_put_together(connect: Any) -> None:
    calls = [Call("read_file", {"path": "源.py", "limit": 10}), Call("list_dir", {"path": "."}, id="mine")]
    with ChatServer([calls]) as server:
        reply = connect(server).chat(HELLO, tools=[ToolSpec("read_file", "Reads."), ToolSpec("list_dir", "Lists.")])
    assert [call.name for call in reply.tool_calls] == ["read_file", "list_dir"]
    assert json.loads(reply.tool_calls[0].arguments) == {"path": "源.py", "limit": 10}
    assert reply.tool_calls[1].id == "mine"
    assert reply.text == ""
    assert server.requests[0]["tools"][0]["function"]["name"] == "read_file"


def test_half_the_json_of_a_call_is_passed_on_as_it_is_and_never_sent_back(connect: Any) -> None:
    with ChatServer([Call("write_file", '{"path": "a.txt", "cont'), "sorry"]) as server:
        model = connect(server)
        reply = model.chat(HELLO)
        assert reply.tool_calls[0].arguments == '{"path": "a.txt", "cont'
        result = Message("tool", "the arguments are no JSON", call_id=reply.tool_calls[0].id)
        model.chat([*HELLO, Message("assistant", "", reply.tool_calls), result])
    assert server.violations == []


def test_calls_without_index_or_id_are_told_apart_and_get_ids(connect: Any) -> None:
    def piece(function: dict[str, str], **fields: Any) -> dict[str, Any]:
        return chunk({"tool_calls": [{"type": "function", "function": function, **fields}]})

    script = Raw(
        [
            piece({"name": "first", "arguments": '{"a"'}),
            piece({"arguments": ": 1}"}),
            piece({"name": "second", "arguments": ""}, id="x"),
            piece({"name": "second", "arguments": '{"b": 2}'}, id="x"),
            chunk({}, "tool_calls"),
        ]
    )
    with ChatServer([script]) as server:
        first, second = connect(server).chat(HELLO).tool_calls
    assert (first.name, first.arguments) == ("first", '{"a": 1}')
    assert second == ToolCall("x", "second", '{"b": 2}')
    assert first.id.startswith("call_")


def test_odd_pieces_of_a_stream_do_no_harm(connect: Any) -> None:
    script = Raw(
        [
            {"choices": [], "prompt_filter_results": []},
            {"choices": None},
            chunk(None),
            chunk({"content": None, "tool_calls": None}),
            chunk({"content": [{"type": "text", "text": "as parts"}]}),
            chunk({"content": ", as text"}, "stop"),
            {"choices": [], "usage": None},
        ]
    )
    with ChatServer([script]) as server:
        assert connect(server).chat(HELLO).text == "as parts, as text"


def test_usage_is_the_providers_from_a_last_piece_without_choices(connect: Any) -> None:
    usage = {"prompt_tokens": 90, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 64}}
    with ChatServer([Raw([chunk({"content": "hi"}, "stop"), {"choices": [], "usage": usage}])]) as server:
        told = connect(server).chat(HELLO).usage
    assert (told.input_tokens, told.output_tokens, told.cached_tokens, told.estimated) == (90, 5, 64, False)


@pytest.mark.parametrize(
    ("usage", "cached"),
    [({"prompt_cache_hit_tokens": 40}, 40), ({"cached_tokens": 30}, 30), ({"prompt_tokens_details": None}, 0)],
)
def test_cached_tokens_are_found_where_providers_put_them(connect: Any, usage: dict[str, Any], cached: int) -> None:
    full = {"prompt_tokens": 90, "completion_tokens": 5, **usage}
    with ChatServer([Raw([{**chunk({"content": "hi"}, "stop"), "usage": full}])]) as server:
        assert connect(server).chat(HELLO).usage.cached_tokens == cached


def test_usage_is_found_within_a_choice(connect: Any) -> None:
    last = chunk({}, "stop")
    last["choices"][0]["usage"] = {"prompt_tokens": 19, "completion_tokens": 21}
    with ChatServer([Raw([chunk({"content": "hi"}), last])]) as server:
        assert connect(server).chat(HELLO).usage.input_tokens == 19


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None, "completion_tokens": None}, {"prompt_tokens": 0}])
def test_usage_that_says_nothing_is_estimated_and_marked(connect: Any, usage: Any) -> None:
    with ChatServer([Raw([{**chunk({"content": "hello there"}, "stop"), "usage": usage}])]) as server:
        told = connect(server).chat(HELLO).usage
    assert told.estimated
    assert told.input_tokens > 5
    assert told.output_tokens >= 2


def test_no_usage_at_all_is_estimated_and_marked(connect: Any) -> None:
    with ChatServer([NoUsage()]) as server:
        assert connect(server).chat(HELLO).usage.estimated


def test_stream_options_that_are_refused_are_left_out_from_then_on(connect: Any) -> None:
    with ChatServer(["one", "two"], rules=Rules(reject_stream_options=True)) as server:
        model = connect(server)
        assert model.chat(HELLO).usage.estimated
        assert model.chat(HELLO).text == "two"
    assert [("stream_options" in request) for request in server.requests] == [True, False, False]


def test_an_answer_that_is_not_streamed_counts_too(connect: Any) -> None:
    message = {"role": "assistant", "content": "in one piece", "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    ]}  # fmt: skip
    body = {
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3},
    }
    with ChatServer([HttpError(200, body)]) as server:
        reply = connect(server).chat(HELLO)
    assert (reply.text, reply.tool_calls, reply.usage.input_tokens) == ("in one piece", (ToolCall("a", "ls", "{}"),), 7)


def test_lone_surrogates_are_sent_as_replacement_characters(connect: Any) -> None:
    with ChatServer(["ok"]) as server:
        connect(server).chat([Message("user", "a\ud83d b 🧩 c\ud83e\udde9")])
    assert server.requests[0]["messages"][0]["content"] == "a\ufffd b 🧩 c🧩"


def test_several_threads_share_one_client(connect: Any) -> None:
    barrier = threading.Barrier(4, timeout=20)

    def answer(body: dict[str, Any]) -> str:
        barrier.wait()  # all four are on their way at once
        return str(body["messages"][-1]["content"])

    with ChatServer(answer) as server:
        model = connect(server)
        with ThreadPoolExecutor(4) as pool:
            replies = pool.map(lambda number: model.chat([Message("user", f"text {number}")]).text, range(8))
            assert list(replies) == [f"text {number}" for number in range(8)]


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    connect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with ChatServer(["direct"]) as server:
        assert connect(server).chat(HELLO).text == "direct"


def test_the_account_of_openai_is_told_to_no_other_provider(connect: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-mine")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-provider")
    with ChatServer(["ok"]) as server:
        connect(server, find_preset("local"), key="").chat(HELLO)
    assert "mine" not in str(server.headers)
    assert "another" not in str(server.headers)
