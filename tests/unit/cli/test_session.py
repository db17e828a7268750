from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from paicli.errors import KeyRejected, ModelUnreachable
from paicli.memory.message import ToolCall
from paicli.memory.stores.archive import list_transcripts, unextracted
from paicli.testing.scripted import ScriptedModel

FACT = json.dumps({"facts": [{"fact": "用户希望 JDK 保持 17", "quote": "JDK 保持 17", "kind": "preference"}]})


def facts(*replies: object) -> dict[str, list[object]]:
    return {"facts": list(replies)}


def test_without_a_model_statements_are_kept_and_other_lines_show_what_would_be_recalled(talk: Any) -> None:
    out = talk(
        "tell me about ships", "记一下：端口是 8080", "端口是多少", "我喜欢简短的回答", "天气怎么样", language="zh"
    )
    nothing, _, then = out.partition("已记住")
    assert "也没有与此相关的记忆" in nothing
    assert '"我喜欢简短的回答" · /memory undo 撤销' in then
    port, _, weather = then.partition("我喜欢简短的回答")
    assert "这些记忆会被想起" in port
    assert "端口是 8080" in port.partition("这些记忆会被想起")[2]
    assert "常驻" in weather  # a preference goes along with every question


def test_a_message_is_answered_and_its_bytes_reach_the_model(talk: Any) -> None:
    model = ScriptedModel(["sure", "done"])
    out = talk('keep {"a": 1} %s {{x}} 不变', "next", model=model)
    assert model.requests[0].user == 'keep {"a": 1} %s {{x}} 不变'
    assert "sure" in out
    assert "done" in out


def test_several_lines_are_one_message_and_nothing_in_them_is_executed(talk: Any) -> None:
    model = ScriptedModel(["ok"])
    talk("one\n/clear\nthree", model=model)
    assert [request.user for request in model.requests if request.purpose == "chat"] == ["one\n/clear\nthree"]


def test_an_unknown_command_is_explained_with_the_nearest_and_not_sent(talk: Any) -> None:
    model = ScriptedModel([])
    out = talk("/sav x", "/memory lst", "/zzz", model=model)
    assert "There is no command /sav; nothing was sent. Did you mean /save?" in out
    assert "Did you mean /memory list?" in out
    assert model.requests == []


def test_save_says_id_scope_and_how_to_change_it_and_known_ones(talk: Any) -> None:
    out = talk("/save 用户喜欢 Java", "/save 用户喜欢 Java。", "/Save  用户喜欢　java ！", '/save ""', "/save")
    assert out.count("Saved") == 1
    assert out.count("Already known") == 2
    assert "scope: everywhere · for this project only: /save -p" in out
    assert out.count("usage: /save TEXT") == 2


def test_save_with_a_scope_alone_changes_the_last_ones(talk: Any, new_app: Any, project: Path) -> None:
    app = new_app()
    talk("/save -p", app=app)
    app = new_app()
    talk("/save 用户喜欢 Java", "/save -p", app=app)
    assert [entry.scope for entry in app.long_term.entries()] == [f"project:{app.scopes.project}"]


