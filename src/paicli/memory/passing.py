"""Passing remarks: questions, requests and what holds for the moment only. They are no facts."""

from __future__ import annotations

import re

from paicli.memory.entry import FactKind
from paicli.memory.kind import classify
from paicli.memory.words import MemoryQueryTokenizer

_NEGATION = re.compile(
    r"不(?![错过同仅但断论管妨])|(?<![特区级类分个性告辨识鉴])别|没(?!关系|问题)|勿|禁止|讨厌|拒绝|避免"
    r"|\b(?:not?|never|cannot|\w+n['’]t|hates?|dislikes?|avoid\w*|without|reject\w*|refuses?)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^\s*(?:那|那就|现在|先|顺便)?\s*(?:帮|请|麻烦|劳驾|能不能|能否|可不可以|给我|再|(?:please|can|could|would|create|make|write|show|fix|help)\b)",
    re.IGNORECASE,
)
_DURABLE = re.compile(
    r"以后|今后|永远|总是|每次|记|一律|都用|统一|始终|\b(?:always|never|from now on|every time|remember|whenever)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？]\s*$|(?:[吗么呢]|没有|是不是|对不对)\s*[。.!！]*\s*$")
_POLITE_END = re.compile(
    r"[，,。.\s]*(?:好|可以|行|成|ok|okay|can you|please)(?:吗|么|不|吧)?\s*[?？]\s*$", re.IGNORECASE
)
_OF_THE_MOMENT = re.compile(
    r"这次|这回|本次|这一次|暂时|临时|今天|刚才|先这样|\b(?:this time|for now|just this once|today|right now|for the moment)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"(?:喜欢|爱|讨厌|\b(?:prefer|like|love|hate|dislike)\b)\s*(?:你)?(?:这|那|刚才|上面|以上|(?:this|that|it|these|those|your|the way you|what you|how you)\b)",
    re.IGNORECASE,
)
_COUNT = re.compile(r"^\s*(?:有|共|已有|还有|there (?:is|are)|found)\s*\d", re.IGNORECASE)


def is_negated(text: str) -> bool:
    """Returns whether a text says that something is not so, or not wanted."""
    return bool(_NEGATION.search(text))


def is_passing(quote: str, clause: str, sentence: str) -> bool:
    """Returns whether a user's words are a question, a request, or hold for the moment only.

    Args:
        quote: The words.
        clause: The clauses they stand in: `帮我创建一个项目` where the words are `创建一个项目`.
        sentence: The sentence they stand in, with its end: it may be a question.
    """
    is_durable = bool(_DURABLE.search(sentence))
    if _QUESTION.search(_POLITE_END.sub("", sentence) if is_durable else sentence) or _QUESTION.search(quote):
        return True
    if _POINTING.search(quote) or _COUNT.search(quote):
        return True
    if not is_durable and (_REQUEST.match(clause) or _OF_THE_MOMENT.search(clause)):
        return True
    return classify(quote) is FactKind.OTHER and len(MemoryQueryTokenizer.tokenize(quote)) < 2
