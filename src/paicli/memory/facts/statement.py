"""Statements that are kept at once, by rule and without a model: 记一下 …, remember …, 我喜欢 …, I prefer …"""

from __future__ import annotations

import re

_NEGATED = re.compile(
    r"(?:不用|不要|不必|别|没|无需|不需要)\s*(?:帮我|给我)?\s*(?:记|remember)|\b(?:don't|do not|no need to|not) (?:\w+ )?remember",
    re.IGNORECASE,
)
_QUESTION_END = re.compile(
    r"(?:[?？]|吗|么|呢|没有|没|(?:怎么|如何|怎样)\S{0,6}|什么|哪里|哪个|多少|知道不|对不对|是不是)\s*[。.!！]*$"
)
_ASKING = re.compile(
    r"什么(?!\S{0,4}都)|(?<!不管|无论)(?:啥|哪(?!怕)|谁(?!都)|怎么(?!\S{0,3}都)|多少|几[个种])|(\w{1,2})不\1|喜不喜欢|爱不爱|还是(?!用|要|会|喜欢|习惯|按)"
)
_WHATEVER = re.compile(r"(?:不管|无论|不论)[^，,。]*")
_RECOLLECTION = re.compile(
    r"\bremember (?:when|how|what|why|who|where|whether|if|the time)\b|\b(?:do|can|did|will) you remember\b"
    r"|\bremember (?:that|this|the|those|these|my|our|your|me|him|her|them)\b[^?.!\n]*\?(?=\s|$)",
    re.IGNORECASE,
)
_PREFIX = re.compile(
    r"^(?:请|麻烦|那就|那|好[,，]?)?\s*(?P<when>以后|今后)?\s*(?:请)?(?:你|您)?\s*(?:帮我|给我|要|得)?\s*(?:记住|记一下|记下来|记下|记着|牢记)(?:[了啊吧哦]|一点)?[：:，,、\s]*(?P<said>.+)$"
    r"|^(?:please\s+|and\s+|ok[,.]?\s+)?(?:(?:remember(?!\s+me\b)|keep in mind)(?:\s+this)?(?:\s+that\b|\s*[:：,]|\s+to\s+(?=(?:always|never)\b)|\s(?!\s*to\b))|note(?:\s+that\b|\s*[:：]))\s*(?P<english>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_SUFFIX = re.compile(
    r"^(?P<said>.+?)[，,。；;、\s]*(?:请|麻烦)?(?:你|您)?(?:帮我|给我|要|得|先)?(?:记一下|记住|记下来|记下|记着)(?:[了啊吧哦呗]|这点|一点|这个|它)*[。.!！~～]*$"
    r"|^(?P<english>.+?)[,.;\s]+(?:and\s+)?(?:please\s+)?(?:remember|note|keep)\s+(?:that|this|it)(?:\s+in\s+mind)?(?:\s+please)?[.!]*$"
    r"|^(?P<plea>.+?)[,.;]\s*please\s+remember[.!]*$",
    re.IGNORECASE | re.DOTALL,
)
_LIKING = re.compile(
    r"^(?:对了|另外|其实|顺便说一句|顺便说|平时|一般|还有)?[，,\s]*我(?:个人|本人)?(?:比较|更加|更|最|很|特别|非常|挺|一直|一向|平时|通常|一般|现在|也|都|还是)*"
    r"(?:喜欢|偏好|偏爱|习惯|讨厌|不喜欢|不爱|爱)(?!上)"
    r"|^(?:by the way,?\s+|also,?\s+|in general,?\s+|personally,?\s+)?I\s+(?:(?:really|strongly|usually|always|generally|also|much|personally)\s+)*"
    r"(?:prefer|like|love|hate|dislike|don't like|do not like|can't stand)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"这次|这回|本次|这一次|暂时|临时|(?:^|[，,：:\s]|[我你那就])先(?:不|别|用|把|这样|试|跑|改)|待会|等会|一会儿|\b(?:this time|for now|right now|for the moment|just (?:this )?once)\b",
    re.IGNORECASE,
)
_TO_A_PLACE = re.compile(
    r"^(?:一?下)?\s*(?:日志|logs?|账|笔记|数据|结果|时间|错误|输出)\S{0,6}?\s*(?:到|进|在|写入|存到|放到|to|into|in)\s*\S",
    re.IGNORECASE,
)
_EMPTY_LIKING = re.compile(
    r"\bI (?:prefer|like|love|hate) (?:not to\b|how\b|where\b|when\b|what\b|you[.!]*$|to (?:know|see|ask|think)\b|the (?:idea|way|new|look|sound)\b)"
    r"|(?:喜欢|爱|讨厌)死?(?:你|您)们?[了哦啊呀哟]*[，,。.!！~～]*$|(?:喜欢|讨厌|爱)[了的啊呀哦]*[，,。.!！~～]*$|喜欢(?:就好|的话|不喜欢)|爱(?:怎么|咋|干嘛|谁)|习惯了[。.!！]*$|的话(?=[，,]|就|$)",
    re.IGNORECASE,
)
_OF_THE_MOMENT = re.compile(
    r"(?:喜欢|爱|讨厌|prefer|like|love|hate|dislike)\s*(?:你)?(?:这|那|刚才|上面|以上|(?:this|that|it|these|those|your|the way you|what you|how you)\b)"
    r"|(?:喜欢|偏好|爱|讨厌)\s*(?:第[一二三四五六七八九十\d]|前者|后者|方案\s*[A-Za-z\d一二三])"
    r"|\b(?:prefer|like|love|hate|dislike)\s+(?:(?:the\s+)?option\s+\w{1,2}\b"
    r"|the\s+(?:first|second|third|fourth|last|former|latter|other)(?:\s+(?:one|option|version|variant|approach|idea|way|solution|design|plan))?\s*[.!,]*\s*$)",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(?:帮|请|麻烦|能不能|能|可以|可不可以|给我|那你|你|所以你|现在|先|顺便|(?:so |and |but )?(?:can|could|would|will|please|now|let's|write|make|create|show|tell)\b)",
    re.IGNORECASE,
)
_NOTHING_SAID = re.compile(
    r"(?:请|麻烦|那|就|你|您|我|这个|那个|这|它|this|that|it|you|me|please|以后|今后|\s)*"
    r"|(?:nothing|none|n/?a|todo|tbd|无|没有|没什么|没事|空|暂无)[。.!！]*"
    r"|(?:日志|log|账|笔记|时间|流水)\S*?|(?:这|那)(?:个|些|条|段|件|次|一点)?\s*[^\s，,是用要]{0,8}"
    r"|我\s*(?:不)?(?:喜欢|偏好|偏爱|习惯|讨厌|爱)|i (?:prefer|like|love|hate|dislike|don't like|do not like)",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"(?<=[。！？!?\n；;])|(?<=[a-z0-9)][.])\s+(?=[A-Z\u4e00-\u9fff])")
_CLAUSES = re.compile(r"(?<=[，,])")


def statement_in(text: str) -> str | None:
    """Returns what a message asks to be remembered, in the user's own words; None where it asks for nothing like it.

    `"JDK 可以保持 17，你记一下"` gives `"JDK 可以保持 17"`; a question, a request and a liking of the moment
    (`"我挺喜欢这个改法，能顺便…"`) give None.
    """
    said = text.strip()
    if not said or said.startswith("/") or len(said) > 2_000:
        return None
    if _NEGATED.search(said) or _RECOLLECTION.search(said):
        return None
    return _asked_for(said) or _liking(said)


def _asked_for(said: str) -> str | None:
    for pattern in (_PREFIX, _SUFFIX):
        match = pattern.match(_without_questions(said))
        if match:
            named = match.groupdict()
            text = next(text for name, text in named.items() if text and name != "when")
            if _QUESTION_END.search(text) or _NOW.search(text) or _TO_A_PLACE.match(text):
                return None
            return _whole(_trimmed(f"{named.get('when') or ''}{text}"))
    return None


def _without_questions(said: str) -> str:
    """Returns a message without the questions and requests that follow what is to be remembered."""
    first, *others = [sentence for sentence in _SENTENCES.split(said) if sentence]
    kept = [one for one in others if not (_QUESTION_END.search(one.strip()) or _REQUEST.match(one.strip()))]
    return said if len(kept) == len(others) else "".join([first, *kept])


def _whole(statement: str) -> str | None:
    """Returns a statement that says something: more than a pronoun or a verb."""
    return None if _NOTHING_SAID.fullmatch(statement) else statement


def _liking(said: str) -> str | None:
    kept = [found for sentence in _SENTENCES.split(said) if (found := _liking_in(sentence))]
    return ("；" if any("一" <= c <= "鿿" for c in said) else "; ").join(kept) or None


def _liking_in(sentence: str) -> str | None:
    """Returns the clauses of a sentence from the liking on, up to a request; None for a question or a passing remark."""
    clauses = _CLAUSES.split(sentence.strip())
    if not _LIKING.match(sentence.strip()) or _OF_THE_MOMENT.search(clauses[0]) or _EMPTY_LIKING.search(clauses[0]):
        return None
    kept = [clauses[0]]
    for clause in clauses[1:]:
        if _REQUEST.match(clause.strip()):
            break
        kept.append(clause)
    statement = "".join(kept)
    if _QUESTION_END.search(statement) or _ASKING.search(_WHATEVER.sub("", statement)) or _NOW.search(statement):
        return None
    return _whole(_trimmed(statement))


def _trimmed(statement: str) -> str:
    return statement.strip().strip("，,。；;：:.!！ \t\n").strip()
