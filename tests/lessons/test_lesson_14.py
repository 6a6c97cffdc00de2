"""Lesson 14's store and the library's, held to one table; the task, both ways; the script."""

import ast
import asyncio
import datetime as dt
import re
import sqlite3
import subprocess
import sys

import pytest
from lesson_code import definitions

from agentlib import Agent, Executor, Tool, ToolCall, connect
from agentlib.builtin_tools.reminders import ReminderStore, reminder_tools
from agentlib.builtin_tools.weather import CITIES, weather_on
from agentlib.course import places
from agentlib.course.notebooks import code_cells

LESSON = definitions("14")
NOON = dt.datetime(2026, 11, 30, 12)
TASK = (
    "What is the weather in {} tomorrow? If it does not rain, set a reminder to go to the gym "
    "at 9 am."
)


class Clock:
    now = NOON

    def __call__(self):
        return self.now


class ByTheLesson:
    def __init__(self, path, clock):
        self.store = LESSON.Store(path, clock)

    def add(self, title, when):
        return self.store.add(title, when)

    def waiting(self):
        return [(title, due) for _, title, due, _ in self.store.all()]

    def take_due(self):
        return [title for _, title in self.store.take_due()]


class ByTheLibrary:
    def __init__(self, path, clock):
        self.store = ReminderStore(path, clock=clock)

    def add(self, title, when):
        return self.store.add(title, when, "none", "").id

    def waiting(self):
        return [(r.title, r.when.isoformat()) for r in self.store.all() if not r.fired]

    def take_due(self):
        return [r.title for r in self.store.take_due()]


both = pytest.mark.parametrize("made", [ByTheLesson, ByTheLibrary])


def at(hours):
    return NOON + dt.timedelta(hours=hours)


# reminders as (title, hours from noon), looks as hours -> what rings at each look, what then waits
TABLE = {
    "not before its time": ([("a", 2)], [0, 1.99], [[], []], ["a"]),
    "at its time, once": ([("a", 2)], [2, 2, 3], [["a"], [], []], []),
    "late, once": ([("a", 2)], [50, 51], [["a"], []], []),
    "the earliest first": ([("b", 5), ("a", 2)], [6], [["a", "b"]], []),
    "each at its own": ([("a", 2), ("b", 5)], [3, 6], [["a"], ["b"]], []),
    "a quote in a title": ([("x'); DROP TABLE reminders; --", 1)], [0], [[]],
                           ["x'); DROP TABLE reminders; --"]),
    "another script": ([("去健身房", 1)], [1], [["去健身房"]], []),
}  # fmt: skip


@both
@pytest.mark.parametrize(("kept", "looks", "rung", "waiting"), TABLE.values(), ids=TABLE)
def test_one_table(tmp_path, made, kept, looks, rung, waiting):
    clock = Clock()
    store = made(tmp_path / "r.db", clock)
    assert [store.add(title, at(hours)) for title, hours in kept] == [*range(1, len(kept) + 1)]
    for hours, expected in zip(looks, rung, strict=True):
        clock.now = at(hours)
        assert store.take_due() == expected
    assert [title for title, _ in store.waiting()] == waiting


@both
@pytest.mark.parametrize("hours", [0, -1])
def test_a_time_that_has_passed_is_an_error_that_says_the_time(tmp_path, made, hours):
    store = made(tmp_path / "r.db", Clock())
    with pytest.raises(ValueError, match="has passed: it is 2026-11-30 12:00 now"):
        store.add("late", at(hours))
    assert store.waiting() == []


@both
def test_another_process_and_another_store_find_it(tmp_path, made):
    path = tmp_path / "r.db"
    made(path, Clock()).add("gym", at(21))
    code = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1])"
    code += ".execute('SELECT title, due FROM reminders').fetchall())"
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert done.stdout.strip() == "[('gym', '2026-12-01T09:00:00')]"
    for other in (ByTheLesson, ByTheLibrary):  # one file serves both
        assert other(path, Clock()).waiting() == [("gym", "2026-12-01T09:00:00")]


@both
def test_two_watchers_of_one_file_ring_once(tmp_path, made):
    clock = Clock()
    one, two = (made(tmp_path / "r.db", clock) for _ in range(2))
    one.add("tea", at(1))
    clock.now = at(1)
    assert len(one.take_due()) + len(two.take_due()) == 1


