"""Makes text from memory, models and files safe to print: what would steer the terminal is shown, not obeyed."""

from __future__ import annotations

from collections.abc import Iterator

_BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x061C)
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)


def _table() -> Iterator[tuple[int, str]]:
    for point in _CONTROLS:
        yield point, f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}"
    for point in _BIDI:
        yield point, f"\\u{point:04x}"
    for point in range(0xD800, 0xE000):
        yield point, "\ufffd"


_ONE_LINE = dict(_table()) | {ord("\n"): " ", ord("\t"): " ", ord("\r"): " "}
_LINES = {point: shown for point, shown in _ONE_LINE.items() if point not in (ord("\n"), ord("\t"))} | {ord("\r"): ""}


def visible(text: str) -> str:
    """Returns the text with control characters, bidi overrides and lone surrogates shown; line ends and tabs stay."""
    return text.translate(_LINES)


def one_line(text: str, limit: int = 0) -> str:
    """Returns the text on one line, safe to print; at most `limit` characters where that is not 0."""
    line = " ".join(text.translate(_ONE_LINE).split())
    return line if not limit or len(line) <= limit else f"{line[: limit - 1]}…"
