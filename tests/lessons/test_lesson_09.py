"""Lesson 09's four detectors and the library's, held to one table of runs; and its guard."""

import asyncio
import json

import pytest
from lesson_code import definitions, lines_of

from agentlib import Agent, LoopDetectionConfig, LoopDetector, ToolCall, ToolResult, connect
from agentlib.context import Context
from agentlib.course import places
from agentlib.layers.loop_guard import LoopGuard

LESSON = definitions("09")
READ = ("read_file", {"path": "todo.txt"}, "Error: no such file")
LIST = ("list_dir", {"path": "."}, "notes.txt")
JOB = ("job", {}, "pending")
TURNED = [("find", {"a": 1, "b": 2}, "none"), ("find", {"b": 2, "a": 1}, "none")]
ASKED = ["tea shop", "Tea shop", "tea shop?", "tea-shop", "tea  shop", "tea shop!", "a tea shop"]
TOLD = ["ok"] * 5 + ["warn", "stop"]

LOOPS = {  # name: (calls, the verdict before each)
    "the same call": ([READ] * 7, TOLD),
    "keys in another order": (TURNED * 4, [*TOLD, "stop"]),
    "nearly the same": ([("search", {"query": q}, "nothing") for q in ASKED], TOLD),
    "A-B-A-B": ([READ, LIST] * 4, [*TOLD, "stop"]),
    "a circle of three": ([READ, LIST, JOB] * 3, ["ok"] * 6 + ["warn", "stop", "stop"]),
    "after honest work": ([LIST, JOB, *[READ] * 7], ["ok"] * 2 + TOLD),
    "more than 20 calls": (
        [("read_file", {"path": f"{c}.md"}, f"text {c}") for c in "abcdefghijklmnopqrstuvw"],
        ["ok"] * 20 + ["warn", "stop", "stop"],
    ),
}
HONEST = {
    "a poll whose result changes": [("job", {}, f"{n} %") for n in range(12)],
    "other keys each time": [
        ("find", {"name": "tea", key: "x"}, f"{key} teas") for key in "abcdefgh"
    ],
    "other numbers": [("write", {"path": f"part{n}.txt"}, "written") for n in range(9)],
    "a test after each edit": [
        call
        for n in range(7)
        for call in (("edit", {"new": f"x = {n}"}, "replaced"), ("test", {}, "1 failed"))
    ],
    "five times the same": [READ] * 5,
    "news in between": [*[READ] * 5, ("edit", {"path": "x"}, "replaced"), *[READ] * 4],
}


def timed(calls, every=2):
    return [LESSON.Call(*call, at=every * n) for n, call in enumerate(calls)]


def by_the_lesson(calls):
    return LESSON.kinds_of(lambda made, new: LESSON.judge(made, new)[0], calls)


def by_the_library(calls):
    now, kinds = [0.0], []
    detector = LoopDetector(LoopDetectionConfig(clock=lambda: now[0]))
    for c in calls:
        now[0], call = c.at, ToolCall(c.tool, c.arguments)
        kinds.append(detector.check(call).kind)
        detector.record(call, c.result)
    return kinds


both = pytest.mark.parametrize("judged", [by_the_lesson, by_the_library])


@both
@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_is_warned_about_and_then_stopped(judged, name):
    calls, expected = LOOPS[name]
    assert judged(timed(calls)) == expected


@both
@pytest.mark.parametrize("name", HONEST)
def test_honest_work_is_left_alone(judged, name):
    assert set(judged(timed(HONEST[name]))) == {"ok"}


@both
@pytest.mark.parametrize(
    "calls",
    [
        [("write_file", {"path": f"part-{c}.txt"}, "written") for c in "abcdefg"],
        [
            ("send_email", {"to": f"{name}@example.org", "text": "Lunch is at 12."}, "sent")
            for name in ("ana", "ben", "cai", "dora", "emil", "fei", "gus")
        ],
    ],
    ids=["letters for numbers", "one mail to seven people"],
)
def test_the_false_alarms_that_the_lesson_owns_up_to(judged, calls):
    assert judged(timed(calls)) == TOLD
    told = [
        (tool, arguments, f"{n}: {result}") for n, (tool, arguments, result) in enumerate(calls)
    ]
    assert set(judged(timed(told))) == {"ok"}  # a result that brings news mends it


