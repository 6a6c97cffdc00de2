"""The planner's parts by themselves: splitting, dates, values, filling, reading, conditions."""

from __future__ import annotations

import datetime as dt

import pytest

from agentlib.offline.conditions import holds
from agentlib.offline.dates import find_moments, shape_of
from agentlib.offline.filling import fill
from agentlib.offline.reading import error_of, look_up, trouble_of
from agentlib.offline.source import Source
from agentlib.offline.steps import split_steps
from agentlib.offline.values import find_values
from agentlib.offline.words import chinese_words, concepts, stem

TODAY = dt.date(2026, 12, 1)  # a Tuesday
S = {"type": "string"}

SPLITS = [
    ("Read a.txt", [("Read a.txt", None, False)]),
    ("Read a.txt, then delete it.", [("Read a.txt", None, False), ("delete it", None, False)]),
    ("Read a.txt and b.txt", [("Read a.txt and b.txt", None, False)]),
    ("Weather in Oslo and New York", [("Weather in Oslo and New York", None, False)]),
    ("List the files and read a.txt", [("List the files", None, False), ("read a.txt", None, False)]),
    ("Write 'first, then second. Third' to a.txt", [("Write 'first, then second. Third' to a.txt", None, False)]),
    ("Open https://a.example/x?y=1. Then stop", [("Open https://a.example/x?y=1", None, False), ("stop", None, False)]),
    ("1. Read a.txt\n2. Delete b.txt", [("Read a.txt", None, False), ("Delete b.txt", None, False)]),
    ("If it rains, stay in", [("stay in", "it rains", False)]),
    ("Stay in if it rains", [("Stay in", "it rains", False)]),
    ("Unless it rains, go out", [("go out", "it rains", True)]),
    ("If it rains, read a.txt, otherwise read b.txt", [("read a.txt", "it rains", False), ("read b.txt", "it rains", True)]),
    ("If it rains, read a.txt. Otherwise read b.txt.", [("read a.txt", "it rains", False), ("read b.txt", "it rains", True)]),
    ("Check a.txt and if it is empty, delete it", [("Check a.txt", None, False), ("delete it", "it is empty", False)]),
    ("Tell me if it rains", [("Tell me if it rains", None, False)]),
    ("Pay 3.50 at 9 a.m. today", [("Pay 3.50 at 9 a.m. today", None, False)]),
    ("读取a.txt，然后删除b.txt。", [("读取a.txt", None, False), ("删除b.txt", None, False)]),
    ("如果下雨，就提醒我带伞", [("提醒我带伞", "下雨", False)]),
    ("查天气，如果不下雨就出门，否则在家", [("查天气", None, False), ("出门", "不下雨", False), ("在家", "不下雨", True)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "steps"), SPLITS, ids=[s[0] for s in SPLITS])
def test_splitting(text, steps):
    assert [(s.text, s.condition, s.negated) for s in split_steps(text)] == steps


def day(text):
    return dt.date.fromisoformat(text)


DATES = [
    ("today", "2026-12-01"), ("tomorrow", "2026-12-02"), ("the day after tomorrow", "2026-12-03"),
    ("2026-12-24", "2026-12-24"), ("on Friday", "2026-12-04"), ("Tuesday", "2026-12-08"),
    ("next Monday", "2026-12-07"), ("in 3 days", "2026-12-04"), ("in two weeks", "2026-12-15"),
    ("December 24", "2026-12-24"), ("5th of May 2027", "2027-05-05"), ("Jan 2", "2027-01-02"),
    ("明天", "2026-12-02"), ("后天", "2026-12-03"), ("大后天", "2026-12-04"), ("下周一", "2026-12-07"),
    ("周五", "2026-12-04"), ("12月25日", "2026-12-25"), ("2027年1月3日", "2027-01-03"), ("三天后", "2026-12-04"),
]  # fmt: skip
TIMES = [
    ("9 am", "09:00"), ("9:30 pm", "21:30"), ("12 am", "00:00"), ("12 pm", "12:00"), ("21:15", "21:15"),
    ("noon", "12:00"), ("at 7", "07:00"), ("上午9点", "09:00"), ("下午三点半", "15:30"), ("晚上8点15分", "20:15"),
    ("早上七点", "07:00"), ("凌晨12点", "00:00"), ("中午12点", "12:00"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "want"), DATES)
def test_dates(text, want):
    assert [m.date for m in find_moments(text, TODAY) if m.date] == [day(want)]


@pytest.mark.parametrize(("text", "want"), TIMES)
def test_times(text, want):
    assert [m.time for m in find_moments(text, TODAY) if m.time] == [dt.time.fromisoformat(want)]


@pytest.mark.parametrize("text", ["in 2 decades", "25:99", "2026-13-40", "room 12", "february 31"])
def test_what_is_no_moment(text):
    assert find_moments(text, TODAY) == []


SHAPES = [
    ("as YYYY-MM-DD", "%Y-%m-%d"), ("YYYY-MM-DD HH:MM", "%Y-%m-%d %H:%M"), ("such as 2026-01-31T09:00:00", "%Y-%m-%dT%H:%M:%S"),
    ("HH:MM", "%H:%M"), ("YYYY/MM/DD", "%Y/%m/%d"), ("an ISO date", "%Y-%m-%d"), ("when to ring", None),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "want"), SHAPES)
