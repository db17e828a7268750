"""With a real model: does it answer from memory, call a tool, give facts, and summarise? `make e2e BASE_URL=… MODEL=…`"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from paicli.agents import Agent
from paicli.agents.events import Event, ToolFinished
from paicli.agents.prompt import agent_prompt
from paicli.llm.client import OpenAICompatibleModel
from paicli.llm.presets import find_preset
from paicli.memory import InMemoryStore, LongTermMemory, MemoryManager
from paicli.memory.message import Quirks
from paicli.tools.registry import default_tools

BASE_URL = os.environ.get("PAICLI_E2E_BASE_URL", "")
pytestmark = [
    pytest.mark.real_model,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not BASE_URL, reason="no server given: make e2e BASE_URL=http://127.0.0.1:8080/v1 MODEL=local"),
]

# What is asked for can't be guessed: a model without the memory has no way to know it.
RECALLS = [
    ("测试环境的数据库叫 zebra_7413", "测试环境的数据库叫什么名字？", "zebra_7413"),
    ("发布脚本在 /opt/qumo/ship.sh", "发布脚本放在哪个路径？", "/opt/qumo/ship.sh"),
    ("项目的内网端口是 48731", "项目的内网端口是多少？", "48731"),
    ("负责代码评审的人叫陆青禾", "负责代码评审的人叫什么？", "陆青禾"),
    ("日志保留 37 天", "日志保留多少天？", "37"),
    ("The staging host is called bramble-nine", "What is the staging host called?", "bramble-nine"),
    ("The release branch is named train-5520", "What is the release branch named?", "train-5520"),
    ("The cache key prefix is vx_81q", "What is the cache key prefix?", "vx_81q"),
    ("Backups run at 03:47", "At what time do backups run?", "03:47"),
    ("The on-call phone extension is 6629", "What is the on-call phone extension?", "6629"),
]


LATER = [
    ("支付网关", "由代号 zorvik 的小组维护", "支付网关由哪个小组维护？", "zorvik"),
    ("日志平台", "放在 plimba 机房", "日志平台放在哪个机房？", "plimba"),
    ("搜索集群", "的入口端口是 48813", "搜索集群的入口端口是多少？", "48813"),
]


@pytest.fixture(scope="module")
def model() -> OpenAICompatibleModel:
    return OpenAICompatibleModel(
        find_preset("local"),
        api_key=os.environ.get("PAICLI_E2E_KEY", ""),
        base_url=BASE_URL,
        model=os.environ.get("PAICLI_E2E_MODEL") or "local",
    )


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Iterator[list[str]]:
    """Lines that are shown whatever becomes of the test."""
    lines: list[str] = []
    yield lines
    with capsys.disabled():
        print("\n" + "\n".join(lines))


def answer(model: OpenAICompatibleModel, facts: list[str], question: str) -> str:
    memory = MemoryManager(model, LongTermMemory(InMemoryStore()), context_window=model.context_window)
    for fact in facts:
        memory.store_fact(fact)
    return Agent(model, memory, language="zh" if "？" in question else "en").run(question)


def test_it_answers_from_memory_what_it_cannot_know_without(model: OpenAICompatibleModel, report: list[str]) -> None:
    facts = [fact for fact, _, _ in RECALLS]
    report.append(f"{'expected':<20} {'with memory':<14} without")
    right_with, right_without = 0, 0
    for _, question, expected in RECALLS:
        found = expected in answer(model, facts, question)
        guessed = expected in answer(model, [], question)
        right_with, right_without = right_with + found, right_without + guessed
        report.append(f"{expected:<20} {'yes' if found else 'NO':<14} {'YES' if guessed else 'no'}")
    report.append(f"{'of ten':<20} {right_with:<14} {right_without}")
    assert (right_with, right_without) == (10, 0)


@pytest.mark.parametrize("quirks", [Quirks(), Quirks(thinking_required=True)], ids=["recall call", "extended block"])
def test_it_answers_from_facts_given_behind_a_long_history_and_the_server_keeps_the_beginning(
    model: OpenAICompatibleModel, report: list[str], quirks: Quirks
) -> None:
    memory = MemoryManager(
        model, LongTermMemory(InMemoryStore()), context_window=model.context_window, recall_threshold=200
    )
    for topic, fact, _, _ in LATER:
        memory.store_fact(f"我们的{topic}{fact}", scope="user")
    prompt = agent_prompt("zh")
    right, cached = 0, []
    for question, expected in [("你好，请简短回答。" * 30, ""), *((q, e) for _, _, q, e in LATER)]:
        found = memory.context_block(question, 300)
        memory.add_user_message(question)
        memory.place(found, question, quirks)
        reply = model.chat(memory.request(prompt, (), quirks), purpose="chat", max_tokens=40)
        memory.add_assistant_message(reply.text or "好")
        right += bool(expected) and expected in reply.text
        assert reply.usage is not None
        cached.append(reply.usage.cached_tokens / max(1, reply.usage.input_tokens))
    report.append(
        f"{quirks.thinking_required=}: right {right} of {len(LATER)}, cached {[f'{share:.0%}' for share in cached]}"
    )
    assert right == len(LATER)


@pytest.mark.parametrize(
    ("request_text", "tool"),
    [
        ("列出当前目录里的文件", "list_dir"),
        ("读一下 notes.txt 的内容", "read_file"),
        ("创建一个 Java 项目叫 orders", "create_project"),
        ("Write the text hello into the file greeting.txt", "write_file"),
        ("Read the file notes.txt", "read_file"),
    ],
)
def test_it_calls_a_single_tool(
    model: OpenAICompatibleModel, report: list[str], tmp_path: Path, request_text: str, tool: str
) -> None:
    (tmp_path / "notes.txt").write_text("the meeting is on Tuesday", encoding="utf-8")
    calls: list[ToolFinished] = []

    def note(event: Event) -> None:
        if isinstance(event, ToolFinished):
            calls.append(event)

    memory = MemoryManager(model, LongTermMemory(InMemoryStore()), context_window=model.context_window)
    agent = Agent(model, memory, default_tools(tmp_path, lambda approval: True), emit=note)
    agent.max_steps = 2
    agent.run(request_text)
    report.append(f"{request_text}: {[(done.call.name, done.outcome.ok) for done in calls]}")
    assert calls
    assert (calls[0].call.name, calls[0].outcome.ok) == (tool, True)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["帮我看看构建为什么慢", "对了，我们项目的构建工具固定用 Maven 3.9，不用 Gradle"], "Maven"),
        (["add a cache please", "we decided to use Redis 7 for caching, and I prefer short answers"], "Redis"),
    ],
)
def test_it_gives_facts_that_the_user_said(
    model: OpenAICompatibleModel, report: list[str], said: list[str], expected: str
) -> None:
    memory = MemoryManager(model, LongTermMemory(InMemoryStore()), context_window=model.context_window)
    for text in said:
        memory.add_user_message(text)
        memory.add_assistant_message("好的。")
    extraction = memory.extract_and_save_facts()
    report.append(f"facts: {[kept.entry.content for kept in extraction.kept]}, rejected {extraction.rejected}")
    assert any(expected in kept.entry.content for kept in extraction.kept)


def test_it_compresses_a_conversation(model: OpenAICompatibleModel, report: list[str]) -> None:
    memory = MemoryManager(model, LongTermMemory(InMemoryStore()), context_window=model.context_window)
    for number in range(6):
        memory.add_user_message(
            f"第 {number + 1} 步：把服务 {'甲乙丙丁戊己'[number]} 的超时改成 {number + 3} 秒，"
            + "注意不要影响其他服务。" * 6
        )
        memory.add_assistant_message("已经改好，并且重新跑了测试，" + "所有用例都通过了。" * 8)
    done = memory.compress_now()
    assert done is not None
    report.append(f"compressed {done.tokens_before} → {done.tokens_after} tokens: {done.summary[:200]}")
    assert done.tokens_after < done.tokens_before
    assert memory.short_term.compressed_summaries == []
