"""The client against a real server: each failure is told apart, in one line, and tried again only where that helps."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from paicli.errors import (
    ConfigError,
    ContextOverflow,
    EmptyReply,
    KeyRejected,
    ModelError,
    ModelNotConfigured,
    ModelUnreachable,
    NoBalance,
    RateLimited,
    RequestRefused,
    ServerFailed,
    StreamBroken,
)
from paicli.llm.client import OpenAICompatibleModel
from paicli.llm.model import Delta
from paicli.llm.presets import find_preset
from paicli.llm.retry import Backoff
from paicli.memory.message import Message, Reply
from paicli.testing.replies import Broken, Call, Empty, HttpError, Raw, Slow, chunk
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules

HELLO = [Message("user", "hello")]
KEY = "sk-test-0123456789abcdef"


def error_body(message: str, code: str | int | None = None, **fields: Any) -> dict[str, Any]:
    return {"error": {"message": message, "code": code, **fields}}


def test_a_wrong_key_is_told_without_showing_it(connect: Any, waits: list[float]) -> None:
    with ChatServer(["ok"], rules=Rules(key="another")) as server, pytest.raises(KeyRejected) as caught:
        connect(server).chat(HELLO)
    assert KEY not in str(caught.value)
    assert "…cdef" in str(caught.value)
    assert waits == []


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (402, error_body("Insufficient Balance", "invalid_request_error")),
        (429, error_body("您的账户已欠费，请充值后重试", "1113")),
        (429, error_body("余额不足或无可用资源包,请充值。", "1113")),
        (429, error_body("You exceeded your current quota, please check your plan.", "insufficient_quota")),
        (429, error_body("Your account is suspended", type="exceeded_current_quota_error")),
        (400, error_body("Access denied, please make sure your account is in good standing.", "Arrearage")),
        (403, error_body("用户额度不足", "insufficient_user_quota")),
    ],
)
def test_an_empty_account_is_told_apart_and_not_tried_again(
    connect: Any, waits: list[float], status: int, body: dict[str, Any]
) -> None:
    with ChatServer([HttpError(status, body)]) as server, pytest.raises(NoBalance):
        connect(server).chat(HELLO)
    assert waits == []
    assert len(server.requests) == 1


def test_too_many_requests_are_tried_again_and_succeed(connect: Any, waits: list[float]) -> None:
    busy = HttpError(429, error_body("您当前使用该API的并发数过高", "1302"))
    with ChatServer([busy, busy, "at last"]) as server:
        assert connect(server).chat(HELLO).text == "at last"
    assert len(waits) == 2
    assert waits[0] < waits[1]


def test_too_many_requests_for_too_long_are_an_error_that_names_the_tries(connect: Any) -> None:
    with (
        ChatServer(lambda body: HttpError(429, error_body("slow down"))) as server,
        pytest.raises(RateLimited) as caught,
    ):
        connect(server).chat(HELLO)
    assert "4 tries: slow down" in str(caught.value)
    assert len(server.requests) == 4


def test_the_wait_a_provider_asks_for_is_kept(connect: Any, waits: list[float]) -> None:
    busy = HttpError(429, error_body("slow down"), {"Retry-After": "7"})
    with ChatServer([busy, "ok"]) as server:
        connect(server).chat(HELLO)
    assert waits == [7.0]


def test_a_wait_of_an_hour_is_not_waited_for(connect: Any, waits: list[float]) -> None:
    busy = HttpError(429, error_body("come back later"), {"Retry-After": "3600"})
    with ChatServer([busy]) as server, pytest.raises(RateLimited):
        connect(server).chat(HELLO)
    assert waits == []


@pytest.mark.parametrize("status", [500, 502, 503, 529])
def test_a_failing_server_is_tried_again(connect: Any, waits: list[float], status: int) -> None:
    with ChatServer([HttpError(status, "<html><title>Bad Gateway</title></html>"), "ok"]) as server:
        assert connect(server).chat(HELLO).text == "ok"
    assert len(waits) == 1


def test_a_server_that_goes_on_failing_is_an_error_without_its_markup(connect: Any) -> None:
    page = HttpError(502, "<!DOCTYPE html><html><title>Bad\nGateway</title><body>…</body></html>")
    with ChatServer(lambda body: page) as server, pytest.raises(ServerFailed) as caught:
        connect(server).chat(HELLO)
    assert "HTTP 502" in str(caught.value)
    assert "a web page ('Bad Gateway')" in str(caught.value)


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_refused_request_is_not_tried_again_and_says_why(connect: Any, waits: list[float], status: int) -> None:
    reason = HttpError(status, error_body(f"messages 参数非法\x1b[2J\n (key {KEY})", "1214"))
    with ChatServer([reason]) as server, pytest.raises(RequestRefused) as caught:
        connect(server).chat(HELLO)
    assert f"(HTTP {status}): messages 参数非法 [2J (key …cdef)" in str(caught.value)
    assert caught.value.values["code"] == "1214"
    assert waits == []
    assert len(server.requests) == 1


def test_a_forbidden_region_is_no_wrong_key(connect: Any) -> None:
    body = error_body("Country, region, or territory not supported", "unsupported_country_region_territory")
    with ChatServer([HttpError(403, body)]) as server, pytest.raises(RequestRefused, match="not supported"):
        connect(server).chat(HELLO)


def test_a_forbidden_key_is_a_wrong_key(connect: Any) -> None:
    with ChatServer([HttpError(403, {"detail": "API key lacks permission"})]) as server, pytest.raises(KeyRejected):
        connect(server).chat(HELLO)


def test_an_overflow_teaches_the_window(connect: Any) -> None:
    with ChatServer(["ok"], rules=Rules(context_window=300)) as server:
        model = connect(server)
        assert model.context_window == 200_000
        with pytest.raises(ContextOverflow) as caught:
            model.chat([Message("user", "word " * 400)])
        assert caught.value.values["window"] == model.context_window == 300
        assert [notice.code for notice in model.take_notices()] == ["window-learnt"]
        assert model.chat(HELLO).text == "ok"


def test_an_overflow_without_a_number_keeps_the_window(connect: Any) -> None:
    with ChatServer([HttpError(400, error_body("Prompt 超长", "1261"))]) as server:
        model = connect(server)
        with pytest.raises(ContextOverflow, match="200000"):
            model.chat(HELLO)
        assert model.context_window == 200_000


def test_an_address_nobody_listens_at_is_told(connect: Any, waits: list[float]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(ModelUnreachable, match="refused") as caught:
        connect(address).chat(HELLO)
    assert address in str(caught.value)
    assert len(waits) == 1


def test_a_server_that_never_answers_is_told_with_the_limit(connect: Any, waits: list[float]) -> None:
    with ChatServer(lambda body: Slow(30)) as server, pytest.raises(ModelUnreachable, match=r"no answer within 0\.3 s"):
        connect(server, first_token_seconds=0.3).chat(HELLO)
    assert len(waits) == 1


@pytest.mark.parametrize("keep_alive", [False, True])
def test_a_stream_that_stalls_is_given_up_with_what_there_was(connect: Any, *, keep_alive: bool) -> None:
    answer = Slow(30, Raw([chunk({"content": "so far"}), chunk({"content": "never"})]), "stream", keep_alive)
    with ChatServer([answer]) as server, pytest.raises(StreamBroken, match=r"nothing arrived for 0\.3 s") as caught:
        connect(server, idle_seconds=0.3).chat(HELLO)
    assert caught.value.partial.text == "so far"


def test_a_stream_that_only_keeps_alive_is_tried_again(connect: Any, waits: list[float]) -> None:
    asleep = Slow(30, Raw([chunk({"role": "assistant"}), chunk({"content": "never"})]), "stream", keep_alive=True)
    with ChatServer([asleep, "ok"]) as server:
        assert connect(server, first_token_seconds=0.3).chat(HELLO).text == "ok"
    assert len(waits) == 1


@pytest.mark.parametrize("politely", [False, True])
def test_a_stream_that_breaks_off_keeps_what_was_said(connect: Any, waits: list[float], *, politely: bool) -> None:
    pieces: list[Delta] = []
    with ChatServer([Broken(3, "One two three four five.", politely)]) as server, pytest.raises(StreamBroken) as caught:
        connect(server).chat(HELLO, on_delta=pieces.append)
    assert caught.value.partial == Reply("One two three fo")
    assert "".join(piece.text for piece in pieces) == "One two three fo"
    assert waits == []


def test_a_stream_that_breaks_off_before_its_first_word_is_tried_again(connect: Any, waits: list[float]) -> None:
    with ChatServer([Broken(1), "ok"]) as server:
        assert connect(server).chat(HELLO).text == "ok"
    assert len(waits) == 1


def test_a_broken_call_is_not_run_by_half(connect: Any) -> None:
    broken = Broken(3, Call("write_file", {"path": "a", "content": "long"}))
    with ChatServer([broken]) as server, pytest.raises(StreamBroken):
        connect(server).chat(HELLO)


def test_only_the_last_piece_with_the_usage_may_be_missing(connect: Any) -> None:
    script = Raw([chunk({"content": "all of it"}), chunk({}, "stop"), "{broken"])
    with ChatServer([script]) as server:
        reply = connect(server).chat(HELLO)
    assert reply.text == "all of it"
    assert reply.usage.estimated


def test_an_error_within_the_stream_is_told_by_its_kind(connect: Any) -> None:
    words = "Trying to keep the first 5000 tokens, but the model is loaded with context length of only 4096 tokens"
    with ChatServer([Raw([error_body(words)])]) as server, pytest.raises(ContextOverflow) as caught:
        connect(server).chat(HELLO)
    assert caught.value.values["window"] == 4096


def test_an_error_within_the_stream_after_some_text_breaks_it_off(connect: Any) -> None:
    script = Raw([chunk({"content": "so far"}), error_body("overloaded", 500)])
    with ChatServer([script]) as server, pytest.raises(StreamBroken, match="overloaded") as caught:
        connect(server).chat(HELLO)
    assert caught.value.partial.text == "so far"


def test_pieces_that_are_no_json_are_an_error(connect: Any) -> None:
    with ChatServer([Raw(["{half"]), Raw(["{half"])]) as server, pytest.raises(ModelUnreachable, match="can't be read"):
        connect(server).chat(HELLO)


@pytest.mark.parametrize("content", ["null", "blank", "absent"])
def test_an_empty_answer_is_asked_for_again(connect: Any, content: Any) -> None:
    with ChatServer([Empty(content), Empty(content), "something"]) as server:
        assert connect(server).chat(HELLO).text == "something"


def test_an_answer_that_stays_empty_is_an_error(connect: Any) -> None:
    with ChatServer([Empty()] * 3) as server, pytest.raises(EmptyReply, match="3 times"):
        connect(server).chat(HELLO)


def test_an_answer_used_up_by_thinking_is_not_asked_for_again(connect: Any) -> None:
    with ChatServer([Reply("", thinking="hm …", finish_reason="length")]) as server, pytest.raises(EmptyReply):
        connect(server).chat(HELLO)
    assert len(server.requests) == 1


def test_an_answer_that_was_kept_back_is_told(connect: Any) -> None:
    with ChatServer([Empty(finish_reason="sensitive")]) as server, pytest.raises(RequestRefused, match="sensitive"):
        connect(server).chat(HELLO)


def test_an_answer_the_provider_gave_up_is_broken_off(connect: Any) -> None:
    with ChatServer([Reply("so far", finish_reason="network_error")]) as server, pytest.raises(StreamBroken):
        connect(server).chat(HELLO)


def test_a_web_page_instead_of_an_answer_is_told(connect: Any) -> None:
    page = HttpError(200, "<html><title>Log in</title></html>")
    with ChatServer([page]) as server, pytest.raises(RequestRefused, match=r"a web page \('Log in'\)"):
        connect(server).chat(HELLO)


def test_an_error_with_status_200_is_told(connect: Any) -> None:
    body = {"code": 500, "msg": "404 NOT_FOUND", "success": False}
    with ChatServer([HttpError(200, body)]) as server, pytest.raises(RequestRefused, match="404 NOT_FOUND"):
        connect(server).chat(HELLO)


def test_a_wrong_path_is_told(connect: Any) -> None:
    with ChatServer([]) as server, pytest.raises(RequestRefused, match="no such path"):
        connect(server.base_url + "/v4").chat(HELLO)


def test_ctrl_c_closes_the_connection_and_passes(connect: Any) -> None:
    def interrupt(delta: Delta) -> None:
        raise KeyboardInterrupt

    long = Slow(0.2, Raw([chunk({"content": "x"}) for _ in range(50)]), "stream", keep_alive=True)
    with ChatServer([long, "next"]) as server:
        model = connect(server)
        with pytest.raises(KeyboardInterrupt):
            model.chat(HELLO, on_delta=interrupt)
        assert model.chat(HELLO).text == "next"
    assert server.disconnects == 1


def test_what_a_listener_raises_passes_unchanged(connect: Any) -> None:
    def listen(delta: Delta) -> None:
        raise ValueError("the terminal is gone")

    with ChatServer(["some text"]) as server, pytest.raises(ValueError, match="the terminal is gone"):
        connect(server).chat(HELLO, on_delta=listen)


def test_a_probe_succeeds_even_if_the_answer_is_only_thinking(connect: Any) -> None:
    with ChatServer([Reply("", thinking="Someone says hi", finish_reason="length")]) as server:
        connect(server).probe()
    assert server.requests[0]["max_tokens"] == 16


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (HttpError(401, error_body("令牌已过期或验证不正确", "1000")), KeyRejected),
        (HttpError(429, error_body("余额不足", "1113")), NoBalance),
        (HttpError(429, error_body("busy")), RateLimited),
        (HttpError(500, error_body("oops")), ServerFailed),
    ],
)
def test_a_probe_tells_what_is_wrong_at_once(
    connect: Any, waits: list[float], reply: HttpError, expected: type[ModelError]
) -> None:
    with ChatServer([reply]) as server, pytest.raises(expected):
        connect(server).probe()
    assert waits == []


@pytest.mark.parametrize("address", [None, "https://open.bigmodel.cn/api/paas/v4/"])
def test_a_provider_without_a_key_is_not_configured(address: str | None) -> None:
    with pytest.raises(ModelNotConfigured, match="GLM_API_KEY"):
        OpenAICompatibleModel(find_preset("glm"), base_url=address)


def test_a_key_that_cannot_be_one_is_told_before_anything_is_sent() -> None:
    with pytest.raises(ConfigError, match=r"U\+5BC6"):
        OpenAICompatibleModel(find_preset("glm"), api_key="sk-密钥")


def test_proxy_settings_that_cannot_be_used_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks://127.0.0.1:1080")
    with pytest.raises(ModelUnreachable, match="proxy"):
        OpenAICompatibleModel(find_preset("glm"), api_key=KEY).chat(HELLO)


def test_a_provider_that_failed_before_its_first_word_is_tried_again(connect: Any, waits: list[float]) -> None:
    with ChatServer([Empty(finish_reason="network_error"), "ok"]) as server:
        assert connect(server).chat(HELLO).text == "ok"
    assert len(waits) == 1


def test_a_window_that_overflowed_in_the_answer_is_told(connect: Any) -> None:
    with ChatServer([Empty(finish_reason="model_context_window_exceeded")]) as server, pytest.raises(ContextOverflow):
        connect(server).chat(HELLO)


def test_ctrl_c_while_waiting_for_the_next_try_passes(connect: Any) -> None:
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    with ChatServer([HttpError(500)]) as server:
        model = OpenAICompatibleModel(
            find_preset("local"),
            base_url=server.base_url,
            model="m",
            context_window=9,
            backoff=Backoff(sleep=interrupt),
        )
        with pytest.raises(KeyboardInterrupt):
            model.chat(HELLO)
        model.close()