def test_how_a_schema_wants_moments_written(hint, want):
    assert shape_of(hint) == want


VALUES = [
    ("read notes.txt now", "path", ["notes.txt"]), ("list ./src/app", "path", ["./src/app"]),
    ("files in the current folder", "path", ["."]), ("当前目录", "path", ["."]), ("in the docs folder", "path", ["docs"]),
    ("读取notes.txt", "path", ["notes.txt"]), ("see 3.5 or 1/2", "path", []), ("mail a@b.example", "path", []),
    ("open https://a.example/b.html.", "url", ["https://a.example/b.html"]), ("mail a@b.example!", "email", ["a@b.example"]),
    ("write 'it's fine' there", "quote", ["it's fine"]), ("don't say it isn't", "quote", []), ("“你好”", "quote", ["你好"]),
    ("pay 1,200 for 3 of P-11", "number", ["1200", "3"]), ("What is 2 * (3 + 4)?", "expression", ["2 * (3 + 4)"]),
    ("weather in New York and Rome", "name", ["New York", "Rome"]), ("Rent a van", "name", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "want"), VALUES, ids=[v[0] for v in VALUES])
def test_values(text, kind, want):
    assert [v.value for v in find_values(text, TODAY).of(kind)] == want


FILLS = [
    ("weather in Beijing", {"city": S}, {"city": "Beijing"}),
    ("weather in beijing", {"city": {"enum": ["Beijing", "Tokyo"]}}, {"city": "Beijing"}),
    ("北京天气", {"city": {"enum": ["Beijing", "Tokyo"], "description": "Beijing (北京), Tokyo (东京)"}}, {"city": "Beijing"}),
    ("北京天气", {"city": S}, {"city": "北京"}),
    ("order 123456789012345678", {"order_id": {"type": "string", "pattern": r"^\d{18}$"}}, {"order_id": "123456789012345678"}),
    ("order 1234", {"order_id": {"type": "string", "pattern": r"^\d{18}$"}}, {}),
    ("limit=5 and page: 2", {"limit": {"type": "integer"}, "page": {"type": "integer"}}, {"limit": 5, "page": 2}),
    ("top 3 of 10 pages", {"limit": {"type": "integer"}, "pages": {"type": "integer"}}, {"limit": 3, "pages": 10}),
    ("a rate of 2.5", {"rate": {"type": "number"}}, {"rate": 2.5}),
    ("tomorrow at 9 am", {"when": {"type": "string", "format": "date-time"}}, {"when": "2026-12-02T09:00:00"}),
    ("tomorrow", {"date": {"type": "string", "format": "date"}}, {"date": "2026-12-02"}),
    ("tomorrow", {"day": {"type": "string", "description": "today or tomorrow"}}, {"day": "tomorrow"}),
    ("turn it off", {"on": {"type": "boolean"}}, {"on": False}),
    ("tags: red, green and blue", {"tags": {"type": "array", "items": S}}, {"tags": ["red", "green", "blue"]}),
    ("add 1, 2 and 3.5", {"numbers": {"type": "array", "items": {"type": "number"}}}, {"numbers": [1, 2, 3.5]}),
    ("copy a.txt to b.txt", {"source": S, "destination": S}, {"source": "a.txt", "destination": "b.txt"}),
    ("from Rome to Oslo", {"origin": S, "destination": S}, {"origin": "Rome", "destination": "Oslo"}),
    ("100 dollars in euros", {"amount": {"type": "number"}, "from_currency": S, "to_currency": S},
     {"amount": 100, "from_currency": "USD", "to_currency": "EUR"}),
    ("translate 'hi' to French", {"text": S, "target_language": S}, {"text": "hi", "target_language": "French"}),
    ("3 plus 4", {"expression": S}, {"expression": "3 + 4"}),
    ("write to a.txt saying hello there", {"path": S, "content": S}, {"path": "a.txt", "content": "hello there"}),
    ("把 a 改成 b", {"old_text": S, "new_text": S}, {"old_text": "a", "new_text": "b"}),
    ("one", {"x": {"anyOf": [{"type": "null"}, {"type": "integer"}]}}, {}),
    ("in Oslo, Main Street", {"place": {"type": "object", "properties": {"city": S}, "required": ["city"]}}, {"place": {"city": "Oslo"}}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "properties", "want"), FILLS, ids=[f[0] for f in FILLS])
