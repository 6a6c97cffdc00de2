"""Lesson 12's loop, limits, stream and order, and the library's, held to one table each."""

import ast
import asyncio
from itertools import permutations

import pytest
from lesson_code import definitions
from replies import Script, calls, chunk, sse, text

from agentlib import Agent, Budget, Context, Executor, ToolCall
from agentlib.course import places
from agentlib.course.notebooks import code_cells
from agentlib.layers import standard_layers
from agentlib.wire import StreamAssembler

LESSON = definitions("12", client=None, model="m")


def streamed(message):
    """A reply as a stream: each call in two pieces, then 15 tokens."""
    deltas = [{"role": "assistant"}]
    if message["content"]:
        deltas += [{"content": part} for part in message["content"].partition(" ") if part]
    for i, call in enumerate(message.get("tool_calls", [])):
        name, arguments = call["function"].values()
        deltas.append({"tool_calls": [{**call, "index": i, "function": {"name": name}}]})
        deltas.append({"tool_calls": [{"index": i, "function": {"arguments": arguments}}]})
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    last = {**chunk({}), "choices": [], "usage": usage}
    return sse(*map(chunk, deltas), chunk({}, "stop"), last)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def ran_and_noted(registry):
    """The lesson's registry with a note of what ran."""
    ran = []

    async def note(call, proceed):
        ran.append(call.arguments)
        return await proceed(call)

    return ran, Executor(registry, layers=[note])


async def by_the_lesson(script, limits):
    lesson = definitions("12", client=script.async_client(), model="m")
    ran, executor = ran_and_noted(lesson.registry)
    kinds, words = [], ""
    events = lesson.within(lesson.work("go", executor.execute), limits, Clock())
    async for kind, data in events:
        kinds.append(kind)
        words = data if kind in ("end", "delta") else words
    return kinds[-1] == "end", len(ran), words, lesson.messages


async def by_the_library(script, limits):
    lesson = definitions("12")
    ran, executor = ran_and_noted(lesson.registry)
    rest = {name: limit for name, limit in limits.items() if name != "steps"}
    agent = Agent(
        script.async_client(), "m", lesson.registry, layers=executor.layers,
        max_steps=limits.get("steps", 99), budget=Budget(**rest, clock=Clock()),
    )  # fmt: skip
    events = [event async for event in agent.stream("go")]
    stopped = "Stopped" in events[-1].text
    return stopped, len(ran), events[-1].text, agent.messages


ONE = calls(("forecast", {"city": "London"}))
THREE = calls(*[("train_fare", {"city": c}) for c in ("London", "Chengdu", "Hangzhou")])
# replies, limits -> ended by a limit?, calls that ran, requests
TABLE = {
    "no limit": ([ONE, THREE, text("All done.")], {}, False, 4, 3),
    "steps": ([ONE, ONE], {"steps": 2}, True, 2, 2),
    "steps: the answer comes in time": ([ONE, text("ok")], {"steps": 2}, False, 1, 2),
    "calls": ([ONE, ONE, ONE], {"calls": 2}, True, 2, 3),
    "calls: a turn runs all or not at all": ([THREE], {"calls": 2}, True, 0, 1),
    "calls: exactly": ([THREE, text("ok")], {"calls": 3}, False, 3, 2),
    "tokens": ([ONE, ONE], {"tokens": 29}, True, 1, 2),
    "tokens: exactly": ([ONE, text("ok")], {"tokens": 30}, False, 1, 2),
    "tokens: an answer is not thrown away": ([text("ok")], {"tokens": 1}, False, 0, 1),
    "the first limit that is met": ([ONE, ONE], {"steps": 9, "calls": 1}, True, 1, 2),
}


@pytest.mark.parametrize("way", [by_the_lesson, by_the_library])
@pytest.mark.parametrize(
    ("replies", "limits", "stopped", "ran", "requests"), TABLE.values(), ids=TABLE
)
def test_one_table_of_limits(way, replies, limits, stopped, ran, requests):
    script = Script(*map(streamed, replies))
    got = asyncio.run(way(script, limits))
    assert got[:2] == (stopped, ran) and len(script.requests) == requests
    messages = got[3]
    answered = [m["tool_call_id"] for m in messages if m["role"] == "tool"]
    asked = [c["id"] for m in messages for c in m.get("tool_calls", [])]
    # An answer, or the calls that were run, are whole in the history; the lesson's loop leaves a
    # turn that did not run without results, which lesson 08's passes drop.
    assert answered == asked[: len(answered)] and len(answered) >= ran


