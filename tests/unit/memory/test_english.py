"""Stems of English words, and what of them stands in every form."""

from __future__ import annotations

import pytest

from paicli.memory.english import roots, stem


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
