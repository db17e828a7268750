"""Stems of English words, and what of them stands in every form."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from paicli.memory.search.english import roots, stem


@pytest.mark.parametrize(
    ("form", "other"),
    [
        ("running", "ran"),
        ("hopes", "hoping"),
        ("cities", "city"),
        ("studies", "study"),
        ("went", "gone"),
        ("kid", "children"),
    ],
)
def test_forms_of_a_word_have_one_stem(form: str, other: str) -> None:
    assert stem(form) == stem(other)


@pytest.mark.parametrize(
    "word",
    "running ran hopes hoping cities city happiness happier went goes children kids bought relational studies studied taking".split(),
)
def test_a_form_has_one_of_the_roots_of_its_stem_in_it(word: str) -> None:
    assert any(root in word for root in roots(stem(word)))


@pytest.mark.parametrize("word", ["pg16", "c++", "猫", "go", ".net"])
def test_what_is_no_english_word_stays_as_it_is(word: str) -> None:
    assert stem(word) == word
    assert word in roots(word)


def test_several_threads_get_the_same_stems_as_one() -> None:
    words = [
        f"{start}{end}"
        for start in ("walk", "jump", "nation", "relat")
        for end in ("ing", "ed", "ational", "ness", "s")
    ] * 50
    alone = [stem.__wrapped__(word) for word in words]
    interval = sys.getswitchinterval()
    try:
        sys.setswitchinterval(1e-6)
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda _: [stem.__wrapped__(word) for word in words], range(4)))
    finally:
        sys.setswitchinterval(interval)
    assert together == [alone] * 4
