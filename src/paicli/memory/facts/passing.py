"""Passing remarks: questions, requests, guesses, hearsay, and what holds for the moment only. They are no facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from paicli.memory.facts.request import begins_anew, is_request
from paicli.memory.facts.utterance import (
    is_about_others,
    is_durable,
    is_guess,
    is_hearsay,
    is_hypothetical,
    is_just_done,
    is_of_a_day,
    is_of_the_moment,
    is_pasted,
    is_plea,
    is_question,
    says_only_durable,
)

_NEGATION = re.compile(
    r"不(?![错过同仅但断论管妨])|(?<![特区级类分个性告辨识鉴])别|没(?!关系|问题)|勿|禁止|讨厌|拒绝|避免"
    r"|\b(?:not?|never|cannot|\w+n['’]t|hates?|dislikes?|avoid\w*|without|reject\w*|refuses?|forbid\w*)\b",
    re.IGNORECASE,
)
_REVERSAL = re.compile(
    r"不再|停(?:用|掉|止)|弃用|放弃|废弃|淘汰|去掉|移除|下线|取消|换(?:掉|成|到|为|回)|改(?:成|用|为|到|回)|迁(?:移)?(?:到|至)|升(?:级)?(?:到|成)|降(?:级)?(?:到|成)|切(?:换)?(?:到|成)"
    r"|以前|之前用|曾经?|原来|原先|过去"
    r"|\b(?:stopp?(?:ed|s|ing)?|quit|gave up|giving up|dropp(?:ed|ing)|removed|abandoned|ditched|deprecated|retired|replac(?:ed|ing)|used to|formerly|previously"
    r"|no longer|any ?more|instead of|(?:moved|switched|migrated|changed|upgraded|downgraded)\s+(?:\w+\s+)?(?:away|off|from|to|over))\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"(?:喜欢|爱|讨厌|\b(?:prefer|like|love|hate|dislike)\b)\s*(?:你)?(?:这|那|刚才|上面|以上|(?:this|that|it|these|those|your|the way you|what you|how you)\b)"
    r"|(?:喜欢|爱|讨厌)\s*(?:第[一二三四五六七八九十\d]|前者|后者|方案\s*[A-Za-z\d一二三])"
    r"|\b(?:prefer|like|love|hate|dislike)\s+(?:(?:the\s+)?option\s+\w{1,2}\b"
    r"|the\s+(?:first|second|third|fourth|last|former|latter|other)(?:\s+(?:one|option|version|variant|approach|idea|way|solution|design|plan))?\s*[.!,]*\s*$)",
    re.IGNORECASE,
)
_COUNT = re.compile(r"^\s*(?:有|共|已有|还有|there (?:is|are)|found)\s*\d", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[。！？!?\n；;]|(?<=[a-z0-9])\.(?=\s|$)")
_CLAUSE_END = re.compile(r"[，：。！？!?\n；;]|,(?!\d)|:(?![\d/\\])|(?<=[a-z0-9])\.(?=\s|$)")
_CLOSED_FENCE = re.compile(r"[^\n]*\n?\s*```.*?```", re.DOTALL)
LONGEST_SENTENCE = 1_000
"""What has more characters without an end is nothing that a person has said in a sentence."""
_TAG_LENGTH = 8
"""A question of so many characters behind a statement asks for its confirmation: 行吗, right?"""
_DAY_LENGTH = 12
"""A clause of so many characters that names a day says when what follows it is: 明天下午, …"""
_YOURS = re.compile(r"^\W*(?:你|您)呢|^\W*(?:and|what about|how about) you\b", re.IGNORECASE)
_PLEA = re.compile(r"[吧呗]\s*[。.!！~]*\s*$")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a message: where it is, and the sentence it belongs to.

    Args:
        message: The whole message.
        start: Where the clause begins in it.
        end: Where it ends, its mark included.
        first: Where the sentence begins.
        last: Where the sentence ends, its mark included.
    """

    message: str
    start: int
    end: int
    first: int
    last: int

    @property
    def text(self) -> str:
        """The words of the clause, with its mark."""
        return self.message[self.start : self.end]

    @property
    def others(self) -> list[str]:
        """The other clauses of the sentence."""
        return [self.message[start:end] for start, end in self._siblings(self.last) if start != self.start]

    @property
    def earlier(self) -> list[str]:
        """The clauses of the sentence before this one."""
        return [self.message[start:end] for start, end in self._siblings(self.start)]

    def _siblings(self, end: int) -> Iterator[tuple[int, int]]:
        return ((start, stop) for start, stop in _clause_spans(self.message, self.first, self.last) if start < end)


def is_negated(text: str) -> bool:
    """Returns whether a text says that something is not so, or not wanted."""
    return bool(_NEGATION.search(text))


def is_reversal(text: str) -> bool:
    """Returns whether a text says that something has changed, or is over: 不再, 改成, stopped, no longer."""
    return bool(_REVERSAL.search(text))


def sentence_ends(text: str) -> list[int]:
    """Returns where the sentences of a text end, the last one at its end."""
    return [*(found.end() for found in _SENTENCE_END.finditer(text)), len(text)]


def clauses(message: str, start: int, end: int) -> Iterator[Clause]:
    """Yields the clauses of a message that have something of what stands from `start` to `end`, in order."""
    first = 0
    for last in sentence_ends(message):
        if first < end and last > start:
            for begin, stop in _clause_spans(message, first, last):
                if begin < end and stop > start:
                    yield Clause(message, begin, stop, first, last)
        first = last


def _clause_spans(message: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    for stop in [*(found.end() for found in _CLAUSE_END.finditer(message, first, last)), last]:
        if first < stop:
            yield first, stop
        first = stop


def is_passing(clause: Clause) -> bool:
    """Returns whether a clause is no lasting statement of the user's: a question, a request, a guess, hearsay, pasted."""
    text = clause.text
    if clause.last - clause.first > LONGEST_SENTENCE:
        return True
    if _POINTING.search(text) or _COUNT.search(text) or is_plea(text):
        return True
    if _is_shown(clause) or is_hearsay("".join([*clause.earlier, text])) or is_about_others(text):
        return True
    is_lasting = is_durable(text) or any(map(says_only_durable, clause.others))
    if _is_asked(clause, is_lasting=is_lasting) or is_guess(_PLEA.sub("", text) if is_lasting else text):
        return True
    if is_lasting:
        return False
    return (
        is_of_the_moment(text)
        or (is_just_done(text) and not is_reversal(text) and "决定" not in text)
        or any(len(one) <= _DAY_LENGTH and is_of_a_day(one) for one in clause.earlier)
        or is_hypothetical("".join([*clause.earlier, text]))
        or any(len(one) <= _TAG_LENGTH and is_guess(one) for one in clause.earlier)
        or is_request(text)
        or (any(map(is_request, clause.earlier)) and not begins_anew(text))
    )


def _is_shown(clause: Clause) -> bool:
    before = _CLOSED_FENCE.sub("", clause.message[: clause.end])
    line = clause.message[: clause.end].rstrip("\n").rpartition("\n")[2]
    return is_pasted(before, line)


def _is_asked(clause: Clause, *, is_lasting: bool) -> bool:
    """Returns whether a clause is a question, or what a short question behind it asks about."""
    tail = clause.message[clause.end : clause.last]
    if is_question(clause.text, polite=is_lasting and not tail.strip()):
        return True
    is_tag = bool(tail.strip()) and len(tail.strip()) <= _TAG_LENGTH and is_question(tail)
    return is_tag and not is_lasting and not _YOURS.match(tail)
