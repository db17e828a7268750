"""Facts drawn out of a conversation: what the model proposes, and what of it the user really said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from paicli.errors import PaicliError
from paicli.memory.conversation import as_message, role_of
from paicli.memory.duplicates import fact_key
from paicli.memory.entry import USER_SCOPE, FactKind, MemoryEntry, MemoryType, Origin, Provenance
from paicli.memory.kind import classify
from paicli.memory.language import Language, language_of
from paicli.memory.message import Message
from paicli.memory.protocols import LanguageModel
from paicli.memory.words import MemoryQueryTokenizer, normalise

ATTEMPTS = 2
"""How often a reply that can't be read is asked for again, the first time included."""
_CONTEXT_CHARACTERS = 300
_GENERIC = frozenset(
    "用户 偏好 喜欢 使用 保持 要求 希望 想要 选择 需要 决定 版本 习惯 默认 采用 一直 记住 记 叫 名字 user users prefer prefers preferred preference "
    "use uses used using want wants like likes keep keeps kept stay stays stick sticks version named name called require requires need needs".split()
)
_NEGATION = re.compile(
    r"不|别|没|勿|禁止|讨厌|拒绝|\b(?:not?|never|don't|doesn't|hates?|dislikes?|avoid\w*|without|reject\w*)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^\s*(?:帮|请|麻烦|能不能|能否|可不可以|给我|再|(?:please|can|could|would|create|make|write|show|fix|help)\b)",
    re.IGNORECASE,
)
_DURABLE = re.compile(
    r"以后|今后|永远|总是|每次|记|一律|都用|始终|\b(?:always|never|from now on|every time|remember)\b", re.IGNORECASE
)
_QUESTION = re.compile(r"[?？]\s*$|[吗么呢]\s*$")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_HAN = re.compile(r"[一-鿿]")

_PROMPTS: dict[Language, str] = {
    "zh": """你负责从一段对话里挑出值得长期记住的事实：用户的偏好与习惯、用户的身份、长期有效的规则、项目的事实、已经定下的决策。
只认用户自己说过的话；助手说的、工具输出的、一次性的请求、提问、猜测都不算。
用用户的语言写，每条一句话，离开上下文也能看懂，名字、版本、数字照抄。
只输出 JSON：{"facts":[{"fact":"…","quote":"…","kind":"preference|rule|profile|project|decision"}]}
quote 必须逐字取自用户的某一句话。没有就输出 {"facts":[]}。

例：
User: 给订单服务加个缓存
Assistant: 好，用什么缓存？
User: 缓存我们统一用 Redis 7，以后回答我都简短点
输出：{"facts":[{"fact":"项目的缓存统一用 Redis 7","quote":"缓存我们统一用 Redis 7","kind":"project"},{"fact":"用户希望回答简短","quote":"以后回答我都简短点","kind":"rule"}]}""",
    "en": """You pick out of a conversation the facts worth remembering for good: the user's preferences and habits, who the user is,
standing rules, facts about the project, decisions taken.
Only what the user said counts; not what the assistant said or a tool printed, no one-off requests, questions or guesses.
Write in the user's language, one sentence each, understandable on its own; copy names, versions and numbers exactly.
Answer with JSON only: {"facts":[{"fact":"…","quote":"…","kind":"preference|rule|profile|project|decision"}]}
The quote is copied word for word from one of the user's messages. Where there is nothing: {"facts":[]}

Example:
User: add a cache to the order service
Assistant: Which cache?
User: we always use Redis 7 for caching, and keep your answers short from now on
Output: {"facts":[{"fact":"The project uses Redis 7 for caching","quote":"we always use Redis 7 for caching","kind":"project"},{"fact":"The user wants short answers","quote":"keep your answers short from now on","kind":"rule"}]}""",
}


