"""Standing rules: what the user has forbidden or demanded for the rest of the talk, until it is withdrawn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from paicli.memory.search.words import MemoryQueryTokenizer

LONGEST_RULE_CHARACTERS = 240
MOST_RULES_A_MESSAGE = 20
"""A pasted text may be full of such words."""
_SAME_WORDS = 0.5
"""From this share of a rule's words on a withdrawal speaks of it."""
_SAME_WORDS_ALLOWED = 0.75
"""From this share on a permission does."""

_RULE = re.compile(
    r"不要|不准|不许|不得|不可以|绝不|绝对不|禁止|严禁|切勿|请勿|勿|(?<![特区级类分个性告辨识鉴])别(?![人的处名墅致扭])|必须|务必|一定要|一律|只能|只许|只准"
    r"|以后都?|今后|始终|永远|总是|每次[^，,。]{0,12}?(?:要(?![等花好很])|得(?![到出等花])|先)|不能(?:直接(?!运行|打开|启动|连|访问)|随便|随意|擅自|私自)|(?:绝对?|千万|一定)不能|[只仅]允许|仅限|从现在起"
    r"|\b(?:never|always|must(?:n['’]t)?|from now on|at all times|under no circumstances|forbidden|prohibited|not allowed|shall not|may not)\b"
    r"|(?:^|[,;:]\s*|\b(?:please|and|but|so|you)\s+)(?:do not|don['’]t)\b"
    r"|(?:^|[,;:]\s*|\b(?:please|and|but|so|you)\s+)(?:avoid|use only|only (?:ever )?(?:use|write|answer|reply|commit|edit|touch|change|install))\b",
    re.IGNORECASE,
)
_NO_RULE = re.compile(
    r"[?？]\s*$|[吗么呢]\s*[。.!！]*\s*$|这次|这回|本次|暂时|临时|\b(?:this time|for now|just this once|for the moment)\b"
    r"|\bmust(?:n['’]t)? (?:be|have)(?: been)? (?:a|an|the|some|something|because|why)\b"
    r"|\b(?:it|this|that|he|she|they|i['’]ve|i have|has|have)\s+(?:\w+\s+)?(?:never|always)\b"
    r"|要不要|必不必须|不要紧|不得不|不得了|以后再(?:说|看|议)",
    re.IGNORECASE,
)
_CANCELS = re.compile(
    r"取消|撤销|撤回|收回|作废|废除|解除|不再(?:需要|要求|适用|禁止|必须|限制|有效)|不用再|不必再|忘掉|忘了|不算数"
    r"|\b(?:cancel|withdraw|withdrawn|revoke|lift|lifted|drop|forget|ignore|scrap|no longer|not any ?more|any ?more)\b",
    re.IGNORECASE,
)
_ALLOWS = re.compile(
    r"(?<!不)可以(?!不).*了|(?<![不只可才功性智就])能(?!不).*了|现在可以|允许.*了|\byou (?:may|can)\b.*\b(?:now|again)\b|\b(?:is|are) (?:now )?(?:ok|okay|fine|allowed)\b",
    re.IGNORECASE,
)
_EXCUSES = re.compile(
    r"(?:不用|不必|无需|不需要|可以不|用不着).*了|\b(?:no need to|(?:don['’]t|do not) (?:have|need) to)\b.*\b(?:now|any ?more)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"不要|不准|不许|不得|不可|不能|绝不|禁|勿|别|\b(?:never|not|\w+n['’]t|no|avoid|forbidden|prohibited)\b",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"这次|这回|本次|暂时|临时|\b(?:this time|for now|(?:just )?this once|for the moment)\b", re.IGNORECASE
)
_LANGUAGE = re.compile(
    r"(?:(?<=用)|(?<=\bin ))(?:中文|英文|日文|英语|日语|汉语|Chinese|English|Japanese|German|French|Spanish)",
    re.IGNORECASE,
)
_ABLE = re.compile(r"(?<![性功智可才])能")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ing|ed|s)$")
_NEGATED = re.compile(r"(?:不要|别|不能|不许|不准|不可以|勿|never|not|don['’]t)\s*(?:再|ever)?\s*$", re.IGNORECASE)
_POINTING = re.compile(
    r"刚才|上一条|那条|这条|前一条|最后一条|\b(?:that|this|last|previous) (?:rule|one|instruction|demand)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?:所有|全部|一切).{0,4}(?:规则|要求|限制|约定)|\ball (?:of )?(?:the |my |these |those )?(?:rules|instructions)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^。！？!?；;\n]+[。！？!?]?")
_ENGLISH_END = re.compile(r"(?<=[A-Za-z0-9)\"'`])\.(?=\s+\S|$)")
_CLAUSE = re.compile(r"[^，,、：:]+")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MARK_WORDS = (
    "不要 不准 不许 不得 禁止 严禁 必须 务必 一定 一律 以后 今后 始终 永远 总是 规则 要求 取消 撤销 撤回 不再 需要 可以 现在 never always must rule rules "
    "now on any more anymore cancel withdraw revoke lift lifted drop forget ignore scrap longer applies ok okay fine allowed again about don"
)


def rules_after(rules: Sequence[str], texts: Iterable[str]) -> list[str]:
    """Returns the rules that stand after the user has said these texts, oldest first: new ones in, withdrawn ones out.

    >>> rules_after(["不要动 legacy 目录"], ["提交前必须跑测试。", "legacy 目录的禁令取消"])
    ['提交前必须跑测试']
    """
    standing = list(rules)
    for text in texts:
        added = 0
        for sentence in _sentences(text):
            withdrawn = _withdrawn_by(sentence, standing)
            standing = [rule for rule in standing if rule not in withdrawn]
            rule = "" if withdrawn or added >= MOST_RULES_A_MESSAGE else rule_in(sentence)
            if rule:
                added += 1
                standing = [other for other in standing if not _is_replaced(other, rule)] + [rule]
    return standing


def rules_left(rules: Sequence[str], texts: Iterable[str]) -> list[str]:
    """Returns those of the rules that the user has not withdrawn in these texts."""
    after = set(rules_after(rules, texts))
    return [rule for rule in rules if rule in after]


def rule_in(sentence: str) -> str:
    """Returns the rule that a sentence of the user sets up; empty where it sets up none."""
    found = _RULE.search(sentence)
    if not found or _NO_RULE.search(sentence):
        return ""
    rule = sentence.strip().rstrip("。.!！ ")
    if len(rule) > LONGEST_RULE_CHARACTERS:
        rule = next((clause[0] for clause in _CLAUSE.finditer(sentence) if found.start() < clause.end()), "").strip()
    return rule if len(rule) <= LONGEST_RULE_CHARACTERS and rule != found[0] else ""


def _sentences(text: str) -> Iterator[str]:
    """Yields the sentences of what the user wrote himself: no code, no quotation."""
    plain = _FENCED.sub("\n", text)
    for line in plain.splitlines():
        if line.lstrip().startswith(">"):
            continue
        for part in _SENTENCE.findall(line):
            ends = [0, *(found.end() for found in _ENGLISH_END.finditer(part)), len(part)]
            yield from (piece for start, end in pairwise(ends) if (piece := part[start:end].strip()))


def _withdrawn_by(sentence: str, rules: Sequence[str]) -> list[str]:
    """Returns the rules that a sentence withdraws."""
    cancels, excuses, allows = (words.search(sentence) for words in (_CANCELS, _EXCUSES, _ALLOWS))
    found = cancels or excuses or allows
    if not rules or not found or _NEGATED.search(sentence[: found.start()]) or sentence.rstrip().endswith(("?", "？")):
        return []
    if _FOR_NOW.search(sentence):
        return []
    if not cancels:  # what is allowed was forbidden before, and what is let off was demanded
        rules = [rule for rule in rules if bool(_FORBIDS.search(rule)) is not bool(excuses)]
    if cancels and _ALL.search(sentence):
        return list(rules)
    words = _topic(sentence) | _topic(_ABLE.sub(" ", sentence))
    least = _SAME_WORDS if cancels else _SAME_WORDS_ALLOWED
    meant = [rule for rule in rules if (topic := _topic(rule)) and len(topic & words) >= least * len(topic)]
    return meant or (list(rules[-1:]) if cancels and _POINTING.search(sentence) else [])


def _is_replaced(old: str, new: str) -> bool:
    """Returns whether a new rule takes the place of an old one: the same one, or in another language to write in."""
    if old == new:
        return True
    is_same = bool(_LANGUAGE.search(new)) and _LANGUAGE.sub("", old) == _LANGUAGE.sub("", new)
    return is_same and not _FORBIDS.search(new)


def _topic(text: str) -> frozenset[str]:
    words = frozenset(MemoryQueryTokenizer.tokenize(text)) - _mark_words()
    return frozenset(_ENDING.sub("", word) for word in words)


@lru_cache(maxsize=1)
def _mark_words() -> frozenset[str]:
    return frozenset(MemoryQueryTokenizer.tokenize(_MARK_WORDS))


def rules_to_json(rules: Sequence[str]) -> str:
    """Returns rules as a JSON text, as metadata hold them."""
    return json.dumps(list(rules), ensure_ascii=False)


def rules_from_json(text: str | None) -> list[str]:
    """Returns the rules of a JSON text; none where it can't be read."""
    try:
        rows = json.loads(text or "[]")
    except ValueError:
        return []
    return [str(row) for row in rows] if isinstance(rows, list) else []
