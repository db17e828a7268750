"""Makes requests of known kinds for the measurement of token counts: Chinese, English, mixed, code, JSON."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

Request = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Rendered messages, and tool schemas."""

CHINESE = """
今天下午{who}把{thing}的方案重新整理了一遍，主要改动在第{n}节，请大家有空的时候看一下。
{place}这几天一直下雨，路上很堵，我{n}点才到公司，错过了早上的例会。
我更喜欢先写测试再写实现，这样重构的时候心里有底，也不容易漏掉边界情况。
{who}问我周末有没有时间一起去{place}爬山，我说要看孩子的兴趣班安排。
请记住：生产环境的{thing}不能直接修改，必须先提交变更申请，再由值班同事审核。
昨晚睡得不好，翻来覆去想着{thing}的事情，凌晨{n}点才迷迷糊糊睡着。
这本书讲的是一个普通家庭三代人的命运，语言朴素，却让人读完久久不能平静。
{thing}的延迟从{n}毫秒涨到了{m}毫秒，怀疑是缓存失效之后大量请求打到了数据库。
妈妈做的红烧排骨特别香，酱油、冰糖、八角、桂皮，小火慢炖一个多小时。
如果预算不够，可以先砍掉{thing}的二期功能，把核心流程做稳，再逐步迭代。
医生建议少吃油腻辛辣的食物，多喝温水，每天坚持散步半小时，{m}天后复查。
我在{place}读的大学，学的是机械制造，毕业以后才转行做软件，现在已经{n}年了。
我们团队一共{n}个人，后端占一半，其余是前端、测试和运维，{who}负责整体协调。
别忘了给{who}回邮件，他上周提的那几个问题，客户那边催得很紧。
古人说“读万卷书，行万里路”，可现实里大多数人既没时间读书，也没钱远行。
{place}的博物馆新开了青铜器展览，门票{m}元，需要提前在公众号上预约。
日志里反复出现连接超时的错误，排查后发现是防火墙规则把{thing}的端口封了。
孩子最近迷上了恐龙，天天缠着我讲霸王龙和三角龙的故事，还要画在墙上。
合同第{n}条约定，逾期付款每日按应付金额的万分之五支付违约金，双方均无异议。
健身教练让我把深蹲的重量降下来，先把动作做标准，膝盖不要内扣，腰背挺直。
这次升级之后内存占用下降了大约三分之一，不过启动时间反而变长，需要继续分析原因。
窗外的桂花开了，风一吹满屋子都是甜甜的香味，猫趴在阳台上懒洋洋地晒太阳。
{who}认为{thing}应该拆成独立的服务，我担心运维成本太高，最后决定先做模块化。
股市连续下跌，邻居老王说再也不碰基金了，可第二天又偷偷补了仓。
面试的时候考官问了哈希表冲突的处理办法、事务隔离级别，还有一道动态规划。
下个月要去{place}出差，酒店帮我订离地铁近一点的，最好含早餐，预算每晚{m}以内。
海边的渔民凌晨就出海，赶在日出之前收网，运气好的时候能捕到肥美的带鱼和鲳鱼。
根据气象台的预报，受冷空气影响，未来三天气温将骤降，局部地区有雨夹雪，请注意保暖。
用户反馈在弱网环境下图片上传经常失败，建议增加断点续传，并且给出明确的提示。
奶奶的收音机坏了，修理铺的师傅说零件早就停产，只好从旧货市场淘了一台回来。
"""

CHINESE_NAMES = "小林 张伟 王老师 陈姐 李工 赵敏 周经理 刘洋 欧阳 老胡".split()
CHINESE_THINGS = "支付网关 订单系统 推荐算法 登录页面 数据仓库 会员模块 搜索服务 审批流程 库存接口 监控平台".split()
CHINESE_PLACES = "杭州 成都 青岛 西安 深圳 哈尔滨 苏州 昆明 长沙 厦门".split()

