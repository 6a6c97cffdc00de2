"""Lesson 01's loop and the library's, held to one table of scripted models."""

import pytest
from lesson_code import definitions
from replies import Script, calls, text

from agentlib import Agent, Tool

SHOUT = {
    "type": "object",
    "properties": {"words": {"type": "string"}},
    "required": ["words"],
}
TABLE = {
    "an answer at once": ([text("hi")], "hi"),
    "one call": ([calls(("shout", {"words": "tea"})), text("TEA")], "TEA"),
    "two calls in one turn": (
        [calls(("shout", {"words": "a"}), ("shout", {"words": "b"})), text("A B")],
        "A B",
    ),
    "two turns with calls": (
        [calls(("shout", {"words": "a"}), ids=["x"]), calls(("shout", {"words": "b"}), ids=["y"]),
         text("ok")],
        "ok",
    ),
}  # fmt: skip


def shout(words: str) -> str:
    return words.upper()


def by_the_lesson(script, task):
    tool = {"type": "function", "function": {"name": "shout", "parameters": SHOUT}}
    lesson = definitions(
        "01", "run_task", client=script.client(), model="m", TOOLS=[tool], TOOL_MAP={}
    )
    lesson.run_task.__globals__.update(
        client=script.client(), model="m", TOOLS=[tool], TOOL_MAP={"shout": shout}
    )
    answer, _ = lesson.run_task(task)
    return answer


def by_the_library(script, task):
    tool = Tool("shout", "Shout.", SHOUT, shout)
    return Agent(script.client(), "m", [tool], max_steps=20, layers=()).run_sync(task).text


@pytest.mark.parametrize("loop", [by_the_lesson, by_the_library])
@pytest.mark.parametrize("case", TABLE)
def test_one_table(loop, case):
    replies, answer = TABLE[case]
    script = Script(*replies)
    assert loop(script, "go") == answer
    for request, reply in zip(script.requests[1:], replies, strict=False):
        messages = request["messages"]
        wanted = [c["id"] for c in reply["tool_calls"]]
        assert [m["tool_call_id"] for m in messages[-len(wanted) :]] == wanted
        assert messages[-len(wanted) - 1]["tool_calls"] == reply["tool_calls"]


@pytest.mark.parametrize("loop", [by_the_lesson, by_the_library])
def test_twenty_steps_and_then_a_plain_message(loop):
    script = Script(*[calls(("shout", {"words": "a"}), ids=[f"c{i}"]) for i in range(20)])
    assert "20 steps" in loop(script, "go") and len(script.requests) == 20
