"""MeteredModel, and the journal of a task: passing on with something noted."""

from __future__ import annotations

from paicli.memory.message import Message, Reply, Usage
from paicli.memory.metering import MeteredModel, estimated_usage
from paicli.testing import ScriptedModel


def test_every_call_is_told_with_its_purpose_and_what_it_cost() -> None:
    told: list[tuple[str, Usage]] = []
    usage = Usage(10, 2)
    model = MeteredModel(ScriptedModel([Reply("hi", usage=usage)]), lambda purpose, cost: told.append((purpose, cost)))
    assert model.chat([Message("user", "x")], purpose="facts").text == "hi"
    assert told == [("facts", usage)]


class Silent:
    """A model that tells no usage."""

    def chat(self, messages: list[Message], *, purpose: str) -> Reply:
        return Reply("four")


def test_where_the_provider_tells_nothing_the_cost_is_estimated_and_marked() -> None:
    told: list[Usage] = []
    MeteredModel(Silent(), lambda _purpose, cost: told.append(cost)).chat([Message("user", "x" * 40)], purpose="facts")
    assert told == [Usage(14, 1, estimated=True)]


def test_thinking_is_part_of_the_estimate() -> None:
    assert estimated_usage([], Reply("a", thinking="b" * 40)).output_tokens == 11
