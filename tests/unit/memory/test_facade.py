"""M1: a session that knows nothing but the façade reaches all five parts of the memory."""

from __future__ import annotations

import json
from pathlib import Path

from paicli.memory import LongTermMemory, MemoryManager, MemoryType
from paicli.testing import ScriptedModel


def test_a_session_reaches_every_part_by_the_facade_alone(tmp_path: Path) -> None:
    found = {"facts": [{"fact": "项目的数据库是 PostgreSQL 16", "quote": "数据库我们定了 PostgreSQL 16"}]}
    model = ScriptedModel(
        lambda messages, tools: "目标：升级 JDK。决定：PostgreSQL 16。",
        by_purpose={"facts": [json.dumps(found, ensure_ascii=False)]},
    )
    memory = MemoryManager(model, LongTermMemory.open(tmp_path), 600, 4_000)

    memory.store_fact("项目使用 Maven 构建")
    assert [entry.content for entry in memory.retrieve("用什么构建？", 3)] == ["项目使用 Maven 构建"]
    assert "Maven" in memory.build_context_for_query("用什么构建？", 300)

    memory.add_user_message("数据库我们定了 PostgreSQL 16")
    memory.add_tool_result("read_file", "spring.datasource.url=jdbc:postgresql://db")
    for number in range(12):
        memory.add_user_message(f"第 {number} 步：把服务的超时改掉，" + "并且不要影响其他服务" * 3)
        memory.add_assistant_message("已经改好，" + "用例都通过了" * 5)
    memory.compress_if_needed()
    assert any(entry.type is MemoryType.SUMMARY for entry in memory.short_term)

    memory.extract_and_save_facts()
    assert "项目的数据库是 PostgreSQL 16" in [entry.content for entry in memory.long_term]

    memory.record_token_usage(1_000, 50)
    assert memory.budget.usage.input_tokens > 1_000
    assert str(tmp_path) in memory.system_status()

    memory.clear()
    assert len(memory.short_term) == 0
    assert len(LongTermMemory.open(tmp_path)) == 2