@pytest.mark.parametrize(("guard", "ran"), [(lambda: LESSON.loop_guard(), 10), (LoopGuard, 5)])
def test_side_by_side_the_lessons_guard_sees_nothing(guard, ran):
    async def proceed(call):
        await asyncio.sleep(0)
        return ToolResult.success(call, "pending")

    async def main():
        layer, call = guard(), ToolCall("job", "{}", context=Context(run="r"))
        return await asyncio.gather(*[layer(call, proceed) for _ in range(10)])

    assert sum(result.ok for result in asyncio.run(main())) == ran


def test_cells_run_again_keep_the_reasons_apart_from_the_functions():
    """A detector that is defined anew is another object; its name is the same."""
    over, name = LESSON.judge(timed([READ] * 5), timed([READ] * 6)[5])
    assert (over, name) == (0, "repeat") and set(LESSON.WHY) == {
        *(detect.__name__ for detect in LESSON.DETECTORS), "total"
    }  # fmt: skip


@both
def test_only_the_last_60_seconds_count(judged):
    assert set(judged(timed([JOB] * 9, every=15))) == {"ok"}
    assert judged(timed([JOB] * 7, every=9)) == TOLD


@pytest.mark.parametrize(
    ("calls", "trips"),
    [
        (HONEST["a test after each edit"], True),  # counts in a window
        (HONEST["other keys each time"], True),  # only the keys that both have
        (LOOPS["A-B-A-B"][0], False),
        (HONEST["a poll whose result changes"], True),
    ],
)
def test_the_detector_of_many_tutorials_is_wrong_in_four_ways(calls, trips):
    assert LESSON.trips(LESSON.tutorial, timed(calls)) is trips


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        ({}, {}, 1.0),
        ({"q": "tea"}, {"q": "tea"}, 1.0),
        ({"q": "tea"}, {"q": "tea", "page": 2}, 0.5),
        ({"a": "1"}, {"b": "1"}, 0.0),
        ({"path": "part1.txt"}, {"path": "part2.txt"}, 0.0),
    ],
)
def test_similarity_is_the_librarys_from_either_side(a, b, wanted):
    from agentlib.loops.similarity import similarity

    for measured in (LESSON.similarity, similarity):
        assert measured(a, b) == measured(b, a) == wanted


def run_guarded(quirk, guard, task, folder):
    from agentlib.builtin_tools import list_dir, read_file

    (folder / "notes.txt").write_text("Buy milk.\n")
    client, model = connect(offline=True, quirks=quirk)
    here = Context(workspace=folder)
    agent = Agent(client, model, [list_dir, read_file], layers=[guard], context=here)
    return asyncio.run(agent.run(task))


@pytest.mark.parametrize("guard", [lambda: LESSON.loop_guard(), LoopGuard])
@pytest.mark.parametrize(
    ("quirk", "stopped", "steps"),
    [("repeat_call", "loop", 7), ("ping_pong", "loop", 7), ("repeat_until_warned", "answer", 9)],
)
def test_the_guard_warns_and_then_ends_the_run(guard, quirk, stopped, steps, tmp_path):
    run = run_guarded(quirk, guard(), "Read the file note.txt.", tmp_path)
    assert (run.stopped, run.steps) == (stopped, steps)
    kinds = ["loop" if "Loop: " in call.content else "run" for call in run.calls]
    assert kinds == ["run"] * 5 + ["loop"] + (
        ["loop"] if stopped == "loop" else ["run", "run"]  # the folder, then the right file
    )
    assert run.calls[5].content.startswith("Error: Loop: ") and run.calls[5].error.recoverable
    if stopped == "answer":
        assert "Buy milk." in run.text


def test_arguments_that_are_no_json_are_noted_too():
    noted = LESSON.noted(ToolCall("f", '{"a":'))
    assert noted.arguments == {"not JSON": '{"a":'}
    assert json.dumps(noted.arguments)
    assert LESSON.noted(ToolCall("f", "")).arguments == {}


def test_the_count_of_lines_is_true():
    names = """
        Call key LIMIT repeat alike similarity similar last_like brought_news streak cycle
        total DETECTORS judge WHY ADVICE loop_error noted loop_guard
    """
    path = places.find_lesson("09", places.CHECKOUT / "lessons")
    assert f"{lines_of('09', *names.split())} lines more" in path.read_text(encoding="utf-8")
