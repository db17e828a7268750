"""The language of a text: Chinese or English."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

Language = Literal["zh", "en"]
_HAN = re.compile(r"[㐀-䶿一-鿿豈-﫿]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def language_of(texts: Iterable[str], default: Language = "en") -> Language:
    """Returns the language most is said in: Han characters count against half as many Latin words (names are common)."""
    text = " ".join(texts)
    han, latin = len(_HAN.findall(text)), len(_LATIN_WORD.findall(text))
    if not han and not latin:
        return default
    return "zh" if han * 2 >= latin else "en"
