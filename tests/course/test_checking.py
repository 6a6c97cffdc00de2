"""The checker on answers of every kind, with exercises made for it."""

import asyncio
import dataclasses
import sys
import threading
import time

import pytest

from agentlib.course.checking import judge
from agentlib.course.exercise import Case, Exercise

DOUBLE = Exercise(
    id="0.1",
    title="Double",
    stub="def double(x):\n    ...  # your code\n",
    cases=[Case((2,), 4), Case((0,), 0), Case(("a",), raises=TypeError)],
    solution="def double(x):\n    return x + x if x != 'a' else 1 / '0'",
    hints=["Twice."],
    wrong=["def double(x):\n    return x"],
    seconds=60,
)
HASTY = dataclasses.replace(DOUBLE, seconds=0.5)


def answer(source: str):
    names: dict = {}
    exec(compile(source, "<answer>", "exec"), names)
    return names["double"]


def right(x):
    if not isinstance(x, int):
        raise TypeError("an int")
    return 2 * x


async def right_async(x):
    await asyncio.sleep(0)
    return right(x)


@pytest.mark.parametrize(
    "source",
    [
        "def double(x): ...",
        "def double(x): pass",
        "def double(x):\n    '''Twice x.'''\n    ...",
        "def double(x):\n    # I have not begun\n    ...  # here",
        "def double(x, *, unused=1): ...",
        "async def double(x): ...",
        "async def double(x):\n    '''Twice x.'''",
        "double = lambda x: ...",
        "def double(x): return ...",
        "double = ...",
        "def double(x): raise NotImplementedError",
    ],
)
def test_untouched(source):
    assert judge(DOUBLE, answer(source)).status == "not started"


@pytest.mark.parametrize(
    ("given", "status", "case", "expected", "got"),
    [
        (right, "passed", "", "", ""),
        (right_async, "passed", "", "", ""),
        (lambda x: x, "wrong", "double(2)", "4", "2"),
        (lambda x: 2 * x, "wrong", "double('a')", "TypeError to be raised", "'aa'"),
        (lambda x: 4 if x == 2 else False, "wrong", "double(0)", "0", "False"),
        (lambda x: 1 // x and 4, "wrong", "double(2)", "4", "0"),
        (7, "wrong", "the answer itself", "a function", "7"),
    ],
)
def test_answers(given, status, case, expected, got):
    found = judge(DOUBLE, given)
    assert (found.status, found.case, found.expected, found.got) == (status, case, expected, got)


def test_wrong_exception_is_wrong():
    def double(x):
        return 2 * x if isinstance(x, int) else {}["missing"]

    found = judge(DOUBLE, double)
    assert (found.status, found.expected) == ("wrong", "TypeError to be raised")
    assert found.got.startswith("KeyError: 'missing'")


def test_raised_names_case_class_message_and_line():
    found = judge(DOUBLE, answer("def double(x):\n    y = 1\n    return y.missing\n"))
    assert (found.status, found.case) == ("raised", "double(2)")
    assert found.note == (
        "AttributeError: 'int' object has no attribute 'missing' (line 3 of your cell)"
    )


def by_judge(judge_answer) -> Exercise:
    stub, solution = "def double(x):\n    ...", "def double(x):\n    return 2 * x"
    return Exercise("0.3", "Judged", stub, solution, ["Twice."], [], judge=judge_answer)


def test_raised_under_a_judge_names_the_call():
    def judged(double):
        yield "two", 4, double(2)
        yield "a text", "aa", double("a")

    source = "def double(x, *more, deep=1, **rest):\n    return x * 2 if x == 2 else x // 2\n"
    found = judge(by_judge(judged), answer(source))
    assert (found.status, found.case) == ("raised", "double(x='a', deep=1)")
    assert found.note.endswith("(line 2 of your cell)")


def test_a_function_is_shown_by_its_name():
    def judged(double):
        def shout(text):
            return text.upper()

        yield "what is registered", [shout, print], [double, judged]

    found = judge(by_judge(judged), lambda x: x)
    assert found.expected == "[the function shout, <built-in function print>]"
    assert found.got == "[the function <lambda>, the function judged]"


def test_sys_exit_is_raised_and_not_the_end():
    assert judge(DOUBLE, lambda x: sys.exit(3)).note.startswith("SystemExit: 3")


def test_an_endless_loop_is_stopped():
    before = set(threading.enumerate())

    def double(x):
        while True:
            x += 1

    found = judge(HASTY, double)
    assert found.status == "raised"
    assert found.note.startswith("no answer after 0.5 s, so it was stopped")
    assert "still runs" not in found.note
    assert set(threading.enumerate()) <= before


def test_an_endless_wait_is_stopped():
    async def double(x):
        await asyncio.sleep(3600)

    assert judge(HASTY, double).note.startswith("no answer after 0.5 s")


def test_what_cannot_be_stopped_is_said():
    free = threading.Event()
    found = judge(HASTY, lambda x: free.wait(20) and time.sleep(0))
    free.set()
    assert "still runs: restart the kernel" in found.note


def test_works_from_a_running_loop():
    async def cell():
        return judge(DOUBLE, right_async)

    assert asyncio.run(cell()).status == "passed"


def test_cases_are_not_spoiled_by_an_answer_that_changes_its_arguments():
    exercise = Exercise(
        id="0.2",
        title="First",
        stub="def first(items): ...",
        cases=[Case(([1, 2],), 1)],
        solution="",
        hints=[],
        wrong=[],
    )
    assert judge(exercise, lambda items: items.pop(0)).status == "passed"
    assert judge(exercise, lambda items: items.pop(0)).status == "passed"


def looking(judge_function) -> Exercise:
    stub = "def double(x): ..."
    return Exercise("0.3", "T", stub, "", hints=[], wrong=[], judge=judge_function, seconds=5)


def test_judges_plain_and_async():
    def plain(given):
        yield "twice two", 4, given(2)

    async def asynchronous(given):
        yield "twice two", 4, await given(2)

    assert judge(looking(plain), right).status == "passed"
    assert judge(looking(asynchronous), right_async).status == "passed"
    found = judge(looking(plain), lambda x: 5)
    assert (found.status, found.case, found.expected, found.got) == ("wrong", "twice two", "4", "5")
    assert judge(looking(plain), lambda x: 1 / 0).status == "raised"


def test_a_half_given_stub_is_told_from_an_answer():
    stub = "def double(x):\n    y = x + 1\n    ...  # your code\n"
    exercise = Exercise("0.4", "T", stub, "", hints=[], wrong=[], cases=[Case((1,), 2)])
    assert judge(exercise, answer("# mine\n" + stub)).status == "not started"
    assert judge(exercise, answer(stub.replace("...", "return 2"))).status == "passed"
    assert judge(exercise, answer(stub.replace("+ 1", "+ 2"))).status == "wrong"


def test_a_class_is_untouched_when_its_methods_are():
    stub = "class double:\n    def __init__(self, x): ...\n    def value(self): ...\n"

    def look(cls):
        yield "double(2).value()", 4, cls(2).value()

    exercise = looking(look)
    assert judge(exercise, answer(stub)).status == "not started"
    done = stub.replace("value(self): ...", "value(self): return 4")
    assert judge(exercise, answer(done)).status == "passed"


def test_cases_and_judge_exclude_each_other():
    with pytest.raises(ValueError, match="either cases or a judge"):
        Exercise("0.5", "T", "x = ...", "", hints=[], wrong=[])
