"""What `conftest.py` promises to every test."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest


def test_a_test_has_a_home_of_its_own(home: Path) -> None:
    assert Path(os.environ["PAICLI_HOME"]) == home
    assert Path.home() == home.parent
    assert not home.exists()


def test_a_test_sees_no_key_and_no_setting_of_the_machine() -> None:
    assert [name for name in os.environ if name.endswith("_API_KEY") or name == "PAICLI_MEMORY_DIR"] == []


def test_a_test_starts_in_an_empty_folder() -> None:
    assert list(Path.cwd().iterdir()) == []


def test_another_machine_can_not_be_reached() -> None:
    with pytest.raises(pytest.fail.Exception, match="reached for the network"):
        socket.create_connection(("192.0.2.1", 80))


def test_another_machines_name_is_not_looked_up() -> None:
    with pytest.raises(pytest.fail.Exception, match="reached for the network"):
        socket.getaddrinfo("example.org", 80)


def test_this_machine_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
