"""What is read out of a damaged file: all that is whole, in a number of steps that grows with the file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from paicli.memory.stores import rows
from paicli.memory.stores.fact_rows import entries_of, is_entry_row, read_rows
from paicli.memory.stores.rows import dump_json, dump_row, dump_rows, parse_rows

ROW = '{"id": "a1", "content": "I like {tea", "type": "FACT"}'
DEEP = 20_000


def salvaged(text: str) -> list[str]:
    parsed = parse_rows(text.encode(), is_entry_row)
    assert parsed.damaged
    return [row.text for row in parsed.rows]


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of the pieces of text that were tried to be read as a row."""
    lengths: list[int] = []
    decode = rows._DECODER.raw_decode

    class Counting:
        def raw_decode(self, text: str) -> Any:
            lengths.append(len(text))
            return decode(text)

    monkeypatch.setattr(rows, "_DECODER", Counting())
    return lengths


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a":' * DEEP, 0),
        ("[" + '{"a":[' * DEEP, 0),
        ('{"a":' * DEEP + ROW + '{"b":' * DEEP, 1),
        ("[" + '{"a":' * DEEP + "," + ROW + ',{"b":' * DEEP + "," + ROW, 2),
        ('{"a":"' * DEEP, 0),
        ("{" * DEEP, 0),
        ('{"' * DEEP, 0),
        (('{"a":' * 900 + ROW + "}" * 900) * 20, 20),
        (('{"a":' * 900 + "1" + "}" * 900) * 20, 0),
        (('{"id": 1, "content": "abc\n' + ROW + ",") * 1000, 1000),
        ("[" + ",".join([ROW] * 1000)[:-3], 999),
    ],
    ids=range(11),
)
def test_a_damaged_file_is_read_in_steps_that_grow_with_its_size(text: str, found: int, steps: list[int]) -> None:
    assert len(salvaged(text)) == found
    assert sum(steps) < 4200 * (text.count("{") + 100)
    if text.startswith('{"a":{'):
        assert len(steps) < 2000


def test_rows_that_somebody_wrapped_in_an_object_are_found_in_order() -> None:
    text = json.dumps({"version": 1, "entries": [json.loads(ROW), {"x": [json.loads(ROW.replace("a1", "a2"))]}]})
    assert [json.loads(row)["id"] for row in salvaged(text)] == ["a1", "a2"]


def test_a_row_longer_than_the_piece_that_is_looked_at_is_read_whole() -> None:
    values = [{"id": "a", "content": "é\n字🧩\\u" * 3000}, {"id": "b", "content": "\u3042" * 50_000}, 1234567890]
    for text in (json.dumps(values), json.dumps(values, ensure_ascii=False)):
        for padding in range(4080, 4100):
            data = ("[" + " " * padding + text[1:]).encode()
            parsed = parse_rows(data, is_entry_row)
            assert ([row.value for row in parsed.rows], parsed.damaged) == (values, False)


def test_numbers_that_json_does_not_know_are_null_and_never_written() -> None:
    parsed = parse_rows(b'[{"id": "a", "content": "x", "n": [NaN, -Infinity, 1e999, 2.5]}]', is_entry_row)
    assert not parsed.damaged
    assert parsed.rows[0].value["n"] == [None, None, None, 2.5]
    assert "NaN" in parsed.rows[0].text
    assert dump_row({"n": float("nan")}) == '{\n    "n": null\n  }'
    assert json.loads(dump_json({"n": (float("inf"), {"m": float("nan")}, "字")})) == {"n": [None, {"m": None}, "字"]}


def test_a_text_that_utf_8_can_not_express_is_written_as_an_escape() -> None:
    data = dump_rows([dump_row({"path": "/srv/\udcff字"})])
    assert json.loads(data) == [{"path": "/srv/\udcff字"}]


def test_many_rows_with_one_id_get_ids_of_their_own_and_a_nested_one_is_kept_as_it_is() -> None:
    same = [ROW.replace("tea", str(number)) for number in range(2000)]
    taken = ROW.replace("a1", "a1-5")
    deep = ROW[:-1] + ', "metadata": ' + '{"a":' * 800 + "1" + "}" * 801
    read = read_rows(parse_rows(f"[{','.join([taken, *same, deep])}]".encode(), is_entry_row).rows)
    assert len({entry.id for entry in entries_of(read)}) >= 2001
    assert len(read) == 2002
