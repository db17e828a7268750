from __future__ import annotations

import re
import string
from importlib import import_module
from pathlib import Path

import pytest

import paicli.cli
import paicli.memory.extractor
from paicli import errors
from paicli.cli.texts import sentence
from paicli.cli.wording import error_text, notice_text
from paicli.errors import KeyRejected, PaicliError, StoreUnavailable
from paicli.memory.notice import Notice

CLI = Path(paicli.cli.__file__).parent
TOPICS = sorted(path.stem for path in (CLI / "texts").glob("*.py") if path.stem != "__init__")
USED = re.compile(rf'"({"|".join(TOPICS)})\.([a-z][a-z-]*)"')


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("topic", TOPICS)
def test_both_wordings_of_a_sentence_use_the_same_values(topic: str) -> None:
    texts = import_module(f"paicli.cli.texts.{topic}").TEXTS
    assert [code for code, (chinese, english) in texts.items() if fields(chinese) != fields(english)] == []


@pytest.mark.parametrize("topic", TOPICS)
def test_the_chinese_wording_is_chinese_and_the_english_one_english(topic: str) -> None:
    texts = import_module(f"paicli.cli.texts.{topic}").TEXTS
    assert [code for code, (_, english) in texts.items() if re.search(r"[一-鿿]", english)] == []
    neutral = {"banner", "pom", "tool"}
    plain = [code for code, (chinese, _) in texts.items() if not re.search(r"[一-鿿]", chinese)]
    assert set(plain) <= neutral


def test_every_code_in_the_source_has_a_sentence() -> None:
    missing = []
    for path in CLI.rglob("*.py"):
        for topic, name in USED.findall(path.read_text(encoding="utf-8")):
            if name not in import_module(f"paicli.cli.texts.{topic}").TEXTS:
                missing.append(f"{path.name}: {topic}.{name}")
    assert missing == []


def all_errors(kind: type[PaicliError] = PaicliError) -> list[type[PaicliError]]:
    return [kind, *(one for child in kind.__subclasses__() for one in all_errors(child))]


@pytest.mark.parametrize("kind", all_errors(), ids=lambda kind: kind.__name__)
def test_every_error_has_a_sentence_in_both_languages(kind: type[PaicliError]) -> None:
    values = dict.fromkeys(fields(kind.sentence), "VALUE")
    for language in ("zh", "en"):
        text = error_text(kind(**values), language)  # type: ignore[arg-type]
        assert text
        assert "VALUE" in text or kind is errors.EmptyContent


@pytest.mark.parametrize(
    "code",
    [
        *(
            "redacted",
            "rows-skipped",
            "damaged",
            "store-unreadable",
            "journal-failed",
            "window-unknown",
            "window-learnt",
        ),
        *("history-filling", "compressed-without-model", "results-shortened", "atoms-left-out"),
        *("compressed", "compression-failed", "compression-paused", "not-remembered"),
    ],
)
def test_every_notice_has_a_sentence(code: str) -> None:
    for language in ("zh", "en"):
        assert not notice_text(Notice(code, {}), language).startswith(code)  # type: ignore[arg-type]


def test_a_damaged_file_that_was_left_in_place_is_not_said_to_be_set_aside() -> None:
    assert "left as it is" in notice_text(Notice("damaged", {"path": "p", "aside": "", "salvaged": 3}), "en")


def test_a_notice_without_a_sentence_still_says_its_values() -> None:
    assert notice_text(Notice("brand-new", {"path": "/x"}), "en") == "brand-new: path: /x"


def test_text_of_the_user_is_only_ever_a_value() -> None:
    nasty = '{"a": 1} {x} {{y}} %s %d'
    assert nasty in sentence("memory.no-hit", "en", query=nasty)
    assert nasty in error_text(StoreUnavailable(place=nasty, reason="why"), "zh")


def test_values_cannot_steer_the_terminal() -> None:
    text = sentence("memory.no-hit", "zh", query="a\x1b[2J\x1b]0;x\x07\u202eb\ud83d")
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert "\ud83d" not in text


def test_a_number_brings_its_noun() -> None:
    assert sentence("notices.rows-skipped", "en", count=1, path="f").startswith("1 row ")
    assert sentence("notices.rows-skipped", "en", count=2_000, path="f").startswith("2,000 rows ")


def test_a_known_reason_is_translated() -> None:
    assert "没有权限" in error_text(StoreUnavailable(place="/x", reason="Permission denied"), "zh")


def test_an_error_shows_nothing_of_a_key_but_what_it_was_given() -> None:
    assert "…cdef" in error_text(KeyRejected(endpoint="e", key="…cdef", status=401), "en")
