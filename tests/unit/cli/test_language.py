from __future__ import annotations

import pytest

from paicli.cli.language import as_language, first_language, locale_language


@pytest.mark.parametrize(
    ("value", "language"),
    [
        ("zh_CN.UTF-8", "zh"),
        ("zh-Hant", "zh"),
        ("ZH", "zh"),
        ("en_GB.UTF-8", "en"),
        ("de_DE", "en"),
        ("C", None),
        ("C.UTF-8", None),
        ("POSIX", None),
        ("", None),
    ],
)
def test_a_locale_names_a_language_or_none(value: str, language: str | None) -> None:
    assert as_language(value) == language


def test_the_first_variable_that_is_set_decides() -> None:
    assert locale_language({"LC_ALL": "", "LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}) == "zh"
    assert locale_language({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}) is None


@pytest.mark.parametrize(
    ("arguments", "environ", "language"),
    [
        (["--lang", "zh"], {"PAICLI_LANG": "en"}, "zh"),
        (["--lang=zh"], {}, "zh"),
        (["memory", "list"], {"PAICLI_LANG": "zh", "LANG": "en_US"}, "zh"),
        ([], {"LANG": "zh_CN.UTF-8"}, "zh"),
        ([], {"LANG": "C"}, "en"),
        (["--lang"], {}, "en"),
    ],
)
def test_flag_before_variable_before_locale(arguments: list[str], environ: dict[str, str], language: str) -> None:
    assert first_language(arguments, environ) == language
