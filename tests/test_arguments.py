import datetime
import decimal
import enum
import json
import socket
import typing
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator

from agentlib import ErrorCategory, Tool, ToolCall, ToolCallError
from agentlib.arguments import parse_arguments

INVALID, MISSING = ErrorCategory.INVALID_ARGUMENT, ErrorCategory.MISSING_ARGUMENT


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Color(enum.Enum):
    RED = "red"


class Point(BaseModel):
    x: int
    y: int = 0


class Even(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def check(cls, value):
        if value == 13:
            raise LookupError("no thirteen")
        if value % 2:
            raise ValueError("n must be even")
        return value


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    x: int


class Node(BaseModel):
    name: str
    children: list["Node"] = []


TREE = Node(name="a", children=[Node(name="b")])


@dataclass
class Size:
    width: int
    tags: list[str] = field(default_factory=list)


class Range(typing.TypedDict):
    start: str
    end: int


class Pair(typing.NamedTuple):
    a: int
    b: str


def parse(tool, arguments, **options):
    return parse_arguments(ToolCall(tool.name, arguments, **options), tool)


def refusal(tool, arguments, **options):
    with pytest.raises(ToolCallError) as caught:
        parse(tool, arguments, **options)
    return caught.value


def hinted(hint, *default):
    """A tool of one parameter `v` by its hint."""

    def take(v):
        return v

    take.__annotations__ = {"v": hint}
    take.__defaults__ = default or None
    return Tool.from_function(take)


def written(schema, *, required=True):
    """A tool of one parameter `v` by a schema written by hand."""
    parameters = {"type": "object", "properties": {"v": schema}, "required": ["v"] * required}
    return Tool("take", "", parameters, lambda **given: given)


def nothing_needed(path: str = "."):
    return path


def write_file(path: str, content: str):
    return path


NOTHING, WRITE = Tool.from_function(nothing_needed), Tool.from_function(write_file)


# from text to an object


@pytest.mark.parametrize("raw", ["", "  \n", None, "null", " null ", "{}", {}])
def test_nothing_is_an_empty_object(raw):
    assert parse(NOTHING, raw) == ([], {})


@pytest.mark.parametrize("raw", ["", None, "null", "{}", {}])
def test_nothing_where_something_is_required(raw):
    error = refusal(WRITE, raw)
    assert error.category is MISSING
    assert error.message == (
        "write_file: `path` is required (string). You sent: nothing.\n"
        "write_file: `content` is required (string). You sent: nothing."
    )


def test_a_dict_is_taken_and_not_changed():
    given = {"path": "a", "content": "b"}
    assert parse(WRITE, given) == ([], {"path": "a", "content": "b"})
    assert given == {"path": "a", "content": "b"}


NOT_AN_OBJECT = [
    ('{"path": "a"} extra', "something follows the JSON from character 14 on"),
    ('{"path": "a"}{"path": "b"}', "something follows the JSON from character 13 on"),
    ("[1]", "this is an array"),
    ("3", "this is an integer"),
    ('"text"', "this is a string"),
    ('"{}"', "this is a string"),
    ("true", "this is a boolean"),
    ("path=a", "the JSON breaks at character 0"),
    ("{'path': 'a'}", "the JSON breaks at character 1"),
    ('{"path": "a', "the JSON breaks at character 9"),
    ('{"path": "a\tb"}', "Invalid control character"),
    ("\ufeff{}", "the JSON breaks"),
    ('{"path": NaN}', "NaN is not a JSON number"),
    ('{"path": Infinity}', "Infinity is not a JSON number"),
    ('{"path": -Infinity}', "-Infinity is not a JSON number"),
    ('{"path": 1e999}', "inf is not a JSON number"),
    ('{"path": "a", "path": "b"}', "the key 'path' stands twice"),
    ('{"path": {"a": 1, "a": 1}}', "the key 'a' stands twice"),
    ('{"path": "\\ud800"}', "half a surrogate pair"),
    ('{"\\ud800": 1}', "half a surrogate pair"),
    ('{"path": ' + "9" * 1_001 + "}", "more than 1,000 digits"),
    ('{"path": ' + "[" * 100_000, "nested too deeply"),
    ('{"path": ' + "[" * 70 + "]" * 70 + "}", "more than 64 levels"),
    ([1], "this is an array"),
    (3, "this is an integer"),
    (b"{}", "a bytes is not JSON"),
    ({"path": float("nan")}, "nan is not a JSON number"),
    ({"path": Path("a")}, "is not JSON"),
    ({1: "a"}, "is not JSON"),
    ({"path": 10**1_300}, "more than 1,000 digits"),
]


@pytest.mark.parametrize(("raw", "reason"), NOT_AN_OBJECT, ids=lambda raw: str(raw)[:30])
@pytest.mark.parametrize("tool", [NOTHING, written({"type": "string"})], ids=["hints", "schema"])
def test_what_is_not_one_json_object_is_refused(tool, raw, reason):
    error = refusal(tool, raw)
    assert (error.category, error.code) == (INVALID, "invalid_json")
    assert error.message.startswith(f"{tool.name}: the arguments must be one JSON object, but ")
    assert reason in error.message
    assert len(error.message) < 500


def test_a_dict_that_contains_itself_is_refused():
    given: dict[str, Any] = {}
    given["path"] = given
    assert refusal(NOTHING, given).category is INVALID


CUT = '{"path": "n", "content": "half'


@pytest.mark.parametrize("raw", [CUT, "", None, "null", "{", {"path": "n", "content": "half"}])
def test_a_call_cut_off_is_refused_as_such(raw):
    error = refusal(WRITE, raw, cut_off=True)
    assert (error.category, error.code) == (INVALID, "cut_off")
    assert "cut off" in error.message and "Send the call again" in error.message


def test_a_whole_object_in_a_reply_that_was_cut_off_runs():
    whole = '{"path": "n", "content": "all of it"}'
    assert parse(WRITE, whole, cut_off=True) == ([], {"path": "n", "content": "all of it"})


# values: what is accepted, and as what

INTEGER, NUMBER, BOOLEAN, STRING = (
    {"type": each} for each in ("integer", "number", "boolean", "string")
)
ITEMS = {"type": "array", "items": INTEGER}
OBJECT = {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]}
COERCED = [
    (int, INTEGER, "140", 140),
    (int, INTEGER, "140.0", 140),
    (int, INTEGER, "1e2", 100),
    (int, INTEGER, '"3"', 3),
    (int, INTEGER, '"-3"', -3),
    (int, INTEGER, str(10**30), 10**30),
    (float, NUMBER, "3.5", 3.5),
    (float, NUMBER, '"1e3"', 1000.0),
    (float, NUMBER, '"3"', 3.0),
    (bool, BOOLEAN, '"false"', False),
    (bool, BOOLEAN, '"true"', True),
    (bool, BOOLEAN, "true", True),
    (str, STRING, '"[1]"', "[1]"),
    (str, STRING, '"null"', "null"),
    (str, STRING, '" 3 "', " 3 "),
    (str, STRING, '"1\\u0000"', "1\0"),
    (list[int], ITEMS, '"[1, \\"2\\"]"', [1, 2]),
    (list[int], ITEMS, '["1", 2.0]', [1, 2]),
    (dict[str, int], {"type": "object"}, '"{\\"a\\": 1}"', {"a": 1}),
    (str | list[int], {"type": ["string", "array"]}, '"[1]"', "[1]"),
    (int | str, {"anyOf": [INTEGER, STRING]}, '"3"', "3"),
    (int | None, {"type": ["integer", "null"]}, '"3"', 3),
    (int | None, {"anyOf": [INTEGER, {"type": "null"}]}, "null", None),
    (Literal[1, 2], {"enum": [1, 2]}, '"2"', 2),
]


