"""No file of the repository names the machine it was written on, a package registry's host, or holds a conflict."""

from __future__ import annotations

import re

import pytest
from tree import relative, repository_files

FORBIDDEN = {
    "a folder of one machine": r"(?<![\w.$~}/*-])/(?:root|work|opt/(?:pypi|wheels))(?![\w-])",
    "the host of a package registry": r"\b(?:pypi|pythonhosted|npmjs|deb\.debian)\.(?:org|com)\b",
    "a conflict of git": r"^(?:<{7}|>{7}) ",
}


@pytest.mark.parametrize(("what", "pattern"), FORBIDDEN.items(), ids=FORBIDDEN.keys())
def test_no_file_holds(what: str, pattern: str) -> None:
    found = {
        relative(path): match.group()
        for path in repository_files()
        if (match := re.search(pattern, path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE))
    }
    assert found == {}, what
