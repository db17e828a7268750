"""The file with what was learned of models' token rates."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from paicli.memory.stores.token_rates import FILE_NAME, load_token_rates, save_token_rates
from paicli.memory.tokens.counter import CalibratedCounter
from paicli.memory.tokens.rates import TokenRates

REQUEST = [{"role": "user", "content": "一段用来学习的中文 and some English words. " * 20}]


def learned(model: str = "m", reports: int = 3) -> dict[str, TokenRates]:
    counter = CalibratedCounter(model)
    size = counter.count(REQUEST)
    for _ in range(reports):
        assert counter.learn(REQUEST, (), int(size * 1.2))
    return counter.rates


def test_what_was_learned_is_there_in_the_next_session(home: Path) -> None:
    assert load_token_rates(home) == {}
    assert not home.exists()
    assert save_token_rates(home, learned())
    again = load_token_rates(home)
    assert again["m"].reports == 3
    assert CalibratedCounter("m", again).count(REQUEST) == CalibratedCounter("m", learned()).count(REQUEST)


def test_the_file_is_private(home: Path) -> None:
    save_token_rates(home, learned())
    assert stat.S_IMODE((home / FILE_NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_read_only_writes_nothing(home: Path) -> None:
    assert not save_token_rates(home, learned(), read_only=True)
    assert not home.exists()


def test_nothing_learned_writes_nothing(home: Path) -> None:
    assert not save_token_rates(home, {})
    assert not save_token_rates(home, {"m": TokenRates()})
    assert not home.exists()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"models": []}', b'{"models": {"m": 7}}', b"\xff\xfe", b"[" * 100_000]
)
def test_a_damaged_file_is_learned_anew(home: Path, content: bytes) -> None:
    home.mkdir()
    (home / FILE_NAME).write_bytes(content)
    assert load_token_rates(home) == {}
    assert save_token_rates(home, learned())
    assert load_token_rates(home)["m"].reports == 3


def test_of_two_processes_the_one_that_learned_more_is_kept(home: Path) -> None:
    save_token_rates(home, learned(reports=5))
    assert save_token_rates(home, learned(reports=2) | learned("other", 1))
    assert {model: rates.reports for model, rates in load_token_rates(home).items()} == {"m": 5, "other": 1}


def test_rows_of_another_version_stay(home: Path) -> None:
    save_token_rates(home, learned())
    path = home / FILE_NAME
    value = json.loads(path.read_text("utf-8"))
    value["models"]["new"] = {"features": ["other"], "mean": [1]}
    path.write_text(json.dumps(value), "utf-8")
    save_token_rates(home, learned("third"))
    assert set(load_token_rates(home)) == {"m", "third"}
    assert "new" in json.loads(path.read_text("utf-8"))["models"]


def test_the_models_used_last_stay(home: Path) -> None:
    rates = learned()["m"]
    save_token_rates(home, {f"model-{number}": rates for number in range(70)})
    assert list(load_token_rates(home)) == [f"model-{number}" for number in range(6, 70)]


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("x", "utf-8")
    assert not save_token_rates(place, learned())
    assert load_token_rates(place) == {}
    folder = tmp_path / "folder"
    (folder / FILE_NAME).mkdir(parents=True)
    assert load_token_rates(folder) == {}
    assert not save_token_rates(folder, learned())


def test_threads_lose_no_model(home: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda number: save_token_rates(home, learned(f"m{number}", 1)), range(8)))
    assert len(load_token_rates(home)) == 8
    assert sorted(path.name for path in home.iterdir() if path.suffix == ".tmp") == []