@pytest.mark.parametrize(("hint", "schema", "value", "wanted"), COERCED)
@pytest.mark.parametrize("kind", ["hints", "schema"])
def test_accepted_values(kind, hint, schema, value, wanted):
    tool = hinted(hint) if kind == "hints" else written(schema)
    args, kwargs = parse(tool, f'{{"v": {value}}}')
    assert (args, kwargs) == ([], {"v": wanted})
    assert type(kwargs["v"]) is type(wanted)


REFUSED = [
    (int, INTEGER, "140.5"),
    (int, INTEGER, "true"),
    (int, INTEGER, "null"),
    (int, INTEGER, '"3.0"'),
    (int, INTEGER, '"1e3"'),
    (int, INTEGER, '" 3"'),
    (int, INTEGER, '"+3"'),
    (int, INTEGER, '"0x3"'),
    (int, INTEGER, '"1_000"'),
    (int, INTEGER, '"\\uff13"'),  # a full-width 3
    (int, INTEGER, '""'),
    (int, INTEGER, '"true"'),
    (int, INTEGER, "[3]"),
    (float, NUMBER, "true"),
    (float, NUMBER, '"NaN"'),
    (float, NUMBER, '"Infinity"'),
    (float, NUMBER, '"1e999"'),
    (float, NUMBER, '"many"'),
    (bool, BOOLEAN, "1"),
    (bool, BOOLEAN, "0"),
    (bool, BOOLEAN, '"False"'),
    (bool, BOOLEAN, '"yes"'),
    (bool, BOOLEAN, '"1"'),
    (bool, BOOLEAN, "null"),
    (str, STRING, "3"),
    (str, STRING, "true"),
    (str, STRING, "null"),
    (str, STRING, "[]"),
    (list[int], ITEMS, '"[1"'),
    (list[int], ITEMS, '"{}"'),
    (list[int], ITEMS, '"[true]"'),
    (list[int], ITEMS, "3"),
    (dict[str, int], {"type": "object"}, '"[]"'),
    (Literal["a"], {"enum": ["a"]}, '"b"'),
    (Literal[1], {"enum": [1]}, "true"),
    (Literal[0, 1], {"enum": [0, 1]}, "false"),
    (Literal[True], {"enum": [True]}, "1"),
    (Level, {"enum": [1, 2]}, "true"),
    (list[Literal[1]], {"type": "array", "items": {"enum": [1]}}, "[true]"),
]


