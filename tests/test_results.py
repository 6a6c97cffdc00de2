"""Any value becomes text (row R9, R11); a result's text is never an exception."""

import dataclasses
import datetime
import decimal
import json

import pydantic
import pytest

from agentlib import ToolCall, truncate_output
from agentlib.results import ToolResult, to_text


@dataclasses.dataclass
class Point:
    x: int
    label: str


class City(pydantic.BaseModel):
    name: str
    since: datetime.date


class Rude:
    def __repr__(self):
        raise RuntimeError("no")


loop: list = []
loop.append(loop)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain 文本", "plain 文本"),
        ({"城市": "北京"}, '{"城市":"北京"}'),
        (0, "0"),
        (None, "null"),
        (datetime.date(2026, 12, 1), '"2026-12-01"'),
        (decimal.Decimal("1.50"), '"1.50"'),
        ({3}, "[3]"),
        (b"abc", '"abc"'),
        (Point(1, "é"), '{"x":1,"label":"é"}'),
        (City(name="Rome", since="2026-01-02"), '{"name":"Rome","since":"2026-01-02"}'),
        (float("nan"), '"NaN"'),
        ([float("inf")], '["Infinity"]'),
    ],
)
def test_as_text(value, text):
    assert to_text(value) == text


@pytest.mark.parametrize(
    "value", [float("nan"), {"a": float("inf")}, {1: "x"}, (1, 2), Point(1, "")]
)
def test_what_is_not_a_string_is_valid_json(value):
    again = json.loads(
        to_text(value), parse_constant=lambda name: pytest.fail(f"{name} is no JSON")
    )
    assert isinstance(again, str | dict | list) and again


@pytest.mark.parametrize(
    "value", [Rude(), [Rude()], b"\xff\xfe", loop, "half \ud83d pair", {"a": "\udc80"}]
)
def test_odd_values_never_raise_and_can_be_sent(value):
    assert to_text(value).encode("utf-8")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": "\udc80", "城": 1}, '{"a": "?", "城": 1}'),
        ({"picture": b"\xff"}, '{"picture": "_w=="}'),
    ],
)
def test_one_odd_part_leaves_the_rest_json(value, text):  # R9
    assert to_text(value) == text


def test_a_limit_below_zero_is_refused():
    assert truncate_output("abc", 0).endswith("[truncated: first 0 of 3 characters]")
    with pytest.raises(ValueError, match="at least 0"):
        truncate_output("abc", -1)


def test_truncation_names_the_original_length_and_cuts_at_a_character():
    assert truncate_output("short", 10) == "short"
    assert truncate_output("é" * 12, 10) == "é" * 10 + "\n[truncated: first 10 of 12 characters]"


def test_a_call_from_the_wire_without_an_id_gets_a_unique_one():
    made = {
        ToolCall.from_wire({"function": {"name": "f", "arguments": "{}"}}).id for _ in range(99)
    }
    assert len(made) == 99 and all(made)


def test_a_result_answers_its_call():
    result = ToolResult.success(ToolCall("f", "{}", "c9"), {"a": 1})
    assert result.message() == {"role": "tool", "tool_call_id": "c9", "content": '{"a":1}'}