class ExtractionFailed(PaicliError):
    """The model's reply could not be read as facts, several times."""

    code = "extraction-failed"
    sentence = "No facts could be drawn out: the model's reply can't be read ({reason}). The conversation is kept for the next try."


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact as the model proposes it; `quote` is empty where it gave none."""

    fact: str
    quote: str = ""
    kind: FactKind | None = None


@dataclass(frozen=True, slots=True)
class GroundedFact:
    """A fact with the user's words that say so, and the message they stand in."""

    content: str
    quote: str
    message_id: str
    kind: FactKind

    def as_entry(self, *, scope: str = USER_SCOPE, session: str = "") -> MemoryEntry:
        """Returns the entry that keeps this fact, with its provenance."""
        source = Provenance(session, self.message_id, self.quote)
        return MemoryEntry(
            self.content, MemoryType.FACT, scope=scope, origin=Origin.MODEL, kind=self.kind, source=source
        )


def extract(model: LanguageModel, entries: Sequence[MemoryEntry]) -> tuple[list[GroundedFact], int]:
    """Asks the model for the facts in a conversation; returns those the user said, and how many were rejected.

    Nothing is asked where the user said nothing. A reply that can't be read is asked for once more.

    Raises:
        ExtractionFailed: No reply could be read.
    """
    said = [entry for entry in entries if role_of(entry) == "user" and entry.content.strip()]
    if not said:
        return [], 0
    messages = request_messages(entries)
    reason = ""
    for _ in range(ATTEMPTS):
        reply = model.chat(messages, purpose="facts")
        candidates = parse(reply.text)
        if candidates is not None and reply.finish_reason != "length":
            facts = list(_distinct(_grounded(candidates, said)))
            return facts, len(candidates) - len(facts)
        reason = "cut off" if reply.finish_reason == "length" else repr(reply.text[:60])
    raise ExtractionFailed(reason=reason)


def request_messages(entries: Sequence[MemoryEntry]) -> list[Message]:
    """Returns the request of an extraction: what user and assistant said; never tool output, summaries or recalled notes."""
    language = language_of(entry.content for entry in entries if role_of(entry) == "user")
    lines = []
    for entry in entries:
        if role_of(entry) == "user":
            lines.append(f"User: {entry.content}")
        elif role_of(entry) == "assistant" and as_message(entry).text.strip():
            lines.append(f"Assistant: {as_message(entry).text[:_CONTEXT_CHARACTERS]}")
    return [Message("system", _PROMPTS[language]), Message("user", "\n".join(lines))]


def parse(reply: str) -> list[Candidate] | None:
    """Returns the candidates in a model's reply: JSON, fenced or amid prose, or a list with a fact a line.

    None where the reply starts as JSON and can't be read, or is empty.
    """
    text = re.sub(r"<think>.*?(?:</think>|\Z)", "", reply, flags=re.DOTALL).strip()
    if not text:
        return None
    for start in (match.start() for match in re.finditer(r"[{\[]", text)):
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(text[start:])
        except ValueError:
            continue
        if _is_list_of_facts(value):
            return list(_candidates(value))
    if re.search(r'[{\[]\s*["{\[]', text):
        return None
    lines = (re.sub(r"^\s*(?:[-*•·]|\d+[.、)）])\s*", "", line).strip() for line in text.splitlines())
    return [Candidate(line) for line in lines if line and not line.startswith("```")]


def _is_list_of_facts(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and all(isinstance(item, str | dict) for item in value))


def _candidates(value: object) -> Iterator[Candidate]:
    if isinstance(value, str) and value.strip():
        yield Candidate(value.strip())
    elif isinstance(value, list):
        for item in value:
            yield from _candidates(item)
    elif isinstance(value, dict):
        fact = _first_text(value, ("fact", "content", "text", "memory", "事实", "内容"))
        if fact:
            kind = _first_text(value, ("kind", "type", "category")).lower()
            known = FactKind(kind) if kind in FactKind._value2member_map_ else None
            yield Candidate(fact, _first_text(value, ("quote", "evidence", "source", "引用", "原话")), known)
        else:
            for item in value.values():
                yield from _candidates(item) if isinstance(item, list | dict) else ()


