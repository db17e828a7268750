"""Atoms: what of a text must survive word for word: paths, URLs, names of code, versions, numbers with what they count."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

LONGEST_ATOM_CHARACTERS = 200
"""What is longer is a text, not a name."""
_LONGEST_CODE_CHARACTERS = 60
_LABEL_REACH = 40
"""So many characters before a number are looked at for the word that says what it is."""

_EXTENSIONS = (
    "bash|bat|c|cc|cfg|conf|cpp|cs|css|csv|db|env|go|gradle|h|hpp|html?|ini|ipynb|jar|java|jpe?g|jsx?|json[cl]?|kts?|lock|log|lua|md|mjs|"
    "parquet|pdf|php|pkl|png|properties|proto|ps1|py|rb|rs|rst|scala|service|sh|sql|sqlite|svg|swift|tar|gz|tf|toml|tsx?|txt|vue|whl|xlsx?|"
    "xml|ya?ml|zip"
)
_UNITS = (
    "milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|tokens?|bytes?|rows?|requests?|connections?|threads?|workers?|cores?|"
    "retries|attempts|replicas?|shards?|partitions?|users?|times|ms|µs|us|ns|s|sec|min|h|[KMGT]i?B|[kKMGT]bps|[kMG]?Hz|[kK]|QPS|qps|rps|TPS|"
    "px|pt|em|kg|km|cm|mm|USD|RMB|CNY|EUR|℃|°C|%|％|‰|万亿|亿|万|元|美元|毫秒|微秒|秒钟?|分钟|小时|天|周|个月|月|年|次|条|行|列|个|台|核|人|块|倍|"
    "字节|字符|线程|并发|副本|分片|分区|连接|节点|字"
)
_HAN = "㐀-䶿一-鿿豈-﫿"
_TEXT_END = rf"\s<>\"'`|，。；、！？：（）【】《》「」“”‘’{_HAN}"

_ATOM = re.compile(
    rf"""
      (?<![A-Za-z0-9+.-])(?P<url>[A-Za-z][A-Za-z0-9+.-]*://[^{_TEXT_END}]+)
    | `(?P<code>[^`\n]{{2,{_LONGEST_CODE_CHARACTERS}}})`
    | (?<![\w.+-])(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?::[\w./-]+)?)
    | (?<![\w.-])(?P<setting>[A-Za-z_][\w.-]*=(?![=>])[^{_TEXT_END},;()\[\]]+)
    | (?<!\w)(?P<drive>[A-Za-z]:\\[^{_TEXT_END},;]+)
    | (?<![\w/.~@:-])(?P<path>(?:~|\.{{1,2}})?/[\w.@+%$-]+(?:/[\w.@+%${{}}*-]+)*/?)
    | (?<![\w/.@-])(?P<relative>@?[\w.-]+(?:/[\w.@+-]+)+/?)(?![\w/])
    | (?<![\w-])(?P<uuid>[0-9A-Fa-f]{{8}}(?:-[0-9A-Fa-f]{{4}}){{3}}-[0-9A-Fa-f]{{12}})(?![\w-])
    | (?<![\w-])(?P<date>\d{{4}}-\d{{2}}-\d{{2}}(?:[T\ ]\d{{2}}:\d{{2}}(?::\d{{2}})?(?:\.\d+)?(?:Z|[+-]\d{{2}}:?\d{{2}})?)?)(?![\w-])
    | (?<![\w.])(?P<address>\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d{{2,5}}|/\d{{1,2}})?)(?![\w.]*\d)
    | (?<![\w.-])(?P<host>(?:[A-Za-z0-9-]+\.)*[A-Za-z][A-Za-z0-9-]*:\d{{2,5}})(?!\w)
    | (?<![\w.-])(?P<domain>(?:[a-z0-9-]+\.)+(?:com|cn|org|net|io|dev|internal|local))(?![\w-])
    | (?<![\w-])(?P<flag>--[A-Za-z][\w-]+(?:=[^{_TEXT_END},;()]+)?)
    | (?<![\w.-])(?P<file>\.?\w[\w.-]*\.(?:{_EXTENSIONS}))(?![\w.]*\w)
    | (?<![\w.])(?P<dotted>[A-Za-z_]\w*(?:(?:\.|::|->|\#)[A-Za-z_]\w*)+(?:\(\))?|[A-Za-z_]\w+\(\))
    | (?<![\w.])(?P<version>v\d+(?:\.\d+)*|\d+(?:\.\d+){{2,}}(?:[-+][A-Za-z][\w.]*)?)(?![\w]|\.\d)
    | (?<![\w.])(?P<hex>0[xX][0-9A-Fa-f]+|[0-9a-f]{{7,40}})(?![\w])
    | (?<![\w-])(?P<ticket>\#\d+|[A-Z][A-Z0-9]*-\d+)(?![\w-])
    | (?<![\w.])(?P<number>[-+]?[¥$€£]?\d+(?:[,_]\d{{3}})*(?:\.\d+)?(?:\ ?(?:{_UNITS})(?![A-Za-z]))?)(?![\w]|\.\d)
    | (?<![\w.])(?P<name>[A-Za-z_]\w*(?:-\w+)*)
    """,
    re.VERBOSE | re.ASCII,
)
_UNIT = re.compile(rf"(?:{_UNITS})$")
_ASSIGNS = re.compile(
    r"(?:[=:：]|设为|设成|设置为|改成|改为|定为|调到|调成|上限是?|set to|limited to|is|was|at|是|为)[\"'\s]*$"
)
_LEAD_OUT = re.compile(
    r"(?:[\"'\s=:：]|设置?[为成]|改[成为]|定为|调[到成]|大?约|是|为|\b(?:is|are|was|be|set|to|of|at|the|a|an|about|exactly|only)\b)+$",
    re.IGNORECASE,
)
_LABEL = re.compile(rf"(?:[{_HAN}]{{1,6}}|(?:[A-Za-z][\w.-]* )?[A-Za-z][\w.-]*)$", re.ASCII)
_NO_LABEL = frozenset(
    "a an and are as at by for from in is it of on or so than that the then this to was we with you i step steps round part chapter question "
    "answer page line day item task figure section test no number 第 了 的".split()
)
_HUMP = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]")
_TRAILING = ".,;:!?'\"*_~"


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece of text to be kept word for word.

    Args:
        value: The piece, as it was written.
        label: For a number the word that says what it is.
        said: Whether a person or the model said it; else a tool printed it.
    """

    value: str
    label: str = ""
    said: bool = True

    def __str__(self) -> str:
        return f"{self.label} {self.value}" if self.label else self.value


def atoms_in(text: str, *, said: bool = True, limit: int | None = None) -> list[Atom]:
    """Returns the distinct atoms of a text in the order they come, the first `limit` of them.

    >>> [str(atom) for atom in atoms_in("改 /srv/app/a.yml，port 18443，提交 9f3c1ab，超时设为 30 秒，JDK 17")]
    ['/srv/app/a.yml', 'port 18443', '提交 9f3c1ab', '超时 30 秒', 'JDK 17']
    """
    atoms: dict[Atom, None] = {}
    for value, label in _found(text):
        if limit is not None and len(atoms) >= limit:
            break
        if len(value) <= LONGEST_ATOM_CHARACTERS:
            atoms[Atom(value, label, said)] = None
    return list(atoms)


def _found(text: str) -> Iterator[tuple[str, str]]:
    for match in _ATOM.finditer(text):
        kind = match.lastgroup or ""
        value = _trimmed(match[kind]) if kind in ("url", "setting", "path", "relative", "drive") else match[kind]
        if kind in ("number", "version", "hex"):
            label = _label_before(text, match.start())
            if _is_telling(kind, value, label, text[: match.start()]):
                yield value, label
        elif _is_name(kind, value, text, match):
            yield value, ""


def _trimmed(value: str) -> str:
    value = value.rstrip(_TRAILING)
    while value and value[-1] in ")]}" and value.count(value[-1]) > value.count("([{"[")]}".index(value[-1])]):
        value = value[:-1].rstrip(_TRAILING)
    return value


def _is_telling(kind: str, value: str, label: str, before: str) -> bool:
    """Returns whether a number says something by itself, or by the word before it."""
    if kind == "version":
        return True
    digits = sum(character.isdigit() for character in value)
    if kind == "hex" and not value.isdigit():
        return digits > 0
    unit = _UNIT.search(value)
    if unit:
        return digits > 1 or unit[0].isascii() or bool(label and _ASSIGNS.search(before))
    if digits >= 4 or (label and digits >= 3) or "." in value:
        return True
    return len(label) > 1 and (label[0].isupper() or bool(_ASSIGNS.search(before)))


def _is_name(kind: str, value: str, text: str, match: re.Match[str]) -> bool:
    """Returns whether a word is a name of something, and no word of the language."""
    if kind == "relative":
        last = value.rstrip("/").rpartition("/")[2]
        marked = any(character in "_-.@" or character.isdigit() for character in value)
        return value.count("/") > 1 or "." in last[1:] or marked
    if kind == "dotted":
        return value.endswith("()") or "::" in value or "->" in value or value.count(".") > 1 or _looks_made(value)
    if kind == "name":
        return _looks_made(value) or ("-" in value and _in_chinese(text, match))
    return kind != "path" or len(value) > 2


def _looks_made(word: str) -> bool:
    inner = word.strip("_")
    mixed = len(word) > 3 and any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    return "_" in inner or mixed or bool(_HUMP.search(word))


def _in_chinese(text: str, match: re.Match[str]) -> bool:
    """Returns whether a hyphenated word stands in Chinese text: there it is a name."""
    around = text[max(0, match.start() - 2) : match.start()] + text[match.end() : match.end() + 2]
    return bool(re.search(rf"[{_HAN}]", around))


def _label_before(text: str, start: int) -> str:
    before = _LEAD_OUT.sub("", text[max(0, start - _LABEL_REACH) : start])
    found = _LABEL.search(before)
    if not found or "\n" in text[start - (min(start, _LABEL_REACH) - found.end()) : start]:
        return ""
    words = [word for word in found[0].split() if word.casefold() not in _NO_LABEL]
    return " ".join(words) if words and found[0].split()[-1] == words[-1] else ""


def stands_in(atom: Atom, text: str) -> bool:
    """Returns whether a text has the atom, and not only as a part of something longer.

    >>> stands_in(Atom("3.1"), "Python 3.11"), stands_in(Atom("3.1"), "版本3.1。")
    (False, True)
    """
    if atom.value not in text:
        return False
    return bool(re.search(rf"(?<![A-Za-z0-9_]){re.escape(atom.value)}(?![A-Za-z0-9_]|\.\d)", text)) or not (
        atom.value[0].isalnum() and atom.value[-1].isalnum()
    )


def newest_last(atoms: Iterable[Atom]) -> list[Atom]:
    """Returns the atoms without repetition, each where it came last; one that somebody said counts as said."""
    kept: dict[tuple[str, str], Atom] = {}
    for atom in atoms:
        earlier = kept.pop((atom.value, atom.label), atom)
        kept[atom.value, atom.label] = atom if atom.said else Atom(atom.value, atom.label, earlier.said)
    return list(kept.values())


def atoms_to_json(atoms: Sequence[Atom]) -> str:
    """Returns atoms as a JSON text, as metadata hold them."""
    return json.dumps([[atom.value, atom.label, int(atom.said)] for atom in atoms], ensure_ascii=False)


def atoms_from_json(text: str | None) -> list[Atom]:
    """Returns the atoms of a JSON text; none where it can't be read."""
    try:
        rows = json.loads(text or "[]")
        return [Atom(str(value), str(label), bool(said)) for value, label, said in rows]
    except (ValueError, TypeError):
        return []