@pytest.mark.parametrize(("hint", "schema", "value"), REFUSED)
@pytest.mark.parametrize("kind", ["hints", "schema"])
def test_refused_values(kind, hint, schema, value):
    tool = hinted(hint) if kind == "hints" else written(schema)
    error = refusal(tool, f'{{"v": {value}}}')
    assert error.category is INVALID
    assert error.message.startswith("take: `v")
    assert " must be " in error.message and "You sent: " in error.message


def test_a_float_beyond_exact_integers_is_not_made_one():
    tool = hinted(int)
    assert parse(tool, f'{{"v": {2**53}.0}}') == ([], {"v": 2**53})
    refusal(tool, '{"v": 12345678901234567890.0}')


def test_an_integer_too_large_for_a_float_is_refused():
    assert refusal(hinted(float), '{"v": 1' + "0" * 400 + "}").category is INVALID


def test_null_for_a_default_is_an_error_unless_the_type_allows_it():
    assert refusal(hinted(int, 5), '{"v": null}').category is INVALID
    assert parse(hinted(int | None, 5), '{"v": null}') == ([], {"v": None})
    assert parse(hinted(int, None), '{"v": null}') == ([], {"v": None})
    assert parse(hinted(int, 5), "{}") == ([], {})


def test_null_means_left_out_where_the_strict_form_asked_for_it():
    def f(n: int = 5, p: Point | None = None, s: Size | None = None): ...

    tool = Tool.from_function(f)
    assert refusal(tool, '{"n": null}').category is INVALID
    assert tool.schema(strict=True)["function"]["strict"] is True
    sent = '{"n": null, "p": null, "s": {"width": 1, "tags": null}}'
    assert parse(tool, sent) == ([], {"p": None, "s": Size(1)})


def test_instances_reach_the_function():
    day, stamp = datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 9, 30)
    ident = uuid.UUID(int=7)
    for hint, sent, wanted in [
        (Point, {"x": 1}, Point(x=1)),
        (Point, '{"x": "1"}', Point(x=1)),  # the object written as a string
        (list[Point], [{"x": 1}], [Point(x=1)]),
        (Point | None, {"x": 1, "y": 2.0}, Point(x=1, y=2)),
        (Node, {"name": "a", "children": [{"name": "b"}]}, TREE),
        (Size, {"width": 1, "tags": ["a"]}, Size(1, ["a"])),
        (Range, {"start": "a", "end": 1}, {"start": "a", "end": 1}),
        (Pair, [1, "a"], Pair(1, "a")),
        (Color, "red", Color.RED),
        (Level, 2, Level.HIGH),
        (Level, "2", Level.HIGH),
        (datetime.date, "2024-02-29", day),
        (datetime.datetime, "2024-02-29T09:30", stamp),
        (datetime.timedelta, "PT90S", datetime.timedelta(seconds=90)),
        (Path, "a/b", Path("a/b")),
        (uuid.UUID, str(ident), ident),
        (decimal.Decimal, "1.10", decimal.Decimal("1.10")),
        (tuple[int, str], [1, "a"], (1, "a")),
        (tuple[int, ...], [1, "2"], (1, 2)),
        (set[int], [1, 2], {1, 2}),
        (dict[str, int], {"a": "1"}, {"a": 1}),
        (Annotated[int, Field(ge=1)], 1, 1),
        (Open, {"x": 1, "more": 2}, Open(x=1, more=2)),
        (Any, {"free": [1, None]}, {"free": [1, None]}),
    ]:  # fmt: skip
        value = parse(hinted(hint), json.dumps({"v": sent}))[1]["v"]
        assert value == wanted and type(value) is type(wanted), hint


