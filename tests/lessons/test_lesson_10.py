"""Lesson 10's layers and the library's, held to one table: what is repeated, kept, handed over."""

import ast
import asyncio
import json
import re
import threading
import time
from types import SimpleNamespace

import openai
import pytest
from lesson_code import definitions, run_definitions

from agentlib import Agent, Executor, ToolCall, ToolCallError, ToolRegistry, connect
from agentlib.course import places
from agentlib.course.notebooks import code_cells
from agentlib.errors import STRATEGIES, ErrorCategory, classify
from agentlib.executor import cancel_requested
from agentlib.layers.fallback import Fallback
from agentlib.layers.retry import Retry
from agentlib.model import explain
from agentlib.running import run_function

GIVEN = {"client": None, "model": "scripted-1"}


def lesson_until(text):
    """The definitions as they stand before the first cell that holds `text`."""
    namespace = {"__name__": "lesson_10", **GIVEN}
    for cell in code_cells(places.find_lesson("10", places.CHECKOUT / "lessons")):
        if text in cell["source"]:
            return SimpleNamespace(**namespace)
        run_definitions(cell["source"], namespace)
    raise AssertionError(f"no cell holds {text!r}")


LESSON, EARLY = definitions("10", **GIVEN), lesson_until("from tenacity")


class Shop:
    """A tool that raises what stands in `trouble`, one after the other, then works."""

    def __init__(self, trouble, **options):
        self.ran, self.waits, self.registry = [], [], ToolRegistry()
        self.trouble = list(trouble)

        @self.registry.tool(**options)
        def work(n: int = 1) -> str:
            """Work."""
            self.ran.append(n)
            if self.trouble:
                raise self.trouble.pop(0)
            return f"done {n}"

    async def note(self, seconds):
        self.waits.append(seconds)

    def run(self, layers, *numbers):
        async def main():
            execute = layers(self)
            tool = self.registry.get("work")
            return [await execute(ToolCall("work", {"n": n}, "c1", tool=tool)) for n in numbers]

        return asyncio.run(main())


def retry_of_the_lesson(shop):
    return LESSON.stack(LESSON.retry(sleep=shop.note))


def first_retry_of_the_lesson(shop):
    """The loop written by hand, before tenacity takes its place."""
    return EARLY.stack(EARLY.retry(sleep=shop.note))


def retry_of_the_library(shop):
    return Executor(shop.registry, layers=[Retry(sleep=shop.note)]).execute


LOST, LATE, WRONG = ConnectionError("lost"), TimeoutError("late"), ValueError("no such currency")
BUSY = ToolCallError("busy", category="rate_limit")
DATA = {"category": "data", "repeatable": True}
ACTION = {"category": "action"}
# options of the tool, troubles -> runs, waits, ok, whether the model is told of a doubt
RETRIES = {
    "no trouble": (DATA, [], 1, [], True, False),
    "one": (DATA, [LOST], 2, [1], True, False),
    "three of them": (DATA, [LOST, LATE, BUSY], 4, [1, 2, 4], True, False),
    "four are too many": (DATA, [LOST] * 4, 4, [1, 2, 4], False, False),
    "a wrong value stays wrong": (DATA, [WRONG] * 4, 1, [], False, False),
    "a bug stays a bug": (DATA, [RuntimeError("bug")] * 4, 1, [], False, False),
    "it ends at an error that stays": (DATA, [LOST, WRONG, LOST], 2, [1], False, False),
    "a payment without an answer": (ACTION, [LATE], 1, [], False, True),
    "a payment, connection lost": (ACTION, [LOST], 1, [], False, True),
    "a payment, then a bug": (ACTION, [RuntimeError("bug")], 1, [], False, True),
    "a payment that was refused": (ACTION, [WRONG], 1, [], False, False),
    "nobody said repeatable": ({}, [LOST], 1, [], False, False),
    "an action that may be repeated": (ACTION | {"repeatable": True}, [LOST], 2, [1], True, False),
}


@pytest.mark.parametrize(
    "layers", [first_retry_of_the_lesson, retry_of_the_lesson, retry_of_the_library]
)
@pytest.mark.parametrize("case", RETRIES)
def test_retry(layers, case):
    options, trouble, runs, waits, ok, doubt = RETRIES[case]
    shop = Shop(trouble, **options)
    (result,) = shop.run(layers, 1)
    assert (len(shop.ran), shop.waits, result.ok) == (runs, waits, ok)
    assert ("may have taken effect" in result.content) is doubt


def test_the_naive_retry_pays_twice():
    shop = Shop([LATE], **ACTION)
    (result,) = shop.run(lambda s: LESSON.stack(LESSON.retry_everything(sleep=s.note)), 1)
    assert result.ok and len(shop.ran) == 2


class Bad(Exception):
    pass