def test_a_run_that_was_cancelled_does_no_harm_to_the_next():
    script = Script(streamed(text("ok")))
    lesson = definitions("12", client=script.async_client(), model="m")
    lesson.messages += [{"role": "user", "content": "first"}, ONE]  # a call without its result

    async def main():
        executor = Executor(lesson.registry, context=Context())
        return [kind async for kind, _ in lesson.work("second", executor.execute)]

    assert asyncio.run(main())[-1] == "reply"
    assert "tool_calls" not in str(script.requests[0]["messages"])


@pytest.mark.parametrize(
    ("seconds", "requests"),
    [(4, 1), (3, 1), (8, 2)],
)
def test_time_is_looked_at_before_a_request_and_before_calls(seconds, requests):
    """The lesson's clock goes on by 1 s per event; the limit ends it before anything new."""
    script = Script(*map(streamed, [ONE, ONE, ONE]))
    lesson = definitions("12", client=script.async_client(), model="m")

    async def main():
        _, executor = ran_and_noted(lesson.registry)
        ticks = iter(range(99))
        events = lesson.within(
            lesson.work("go", executor.execute), {"seconds": seconds}, lambda: next(ticks)
        )
        return [kind async for kind, _ in events]

    kinds = asyncio.run(main())
    assert kinds[-1] == "end" and kinds[-2] in ("request", "reply")
    assert len(script.requests) == requests


class OfTheLibrary(StreamAssembler):
    def whole(self):
        self.finish_reason = "stop"
        return self.reply().message

    def take(self, delta):
        return self.add(chunk(delta))


class OfTheLesson(LESSON.Assembler):
    whole, take = LESSON.Assembler.message, LESSON.Assembler.add


def piece(index, arguments="", **more):
    name = more.pop("name", "")
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return {"index": index, "function": function, **more}


STREAMS = {
    "text": ([{"role": "assistant", "content": ""}, {"content": "It "}, {"content": "rains."}],
             "It rains.", []),
    "one call": ([{"tool_calls": [piece(0, '{"n"', id="a", name="f")]},
                  {"tool_calls": [piece(0, ": 1}")]}], None, [("a", "f", '{"n": 1}')]),
    "two calls, interleaved": (
        [{"tool_calls": [piece(0, "{", id="a", name="f")]},
         {"tool_calls": [piece(1, "{", id="b", name="g")]},
         {"tool_calls": [piece(0, '"x": 1')]}, {"tool_calls": [piece(1, '"y": 2')]},
         {"tool_calls": [piece(0, "}"), piece(1, "}")]}],
        None, [("a", "f", '{"x": 1}'), ("b", "g", '{"y": 2}')]),
    "the second one first": (
        [{"tool_calls": [piece(1, "{}", id="b", name="g")]},
         {"tool_calls": [piece(0, "{}", id="a", name="f")]}],
        None, [("a", "f", "{}"), ("b", "g", "{}")]),
    "text and a call": (
        [{"content": "Wait."}, {"tool_calls": [piece(0, "{}", id="a", name="f")]}],
        "Wait.", [("a", "f", "{}")]),
    "nulls": ([{"content": None, "tool_calls": None}, {"content": "x"}], "x", []),
}  # fmt: skip


@pytest.mark.parametrize("made", [OfTheLesson, OfTheLibrary])
@pytest.mark.parametrize(("deltas", "content", "wanted"), STREAMS.values(), ids=STREAMS)
def test_one_table_of_streams(made, deltas, content, wanted):
    assembler = made()
    said = [assembler.take(delta) for delta in deltas]
    message = assembler.whole()
    assert "".join(said) == (content or "") and message["content"] == content
    got = [(c["id"], *c["function"].values()) for c in message.get("tool_calls", [])]
    assert got == wanted


async def lesson_side_by_side(execute, names):
    return await LESSON.side_by_side(execute, names)


async def library_side_by_side(execute, names):
    async def work(name: str) -> str:
        return await execute(name)

    executor = Executor([work])
    results = await executor.execute_all([ToolCall("work", {"name": n}) for n in names])
    return [r.value for r in results]


@pytest.mark.parametrize("way", [lesson_side_by_side, library_side_by_side])
def test_calls_of_a_turn_run_side_by_side_and_answer_in_call_order(way):
    async def main():
        table, second, ended = asyncio.Barrier(2), asyncio.Event(), []

        async def execute(name):
            await table.wait()
            if name == "first":
                await second.wait()
            second.set()
            ended.append(name)
            return name.upper()

        return await asyncio.wait_for(way(execute, ["first", "second"]), 5), ended

    assert asyncio.run(main()) == (["FIRST", "SECOND"], ["second", "first"])