@pytest.mark.parametrize(
    ("hint", "sent", "message"),
    [
        (int, "many", '`v` must be an integer. You sent: "many".'),
        (Annotated[int, Field(ge=1, le=100)], 0, "`v` must be an integer (1 to 100). You sent: 0."),
        (Annotated[int, Field(gt=1)], 1, "`v` must be an integer (above 1). You sent: 1."),
        (Annotated[str, Field(min_length=2)], "a", "a string (at least 2 characters)"),
        (Literal["a", "b"], "c", '`v` must be one of "a", "b". You sent: "c".'),
        (Color, "RED", '`v` must be "red". You sent: "RED".'),
        (int | None, "x", '`v` must be an integer or null. You sent: "x".'),
        (list[int], [1, "x"], '`v[1]` must be an integer. You sent: "x".'),
        (dict[str, int], {"a": "x"}, '`v.a` must be an integer. You sent: "x".'),
        (dict[Color, int], {"z": 1}, "`v` must be an object. Its key 'z': Input should be 'red'"),
        (Iterable[int], [1, "x"], '`v[1]` must be an integer. You sent: "x".'),
        (Iterable[int] | None, ["x"], '`v[0]` must be an integer. You sent: "x".'),
        (list[Point], [{"x": 1}, {"y": 1}], "`v[1].x` is required (integer). You sent: y."),
        (Point, {"x": 1, "z": 1}, "`v.z` is not a parameter. Declared: x, y."),
        (Size, {"width": 1, "height": 1}, "`v.height` is not a parameter. Declared: width, tags."),
        (Size, {}, "`v.width` is required (integer). You sent: nothing."),
        (Range, {"start": "a", "end": 1, "x": 1}, "`v.x` is not a parameter. Declared: start,"),
        (Range, {"start": "a"}, "`v.end` is required (integer). You sent: start."),
        (Node, {"name": "a", "children": [{"nam": "b"}]}, "`v.children[0].nam` is not a parameter"),
        (Even, {"n": 3}, "`v.n` must be an integer. n must be even. You sent: 3."),
        (datetime.date, "2023-02-29", "a string (format date). Input should be a valid"),
        (uuid.UUID, "abc", "`v` must be a string (format uuid)."),
        (tuple[int, int], [1], "(at least 2 items"),
        (Point | Size, {"y": 1}, "`v.x` is required (integer). You sent: y."),
    ],
)  # fmt: skip
def test_messages_by_hints(hint, sent, message):
    error = refusal(hinted(hint), json.dumps({"v": sent}))
    assert message in error.message
    assert all(line.startswith("take: `v") for line in error.message.splitlines())


