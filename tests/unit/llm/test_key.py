"""Keys are cleaned of what comes with pasting, and refused where no header could carry them."""

from __future__ import annotations

import pytest

from paicli.errors import ConfigError
from paicli.llm.key import clean_key, mask_key

KEY = "0123456789abcdef.XyZ"


@pytest.mark.parametrize(
    "pasted", [KEY, f" {KEY}\r\n", f'"{KEY}"', f"“{KEY}”", f"\u3000{KEY}\u00a0", f"Bearer {KEY}", f"\ufeff{KEY}"]
)
def test_what_comes_with_pasting_is_taken_off(pasted: str) -> None:
    assert clean_key(pasted) == KEY


@pytest.mark.parametrize(
    ("pasted", "reason"),
    [
        ("0123456789 abcdef.XyZ", "character 11 of 21 is white space"),
        ("0123456789абcdef.XyZ", r"character 11 of 20 is U\+0430"),
        ("我的密钥", r"character 1 of 4 is U\+6211"),
        ("a\x00b", r"U\+0000"),
        ("", "it is empty"),
        ('""', "it is empty"),
    ],
)
def test_what_is_no_key_is_told_with_its_place_and_not_shown(pasted: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason) as caught:
        clean_key(pasted, setting="GLM_API_KEY")
    assert "'GLM_API_KEY'" in str(caught.value)
    assert "0123456789" not in str(caught.value)


def test_of_a_short_key_nothing_is_shown() -> None:
    assert mask_key("0123456789") == "…"