def _first_text(value: Mapping[str, object], keys: Iterable[str]) -> str:
    return next((str(value[key]).strip() for key in keys if isinstance(value.get(key), str)), "")


def _distinct(facts: Iterable[GroundedFact]) -> Iterator[GroundedFact]:
    seen: set[str] = set()
    for fact in facts:
        if fact_key(fact.content) not in seen:
            seen.add(fact_key(fact.content))
            yield fact


def _grounded(candidates: Iterable[Candidate], said: Sequence[MemoryEntry]) -> Iterator[GroundedFact]:
    for candidate in candidates:
        found = ground(candidate, said)
        if found:
            yield found


def ground(candidate: Candidate, said: Sequence[MemoryEntry]) -> GroundedFact | None:
    """Returns the candidate as a fact if the user's messages `said` bear it out; None where they don't.

    A quote must stand in one of the messages, whatever its spacing and punctuation. Without a quote the messages are
    looked through for one that has the fact's words. Numbers must be the user's. A question and a one-off request are
    no fact. Where the model lost a negation or the names, the user's own words stand in.
    """
    entry, quote = _quoted(candidate, said) if candidate.quote else _supporting(candidate.fact, said)
    if entry is None or _is_passing(quote):
        return None
    numbers = set(_NUMBER.findall(normalise(candidate.fact)))
    if not numbers <= set(_NUMBER.findall(normalise("\n".join(one.content for one in said)))):
        return None
    content = candidate.fact if _is_faithful(candidate.fact, quote) else quote.strip("，,。.；; \n")
    return GroundedFact(content, quote, entry.id, candidate.kind or classify(content))


def _quoted(candidate: Candidate, said: Sequence[MemoryEntry]) -> tuple[MemoryEntry | None, str]:
    key = _folded(candidate.quote)
    if len(key) < 2:
        return None, ""
    found = next((entry for entry in reversed(said) if key in _folded(entry.content)), None)
    return found, candidate.quote


def _supporting(fact: str, said: Sequence[MemoryEntry]) -> tuple[MemoryEntry | None, str]:
    """Returns the message and its sentence that has most of the fact's words: at least half, and all its Latin ones."""
    words = meaningful_words(fact)
    everything = set().union(*(MemoryQueryTokenizer.tokenize(entry.content) for entry in said))
    if not words or any(word.isascii() and word not in everything for word in words):
        return None, ""
    best: tuple[float, MemoryEntry | None, str] = (0.0, None, "")
    for entry in said:
        for sentence in re.split(r"(?<=[。！？!?\n])", entry.content):
            share = len(words.intersection(MemoryQueryTokenizer.tokenize(sentence))) / len(words)
            if share >= max(best[0], 0.5):
                best = (share, entry, sentence.strip())
    return best[1], best[2]


def meaningful_words(text: str) -> frozenset[str]:
    """Returns the words of a statement that tell it from others: without who says it and that it is a preference."""
    return frozenset(MemoryQueryTokenizer.tokenize(text)) - _GENERIC


def _is_passing(quote: str) -> bool:
    if _QUESTION.search(quote):
        return True
    return bool(_REQUEST.match(quote)) and not _DURABLE.search(quote)


def _is_faithful(fact: str, quote: str) -> bool:
    """Returns whether a fact keeps the polarity of the user's words, and their names where it is in another language."""
    if bool(_NEGATION.search(quote)) and not _NEGATION.search(fact):
        return False
    if _HAN.search(quote) and not _HAN.search(fact):
        return not any(_HAN.search(word) for word in meaningful_words(quote))
    return True


def _folded(text: str) -> str:
    return "".join(character for character in normalise(text).casefold() if character.isalnum())