ENGLISH = """
{who} rewrote the {thing} this afternoon; most of the change is in section {n}, so please have a look when you can.
It has been raining in {place} for days, and I missed the stand-up because the train was {n} minutes late.
I prefer writing the test before the code: refactoring is calmer and fewer edge cases slip through.
We shouldn't touch the {thing} in production without a change request that somebody on call has approved.
Latency of the {thing} rose from {n} to {m} milliseconds, probably because the cache expired everywhere at once.
My grandmother's recipe takes two onions, a handful of thyme, stock, butter and rather more patience than I have.
If the budget doesn't stretch, let's drop the second phase and make the core of the {thing} dependable first.
The doctor recommended walking half an hour a day, less salt, and another appointment in {m} days.
I studied mechanical engineering in {place}, worked at a shipyard for {n} years, and only then moved to software.
Don't forget to answer {who}'s e-mail: the customer has been asking about those three questions since Monday.
The museum's new exhibition of bronze vessels costs {m} and has to be booked beforehand on the website.
The log repeats a connection timeout; it turned out that the firewall had blocked the port of the {thing}.
Our youngest is obsessed with dinosaurs and insists on drawing the tyrannosaurus on the living-room wall.
Clause {n} of the contract says that late payment costs five hundredths of a percent of the amount due per day.
After the upgrade, memory went down by about a third, yet start-up takes noticeably longer than it used to.
Through the open window came the smell of wet leaves, and the cat stretched out lazily on the warm sill.
{who} believes the {thing} should become a service of its own; I worry about what it costs to operate.
Interviewers asked about hash collisions, isolation levels, and a dynamic-programming puzzle about stairs.
Next month I'm travelling to {place}; a hotel near the station with breakfast would be ideal, under {m} a night.
Fishermen leave long before dawn, hoping to haul in their nets while the sea is still as smooth as glass.
According to the forecast, temperatures will drop sharply, with sleet in places, so dress warmly.
Users on slow networks report that uploading pictures often fails; resuming and a clear message would help.
"""
ENGLISH_NAMES = "Alice Bob Carol Daniel Eleanor Farid Giulia Hiroshi Ines Jonathan".split()
ENGLISH_THINGS = [
    "payment gateway",
    "order service",
    "recommender",
    "login page",
    "warehouse",
    "search index",
    "approval flow",
]
ENGLISH_PLACES = "Hamburg Lisbon Edinburgh Kyoto Montreal Melbourne Bergen Seattle".split()

MIXED = """
把 {path} 里的 `{identifier}` 改成异步的，记得处理 TimeoutError，超时设为 {n} 秒。
我用 Spring Boot {n}.{n} 和 JDK 17 跑了一遍，`mvn test` 有 {n} 个用例失败，都在 {identifier} 里。
API 返回 HTTP {m}，response body 是空的，怀疑 nginx 的 proxy_read_timeout 太小。
Docker image 太大了（{m} MB），建议用 multi-stage build，base 换成 python:3.11-slim。
请在 README 里加一节 Quick Start，说明怎么设置 `{constant}` 环境变量。
这个 PR 的 diff 有点大，先 review {path}，{identifier} 的 naming 我觉得可以再讨论。
The error says `{identifier}` 未定义，但是我明明在 {path} 里 import 了，是不是 circular import？
CPU usage 一直在 {n}% 左右，用 py-spy 看 flame graph，热点在 JSON serialization。
"""
WORDS = """account amount archive batch buffer cache cancel channel client column commit config context count cursor data
default delete entry error event fetch field filter flush format frame group handle header history index insert item job
key label limit list load lock log manager map match memory merge message model node object offset order owner page parse
path payment pool price process query queue record reply report request result retry row rule save scope search session
shard size sort source split stack state status store stream string table task text time token total trace type update
user value version view window worker write""".split()

