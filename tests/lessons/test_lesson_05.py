r"""Lesson 05's validators and the library's, held to one table of what a model may write."""

import json
from datetime import date

import pytest
from lesson_code import definitions, lines_of

from agentlib import Executor, Tool, ToolCall, ToolCallError, connect
from agentlib.arguments import parse_arguments
from agentlib.course import places
from agentlib.offline.spoiling import KINDS

LESSON = definitions("05")
ID = "202611300000000001"
TOOL = Tool("query_order", "Look up one order.", LESSON.ORDER, lambda **given: given)


def by_the_lesson(text):
    try:
        return LESSON.parse_arguments(text, LESSON.ORDER)
    except ValueError as error:
        return str(error)


def by_the_library(text):
    try:
        return parse_arguments(ToolCall("query_order", text), TOOL)[1]
    except ToolCallError as error:
        return error.message


def order(**more):
    return {"order_id": ID, **more}


RUN = [
    ("as it should be", order(limit=3), order(limit=3)),
    ("all four", order(query_type="basic", limit=1, archived=True),
     order(query_type="basic", limit=1, archived=True)),
    ("the least", order(limit=1), order(limit=1)),
    ("the most", order(limit=20), order(limit=20)),
    ("a whole float", order(limit=20.0), order(limit=20)),
    ("digits as text", order(limit="3"), order(limit=3)),
    ("a word for false", order(archived="false"), order(archived=False)),
    ("a word for true", order(archived="true"), order(archived=True)),
]  # fmt: skip
REFUSE = [
    ("text for an integer", order(limit="many"), ["`limit`", "integer", '"many"']),
    ("a boolean for an integer", order(limit=True), ["`limit`", "integer", "true"]),
    ("half a number", order(limit=1.5), ["`limit`", "integer", "1.5"]),
    ("null", order(limit=None), ["`limit`", "integer", "null"]),
    ("below the least", order(limit=0), ["`limit`", "1", "0"]),
    ("above the most", order(limit=21), ["`limit`", "20", "21"]),
    ("none of the enum", order(query_type="some"), ["`query_type`", "basic", "detail", '"some"']),
    ("no boolean", order(archived="yes"), ["`archived`", "boolean", '"yes"']),
    ("1 is no boolean", order(archived=1), ["`archived`", "boolean", "1"]),
    ("too short", {"order_id": "12-34"}, ["`order_id`", r"^\d{18}$", '"12-34"']),
    ("something behind", {"order_id": ID + "; drop"}, ["`order_id`", "drop"]),
    ("something before", {"order_id": "x" + ID}, ["`order_id`"]),
    ("a newline behind", {"order_id": ID + "\n"}, ["`order_id`", r"^\d{18}$"]),
    ("digits of another script", {"order_id": "٣" * 18}, ["`order_id`"]),
    ("a number for a text", {"order_id": 202611300000000001}, ["`order_id`", "string"]),
    ("a list for a text", {"order_id": [ID]}, ["`order_id`", "string"]),
    ("missing", {"limit": 3}, ["`order_id`", "required"]),
    ("nothing at all", "", ["`order_id`", "required"]),
    ("only null", "null", ["`order_id`", "required"]),
    ("undeclared", order(limt=3), ["`limt`", "order_id, query_type, limit, archived"]),
    ("all at once", {"order_id": "12", "limit": True, "limt": 3},
     ["`order_id`", "`limit`", "`limt`"]),
    ("an array", f'["{ID}"]', ["one JSON object"]),
    ("a number", "3", ["one JSON object"]),
    ("half of it", '{"order_id": "2026', []),
    ("a tail", json.dumps(order()) + " Done!", []),
    ("a trailing comma", '{"limit": 3,}', []),
    ("NaN", order(limit=float("nan")), ["NaN"]),
    ("Infinity", order(limit=float("inf")), ["Infinity"]),
]  # fmt: skip
both = pytest.mark.parametrize("parse", [by_the_lesson, by_the_library])


def written(sent):
    return sent if isinstance(sent, str) else json.dumps(sent)


@both
@pytest.mark.parametrize(("sent", "wanted"), [row[1:] for row in RUN], ids=[r[0] for r in RUN])
def test_what_runs(parse, sent, wanted):
    assert repr(parse(written(sent))) == repr(wanted)  # repr: 3 == 3.0, True == 1


@both
@pytest.mark.parametrize(("sent", "said"), [row[1:] for row in REFUSE], ids=[r[0] for r in REFUSE])
def test_what_is_refused_and_in_what_words(parse, sent, said):
    message = parse(written(sent))
    assert isinstance(message, str)
    for part in said:
        assert part in message