def test_filling(text, properties, want):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    filled = fill(parameters, Source(text, TODAY, frozenset({"weather", "translate", "write", "copy"})))
    assert filled.arguments == want
    assert filled.missing == [n for n in properties if n not in want]


def test_defaults_and_unsaid_options_are_left_out():
    properties = {
        "city": S,
        "unit": {"enum": ["c", "f"], "default": "c"},
        "days": {"type": "integer", "default": 3},
    }
    parameters = {"type": "object", "properties": properties, "required": ["city"]}
    filled = fill(parameters, Source("weather in Rome for 3 days", TODAY, frozenset({"weather"})))
    assert filled.arguments == {"city": "Rome"}


def test_values_side_by_side_want_a_call_each():
    parameters = {"type": "object", "properties": {"city": S}, "required": ["city"]}
    filled = fill(parameters, Source("weather in Rome, Oslo and Paris", TODAY, frozenset({"weather"})))
    assert filled.each() == [{"city": "Rome"}, {"city": "Oslo"}, {"city": "Paris"}]


ERRORS = [
    ("Error: no such city", "no such city"), ('{"error": "gone"}', "gone"), ('{"error": {"message": "gone"}}', "gone"),
    ("错误：没有", "没有"), ('{"error": null, "x": 1}', None), ("All errors are gone", None), ("", None), ("[]", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "want"), ERRORS)
def test_what_is_an_error(text, want):
    assert error_of(text) == want


