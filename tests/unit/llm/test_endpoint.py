"""Addresses as people type them."""

from __future__ import annotations

import pytest

from paicli.errors import ConfigError, ModelUnreachable
from paicli.llm.endpoint import clean_base_url, connect, is_loopback


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        (" https://api.example.com/v1/ ", "https://api.example.com/v1"),
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1"),
        ("localhost:11434/v1", "http://localhost:11434/v1"),
        ("api.example.com/v1", "https://api.example.com/v1"),
        ("[::1]:8080/v1", "http://[::1]:8080/v1"),
    ],
)
def test_an_address_is_completed(typed: str, address: str) -> None:
    assert clean_base_url(typed) == address


@pytest.mark.parametrize("typed", ["", "ftp://example.com", "http://", "http://host:port/v1", "http://[::1/v1"])
def test_what_is_no_address_is_told(typed: str) -> None:
    with pytest.raises(ConfigError, match="it is no http"):
        clean_base_url(typed)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://127.8.9.1/v1", True),
        ("http://0.0.0.0:8000", True),
        ("http://[::1]/", True),
        ("http://api.localhost/", True),
        ("http://192.168.1.5:8000", False),
        ("https://localhost.example.com", False),
    ],
)
def test_this_machine_is_known_by_its_addresses(address: str, *, expected: bool) -> None:
    assert is_loopback(address) is expected


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "socks5h://127.0.0.1:9", "http://127.0.0.1:9"])
def test_a_proxy_of_the_environment_is_used_whatever_its_kind(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    connect("https://api.example.com/v1", key="", answer_seconds=1).close()


def test_a_proxy_that_is_none_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "ftp://127.0.0.1:9")
    with pytest.raises(ModelUnreachable, match="proxy"):
        connect("https://api.example.com/v1", key="", answer_seconds=1)
