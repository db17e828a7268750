r"""Text that is safe to show and to send: control sequences out, sizes limited, paths in any locale.

>>> visible("\x1b[2Jgone?")
'\\x1b[2Jgone?'
>>> plain_output("\x1b[32mok\x1b[0m\r\n10%\r100%")
'ok\n100%'
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

# Controls other than tab, line feed and CRLF; C1; what turns the direction of writing round; lone surrogates.
_UNSAFE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# ECMA-48: CSI; OSC and the other strings, which end with BEL or ST (or here with the line); two-character escapes.
_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]"
)
_OVERSTRUCK = re.compile(r"[^\n\x08]\x08")


def visible(text: str) -> str:
    """Returns the text with what a terminal would obey spelled out, and lone surrogates as U+FFFD."""
    return _UNSAFE.sub(lambda match: _spelled(match[0]), text)


def _spelled(character: str) -> str:
    number = ord(character)
    if 0xD800 <= number <= 0xDFFF:
        return "\N{REPLACEMENT CHARACTER}"
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def encodable(text: str) -> str:
    """Returns the text with each lone surrogate, which no encoding has, as U+FFFD."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str) -> str:
    """Returns the text made visible, line ends included: for names and values inside a sentence."""
    return visible(text).replace("\r", "\\r").replace("\n", "\\n")


def plain_output(text: str) -> str:
    """Returns a program's output as it would be read on paper: no colours, each line as it was last written."""
    text = _SEQUENCE.sub("", text).replace("\r\n", "\n")
    lines = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    text = "\n".join(lines)
    while _OVERSTRUCK.search(text):
        text = _OVERSTRUCK.sub("", text)
    return visible(text.replace("\x08", ""))


def shortened(text: str, max_characters: int) -> str:
    """Returns the text with its middle cut out where it is longer than `max_characters`; a marker says how much."""
    if len(text) <= max_characters:
        return text
    head = max_characters * 2 // 5
    tail = max_characters - head
    return f"{text[:head]}[… {len(text) - max_characters} characters left out …]{text[len(text) - tail :]}"


def to_path(text: str) -> Path:
    """Returns the path whose name on disk is `text` in UTF-8, also where the locale is not UTF-8.

    Raises:
        ValueError: The text can't be a name: it holds a NUL or a lone surrogate.
    """
    if "\0" in text:
        raise ValueError("a path can't hold a NUL character")
    encoded = text.encode("utf-8")
    if os.name == "nt":
        return Path(text)
    return Path(encoded.decode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()))


def path_text(path: Path) -> str:
    """Returns the path as it may be shown, on one line."""
    return one_line(os.fsencode(path).decode("utf-8", "replace"))
