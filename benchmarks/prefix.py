"""How much of a request the next one repeats as its beginning: what a provider's prefix cache can save.

python benchmarks/prefix.py        prints the mean over requests of at least 8 000 tokens, for each form of recall

The trace: 50 rounds of a question, a tool call with a result of some 600 tokens, and an answer. From the fifth round on a
fact of long-term memory becomes relevant in every third round, 15 one after the other. No compression falls.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import mean

from paicli.memory import InMemoryStore, LongTermMemory, MemoryManager
from paicli.memory.message import Quirks, ThinkingEcho, ToolCall, WireMessage, render
from paicli.memory.tokens.estimate import EstimatingCounter

ROUNDS, FACTS, FIRST_RECALL, EVERY = 50, 15, 5, 3
MEASURED_FROM_TOKENS = 8_000
PROMPT = "You are a coding assistant. " * 30
TOPICS = "支付网关 日志平台 报表脚本 搜索集群 备份任务 邮件模板 监控面板 登录页面 缓存集群 消息队列 发布流程 测试账号 数据仓库 图片服务 权限模块".split()


@dataclass(frozen=True)
class Form:
    """A way of giving recalled facts to the model."""

    name: str
    quirks: Quirks = Quirks()
    makes_block_each_turn: bool = False


FORMS = [
    Form("recall call"),
    Form("extended block", Quirks(thinking=ThinkingEcho.WITH_CALLS, thinking_required=True)),
    Form("a block made anew each turn", makes_block_each_turn=True),
]


def main() -> None:
    """Runs the trace in each form and prints the shares."""
    for form in FORMS:
        requests = trace(form)
        shares = [
            repeated(previous, request)
            for previous, request in pairwise(requests)
            if size(request) >= MEASURED_FROM_TOKENS
        ]
        print(f"{form.name:<30} {mean(shares):6.1%} of the previous request, mean over {len(shares)} requests")


def trace(form: Form) -> list[list[WireMessage]]:
    """Returns the requests of the trace, two a round."""
    memory = MemoryManager(long_term=LongTermMemory(InMemoryStore()))
    for number, topic in enumerate(TOPICS[:FACTS]):
        memory.store_fact(f"我们的{topic}归第 {number + 11} 组管", scope="user")
    requests = []
    for number in range(ROUNDS):
        question = question_of(number)
        found = memory.context_block(question, 500)
        memory.add_user_message(question)
        memory.place(found, question, form.quirks)
        block = found.text if form.makes_block_each_turn else None
        requests.append(render(memory.request(PROMPT, (), form.quirks, block), form.quirks))
        call = ToolCall(f"call{number}", "read_file", f'{{"path": "src/module_{number}.py"}}')
        memory.add_assistant_message(tool_calls=(call,))
        memory.add_tool_result("read_file", f"def function_{number}(value):\n    return value + {number}\n" * 50)
        requests.append(render(memory.request(PROMPT, (), form.quirks, block), form.quirks))
        memory.add_assistant_message(f"函数 {number} 把值加上 {number}。" * 4)
    return requests


def question_of(number: int) -> str:
    """Returns the question of a round; in every third one a further fact is asked about."""
    index, rest = divmod(number - FIRST_RECALL, EVERY)
    if rest == 0 and 0 <= index < FACTS:
        return f"{TOPICS[index]}归谁？"
    return f"再看看 module_{number}。"


def repeated(previous: list[WireMessage], request: list[WireMessage]) -> float:
    """Returns which share of a request's tokens the next one repeats as its beginning."""
    same = 0
    while same < min(len(previous), len(request)) and previous[same] == request[same]:
        same += 1
    tokens = size(previous[:same])
    if same < len(previous):
        tokens += EstimatingCounter().count_text(common_start(text_of(previous[same]), text_of(request[same])))
    return min(1.0, tokens / size(previous))


def common_start(one: str, other: str) -> str:
    """Returns the longest text both begin with."""
    length = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:length]


def text_of(message: WireMessage) -> str:
    """Returns a message's text."""
    return str(message.get("content") or "")


def size(messages: list[WireMessage]) -> int:
    """Returns the size of a request in tokens."""
    return EstimatingCounter().count(messages)


if __name__ == "__main__":
    main()
