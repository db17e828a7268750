"""Keeps every test and doctest to itself: a temporary home and working folder, no keys, no network but this machine."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent
LOOPBACK_NAMES = frozenset({"localhost", "::1", "", "0.0.0.0", "::"})  # noqa: S104 - names to compare with, nothing is bound
# Variables that would let the machine's owner into a test: their keys, settings, proxies and language.
FOREIGN_PREFIXES = ("PAICLI_", "OPENAI_", "LC_", "XDG_")
FOREIGN_SUFFIXES = ("_API_KEY", "_PROXY", "_BASE_URL")
KEPT = frozenset({"PAICLI_E2E_BASE_URL", "PAICLI_E2E_MODEL", "PAICLI_E2E_KEY"})

_SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("test", max_examples=100, deadline=None, suppress_health_check=_SLOW, print_blob=True)
settings.register_profile("soak", parent=settings.get_profile("test"), max_examples=10_000)
settings.load_profile("test")


def pytest_configure() -> None:
    """Lets Ctrl-C and a hang-up mean what they mean at a terminal, where the tests were started with them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns this test's PAICLI_HOME, which does not exist yet; HOME and the working folder are new and empty too."""
    for name in list(os.environ):
        if name not in KEPT and is_foreign(name.upper()):
            monkeypatch.delenv(name)
    place = tmp_path_factory.mktemp("person")
    work = tmp_path_factory.mktemp("work")
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("USERPROFILE", str(place))
    monkeypatch.setenv("PAICLI_HOME", str(place / ".paicli"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))  # what a test starts runs this tree, from any folder
    monkeypatch.chdir(work)
    return place / ".paicli"


def is_foreign(name: str) -> bool:
    return name == "LANGUAGE" or name.startswith(FOREIGN_PREFIXES) or name.endswith(FOREIGN_SUFFIXES)


def is_loopback(address: Any) -> bool:
    if not isinstance(address, tuple):  # a path: a Unix socket
        return True
    host = address[0]
    return host in LOOPBACK_NAMES or str(host).startswith("127.")


@pytest.fixture(autouse=True)
def only_loopback(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails a test that reaches for another machine, a name's look-up included; tests of a real model ask theirs."""
    if request.node.get_closest_marker("real_model"):
        return
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guard(address: Any) -> None:
        if not is_loopback(address):
            pytest.fail(f"a test reached for the network: {address}")

    def guarded_connect(self: socket.socket, address: Any) -> None:
        guard(address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        guard(address)
        return connect_ex(self, address)

    def guarded_look_up(host: Any, *rest: Any, **options: Any) -> Any:
        guard((host.decode() if isinstance(host, bytes) else host or "",))
        return look_up(host, *rest, **options)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)
