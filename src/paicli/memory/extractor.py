"""Facts drawn out of a conversation: what the model proposes, and what of it the user really said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from paicli.errors import PaicliError
from paicli.memory.conversation import as_message, role_of
from paicli.memory.duplicates import fact_key
from paicli.memory.entry import MemoryEntry
from paicli.memory.facts.candidate import Candidate, parse
from paicli.memory.facts.grounding import GroundedFact, ground, meaningful_words
from paicli.memory.language import Language, language_of
from paicli.memory.message import Message
from paicli.memory.protocols import LanguageModel
from paicli.memory.tokens.estimate import estimate_tokens
from paicli.memory.window import cut_middle

ATTEMPTS = 2
"""How often a reply that can't be read is asked for again, the first time included."""
LONGEST_PIECE_TOKENS = 24_000
"""The most that one call reads; a longer conversation is looked through in pieces."""
_CONTEXT_CHARACTERS = 300

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


def extract(
    model: LanguageModel, entries: Sequence[MemoryEntry], max_piece_tokens: int = LONGEST_PIECE_TOKENS
) -> tuple[list[GroundedFact], int]:
    """Asks the model for the facts in a conversation; returns those the user said, and how many were rejected.

    Nothing is asked where the user said nothing. A reply that can't be read is asked for once more.

    Args:
        model: Is asked.
        entries: The conversation.
        max_piece_tokens: The most that one call reads.

    Raises:
        ExtractionFailed: No reply could be read.
    """
    said = [entry for entry in entries if role_of(entry) == "user" and entry.content.strip()]
    if not said:
        return [], 0
    candidates = [
        candidate for messages in requests(entries, max_piece_tokens) for candidate in _candidates(model, messages)
    ]
    facts = _distinct(filter(None, (ground(candidate, said) for candidate in candidates)))
    return facts, len(candidates) - len(facts)


def _candidates(model: LanguageModel, messages: Sequence[Message]) -> list[Candidate]:
    reason = ""
    for _ in range(ATTEMPTS):
        reply = model.chat(messages, purpose="facts")
        candidates = parse(reply.text or "")
        if candidates is not None and reply.finish_reason != "length":
            return candidates
        reason = "cut off" if reply.finish_reason == "length" else repr((reply.text or "")[:60])
    raise ExtractionFailed(reason=reason)


def requests(entries: Sequence[MemoryEntry], max_piece_tokens: int = LONGEST_PIECE_TOKENS) -> list[list[Message]]:
    """Returns the requests of an extraction: what user and assistant said; never tool output, summaries or recalled notes."""
    language = language_of(entry.content for entry in entries if role_of(entry) == "user")
    pieces: list[list[str]] = [[]]
    size = 0
    for line in _lines(entries, max_piece_tokens):
        tokens = estimate_tokens(line) + 1
        if size + tokens > max_piece_tokens and pieces[-1]:
            pieces.append([])
            size = 0
        pieces[-1].append(line)
        size += tokens
    asked = [piece for piece in pieces if any(line.startswith("User: ") for line in piece)]
    return [[Message("system", _PROMPTS[language]), Message("user", "\n".join(piece))] for piece in asked]


def _lines(entries: Iterable[MemoryEntry], max_tokens: int) -> Iterator[str]:
    for entry in entries:
        if role_of(entry) == "user" and entry.content.strip():
            yield cut_middle(f"User: {entry.content}", max_tokens, estimate_tokens)
        elif role_of(entry) == "assistant" and as_message(entry).text.strip():
            yield f"Assistant: {as_message(entry).text[:_CONTEXT_CHARACTERS]}"


def _distinct(facts: Iterable[GroundedFact]) -> list[GroundedFact]:
    """Returns the facts without those that others say as well: in other words, or with more of what was said."""
    kept: list[GroundedFact] = []
    for fact in facts:
        same = next((place for place, known in enumerate(kept) if _says_the_same(fact, known)), None)
        if same is None:
            kept.append(fact)
        elif meaningful_words(kept[same].content) < meaningful_words(fact.content):
            kept[same] = fact
    return kept


def _says_the_same(first: GroundedFact, second: GroundedFact) -> bool:
    if fact_key(first.content) == fact_key(second.content):
        return True
    if first.message_id != second.message_id or not (first.quote in second.quote or second.quote in first.quote):
        return False
    words, others = meaningful_words(first.content), meaningful_words(second.content)
    return bool(words and others) and (words <= others or others <= words)
