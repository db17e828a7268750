from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from paicli.memory.session.past_message import PastMessage, PastSearch, past_messages, ranked, snippet

NOW = datetime(2026, 2, 1, 12, tzinfo=UTC)  # a Sunday
NOON = "2026-01-31T12:00:00Z"


def said(text: str, number: int = 1, **values: Any) -> PastMessage:
    at = values.pop("at", f"2026-01-{number:02}T12:00:00Z")
    return PastMessage(f"m{number}", "s", at, values.pop("role", "user"), text, **values)


def found(query: str, *messages: PastMessage, limit: int = 10) -> list[str]:
    search = PastSearch(query, NOW)
    for message in messages:
        search.take(message)
    return [hit.message.text for hit in search.hits(limit)]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("端口", "生产库的端口是 18443"),
        ("springboot", "we use Spring Boot 3"),
        ("user_name", "the column userName"),
        ("/srv/app/conf.d/a.yml", "edit /srv/app/conf.d/a.yml first"),
        ("9f3c1ab", "commit 9f3c1ab broke it"),
        ("3.11", "python 3.11.4"),
        ("ports", "the port is open"),
        ("茶", "我喝茶"),
        ("🧩", "a 🧩 b"),
        ("ＪＤＫ", "jdk 17"),
        ("的", "我的"),
        ("city", "two cities"),
        ("running", "it ran for hours"),
        ("后端服务", "後端服務部署在臺灣"),
    ],
)
def test_a_text_is_found_under_its_words_however_they_are_written(query: str, text: str) -> None:
    assert found(query, said("nothing of the kind"), said(text, 2)) == [text]


@pytest.mark.parametrize(("query", "text"), [("Go", "MongoDB runs"), ("", "x"), ("   ", "x")])
def test_parts_of_words_are_no_hits(query: str, text: str) -> None:
    assert found(query, said(text)) == []


def test_what_has_more_of_the_words_comes_first_and_then_the_newer() -> None:
    messages = [said("port of staging", 3), said("the staging port is 8443", 2), said("staging", 1)]
    assert found("staging port 8443", *messages) == ["the staging port is 8443", "port of staging", "staging"]
    assert found("staging", said("staging x", 2), said("staging y", 1)) == ["staging x", "staging y"]
    assert len(found("staging", *messages, limit=1)) == 1


def test_an_answer_is_found_by_the_words_of_its_question_and_other_neighbours_are_not() -> None:
    talk = [
        said("hello"),
        said("which port does staging use?", at="2026-01-01T12:01:00Z"),
        said("8443, since May", role="assistant", at="2026-01-01T12:02:00Z"),
        said("thanks"),
        said("bye"),
    ]
    assert found("staging port", *talk[::-1]) == ["8443, since May", "which port does staging use?"]


def test_a_day_that_is_named_chooses_what_was_said_on_it() -> None:
    messages = [said("方案 B 又提了一次", 31), said("方案 B 否决了，太慢", 21), said("方案 B 否决了，太贵", 3)]
    assert found("上周我们为什么否决了方案 B", *messages)[0] == "方案 B 否决了，太慢"
    assert found("昨天", *messages) == ["方案 B 又提了一次"]


def test_the_same_text_is_found_once_and_what_recall_found_never() -> None:
    messages = [said("port 1", 3), said("PORT 1", 2), said("port 1 again", 1, role="tool", tool="recall")]
    assert found("port", *messages) == ["port 1"]


def test_a_tool_result_is_found_under_its_tool_and_arguments() -> None:
    message = said("ok", role="tool", tool="execute_command", arguments='{"command": "make lint"}')
    assert found("lint", message) == ["ok"]


def test_a_long_text_is_found_by_what_stands_deep_in_it_and_shown_round_the_words() -> None:
    text = "filler words " * 4_000 + "the key is zeta-4711 here " + "more filler " * 4_000
    (hit,) = ranked("zeta-4711", [said(text)], NOW)
    assert "the key is zeta-4711 here" in hit.snippet
    assert len(hit.snippet) <= 242
    assert found("zeta 4711", said("ordinary"), said(text, 2)) == [text]


def test_a_snippet_is_where_the_most_words_stand() -> None:
    text = "port " + "x" * 500 + " the staging port is 8443 " + "y" * 500
    assert "staging port is 8443" in snippet(text, ["staging", "port", "8443"])
    assert snippet("short", ["short"]) == "short"
    assert snippet("a" * 500, ["zzz"]).startswith("aaa")


def message(entry_id: str, text: str, **values: Any) -> dict[str, Any]:
    return {"kind": "message", "id": entry_id, "at": NOON, "role": "user", "text": text, **values}


def test_messages_know_the_project_they_were_said_in() -> None:
    records = [
        message("m0", "before anything was known"),
        {"kind": "session", "cwd": "/a/sub", "project": "project:a", "root": "/a"},
        message("m1", "in a"),
        {"kind": "resumed", "cwd": "/home", "project": "", "root": ""},
        message("m2", "in none"),
        {"kind": "session", "cwd": "/old"},
        message("m3", "an older version knew no root"),
    ]
    assert [one.root for one in past_messages(records, "s")] == [None, "/a", "", "/old"]
    assert past_messages(records, "s")[1].project == "project:a"


def test_empty_messages_and_what_was_to_be_forgotten_are_left_out() -> None:
    records = [
        message("m1", "forget this"),
        {"kind": "clear", "at": NOON},
        {"kind": "forgotten"},
        message("m2", " "),
        message("m3", "text", metadata=[1], task="t1"),
    ]
    (only,) = past_messages(records, "s")
    assert (only.id, only.task, only.arguments) == ("m3", "t1", "")
    assert only.moment == datetime(2026, 1, 31, 12, tzinfo=UTC)


def test_a_date_that_can_not_be_read_is_1970() -> None:
    assert PastMessage("m", "s", "someday", "user", "x").moment.year == 1970