PROMPTS = (
    "你是一个在终端里工作的编程助手。先读相关文件，再动手修改；说明你做了什么，不确定时先问。",
    "You are a programming assistant in a terminal. Read before you change, say what you did, and ask when unsure.",
)


def slots(random: Random, *, chinese: bool) -> dict[str, Any]:
    """Returns values for the gaps in the sentences."""
    names, things, places = (
        (CHINESE_NAMES, CHINESE_THINGS, CHINESE_PLACES) if chinese else (ENGLISH_NAMES, ENGLISH_THINGS, ENGLISH_PLACES)
    )
    words = random.sample(WORDS, 3)
    return {
        "who": random.choice(names),
        "thing": random.choice(things),
        "place": random.choice(places),
        "n": random.randint(2, 12),
        "m": random.randint(13, 999),
        "path": f"src/{words[0]}/{words[1]}_{words[2]}.py",
        "identifier": random.choice([f"{words[0]}{words[1].title()}{words[2].title()}", "_".join(words)]),
        "constant": "_".join(words[:2]).upper(),
    }


def prose(random: Random, sentences: str, *, chinese: bool, count: int) -> str:
    """Returns so many sentences, in paragraphs; each only comes again when all have been used."""
    pool: list[str] = []
    text = ""
    for number in range(count):
        pool = pool or random.sample(sentences.strip().splitlines(), sentences.strip().count("\n") + 1)
        gap = "\n\n" if number % 5 == 4 else "" if chinese else " "
        text += pool.pop().format(**slots(random, chinese=chinese)) + gap
    return text.strip()


def chinese(random: Random) -> str:
    return prose(random, CHINESE, chinese=True, count=random.randint(3, 40))


def english(random: Random) -> str:
    if random.random() < 0.5:  # the interpreter's own documentation, which is at hand everywhere
        return _part(random, _topics())
    return prose(random, ENGLISH, chinese=False, count=random.randint(3, 40))


def mixed(random: Random) -> str:
    kinds = [lambda: prose(random, MIXED, chinese=True, count=random.randint(3, 12)), lambda: chinese(random)[:300]]
    kinds += [lambda: english(random)[:300], lambda: "```python\n" + code(random)[:400] + "\n```"]
    return "\n".join(random.choices(kinds, weights=[4, 2, 1, 1])[0]() for _ in range(random.randint(2, 8)))


def code(random: Random) -> str:
    """Returns a piece of the standard library, which is at hand everywhere, or of a made-up TypeScript file."""
    if random.random() < 0.6:
        return _part(random, _library()[random.randrange(len(_library()))])
    return "\n".join(_function(random) for _ in range(random.randint(3, 25)))


def json_text(random: Random) -> str:
    rows = [_row(random) for _ in range(random.randint(5, 40))]
    return json.dumps(rows, ensure_ascii=False, indent=random.choice([None, 2, 2, 4]))


KINDS: dict[str, Callable[[Random], str]] = {
    "Chinese": chinese,
    "English": english,
    "mixed": mixed,
    "code": code,
    "JSON": json_text,
}


def messages_of(random: Random, kind: str) -> Iterator[dict[str, Any]]:
    """Yields one round of a conversation: a question, perhaps a tool call with its result, an answer."""
    text = KINDS[kind]
    asks = {"Chinese": "请看一下下面的内容。\n", "mixed": "帮我 review 一下：\n"}.get(kind, "Please look at this.\n")
    if kind in ("code", "JSON") or random.random() < 0.3:
        path = slots(random, chinese=False)["path"]
        function = {"name": "read_file", "arguments": json.dumps({"path": path})}
        identifier = f"call_{random.randbytes(12).hex()}"
        yield {"role": "user", "content": asks + path}
        yield {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": identifier, "type": "function", "function": function}],
        }
        yield {"role": "tool", "tool_call_id": identifier, "content": text(random)}
    else:
        yield {"role": "user", "content": asks + text(random)}
    yield {"role": "assistant", "content": text(random)}


