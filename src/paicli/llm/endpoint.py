"""Connecting to an endpoint with the `openai` package: proxies, time limits, and headers that must not leak."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from paicli.errors import ConfigError, ModelUnreachable

if TYPE_CHECKING:
    from openai import OpenAI

CONNECT_SECONDS = 10.0
NO_KEY = "none"
"""Sent where no key is needed: the package wants one."""


def connect(base_url: str, *, key: str, answer_seconds: float) -> OpenAI:
    """Returns a client for an endpoint. It opens no connection yet, and never repeats a request on its own.

    Raises:
        ModelUnreachable: The proxy or certificate settings of the environment can't be used.
    """
    from openai import DefaultHttpxClient, OpenAI, Timeout

    timeout = Timeout(answer_seconds, connect=CONNECT_SECONDS)
    try:
        # A proxy can't reach this machine's own servers, and is set in many environments without an exception for them.
        http_client = DefaultHttpxClient(trust_env=not is_loopback(base_url), timeout=timeout)
    except (ImportError, ValueError, OSError) as error:
        raise ModelUnreachable(endpoint=base_url, detail=f"the proxy or certificate settings: {error}") from error
    return OpenAI(
        api_key=key or NO_KEY,
        base_url=base_url,
        timeout=timeout,
        max_retries=0,
        default_headers=None if _is_openai(base_url) else _without_account(),
        http_client=http_client,
    )


def _without_account() -> dict[str, Any]:
    """Returns what keeps OPENAI_ORG_ID and OPENAI_PROJECT_ID of the environment from other providers."""
    from openai import Omit

    return {"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()}


def _is_openai(base_url: str) -> bool:
    return (urlsplit(base_url).hostname or "").endswith("openai.com")


def is_loopback(base_url: str) -> bool:
    """Returns whether an address is this machine's.

    >>> (
    ...     is_loopback("http://localhost:11434/v1"),
    ...     is_loopback("http://[::1]:8080"),
    ...     is_loopback("https://api.example.com"),
    ... )
    (True, True, False)
    """
    host = urlsplit(base_url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def clean_base_url(text: str) -> str:
    """Returns an address as the package wants it: with a scheme, without the path of the one call that is made.

    Raises:
        ConfigError: It is no http address.

    >>> clean_base_url("127.0.0.1:8080/v1/"), clean_base_url("https://api.example.com/v1/chat/completions")
    ('http://127.0.0.1:8080/v1', 'https://api.example.com/v1')
    """
    address = text.strip()
    if "://" not in address:
        address = f"{'http' if is_loopback(f'http://{address}') else 'https'}://{address}"
    address = address.rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(key="base-url", value=text, reason="it is no http(s) address", problem="address")
    return address


def has_user(base_url: str) -> bool:
    """Returns whether an address has a user name or password in it, as in `https://me:secret@api.example.com/v1`."""
    return "@" in base_url.partition("://")[2].partition("/")[0]


def shown_url(base_url: str) -> str:
    """Returns an address for showing, without a user name and password.

    >>> shown_url("https://me:secret@api.example.com/v1?key=1")
    'https://api.example.com/v1'
    """
    parts = urlsplit(base_url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
