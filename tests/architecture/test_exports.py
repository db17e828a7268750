"""What a package says it exports is there, and is documented."""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType

import pytest

PACKAGES = ["paicli.memory", "paicli.agents", "paicli.tools", "paicli.testing"]
EXPECTED = {
    "paicli.memory": {
        "MemoryEntry", "MemoryType", "Memory", "ConversationMemory", "LongTermMemory", "ContextCompressor", "TokenBudget",
        "MemoryRetriever", "ScoredEntry", "MemoryQueryTokenizer", "MemoryManager", "estimate_tokens",
    },
    "paicli.agents": {"Agent", "PlanExecuteAgent"},
}  # fmt: skip
MOST_NAMES = {"paicli.memory": 20}


@pytest.fixture(params=PACKAGES)
def package(request: pytest.FixtureRequest) -> ModuleType:
    return importlib.import_module(request.param)


def test_every_exported_name_exists(package: ModuleType) -> None:
    assert [name for name in package.__all__ if not hasattr(package, name)] == []


def test_no_name_is_exported_twice(package: ModuleType) -> None:
    assert len(set(package.__all__)) == len(package.__all__)


def test_the_names_of_the_article_are_there(package: ModuleType) -> None:
    assert EXPECTED.get(package.__name__, set()) <= set(package.__all__)


def test_a_package_exports_few_names(package: ModuleType) -> None:
    assert len(package.__all__) <= MOST_NAMES.get(package.__name__, 40)


def test_what_is_exported_has_a_docstring_of_its_own(package: ModuleType) -> None:
    exported = [getattr(package, name) for name in package.__all__]
    described = [thing for thing in exported if inspect.isclass(thing) or inspect.isroutine(thing)]
    assert [thing.__qualname__ for thing in described if not is_described(thing)] == []


def test_the_public_methods_of_what_is_exported_are_described(package: ModuleType) -> None:
    classes = [thing for thing in map(package.__dict__.get, package.__all__) if inspect.isclass(thing)]
    assert [name for owner in classes for name in undescribed_methods(owner)] == []


def is_described(thing: object) -> bool:
    text = vars(thing).get("__doc__") if inspect.isclass(thing) else inspect.getdoc(thing)
    # A dataclass without a docstring gets its own signature as one.
    return bool(text) and not str(text).startswith(f"{getattr(thing, '__name__', '')}(")


def undescribed_methods(owner: type) -> list[str]:
    if getattr(owner, "_is_protocol", False):  # its class's docstring says what is asked for
        return []
    hidden = ("_", "test_")  # a test's name is its sentence
    methods = {name: thing for name, thing in vars(owner).items() if not name.startswith(hidden) and is_code(thing)}
    return [f"{owner.__name__}.{name}" for name in methods if not inspect.getdoc(getattr(owner, name))]


def is_code(thing: object) -> bool:
    return inspect.isroutine(thing) or isinstance(thing, property | classmethod | staticmethod)