def request(random: Random, kind: str, *, characters: int) -> Request:
    """Returns a request of about so many characters."""
    messages = [{"role": "system", "content": random.choice(PROMPTS)}]
    size = 0
    while size < characters:
        new = list(messages_of(random, kind))
        messages += new
        size += sum(len(message["content"]) for message in new)
    messages.append({"role": "user", "content": "继续" if kind in ("Chinese", "mixed") else "Go on."})
    return messages, schemas() if random.random() < 0.5 else []


def schemas() -> list[dict[str, Any]]:
    """Returns the schemas of a few tools."""
    texts = {
        "read_file": ("Reads a text file of the project.", ["path", "first_line", "last_line"]),
        "write_file": ("写入文件；没有的文件夹会自动创建。", ["path", "content"]),
        "execute_command": (
            "Runs a shell command and returns its output and exit status.",
            ["command", "timeout_seconds"],
        ),
    }
    return [_schema(name, text, names) for name, (text, names) in texts.items()]


def _schema(name: str, text: str, names: list[str]) -> dict[str, Any]:
    properties = {name: {"type": "string", "description": f"The {name.replace('_', ' ')}."} for name in names}
    parameters = {"type": "object", "properties": properties, "required": names[:1]}
    return {"type": "function", "function": {"name": name, "description": text, "parameters": parameters}}


@cache
def _topics() -> str:
    from pydoc_data.topics import topics  # type: ignore[import-not-found, unused-ignore]

    return "\n\n".join(topics[name] for name in sorted(topics))


@cache
def _library() -> list[str]:
    names = (
        "argparse ast calendar configparser csv datetime decimal difflib heapq imaplib json/decoder logging/handlers"
    )
    names += " mailbox pathlib pickle queue shutil smtplib socket statistics tarfile textwrap threading typing zipfile"
    paths = [Path(sysconfig.get_path("stdlib")) / f"{name}.py" for name in names.split()]
    return [path.read_text("utf-8") for path in paths if path.is_file()]


def _part(random: Random, text: str) -> str:
    start = random.randrange(max(1, len(text) - 6000))
    return text[start : start + random.randint(500, 6000)]


def _function(random: Random) -> str:
    a, b, c, d = random.sample(WORDS, 4)
    return f"""
export async function {a}{b.title()}({c}: {b.title()}{d.title()}[], options?: {{ {d}?: number }}): Promise<{b.title()}> {{
  const {d}By{a.title()} = new Map<string, {b.title()}{d.title()}>();
  for (const {b} of {c}) {{
    if (!{b}.{d} || {b}.{a} === {random.randint(0, 99)}) continue;
    {d}By{a.title()}.set(`{a}-${{{b}.id}}`, {{ ...{b}, {a}: {b}.{a} ?? {random.randint(1, 5000)} }});
  }}
  return await this.{c}Client.{random.choice(WORDS)}("/api/v1/{a}s", {{ {d}: options?.{d} ?? 0 }}); // {b} {c}
}}"""


def _row(random: Random) -> dict[str, Any]:
    a, b = random.sample(WORDS, 2)
    row: dict[str, Any] = {
        "id": random.choice([random.randint(1, 10**6), random.randbytes(8).hex()]),
        "createdAt": f"2025-{random.randint(1, 12):02}-{random.randint(1, 28):02}T08:{random.randint(0, 59):02}:00Z",
        f"{a}_{b}": round(random.uniform(0, 1000), random.randint(0, 4)),
        "status": random.choice(["ok", "failed", "pending"]),
        "tags": random.sample(WORDS, random.randint(0, 4)),
        "owner": {"name": random.choice(ENGLISH_NAMES + CHINESE_NAMES), "active": random.random() < 0.5, "note": None},
    }
    if random.random() < 0.3:
        row["remark"] = prose(random, random.choice([ENGLISH, CHINESE]), chinese=False, count=1)
    return row