QUERY = Tool(
    "query",
    "",
    {
        "type": "object",
        "properties": {
            "order_id": {"type": "string", "pattern": r"^\d{18}$"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "kind": {"enum": ["basic", "all"], "default": "all"},
            "when": {"type": "string", "format": "date"},
            "range": {
                "type": "object",
                "properties": {"start": STRING, "end": {"$ref": "#/$defs/day"}},
                "required": ["start"],
                "additionalProperties": False,
            },
            "either": {"anyOf": [INTEGER, {"type": "array", "items": INTEGER}]},
        },
        "required": ["order_id"],
        "$defs": {"day": {"type": "string", "maxLength": 10}},
    },
    lambda **given: given,
)
ORDER = "123456789012345678"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"limit": "many"}, 'query: `limit` must be an integer (1 to 100). You sent: "many".'),
        ({"limit": 101}, "query: `limit` must be an integer (1 to 100). You sent: 101."),
        ({"kind": "some"}, 'query: `kind` must be one of "basic", "all". You sent: "some".'),
        ({"when": "29.2.2024"}, "query: `when` must be a string (format date)."),
        ({"order_id": "12"}, r"query: `order_id` must be a string (matching ^\d{18}$)."),
        ({"range": {}}, "query: `range.start` is required (string). You sent: nothing."),
        (
            {"range": {"start": "a", "stop": "b"}},
            "query: `range.stop` is not a parameter. Declared: start, end.",
        ),
        ({"range": {"start": "a", "end": "0" * 11}}, "`range.end` must be a string (at most 10"),
        ({"either": "x"}, "`either` must be an integer or an array with an integer in each place"),
        ({"either": [1, "x"]}, '`either[1]` must be an integer. You sent: "x".'),
        ({"limt": 3}, "query: `limt` is not a parameter. Declared: order_id, limit, kind"),
        ({"limt": 3}, "Did you mean `limit`?"),
    ],
)
def test_messages_by_schema(given, message):
    error = refusal(QUERY, {"order_id": ORDER, **given})
    assert message in error.message
    assert error.category is (MISSING if "is required" in message else INVALID)
    assert len(error.message.splitlines()) == 1


def test_a_schema_by_hand_passes_json_values_and_no_defaults():
    given = {"order_id": ORDER, "limit": "5", "when": "2024-02-29", "range": {"start": "a"}}
    assert parse(QUERY, given) == ([], {**given, "limit": 5})


@pytest.mark.parametrize("tool", ["hints", "schema"])
def test_all_faults_in_one_message(tool):
    def query(order_id: str, limit: Annotated[int, Field(ge=1, le=100)] = 1): ...

    tool = QUERY if tool == "schema" else Tool.from_function(query)
    error = refusal(tool, {"limit": "many", "limits": 3})
    assert error.category is INVALID
    lines = error.message.splitlines()
    assert "query: `order_id` is required" in error.message
    assert 'query: `limit` must be an integer (1 to 100). You sent: "many".' in lines
    assert "query: `limits` is not a parameter. Declared: order_id, limit" in error.message
    assert len(lines) == 3


def test_the_message_of_a_missing_argument():
    error = refusal(WRITE, '{"content": "x"}')
    assert error.category is MISSING
    assert error.message == "write_file: `path` is required (string). You sent: content."


def test_shown_values_are_short():
    long = "x" * 100_000
    for tool in (hinted(int), written(INTEGER)):
        assert len(refusal(tool, {"v": long}).message) < 200
        assert len(refusal(tool, {"v": 1, long: 1}).message) < 300
        many = {f"k{n}": n for n in range(3)}
        assert len(refusal(tool, {"v": many}).message) < 200


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"^\d{18}$", ORDER, ORDER + "\n"),
        (r"^\d+$", "1", "\uff11"),  # a full-width digit: JSON Schema's \d is ASCII
        (r"b", "abc", "ac"),  # a search, not a full match
        (r"^[$]\d$", "$1", "1"),
        (r"^\$$", "$", "$\n"),
        (r"^(?=.*\d)[a-z\d]+$", "a1", "ab"),  # look-ahead
    ],
)
@pytest.mark.parametrize("kind", ["hints", "schema"])
def test_patterns(kind, pattern, good, bad):
    tool = hinted(Annotated[str, Field(pattern=pattern)])
    if kind == "schema":
        tool = written({"type": "string", "pattern": pattern})
    assert parse(tool, {"v": good}) == ([], {"v": good})
    error = refusal(tool, {"v": bad})
    assert error.category is INVALID and "matching" in error.message


def test_a_pattern_python_cannot_read_is_let_through():
    tool = written({"type": "string", "pattern": r"^\p{L}+$"})
    assert parse(tool, {"v": "x"}) == ([], {"v": "x"})


def test_undeclared_keys_of_a_schema_by_hand():
    free = Tool("f", "", {"type": "object", "additionalProperties": True}, lambda **given: given)
    assert parse(free, {"any": 1}) == ([], {"any": 1})
    closed = Tool("f", "", {}, lambda **given: given)
    assert refusal(closed, {"any": 1}).message == "f: `any` is not a parameter. Declared: none."
    typed = Tool("f", "", {**OBJECT, "additionalProperties": INTEGER}, lambda **given: given)
    assert parse(typed, {"x": 0, "any": "1"}) == ([], {"x": 0, "any": 1})
    assert "`any` must be an integer" in refusal(typed, {"x": 0, "any": "x"}).message


