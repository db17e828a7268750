"""What a fact speaks of, told by its words: a rule, a preference, a person, a decision, the project."""

from __future__ import annotations

import re
from functools import lru_cache

from paicli.memory.entry import FactKind, MemoryEntry
from paicli.memory.scope import speaks_of_project

_RULE = re.compile(
    r"必须|务必|禁止|不允许|不准|不得|不要|别再|不能|一律|统一用|永远|以后都|以后.{0,12}都|总是|从不|始终"
    r"|\b(?:always|never|must(?: not)?|do not|don't|from now on)\b",
    re.IGNORECASE,
)
_PROFILE = re.compile(
    r"我叫|我的名字|我是|我在.{1,20}(?:工作|上班|做)|我住|用户(?:叫|名叫|的名字|姓名|是)"
    r"|\bmy name is\b|\bI am an?\b|\bI'm an?\b|\bI work (?:at|for|as)\b|\buser(?:'s name)? is\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"喜欢|偏好|偏爱|习惯|讨厌|更愿意|倾向|希望|想要|想用|保持|爱用|要求|优先|默认"
    r"|\b(?:prefer\w*|likes?|loves?|wants?|hates?|dislikes?|favou?rs?|keep|stick(?:s)? (?:to|with)|wishes|would rather)\b",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"决定|定了|选定|否决|敲定|改用|换成|换到|升(?:级)?到|迁(?:移)?到|弃用|放弃|停用|不再用|\b(?:decided|chose|chosen|rejected|agreed|switched to|moved to|upgraded|stopped using|settled on)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)
def classify(text: str) -> FactKind:
    """Returns what a statement speaks of, by its words in Chinese or English."""
    if _RULE.search(text):
        return FactKind.RULE
    if _PROFILE.search(text):
        return FactKind.PROFILE
    if _PREFERENCE.search(text):
        return FactKind.PROJECT if speaks_of_project(text) else FactKind.PREFERENCE
    if _DECISION.search(text):
        return FactKind.DECISION
    return FactKind.PROJECT if speaks_of_project(text) else FactKind.OTHER


def kind_of(entry: MemoryEntry) -> FactKind:
    """Returns what an entry speaks of: as it says itself, else by its words."""
    return entry.kind or classify(entry.content)