def test_the_lessons_watch_rings_while_it_runs(tmp_path):
    clock = Clock()
    store = ByTheLesson(tmp_path / "r.db", clock).store
    store.add("tea", at(1))

    async def main():
        rung = asyncio.Queue()
        watching = asyncio.create_task(
            LESSON.watch(store, lambda *what: rung.put_nowait(what), every=0.01)
        )
        await asyncio.sleep(0.05)
        assert rung.empty()
        clock.now = at(1)
        what = await asyncio.wait_for(rung.get(), 5)
        watching.cancel()
        return what

    assert asyncio.run(main()) == ("2026-11-30T13:00:00", "tea")


def tools_of_the_lesson(path):
    lesson = definitions("14")
    store = lesson.Store(path, Clock())
    lesson.set_reminder.__globals__["store"] = store
    names = ("get_weather", "set_reminder", "list_reminders")
    return [lesson.registry.get(name) for name in names]


def tools_of_the_library(path):
    return [
        Tool.from_function(LESSON.get_weather),
        *reminder_tools(ReminderStore(path, clock=Clock())),
    ]


def titles(path):
    with sqlite3.connect(path) as db:
        return db.execute("SELECT title, due FROM reminders").fetchall()


@pytest.mark.parametrize("tools", [tools_of_the_lesson, tools_of_the_library])
@pytest.mark.parametrize(
    ("task", "city", "title"),
    [(TASK.format(city), city, "go to the gym") for city in CITIES]
    + [
        (f"{other[0]}明天天气怎么样？如果不下雨，提醒我早上9点去健身房。", city, "去健身房")
        for city, (other, *_) in CITIES.items()
    ],
)
def test_the_task_in_every_city_and_both_languages(tmp_path, tools, task, city, title):
    """A reminder is set exactly where the data of that day says no rain."""
    path = tmp_path / "r.db"
    client, model = connect(offline=True)
    agent = Agent(client, model, tools(path), system="Today is Monday, 30 November 2026.")
    run = agent.run_sync(task)
    report = weather_on(city, dt.date(2026, 12, 1))
    assert run.calls[0].value == report and run.stopped == "answer"
    assert titles(path) == ([] if report["rain"] else [(title, "2026-12-01T09:00:00")])
    assert run.steps == (2 if report["rain"] else 3)  # the second call waits for the first


def test_both_outcomes_are_among_the_cities_shown():
    rain = {city: weather_on(city, dt.date(2026, 12, 1))["rain"] for city in CITIES}
    assert rain["Beijing"] and not rain["Shanghai"] and not rain["Chengdu"]
    assert list(LESSON.City.__args__) == list(CITIES)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"city": "Atlantis", "date": "2026-12-01"}, "`city` must be one of"),
        ({"city": "Beijing", "date": "tomorrow"}, "`date`"),
        ({"city": "Beijing"}, "`date`"),
    ],
)
def test_what_the_weather_tool_refuses(arguments, said):
    result = Executor([LESSON.get_weather]).execute_sync(ToolCall("get_weather", arguments))
    assert not result.ok and said in result.content


def script():
    cells = code_cells(places.find_lesson("14", places.CHECKOUT / "lessons"))
    [source] = [c["source"] for c in cells if c["source"].startswith("%%writefile assistant.py")]
    return source.split("\n", 1)[1]


def test_the_script_is_short_and_remembers(tmp_path):
    (tmp_path / "assistant.py").write_text(script(), encoding="utf-8")
    assert len(script().splitlines()) <= 32

    def run(task):
        command = [sys.executable, "-X", "utf8", "assistant.py", task]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "set_reminder" not in run(TASK.format("Beijing"))
    assert 'set_reminder({"title": "go to the gym", "when": "2026-12-01T09:00:00"})' in run(
        TASK.format("Shanghai")
    )
    assert "go to the gym" in run("What reminders do I have?")


def test_the_number_of_lines_is_true():
    path = places.find_lesson("14", places.CHECKOUT / "lessons")
    counted = {"City", "TABLE", "Store", "ADD", "add", "Store.add", "LIST", "Store.all"}
    counted |= {"waiting", "get_weather", "set_reminder", "list_reminders"}
    lines = {}
    for cell in code_cells(path):
        if "list_reminders" in lines or "known.get(city" in cell["source"]:
            continue
        lines |= lines_of(cell["source"], counted)
    text = path.read_text(encoding="utf-8")
    assert set(lines) == counted
    said = re.search(r"\*\*The tools so far: (\d+) lines\*\*", text)
    assert int(said[1]) == sum(lines.values())


def lines_of(source, counted):
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    found = {}
    for node in compile(source, "<cell>", "exec", flags).body:
        name = getattr(node, "name", "")
        if isinstance(node, ast.Assign):
            name = ast.unparse(node.targets[0])
        if name in counted:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            part = source.splitlines()[first - 1 : node.end_lineno]
            found[name] = sum(bool(line.strip()) for line in part)
    return found
