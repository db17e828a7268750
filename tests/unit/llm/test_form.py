from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from paicli.errors import ContextOverflow, RateLimited, RequestRefused
from paicli.llm.form import MOST_REQUESTS, Form, find_form, other_forms
from paicli.llm.presets import find_preset, quirks_for
from paicli.memory.message import EmptyContent, Message, Quirks, Reply, ThinkingEcho, ToolCall
from paicli.testing.replies import HttpError
from paicli.testing.server import ChatServer
from paicli.testing.strictness import Rules

CALL = ToolCall("1", "list_dir", "{}")
TOOL_TURN = [
    Message("user", "what is here?"),
    Message("assistant", "", (CALL,), thinking="I should look."),
    Message("tool", "pom.xml", call_id="1", tool_name="list_dir"),
]


def refusal(detail: str, status: int = 400) -> RequestRefused:
    return RequestRefused(endpoint="http://e", status=status, detail=detail)


def body(form: Form) -> dict[str, Any]:
    return {"form": form}


@pytest.mark.parametrize(
    "rules",
    [
        Rules(reject_empty_content=True),
        Rules(reject_null_content=True),
        Rules(reject_empty_content=True, reject_null_content=True),
        Rules(require_thinking_echo=True),
        Rules(require_thinking_echo=True, reject_empty_content=True, reject_stream_options=True),
        Rules(reject_unknown_fields=True),
        Rules(reject_unknown_fields=True, reject_empty_content=True, require_content=True),
        Rules(require_alternate_roles=True),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("preset", "model"),
    [("glm", "glm-5.1"), ("deepseek", "deepseek-v4-flash"), ("local", "kimi-k2.6"), ("local", "unheard-of")],
)
def test_any_endpoint_takes_the_turn_after_a_tool_call(connect: Any, preset: str, model: str, rules: Rules) -> None:
    with ChatServer(["it is a Maven project", "again"], rules=rules) as server:
        connected = connect(server, find_preset(preset), model=model)
        assert connected.chat(TOOL_TURN).text == "it is a Maven project"
        asked = len(server.requests)
        assert connected.chat(TOOL_TURN).text == "again"
        assert len(server.requests) == asked + 1


def test_the_form_that_was_taken_is_what_the_model_says_of_itself(connect: Any) -> None:
    with ChatServer(["fine"], rules=Rules(reject_empty_content=True)) as server:
        connected = connect(server, find_preset("local"), model="unheard-of")
        connected.chat(TOOL_TURN)
        assert connected.quirks.empty_content is EmptyContent.NULL


def test_what_the_maker_of_a_model_wants_holds_at_other_addresses_too(connect: Any) -> None:
    with ChatServer(["fine"], rules=Rules(require_thinking_echo=True)) as server:
        connect(server, find_preset("local"), model="deepseek-ai/DeepSeek-V4-Flash").chat(TOOL_TURN)
        assert server.violations == []


@pytest.mark.parametrize(
    ("model", "thinking"),
    [
        ("deepseek/deepseek-v4-flash:free", ThinkingEcho.ALWAYS),
        ("moonshotai/Kimi-K2.6", ThinkingEcho.WITH_CALLS),
        ("zai-org/GLM-5", ThinkingEcho.WITH_CALLS),
        ("qwen3:4b", ThinkingEcho.NEVER),
        ("unheard-of", ThinkingEcho.NEVER),
        ("", ThinkingEcho.NEVER),
    ],
)
def test_a_model_is_known_by_its_name_and_the_address_keeps_its_own_wishes(model: str, thinking: ThinkingEcho) -> None:
    quirks = quirks_for(find_preset("local"), model)
    assert (quirks.thinking, quirks.alternate_roles) == (thinking, True)


def test_a_refusal_that_no_form_mends_is_passed_on_as_it_came_first(connect: Any) -> None:
    replies = [HttpError(400, {"error": {"message": f"1214 messages 参数非法 {number}"}}) for number in range(9)]
    with ChatServer(replies) as server:
        with pytest.raises(RequestRefused, match="非法 0"):
            connect(server).chat(TOOL_TURN)
        assert 1 < len(server.requests) <= MOST_REQUESTS
        assert all(one != other for one, other in pairwise(server.requests))


@pytest.mark.parametrize("text", ["the model does not exist", "模型不存在", "invalid schema of a function"])
def test_a_refusal_that_speaks_of_something_else_is_final(connect: Any, text: str) -> None:
    with ChatServer([HttpError(400, {"error": {"message": text}})]) as server:
        with pytest.raises(RequestRefused):
            connect(server).chat(TOOL_TURN)
        assert len(server.requests) == 1


def test_the_field_for_the_limit_is_found(connect: Any) -> None:
    def answer(request: dict[str, Any]) -> Any:
        wrong = {"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model."}}
        return HttpError(400, wrong) if "max_tokens" in request else "fine"

    with ChatServer(answer) as server:
        assert connect(server, find_preset("local"), model="gpt-5").chat([Message("user", "hi")], max_tokens=9).text
        assert server.requests[-1]["max_completion_tokens"] == 9


def test_words_about_fields_in_general_lead_to_those_that_not_everyone_knows() -> None:
    form = Form(Quirks(thinking=ThinkingEcho.WITH_CALLS))
    others = list(other_forms(form, "Extra inputs are not permitted"))
    assert others[0].quirks.thinking is ThinkingEcho.NEVER
    assert others[-1] == replace(form, asks_usage=False)


def test_one_obstacle_after_the_other_is_taken() -> None:
    wanted = Form(Quirks(thinking=ThinkingEcho.WITH_CALLS, thinking_required=True, empty_content=EmptyContent.NULL))

    def send(request: Any) -> Reply:
        if request["form"].quirks.empty_content is not EmptyContent.NULL:
            raise refusal("messages[2].content is empty (request 8f2a)")
        if request["form"].quirks.thinking is not ThinkingEcho.WITH_CALLS:
            raise refusal("messages[2]: reasoning_content must be passed back (request 91b0)")
        return Reply("fine")

    assert find_form(Form(), body, send) == (Reply("fine"), wanted)


@pytest.mark.parametrize(
    "error",
    [
        refusal("content", status=404),
        ContextOverflow(status=400, window=9, detail="content too long"),
        RateLimited(endpoint="", attempts=1, detail=""),
    ],
)
def test_what_is_no_matter_of_form_passes_at_once(error: Exception) -> None:
    sent = []

    def send(request: Any) -> Reply:
        sent.append(request)
        raise error

    with pytest.raises(type(error)):
        find_form(Form(), body, send)
    assert len(sent) == 1


def test_another_failure_on_the_way_passes() -> None:
    errors: list[Exception] = [refusal("content is empty"), refusal("gone", status=404)]

    def send(_: Any) -> Reply:
        raise errors.pop(0)

    with pytest.raises(RequestRefused, match="gone"):
        find_form(Form(), body, send)