KINDS = [
    ("Error: there is no tool named 'x'. The tools there are: a, b.", "unknown_tool"),
    ("Error: read_file failed: FileNotFoundError: [Errno 2] No such file or directory: 'x'", "missing"),
    ("Error: f: the arguments must be one JSON object, but the JSON breaks at character 3", "json"),
    ("Error: f failed: TimeoutError: 30 s", "transient"), ("Error: HTTP 503 Service Unavailable", "transient"),
    ("Error: f was refused by the person", "denied"), ("Error: Loop: 5 calls in a row", "loop"),
    ("Error: f needs a second factor, and was not run. Do not try again; tell the user.", "denied"),
    ("Error: f: n must be an integer", "invalid"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_the_kind_of_an_error(text, kind):
    assert trouble_of(text).kind == kind


def test_the_names_a_message_offers():
    assert "b_2" in trouble_of("Error: unknown tool x. Available tools: a1, b_2").listed


SUNNY, WET = '{"city": "Rome", "condition": "sunny", "temperature": 24}', '{"condition": "light rain"}'
CONDITIONS = [
    ("it rains", WET, True), ("it does not rain", WET, False), ("it rains", SUNNY, False), ("it doesn't rain", SUNNY, True),
    ("it is sunny", SUNNY, True), ("不下雨", SUNNY, True), ("下雨", WET, True), ("下雨", "小雨", True), ("不下雨", "多云，无雨", True),
    ("it rains", '{"rain": false}', False), ("it rains", '{"rain_chance_percent": 80}', True), ("it rains", "no rain today", False),
    ("the temperature is above 20", SUNNY, True), ("it is colder than 20 degrees", SUNNY, False), ("温度超过30度", SUNNY, False),
    ("the temperature is at least 24", SUNNY, True), ("the status is 200", '{"status": 200}', True), ("the status is not 200", '{"status": 200}', False),
    ("it contains milk", "Buy milk", True), ("it contains the word 'bread'", "Buy milk", False), ("it does not mention milk", "Buy milk", False),
    ("it is empty", "", True), ("it is not empty", "", False), ("the list is empty", "[]", True), ("it is empty", "text", False),
    ("a.txt exists", "a.txt\nb.txt", True), ("c.txt exists", "a.txt\nb.txt", False), ("c.txt does not exist", "a.txt", True),
    ("a.txt exists", "Error: No such file: a.txt", False), ("it fails", "Error: x", True), ("it succeeds", "ok", True), ("it works", "Error: x", False),
    ("it is still pending", '{"status": "pending"}', True), ("it is paid", '{"paid": false}', False), ("it is not paid yet", '{"paid": false}', True),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "result", "want"), CONDITIONS, ids=[f"{c[0]} | {c[1]}" for c in CONDITIONS])
def test_conditions(condition, result, want):
    assert holds(condition, [result]) is want


def test_a_condition_without_results_is_open():
    assert holds("it rains", []) is None


def test_an_argument_repeated_in_a_result_proves_nothing():
    assert holds("it rains in Rome", [SUNNY], set(concepts("Rome"))) is False


@pytest.mark.parametrize(("word", "want"), [("files", "file"), ("running", "run"), ("cities", "city"), ("boxes", "box"), ("bus", "bus"), ("added", "add")])  # fmt: skip
def test_stems(word, want):
    assert stem(word) == want


def test_words_of_both_languages_meet_in_concepts():
    assert concepts("show the folder") == concepts("目录") == ("directory",)
    assert chinese_words("上海明天下雨吗") == ["上海", "明天", "下雨", "吗"]


def test_a_key_that_means_the_parameter():
    assert look_up({"order": {"orderId": 5}}, "order_id") == 5
    assert look_up([{"a": 1}], "b") is None


@pytest.mark.parametrize("text", ["milk\nsix eggs\n", "one line", "  indented\n\n", "\n"])
def test_a_copied_text_stays_as_it_is(text):
    """What a result says is written to the last line end, as its reader would have it."""
    from agentlib import Agent, Tool, connect

    written = []
    schema = {
        "type": "object",
        "properties": {name: S for name in ("path", "content")},
        "required": ["path", "content"],
    }
    path = {"type": "object", "properties": {"path": S}, "required": ["path"]}
    tools = [
        Tool("read_file", "Read a text file.", path, lambda path: text),
        Tool("write_file", "Write text to a file.", schema, lambda **given: written.append(given)),
    ]
    client, model = connect(offline=True)
    Agent(client, model, tools, layers=()).run_sync("Copy a.txt to b.txt.")
    assert written == [{"path": "b.txt", "content": text}]