def test_a_fact_that_can_not_be_written_is_kept_for_the_session_and_never_called_saved(
    talk: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    out = talk(
        "我喜欢猫", "我喜欢狗", "/save birds", "/memory", "cats 猫", memory_dir=str(tmp_path / "file" / "memory")
    )
    assert "Saved" not in out
    assert "Remembered" not in out
    assert out.count("Kept for this session only") == 3
    assert out.count("can't be used") == 2  # once for what came by rule, and at each /save
    assert "3 of them for this session only" in out


def test_clear_extracts_announces_and_empties(talk: Any, new_app: Any) -> None:
    model = ScriptedModel(["fine"], by_purpose=facts(FACT))
    app = new_app(model)
    out = talk("JDK 保持 17 就行", "/clear", "/memory", app=app)
    assert "Remembered" in out
    assert "Conversation cleared" in out
    assert "0 / " in out
    assert [entry.content for entry in app.long_term.entries()] == ["用户希望 JDK 保持 17"]


def test_a_failed_extraction_is_explained_and_nothing_is_cleared_without_a_yes(talk: Any, new_app: Any) -> None:
    down = ModelUnreachable(endpoint="http://x", detail="refused")
    model = ScriptedModel(["fine"], by_purpose=facts(down, down, FACT))
    app = new_app(model)
    out = talk("JDK 保持 17 可以吧", "/clear", app=app, answers=[False])
    assert "No answer from http://x: refused" in out
    assert "Not cleared" in out
    assert len(app.memory.short_term) == 2


def test_clear_forget_keeps_nothing_now_or_later(talk: Any, new_app: Any, home: Path) -> None:
    model = ScriptedModel(["fine"])
    app = new_app(model)
    out = talk("JDK 保持 17", "/clear --forget", app=app)
    assert "no facts were drawn out" in out
    assert [request.purpose for request in model.requests] == ["chat"]
    assert app.long_term.entries() == []
    assert unextracted(home / "sessions") == []


def test_clear_with_an_unknown_option_clears_nothing(talk: Any, new_app: Any) -> None:
    app = new_app(ScriptedModel(["fine"], by_purpose=facts('{"facts": []}')))
    assert "/clear has no option --all" in talk("hello", "/clear --all", "/memory", app=app)
    assert len(app.memory.short_term) == 2


def test_leaving_extracts_and_says_what_was_kept(talk: Any) -> None:
    model = ScriptedModel(["fine"], by_purpose=facts(FACT))
    out = talk("JDK 保持 17 就行", "/exit", "never read", model=model)
    assert "Remembered" in out
    assert [request.purpose for request in model.requests] == ["chat", "facts"]


def test_what_leaving_could_not_extract_is_taken_up_at_the_next_start(talk: Any, new_app: Any, home: Path) -> None:
    down = ModelUnreachable(endpoint="http://x", detail="refused")
    out = talk("JDK 保持 17 就行", model=ScriptedModel(["fine"], by_purpose=facts(down)))
    assert "taken up at the next start" in out
    left = unextracted(home / "sessions")
    assert len(left) == 1
    app = new_app(ScriptedModel([], by_purpose=facts(FACT)))
    done = list(app.catch_up(app.left_over()))
    assert [kept.entry.content for _, extraction in done for kept in extraction.kept] == ["用户希望 JDK 保持 17"]
    assert unextracted(home / "sessions") == []
    app.close()


def test_the_prompt_comes_back_after_an_error_and_the_key_is_not_shown(talk: Any) -> None:
    model = ScriptedModel(
        [KeyRejected(endpoint="http://x", key="…cdef", status=401), "now it works"], by_purpose=facts('{"facts":[]}')
    )
    out = talk("hello", "hello again", model=model)
    assert "refused the key …cdef (HTTP 401)" in out
    assert "now it works" in out


def test_a_fault_in_the_program_is_one_line_and_the_prompt_comes_back(talk: Any) -> None:
    model = ScriptedModel([ZeroDivisionError("oops"), "fine"], by_purpose=facts('{"facts":[]}'))
    out = talk("hello", "again", model=model)
    assert "An unexpected error (ZeroDivisionError): oops" in out
    assert "fine" in out


def test_stopping_an_answer_leaves_a_valid_history(talk: Any) -> None:
    model = ScriptedModel([KeyboardInterrupt(), "fine"], by_purpose=facts('{"facts":[]}'))
    out = talk("hello", "again", model=model)
    assert "withdrawn" in out
    assert "topped" not in out  # one thing is said, and the right one
    assert [message.role for message in model.requests[1].messages][-1] == "user"


def test_ctrl_c_at_the_prompt_says_how_to_leave_and_twice_leaves(talk: Any) -> None:
    assert talk(None, "/memory", None, None, "/help").count("to leave") == 2
    assert "/help [all]" not in talk(None, None, "/help")


def test_a_tool_call_is_a_line_and_a_command_needs_a_yes(talk: Any, project: Path) -> None:
    call = ToolCall("1", "execute_command", json.dumps({"command": "touch made"}))
    model = ScriptedModel([call, "as you wish", call, "done"], by_purpose=facts('{"facts":[]}'))
    out = talk("do it", "do it now", model=model, answers=[False, True])
    assert "execute_command command=touch made" in out
    assert "failed: you said no" in out
    assert (project / "made").exists()


def test_yes_agrees_and_says_so(talk: Any, project: Path) -> None:
    call = ToolCall("1", "execute_command", json.dumps({"command": "touch made"}))
    out = talk("do it", model=ScriptedModel([call, "ok"], by_purpose=facts('{"facts":[]}')), yes=True)
    assert "Agreed by --yes: Run this command?  touch made" in out
    assert (project / "made").exists()


def test_why_shows_what_the_last_request_carried(talk: Any) -> None:
    model = ScriptedModel(["17 then"], by_purpose=facts('{"facts":[]}'))
    out = talk("/why", "/save 项目的 JDK 版本是 17", "which JDK 版本?", "/why", "/memory why", model=model)
    assert "No request yet" in out
    assert out.count("项目的 JDK 版本是 17") >= 3
    assert "match" in out or "always" in out
    assert "1 memory given · /why" in out


def test_cost_counts_calls_by_purpose(talk: Any) -> None:
    out = talk("/cost", "hello", "/clear", "/cost", model=ScriptedModel(["hi"], by_purpose=facts('{"facts":[]}')))
    assert "not been called" in out
    assert "chat" in out
    assert "facts" in out


def test_status_shows_both_memories_the_calls_and_the_place(talk: Any, home: Path) -> None:
    out = talk("/save a fact about birds", "hello", "/memory", model=ScriptedModel(["hi"], by_purpose=facts("{}")))
    assert "Short-term memory: " in out
    assert "2 entries in 1 round" in out
    assert "Long-term memory: 1 fact · " in out
    assert str(home / "memory") in out
    assert "Model calls: 1 · " in out


def test_memory_commands_do_what_the_shell_does(talk: Any) -> None:
    out = talk(
        "/memory list", "/memory add cats are nice", "/memory list", "/memory search cats", "/memory search dogs",
        "/memory search", "/memory show", "/memory forget", "/memory show zzz", "/memory undo", "/memory undo",
    )  # fmt: skip
    assert "no facts in long-term memory yet" in out
    assert "cats are nice" in out
    assert "No fact is about 'dogs'" in out
    assert out.count("usage: /memory") == 3
    assert "No memory has the id 'zzz'" in out
    assert "/memory list" in out
    assert "no longer remembered" in out
    assert "no change to take back" in out


def test_recall_finds_what_an_earlier_session_said(talk: Any) -> None:
    talk("the harbour has number 4711", model=ScriptedModel(["noted"], by_purpose=facts("{}")))
    out = talk("/recall 4711", "/recall zebra", "/recall")
    assert "the harbour has number 4711" in out
    assert "speaks of 'zebra'; --all looks at other projects too" in out
    assert "usage: /recall" in out


def test_context_shares_add_up_to_the_window(talk: Any) -> None:
    out = talk("/context", model=ScriptedModel([], context_window=10_000))
    assert "10,000" in out
    shares = [line.split()[0].replace(",", "") for line in out.splitlines() if "%" in line and line[0].isdigit()]
    assert sum(int(share) for share in shares) == 10_000


def test_compact_says_when_there_is_too_little(talk: Any) -> None:
    assert "too little" in talk("/compact", model=ScriptedModel([]))
    assert "no model is connected" in talk("/compact")


def test_a_plan_is_shown_confirmed_and_carried_out(talk: Any) -> None:
    plan = json.dumps({"tasks": [{"id": "t1", "description": "look around", "depends_on": []}]})
    model = ScriptedModel(["looked"], by_purpose={"plan": [plan, plan], "facts": ["{}", "{}"]})
    out = talk("/plan find it", "/plan", "find it again", model=model, answers=[False, True])
    assert "Plan (1 step)" in out
    assert "t1. look around" in out
    assert "Not carried out" in out
    assert "The next input will be planned" in out
    assert "Step t1: look around" in out
    assert "Plan done" in out


def test_a_plan_without_a_model_says_how_to_connect_one(talk: Any) -> None:
    assert "Connect one with /model" in talk("/plan build it")


def test_lang_changes_the_language_and_is_kept(talk: Any, home: Path) -> None:
    out = talk("/lang zh", "/sav", "/lang fr")
    assert "没有 /sav 这个命令" in out
    assert "用法：/lang" in out
    assert 'lang = "zh"' in (home / "config.toml").read_text(encoding="utf-8")


def test_the_first_input_decides_an_open_language(talk: Any) -> None:
    assert "记住" in talk("我喜欢简短的回答", language_open=True)
    assert "what would be recalled" in talk("hello there", language="zh", language_open=True)


def test_help_lists_the_first_commands_and_all(talk: Any) -> None:
    out = talk("/help")
    assert "/exit" in out
    assert "/memory undo" not in out
    assert "/memory undo" in talk("/help all")


def test_read_only_leaves_no_trace(talk: Any, home: Path, tmp_path: Path) -> None:
    out = talk("我喜欢猫", "hello", "/save x y", "/lang zh", model=ScriptedModel(["a", "b"]), read_only=True)
    assert "Saved" not in out
    assert not home.exists()


def test_the_transcript_starts_with_the_session(talk: Any, home: Path) -> None:
    talk("hello", model=ScriptedModel(["hi"], by_purpose=facts("{}")))
    [info] = list_transcripts(home / "sessions")
    assert info.messages == 1
    assert not info.live


@pytest.mark.parametrize("line", ["", "   ", "\t"])
def test_an_empty_line_is_nothing(line: str, talk: Any) -> None:
    model = ScriptedModel([])
    talk(line, model=model)
    assert model.requests == []


def test_the_receipt_is_not_repeated_while_the_same_memories_go_along(talk: Any) -> None:
    out = talk(
        "/save 我喜欢简短的回答", "hello", "hello again", model=ScriptedModel(["a", "b"]), memory_mode="explicit"
    )
    assert out.count("1 memory given · /why") == 1


def test_in_explicit_mode_nothing_is_drawn_out_by_the_model_now_or_later(talk: Any, home: Path) -> None:
    model = ScriptedModel(["a", "b"])
    out = talk("JDK 保持 17 就行", "/clear", "我喜欢猫", "/exit", model=model, memory_mode="explicit")
    assert [request.purpose for request in model.requests] == ["chat", "chat"]
    assert "Remembered" in out  # by rule
    assert unextracted(home / "sessions") == []


def test_why_speaks_of_no_request_where_there_is_no_model(talk: Any) -> None:
    out = talk("/why", "/save 我喜欢简短的回答", "hello", "/why")
    assert "No model, so no request" in out
    assert "the last line would carry" in out


def test_lang_alone_shows_the_present_one(talk: Any, home: Path) -> None:
    assert "Language: English" in talk("/lang")
    assert not home.exists()


def test_a_search_that_finds_something_in_another_project_only_says_how_to_see_it(
    talk: Any, new_app: Any, tmp_path: Path, shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "other")
    shell("memory", "add", "-p", "the harbour has gate 4711")
    out = talk("/memory search harbour", "/memory search --all harbour")
    assert "1 fact of other projects: /memory search --all" in out
    assert "other project other" in out