POINT = {"type": "object", "properties": {"x": INTEGER}}
MORE = {"x": 1, "more": 2}


@pytest.mark.parametrize(
    ("schema", "value", "refused"),
    [
        ({"p": POINT}, {"p": MORE}, "p.more"),
        ({"p": {"type": "array", "items": POINT}}, {"p": [MORE]}, "p[0].more"),
        ({"p": {"properties": {"q": POINT}}}, {"p": {"q": MORE}}, "p.q.more"),
        ({"p": {"anyOf": [POINT, {"type": "null"}]}}, {"p": MORE}, "p.more"),
        ({"p": {"$ref": "#/$defs/point"}}, {"p": MORE}, "p.more"),
        ({"p": {**POINT, "additionalProperties": True}}, {"p": MORE}, None),
        ({"p": {"type": "object"}}, {"p": MORE}, None),
        ({"p": {"allOf": [POINT, {"properties": {"more": INTEGER}}]}}, {"p": MORE}, None),
        ({"p": {**POINT, "anyOf": [{"properties": {"more": INTEGER}}]}}, {"p": MORE}, None),
        ({"p": {"allOf": [{"$ref": "#/$defs/point"}]}}, {"p": MORE}, None),
    ],
)
def test_undeclared_keys_deeper_in_a_schema_by_hand(schema, value, refused):  # A9
    parameters = {"type": "object", "properties": schema, "$defs": {"point": POINT}}
    tool = Tool("f", "", parameters, lambda **given: given)
    if refused is None:
        assert parse(tool, value) == ([], value)
    else:
        said = refusal(tool, value).message
        assert said == f"f: `{refused}` is not a parameter. Declared: x."


def test_a_model_that_takes_any_key_takes_it_and_another_does_not():
    def f(free: Open, point: Point | None = None, either: Point | Open | None = None): ...

    tool = Tool.from_function(f)
    more = {"x": 1, "more": 2}
    assert parse(tool, {"free": more}) == ([], {"free": Open(**more)})
    error = refusal(tool, {"free": more, "point": more})
    assert error.message == "f: `point.more` is not a parameter. Declared: x, y."
    # pydantic would choose the closed one and drop the key
    assert refusal(tool, {"free": {"x": 1}, "either": more}).category is INVALID


def test_a_schema_of_an_older_draft_is_read_as_that():
    pair = {"type": "array", "items": [INTEGER, STRING], "additionalItems": False}
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"v": pair}}
    tool = Tool("take", "", schema, lambda **given: given)
    assert parse(tool, {"v": [1, "a"]}) == ([], {"v": [1, "a"]})
    assert refusal(tool, {"v": [1, "a", 2]}).category is INVALID


# binding


def test_positional_only_parameters_go_by_position():
    def f(a: int, b: int = 2, c: int = 3, /, d: int = 4, *, e: int = 5): ...

    tool = Tool.from_function(f)
    assert parse(tool, {"a": 1}) == ([1, 2, 3], {})
    assert parse(tool, {"a": 1, "c": 9, "e": 0}) == ([1, 2, 9], {"e": 0})
    by_hand = Tool("f", "", {"properties": {"a": INTEGER, "d": INTEGER}}, f)
    assert parse(by_hand, {"d": 7, "a": 1}) == ([1], {"d": 7})
    skipping = Tool("f", "", {"properties": {"a": INTEGER, "c": INTEGER}}, f)
    assert parse(skipping, {"a": 1, "c": 9}) == ([1, 2, 9], {})


def test_names_that_a_model_field_may_not_have():
    def f(schema: int, copy: str, _x: int, model_config: int, self_: int = 0): ...

    given = {"schema": 1, "copy": "c", "_x": 2, "model_config": 3}
    assert parse(Tool.from_function(f), given) == ([], given)


def test_a_parameter_keeps_its_name_whatever_its_field_says():
    def f(a: Annotated[int, Field(alias="x")], b: Annotated[int, Field(validation_alias="y")]): ...

    tool = Tool.from_function(f)
    assert list(tool.parameters["properties"]) == ["a", "b"]
    assert parse(tool, {"a": 1, "b": 2}) == ([], {"a": 1, "b": 2})


def test_a_default_inside_a_field():
    def f(a: Annotated[int, Field(default=3)], b: int = Field(4, ge=1), *, c: int = Field()): ...

    tool = Tool.from_function(f)
    assert tool.parameters["required"] == ["c"]
    assert parse(tool, {"c": 1}) == ([], {"a": 3, "b": 4, "c": 1})


