"""Atoms: what of a text must survive word for word."""

from __future__ import annotations

import pytest

from paicli.memory.compression.atoms import Atom, atoms_from_json, atoms_in, atoms_to_json, newest_last, stands_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("改 /srv/app/conf.d/a.yml 里的端口", ["/srv/app/conf.d/a.yml"]),
        ("在src/main/App.java里，还有 ~/x 和 ./run.sh", ["src/main/App.java", "~/x", "./run.sh"]),
        ("see C:\\work\\a.txt, then", ["C:\\work\\a.txt"]),
        ("(https://example.com/a?b=1).", ["https://example.com/a?b=1"]),
        ("见https://example.com/文档。", ["https://example.com/"]),
        ("getUserById in user_name, MAX_SIZE and com.example.Foo", ["getUserById", "user_name", "MAX_SIZE", "com.example.Foo"]),
        ("run() Foo::bar @scope/name feature/login-page", ["run()", "Foo::bar", "@scope/name", "feature/login-page"]),
        ("Python 3.11.4, v2.3, JDK 17, Redis 7", ["Python 3.11.4", "v2.3", "JDK 17", "Redis 7"]),
        ("port 18443", ["port 18443"]),
        ("the timeout is 30 s", ["timeout 30 s"]),
        ("超时设为 30 秒，重试次数设为 3，阈值是 0.85", ["超时 30 秒", "重试次数 3", "阈值 0.85"]),
        ("max_connections=200 --max-heap=2g", ["max_connections=200", "--max-heap=2g"]),
        ("8 GB, 25%, 1,000,000 rows", ["8 GB", "25%", "1,000,000 rows"]),
        ("ORA-00001, E11000, 0x80070005, HTTP 502, 错误码 1045", ["ORA-00001", "E11000", "0x80070005", "HTTP 502", "错误码 1045"]),
        ("提交 9f3c1ab #123 JIRA-77", ["提交 9f3c1ab", "#123", "JIRA-77"]),
        ("10.0.0.1:5432 localhost:8080 db.internal a@example.com", ["10.0.0.1:5432", "localhost:8080", "db.internal", "a@example.com"]),
        ("on 2026-03-01 at night", ["2026-03-01"]),
        ("服务叫 order-service，用 `make all -j4` 构建", ["order-service", "make all -j4"]),
        ("123e4567-e89b-12d3-a456-426614174000", ["123e4567-e89b-12d3-a456-426614174000"]),
    ],
)  # fmt: skip
def test_names_and_values_are_found_with_the_word_that_says_what_a_number_is(text: str, expected: list[str]) -> None:
    assert [str(atom) for atom in atoms_in(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "and/or, client/server, TCP/IP, e.g. this. And that",
        "step 17 of a state-of-the-art well-known plan, question 3",
        "第 17 轮，有 3 个文件，继续",
        "It works. Really! It's a defaced façade",
    ],
)
def test_words_and_passing_numbers_are_none(text: str) -> None:
    assert atoms_in(text) == []


def test_so_many_are_found_as_are_asked_for_and_none_is_a_whole_text() -> None:
    assert len(atoms_in(" ".join(f"a_{number}" for number in range(99)), limit=7)) == 7
    assert atoms_in("/" + "a" * 300) == []


def test_the_newest_stands_last_and_what_was_said_counts_as_said() -> None:
    said, printed = Atom("a_1"), Atom("a_1", said=False)
    assert newest_last([said, Atom("b_2"), printed]) == [Atom("b_2"), said]


@pytest.mark.parametrize(
    ("value", "text", "there"),
    [
        ("18443", "端口18443。", True),
        ("18443", "118443", False),
        ("3.1", "Python 3.1.4", False),
        ("3.1", "it is 3.1.", True),
        ("/srv/a", "in /srv/a too", True),
        ("25%", "25%的", True),
    ],
)
def test_a_part_of_something_longer_is_not_the_atom(value: str, text: str, there: bool) -> None:  # noqa: FBT001
    assert stands_in(Atom(value), text) is there


def test_they_survive_the_way_through_metadata_and_nonsense_is_none() -> None:
    atoms = [Atom("18443", "端口"), Atom("a_b", said=False)]
    assert atoms_from_json(atoms_to_json(atoms)) == atoms
    assert [atoms_from_json(text) for text in (None, "", "{", "[1]", '["ab"]', "3")] == [[]] * 6
