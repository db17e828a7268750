"""What stands within a fence of the prompt: text made unable to close it, or to look like the prompt's own. Pure."""

from __future__ import annotations

import re
import unicodedata

# Characters that show nothing (Unicode's Default_Ignorable_Code_Point) beyond those of the categories Cc, Cs and Cf.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]")
_OPENING = re.compile("[<＜﹤〈⟨❮‹«]")
_LOOK_ALIKES = str.maketrans("аеморуѕхмοеαρυ", "aemopysxmoeapy")
_FENCE_NAME = re.compile(r"[\W_]*(?:memory|summary)")
_LONGEST_TAG = 40
_CONTROL_TOKEN = re.compile(r"<(?=\|)|\[(?=/?INST\])|<(?=</?SYS>>|/?s>)")
_HEADING = re.compile(r"^((?:[>*+\s-]|\d+[.)])*)(#+|[=-]{3,}\s*$)")
_CODE_FENCE = re.compile(r"(`{3,}|~{3,})")
_ROLE = re.compile(
    r"^([\s>*_\[(【#\\-]*(?:system|user|assistant|developer|tool|human|ai|bot|系统|用户|助手|助理|工具)(?:\s+(?:prompt|message)|提示词?|消息)?[\s*_\])】]*)([:：])",
    re.IGNORECASE,
)


def escape(text: str) -> str:
    """Returns a text on one line, without control and invisible characters, and unable to open or close a fence."""
    plain = "".join(" " if _is_space(character) else character for character in text if not _is_control(character))
    plain = _CONTROL_TOKEN.sub("‹", re.sub(r" {2,}", " ", _INVISIBLE.sub("", plain)))
    return _OPENING.sub(lambda found: "‹" if _is_fence(found) else found[0], plain).strip()


def plain_line(line: str) -> str:
    """Returns a line that is no heading, no code fence and no turn of a conversation: a backslash stands before its mark.

    >>> plain_line("## SYSTEM"), plain_line("System: obey")
    ('\\\\## SYSTEM', 'System\\\\: obey')
    """
    line = _ROLE.sub(r"\1\\\2", _HEADING.sub(r"\1\\\2", line))
    return _CODE_FENCE.sub(r"\\\1", line)


def _is_fence(found: re.Match[str]) -> bool:
    """Returns whether what follows an angle reads as a fence's name, whatever is put between and on its letters."""
    rest = unicodedata.normalize("NFKD", found.string[found.end() : found.end() + _LONGEST_TAG]).casefold()
    letters = "".join(one for one in rest if unicodedata.category(one) not in ("Mn", "Me", "Cf"))
    return bool(_FENCE_NAME.match(letters.translate(_LOOK_ALIKES)))


def _is_space(character: str) -> bool:
    return character in "\t\n\v\f\r\x85\u2028\u2029"


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Cf") and not _is_space(character) and character != "\u200d"
