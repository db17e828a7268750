"""Every sentence of the interface in Chinese and English, by code.

A code is `TOPIC.NAME`; the topic is a module of this package that is loaded when it is first needed. Its `TEXTS` gives
the two wordings side by side, so that none can be missing. `{count:fact|facts}` is a number with its noun.
"""

from __future__ import annotations

from importlib import import_module

from paicli.cli.escape import visible
from paicli.cli.language import Language

Wordings = dict[str, tuple[str, str]]
"""Code → Chinese, English."""


class Amount(int):
    """A number that can bring its noun: `{count:fact|facts}`; every other format is that of `int`."""

    def __format__(self, spec: str) -> str:
        if "|" not in spec:
            return super().__format__(spec)
        one, many = spec.split("|")
        return f"{int(self):,} {one if self == 1 else many}"


def has_sentence(code: str) -> bool:
    """Returns whether there is a sentence with this code."""
    topic, _, name = code.partition(".")
    return name in _wordings(topic)


def sentence(code: str, language: Language, /, **values: object) -> str:
    """Returns the sentence of a code in a language, its values made safe to print.

    Raises:
        KeyError: There is no such code.
    """
    topic, _, name = code.partition(".")
    template = _wordings(topic)[name][0 if language == "zh" else 1]
    return template.format_map(_Printable(values))


def _wordings(topic: str) -> Wordings:
    wordings: Wordings = import_module(f"{__name__}.{topic}").TEXTS
    return wordings


class _Words(str):
    """A text, whatever format a number in its place would have had."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return str(self)


class _Printable(dict[str, object]):
    """The values of a sentence, safe to print; one that nobody gave is a question mark, for a line must always come."""

    def __getitem__(self, key: str) -> object:
        value = self.get(key, "?")
        if isinstance(value, int) and not isinstance(value, bool):
            return Amount(value)
        return value if isinstance(value, float) else _Words(visible(str(value)))