@pytest.mark.parametrize(
    ("kind", "value", "wanted"),
    [
        ("integer", 140.0, 140),
        ("integer", "3", 3),
        ("integer", 140.5, 140.5),
        ("integer", True, True),
        ("integer", "3.5", "3.5"),
        ("number", "1e3", 1000.0),
        ("number", "NaN", "NaN"),
        ("boolean", "false", False),
        ("boolean", "yes", "yes"),
        ("boolean", 1, 1),
        ("array", "[1, 2]", [1, 2]),
        ("object", '{"a": 1}', {"a": 1}),
        ("object", "[1]", "[1]"),
        ("string", "007", "007"),
        ("string", "[1]", "[1]"),
    ],
)
def test_one_list_of_pardons(kind, value, wanted):
    from agentlib.arguments.coercion import coerce

    schema = {"type": kind}
    assert repr(LESSON.coerce(value, kind)) == repr(wanted)
    assert repr(coerce(value, schema, schema)) == repr(wanted)


def test_the_mistakes_are_mistakes():
    """What the lesson says of Python and of jsonschema stays true."""
    from jsonschema import Draft202012Validator

    assert isinstance(True, int)
    assert Draft202012Validator(LESSON.ORDER).is_valid({"order_id": ID + "\n"})
    assert Draft202012Validator(LESSON.ORDER).is_valid(order(limt=3))
    with pytest.raises(KeyError):
        LESSON.faults({"limit": "many"}, {"type": "function", "function": {}})


def test_instances_reach_the_function():
    text = '{"title": "gym", "day": "2026-12-01", "repeat": "weekly"}'
    wanted = {"title": "gym", "day": date(2026, 12, 1), "repeat": LESSON.Repeat.WEEKLY}
    assert LESSON.by_pydantic(text, LESSON.set_reminder) == wanted
    tool = Tool.from_function(LESSON.set_reminder)
    assert parse_arguments(ToolCall("set_reminder", text), tool)[1] == wanted


def test_a_cut_off_call_is_refused_by_both():
    half, executor = '{"order_id": "2026', Executor([TOOL])
    lesson = definitions("05")
    lesson.execute.__globals__["registry"] = executor.registry
    status, content = lesson.execute("query_order", half, cut_off=True)
    result = executor.execute_sync(ToolCall("query_order", half, cut_off=True))
    assert (status, result.ok) == ("refused", False)
    for text in (content, result.content):
        assert "cut off at the length limit" in text and "nothing was run" in text


def test_every_kind_of_fault_is_mended():
    """The lesson's agent with the model that makes every mistake: only the task's call runs."""
    received = []

    def query_order(order_id, query_type="all", limit=20, archived=False):
        received.append((order_id, query_type, limit, archived))
        return {"status": "shipped"}

    tool = Tool("query_order", "Look up one order by its number.", LESSON.ORDER, query_order)
    lesson = definitions("05")
    client, model = connect(offline=True, quirks="bad_arguments")
    lesson.run_task.__globals__.update(
        registry=Executor([tool]).registry, client=client, model=model
    )
    answer = lesson.run_task(f"Show the detail of order {ID}, limit 3.")
    assert "shipped" in answer
    assert [status for _, status, _ in lesson.attempts] == ["refused"] * 9 + ["success"]
    assert len(lesson.attempts) == len(KINDS)
    assert received == [(ID, "detail", 3, False)]


def test_the_old_validator_nods_at_the_wrong_level():
    envelope = {"type": "function", "function": {"parameters": LESSON.ORDER}}
    assert LESSON.old_faults({"limit": "many"}, envelope) == []


def test_what_the_lesson_leaves_to_try_gets_through():
    """`Try it` says that two do: one pardoned, one unseen."""
    assert LESSON.parse_arguments(written(order(limit="20 ")), LESSON.ORDER) == order(limit=20)
    doubled = '{"order_id": "12-34", "order_id": "' + ID + '"}'
    assert LESSON.parse_arguments(doubled, LESSON.ORDER) == order()
    for more in ({"limit": "twenty"}, {"archived": None}, {"order_id": 7}):
        with pytest.raises(ValueError):
            LESSON.parse_arguments(written(order(**more)), LESSON.ORDER)


def test_the_lines_are_counted():
    names = "refuse read_json CUT_OFF KINDS fits matches broken faults coerce parse_arguments"
    path = places.find_lesson("05", places.CHECKOUT / "lessons")
    counted = f"{lines_of('05', *names.split())} of them for the arguments"
    assert counted in path.read_text(encoding="utf-8")