def test_a_default_is_never_validated_or_copied():
    marker = object()

    def f(a: Any = marker): ...

    assert parse(Tool.from_function(f), {}) == ([], {})


# faults of the tool's own


def test_a_validator_that_raises_something_else_is_the_tools_fault():
    error = refusal(hinted(Even), {"v": {"n": 13}})
    assert (error.category, error.code) == (ErrorCategory.SYSTEM_ERROR, "broken_schema")
    assert "LookupError: no thirteen" in error.message


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "strin"},
        {"$ref": "#/$defs/nowhere"},
        {"$ref": "http://127.0.0.1:9/schema.json"},
        {"enum": 3},
        {"anyOf": [{"$ref": "#/properties/v"}]},
    ],
)
def test_a_broken_schema_is_the_tools_fault(schema):
    error = refusal(written(schema), {"v": 1})
    assert (error.category, error.code) == (ErrorCategory.SYSTEM_ERROR, "broken_schema")


def test_a_reference_to_another_machine_is_never_fetched():
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"
        socket.setdefaulttimeout(0.2)  # a fetch would wait for an answer
        try:
            assert refusal(written({"$ref": url}), {"v": 1}).code == "broken_schema"
        finally:
            socket.setdefaulttimeout(None)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_validators_are_made_once():
    for tool in (hinted(int), written(INTEGER)):
        parse(tool, {"v": 1})
        first = tool.validator
        parse(tool, {"v": 2})
        assert tool.validator is first is not None


# whatever a model writes


def everything(
    n: int = 0,
    f: float = 0.0,
    b: bool = False,
    s: str = "",
    items: list[int] = [],  # noqa: B006
    point: Point | None = None,
    size: Size | None = None,
    node: Node | None = None,
    color: Color = Color.RED,
    either: int | list[str] | None = None,
    day: datetime.date | None = None,
    free: Any = None,
): ...


EVERYTHING = Tool.from_function(everything)
BY_HAND = Tool("everything", "", EVERYTHING.parameters, lambda **given: given)
NAMES = st.sampled_from([*EVERYTHING.parameters["properties"], "x", "y", "width", "name", "N"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["3", "1e3", "true", "[1]", '{"x": 1}', "red", "2024-01-01", "1\n", "\ud800"])
)
VALUES = st.recursive(
    SCALARS,
    lambda each: st.lists(each, max_size=3) | st.dictionaries(NAMES | st.text(), each, max_size=3),
    max_leaves=8,
)  # fmt: skip
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)


def outcome(tool, raw):
    """The bound keyword arguments, or None when they were refused with the one typed error."""
    try:
        args, kwargs = parse(tool, raw)
    except ToolCallError as error:
        assert error.category in (INVALID, MISSING), error.message
        assert error.message.startswith(f"{tool.name}: ")
        error.message.encode()
        return None
    assert args == []
    return kwargs


@settings(max_examples=300, deadline=None)
@given(OBJECTS)
@example({"node": {"name": "a", "children": [{"name": "b", "extra": 1}]}})
@example({"free": "\ud800"})
def test_any_object_binds_whole_or_is_refused(raw):
    for tool in (EVERYTHING, BY_HAND):
        bound = outcome(tool, raw)
        if bound is not None:
            assert set(bound) == set(raw)
        assert (outcome(tool, json.dumps(raw)) is None) == (bound is None)


@settings(max_examples=300, deadline=None)
@given(st.text() | st.none() | VALUES | VALUES.map(json.dumps) | st.binary())
@example("[" * 100_000)
@example('{"n": ' * 300)
@example("9" * 5_000)
def test_any_text_binds_or_is_refused(raw):
    for tool in (EVERYTHING, BY_HAND):
        bound = outcome(tool, raw)  # any exception but the typed one would fail here
        assert bound is None or set(bound) <= set(tool.parameters["properties"])


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(min_size=1), st.integers(), min_size=1, max_size=3))
def test_no_key_is_ever_dropped(extra):
    declared = {"x", "y"}
    for key in set(extra) - declared:
        nested = {"point": {"x": 1, key: extra[key]}}
        assert outcome(EVERYTHING, nested) is None
    if set(extra) - set(EVERYTHING.parameters["properties"]):
        assert outcome(EVERYTHING, extra) is None
        assert outcome(BY_HAND, extra) is None