@pytest.mark.parametrize(
    ("error", "category"),
    [
        (TimeoutError(), "timeout"),
        (ConnectionError(), "external_service_error"),
        (ConnectionResetError(), "external_service_error"),
        (BrokenPipeError(), "external_service_error"),
        (ValueError(), "business_error"),
        (KeyError("x"), "business_error"),
        (TypeError(), "business_error"),
        (FileNotFoundError(), "business_error"),
        (PermissionError(), "business_error"),
        (RuntimeError(), "system_error"),
        (Bad(), "system_error"),
        (MemoryError(), "system_error"),
        (BUSY, "rate_limit"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else value,
)
def test_categories(error, category):
    assert LESSON.category_of(error) == classify(error) == category


def test_the_table_of_strategies_is_the_librarys():
    of_lesson = {name: tuple(strategy) for name, strategy in LESSON.STRATEGIES.items()}
    assert of_lesson == {
        category.value: (s.retryable, s.recoverable, s.fallback, s.user_message)
        for category, s in STRATEGIES.items()
    }
    assert set(of_lesson) == {category.value for category in ErrorCategory}


now = 0.0


def cached_by_the_lesson(shop):
    return LESSON.stack(LESSON.use_last_good(clock=lambda: now))


def cached_by_the_library(shop):
    return Executor(shop.registry, layers=[Fallback(clock=lambda: now)]).execute


both_caches = pytest.mark.parametrize("layers", [cached_by_the_lesson, cached_by_the_library])
# options, trouble at the second call, its argument -> the old result is used
CACHED = {
    "a service that is down": (DATA, LOST, 1, True),
    "no answer": (DATA, LATE, 1, True),
    "too often": (DATA, BUSY, 1, True),
    "a wrong value is no reason": (DATA, WRONG, 1, False),
    "a bug is no reason": (DATA, RuntimeError("bug"), 1, False),
    "other arguments": (DATA, LOST, 2, False),
    "an old payment is no payment": (ACTION | {"repeatable": True}, LOST, 1, False),
    "nobody said that it may be repeated": ({"category": "data"}, LOST, 1, False),
}


@both_caches
@pytest.mark.parametrize("case", CACHED)
def test_the_last_good_result(layers, case):
    global now
    options, error, number, used = CACHED[case]
    shop = Shop([], **options)

    def then_trouble(shop):
        execute = layers(shop)

        async def later(call):
            global now
            result = await execute(call)
            shop.trouble, now = [error], 75.0
            return result

        return later

    now = 0.0
    first, second = shop.run(then_trouble, 1, number)
    assert first.content == "done 1" and second.ok is used
    marked = [part in second.content for part in ("[cached", "75 s old", "done 1")]
    assert marked == [used] * 3


def test_a_person_is_warned_of_a_payment_that_may_have_been_made():
    shop, fallback = Shop([RuntimeError("disk full")] * 2, **ACTION), Fallback()
    LESSON.waiting.clear()
    stacks = [
        LESSON.stack(LESSON.hand_over, LESSON.retry(sleep=shop.note)),
        Executor(shop.registry, layers=[fallback, Retry(sleep=shop.note)]).execute,
    ]
    texts = [shop.run(lambda _, way=way: way, 1)[0].content for way in stacks]
    assert shop.ran == [1, 1] and fallback.queue.take().in_doubt
    assert [text.count("may have taken effect") for text in texts] == [1, 1]
    assert "may have taken effect" in LESSON.waiting[0].content


def test_a_broken_thing_is_handed_over_by_both():
    shop, fallback = Shop([RuntimeError("disk gone")] * 2 + [WRONG] * 2), Fallback()
    by_library = Executor(shop.registry, layers=[fallback]).execute
    LESSON.waiting.clear()
    (lesson,) = shop.run(lambda s: LESSON.stack(LESSON.hand_over), 1)
    (library,) = shop.run(lambda s: by_library, 2)
    assert [r.call.arguments for r in LESSON.waiting] == [{"n": 1}]
    assert [item.call.arguments for item in fallback.queue] == [{"n": 2}]
    for result in (lesson, library):
        assert "disk gone" in result.content and "erson" in result.content
    shop.run(lambda s: LESSON.stack(LESSON.hand_over), 1)
    shop.run(lambda s: by_library, 1)
    assert len(LESSON.waiting) == len(fallback.queue) == 1


# Time limits


def within_by_the_lesson(function, seconds):
    return EARLY.within(seconds, function, {})


async def within_by_the_library(function, seconds):
    try:
        options = {"name": "f", "limit": seconds, "abandoned": []}
        return await run_function(function, [], {}, **options)
    except ToolCallError as error:
        raise TimeoutError from error


WAYS = {
    "lesson": (within_by_the_lesson, EARLY.cancel_requested),
    "library": (within_by_the_library, cancel_requested),
}
both_limits = pytest.mark.parametrize("way", WAYS)


@both_limits
def test_a_limit_answers_in_time_and_asks_the_tool_to_stop(way):
    within, stop_asked = WAYS[way]
    stopped = threading.Event()

    def slow():
        deadline = time.monotonic() + 20
        while not stop_asked() and time.monotonic() < deadline:
            time.sleep(0.005)
        stopped.set() if stop_asked() else None

    began = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(within(slow, 0.05))
    assert time.monotonic() - began < 10 and stopped.wait(10)


@both_limits
def test_what_is_quick_enough_comes_through(way):
    within, stop_asked = WAYS[way]
    assert asyncio.run(within(lambda: (7, stop_asked()), 5)) == (7, False)


@both_limits
def test_an_async_tool_is_cancelled(way):
    ended = []

    async def waits():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    with pytest.raises(TimeoutError):
        asyncio.run(WAYS[way][0](waits, 0.02))
    assert ended == [True]


# The model request


@pytest.mark.parametrize(
    ("quirk", "mend"),
    [
        ("context_length:20", "trim or reset"),
        ("wrong_key", "key"),
        ("rate_limited", "again"),
        ("server_error", "again"),
        ("dropped", "again"),
        ("slow", "again"),
    ],
)
def test_explained_with_the_mend(quirk, mend):
    with pytest.raises(openai.OpenAIError) as caught:
        asyncio.run(LESSON.asker(quirk)())
    assert mend in LESSON.explain(caught.value) and mend in explain(caught.value)


@pytest.mark.parametrize(
    ("quirk", "ok", "waits"),
    [
        ("rate_limited:2", True, [1, 1]),  # as its Retry-After says
        ("server_error:1", True, [1]),
        ("server_error:2", True, [1, 2]),
        ("server_error:3", False, [1, 2]),
        ("dropped:2", True, [1, 2]),
        ("wrong_key", False, []),
        ("context_length:20", False, []),
    ],
)
def test_patience_has_a_budget(quirk, ok, waits):
    shop, ask = Shop([]), LESSON.asker(quirk)

    async def main():
        return await LESSON.outcome(lambda: LESSON.patiently(ask, sleep=shop.note))

    assert (asyncio.run(main()) == "answered") is ok and shop.waits == waits


def run_of_the_lesson(failing):
    lesson = definitions("10", client=failing, model="scripted-1")

    async def go():
        lesson.trouble.clear()
        first = await lesson.run("Pay Ana 50 EUR.", [power_cut])
        lesson.run.__globals__["client"] = connect(asynchronous=True)[0]
        return first, await lesson.run()

    async def power_cut(call, proceed):
        result = await proceed(call)
        lesson.run.__globals__["client"] = down()
        return result

    first, second = asyncio.run(go())
    return first, second, lesson.messages, lesson.ledger


def run_of_the_library(failing):
    lesson = definitions("10", **GIVEN)

    async def power_cut(call, proceed):
        result = await proceed(call)
        agent.client = down()
        return result

    async def go():
        lesson.trouble.clear()
        first = await agent.run("Pay Ana 50 EUR.")
        agent.client = connect(asynchronous=True)[0]
        second = await agent.run()
        return (first.stopped, first.text), (second.stopped, second.text)

    agent = Agent(failing, "scripted-1", lesson.registry, layers=[power_cut])
    first, second = asyncio.run(go())
    return first, second, agent.messages, lesson.ledger


def down():
    return connect(quirks="server_error:99", asynchronous=True)[0].with_options(max_retries=0)


@pytest.mark.parametrize("way", [run_of_the_lesson, run_of_the_library])
def test_a_run_ends_as_an_error_and_goes_on_without_doing_it_twice(way):
    first, second, messages, ledger = way(connect(asynchronous=True)[0])
    assert first[0] == "error" and "again" in first[1]
    assert second[0] == "answer" and "Paid 50 EUR to Ana" in second[1]
    assert [m["role"] for m in messages] == ["user", "assistant", "tool", "assistant"]
    assert ledger == [("Ana", 50.0)]


def test_an_unknown_tool_is_a_result_for_the_lessons_loop():
    lesson = definitions("10", client=connect(quirks="made_up_tool", asynchronous=True)[0],
                         model="scripted-1")  # fmt: skip
    lesson.trouble.clear()
    stopped, text = asyncio.run(lesson.run("What is the exchange rate of USD?", [lesson.retry()]))
    assert stopped == "answer" and "0.92" in text
    assert "no tool named" in json.dumps(lesson.messages)


def test_the_lines_are_counted_right():
    """ "… and N lines more": the last definition of what this lesson adds."""
    path = places.find_lesson("10", places.CHECKOUT / "lessons")
    new = {
        "within", "stop_flag", "cancel_requested", "category_of", "Strategy", "run_function",
        "worth_it", "DOUBT", "tell_of_doubt", "retry", "text_with_age", "key_of", "use_last_good",
        "instead", "hand_over", "MAY_PASS", "explain",
    }  # fmt: skip
    counts, table = {}, 0
    for cell in code_cells(path):
        tree = compile(cell["source"], "c", "exec", ast.PyCF_ONLY_AST | 0x2000)
        for node in tree.body:
            name = getattr(node, "name", None)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
            lines = cell["source"].split("\n")[node.lineno - 1 : node.end_lineno]
            count = sum(bool(line.strip()) for line in lines)
            if name == "STRATEGIES":
                table += count
            elif name in new:
                counts[name] = count
    said = re.search(r"and (\d+)\s+lines more", path.read_text(encoding="utf-8"))
    assert set(counts) == new and sum(counts.values()) + table == int(said[1])