def test_one_by_one_is_what_it_says():
    assert asyncio.run(LESSON.meet(LESSON.one_by_one)).startswith("one waits")
    assert asyncio.run(LESSON.meet(LESSON.side_by_side)) == ["Ana is served", "Ben is served"]


def test_three_orders_of_120_keep_the_rules_and_the_librarys_is_one():
    async def main():
        orders = permutations(["approval", "audit", "fallback", "permissions", "retry"])
        return [order for order in orders if not await LESSON.broken_rules(order)]

    good = asyncio.run(main())
    names = {"AuditLog": "audit", "Permissions": "permissions", "Approval": "approval",
             "Fallback": "fallback", "Retry": "retry"}  # fmt: skip
    stack = [type(layer).__name__ for layer in standard_layers(audit="never-written.jsonl")]
    assert len(good) == 3
    assert tuple(names[name] for name in stack if name in names) in good
    assert tuple(LESSON.ORDER) in good


@pytest.mark.parametrize("rule", LESSON.RULES, ids=lambda rule: rule.__name__)
def test_each_rule_can_be_broken_and_is_kept(rule):
    orders = list(permutations(LESSON.ORDER))
    assert asyncio.run(rule(LESSON.ORDER))
    assert not all(asyncio.run(rule(order)) for order in orders)


def test_a_trace_goes_to_a_file_and_back(tmp_path):
    trace = [{"at": 0, "kind": "task", "text": "北京\n?"}, {"at": 1.5, "kind": "end", "text": ""}]
    LESSON.save(trace, tmp_path / "run.jsonl")
    assert LESSON.load(tmp_path / "run.jsonl") == trace
    assert (tmp_path / "run.jsonl").read_text("utf-8").count("\n") == 2


def test_the_pictures_arrows_are_the_librarys():
    script = Script(streamed(ONE), streamed(text("ok")))
    lesson = definitions("12", client=script.async_client(), model="m")

    async def main():
        executor = Executor(lesson.registry, context=Context())
        return await lesson.record(lesson.work("go", executor.execute))

    trace = asyncio.run(main())
    drawn = [line.split()[1][0] for line in lesson.mermaid(trace).splitlines()[1:5]]
    letters = {"You": "U", "Agent": "A", "Model": "M", "Tools": "T"}
    arrows = [line.split(":")[0].strip() for line in lesson.mermaid(trace).splitlines()[5:]]
    for word, letter in letters.items():
        arrows = [arrow.replace(word, letter) for arrow in arrows]
    run = Agent(Script(ONE, text("ok")).client(), "m", lesson.registry).run_sync("go")
    who = [line.split()[3][0] for line in run.trace.mermaid().splitlines()[1:5]]
    assert drawn == who == ["Y", "T", "A", "M"]
    theirs = [line.split(":")[0].strip() for line in run.trace.mermaid().splitlines()[5:]]
    assert arrows == theirs[:-1] and theirs[-1] == "A-->>U"  # the library marks the end as well


def test_what_create_costs_grows_with_the_history_and_post_does_not():
    lesson = definitions("12")
    lesson_http = lesson.httpx.MockTransport(
        lambda _: lesson.httpx.Response(200, json=lesson.reply)
    )
    fast = lesson.OpenAI(
        api_key="-", base_url="http://constant.invalid/v1",
        http_client=lesson.httpx.Client(transport=lesson_http),
    )  # fmt: skip
    lesson.by_create.__globals__["fast"] = fast
    grew = {}
    for send in (lesson.by_create, lesson.by_post):
        send(lesson.history_of(1))
        few, many = [lesson.functions_called(send, lesson.history_of(n)) for n in (10, 400)]
        grew[send.__name__] = many / few
    assert grew["by_create"] > 20 and grew["by_post"] < 1.1


def test_the_number_of_lines_is_true():
    path = places.find_lesson("12", places.CHECKOUT / "lessons")
    counted = {
        "Assembler",
        "add_call",
        "whole_message",
        "ask_model",
        "work",
        "within",
        "side_by_side",
    }
    lines = 0
    for cell in code_cells(path):
        for node in ast.parse(cell["source"], mode="exec").body if parses(cell["source"]) else ():
            if getattr(node, "name", "") in counted:
                source = cell["source"].splitlines()[node.lineno - 1 : node.end_lineno]
                lines += sum(bool(line.strip()) for line in source)
    text = path.read_text(encoding="utf-8")
    assert f"and {lines} lines more** for the assembler" in text


def parses(source):
    try:
        ast.parse(source)
    except SyntaxError:  # a cell with await at its top level
        return False
    return True
