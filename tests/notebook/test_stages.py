"""Where a session stands, and what a reader may change before it goes on."""

import asyncio
import json

import pytest

from agentlib import Agent, connect
from agentlib.notebook.stages import edit, last_event, stage_of
from agentlib.tools import Tool

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "the city"}},
    "required": ["city"],
    "additionalProperties": False,
}


def session(task="What is the weather in Beijing?"):
    client, model = connect(offline=True)
    weather = Tool("get_weather", "The weather of a city.", SCHEMA, lambda city: f"rain in {city}")
    return Agent(client, model, tools=[weather], layers=()).start(task)


def step_to(session, kind: str):
    """Step until an event of this kind has been handed out."""

    async def work():
        while (await session.step()).kind != kind:
            pass

    asyncio.run(work())
    return session


def finish(session):
    async def work():
        while not session.done:
            await session.step()

    asyncio.run(work())
    return session.run


@pytest.mark.parametrize(
    "kind, title, then, label",
    [
        ("task", "task is in the history", "make the request", ""),
        ("request", "Request 1 is ready: 1 message, 1 tool", "send it", ""),
        ("reply", "The model wants 1 call", "into the history", "message"),
        ("call", "Call 1: get_weather", "run the call", "arguments of get_weather"),
        ("result", "Result 1 of get_weather: success", "ask again", "result of get_weather"),
        ("end", "The run has ended (answer): 2 steps, 1 call", "nothing", ""),
    ],
)
def test_each_stage_says_what_came_and_what_is_next(kind, title, then, label):
    stage = stage_of(step_to(session(), kind))
    assert title in stage.title and then in stage.next and stage.label == label


def test_before_the_first_step():
    fresh = session("Hello")
    assert last_event(fresh) is None
    assert stage_of(fresh).title == "Nothing has happened yet" and "Hello" in stage_of(fresh).next


def test_several_calls_of_a_turn_are_shown_one_by_one():
    two = step_to(
        session("What is the weather in Beijing and what is the weather in Paris?"), "call"
    )
    assert stage_of(two).title == "Call 1 of 2: get_weather"
    step_to(two, "call")
    stage = stage_of(two)
    assert stage.title == "Call 2 of 2: get_weather" and "2 calls, side by side" in stage.next


def test_edited_arguments_are_what_runs_and_what_the_history_says():
    stepped = step_to(session(), "call")
    edit(stepped, '{"city": "Oslo"}')
    step_to(stepped, "result")
    assert last_event(stepped).result.content == "rain in Oslo"
    call = stepped.messages[-1]["tool_calls"][0]
    assert json.loads(call["function"]["arguments"]) == {"city": "Oslo"}


def test_broken_arguments_are_let_through_and_become_an_error_result():
    stepped = step_to(session(), "call")
    edit(stepped, '{"city": ')
    step_to(stepped, "result")
    assert not last_event(stepped).result.ok


def test_an_edited_result_is_what_the_model_reads():
    stepped = step_to(session(), "result")
    edit(stepped, "snow, 4 metres")
    run = finish(stepped)
    assert "snow, 4 metres" in run.text
    assert [m["content"] for m in stepped.messages if m["role"] == "tool"] == ["snow, 4 metres"]


def test_an_edited_answer_is_what_goes_into_the_history():
    stepped = step_to(session(), "reply")
    edit(stepped, json.dumps({"role": "assistant", "content": "I won't."}))
    run = finish(stepped)
    assert (run.text, run.calls) == ("I won't.", [])
    assert stepped.messages[-1] == {"role": "assistant", "content": "I won't."}


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"role": "user"}', '{"role": "assistant", "tool_calls": [{"id": "1"}]}'],
)
def test_a_text_that_is_no_message_is_refused(text):
    stepped = step_to(session(), "reply")
    before = last_event(stepped).message
    with pytest.raises(ValueError):
        edit(stepped, text)
    assert last_event(stepped).message is before


@pytest.mark.parametrize("kind", ["task", "request", "end"])
def test_where_nothing_may_change_nothing_does(kind):
    stepped = step_to(session(), kind)
    before = stage_of(stepped)
    edit(stepped, "something else")
    assert stage_of(stepped) == before
