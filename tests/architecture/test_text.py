"""No file of the repository names the machine it was written on, a package registry's host or a key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tree import relative, repository_files

TEXT = [path for path in repository_files() if path.suffix not in {".png", ".gif", ".ico"}]
FORBIDDEN = {
    "a folder of one machine": re.compile(
        r"(?<![\w.$~}/-])/(?:root|work|home/(?!you\b)\w+|Users/(?!you\b)\w+|opt/(?:pypi|wheels))\b"
    ),
    "the host of a package registry": re.compile(r"\b(?:pypi|pythonhosted|npmjs|deb\.debian)\.(?:org|com)\b"),
    "a conflict of git": re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE),
}


@pytest.mark.parametrize("path", TEXT, ids=relative)
def test_a_file_holds_nothing_of_one_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert {name: found.group() for name, pattern in FORBIDDEN.items() if (found := pattern.search(text))} == {}
