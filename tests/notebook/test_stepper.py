"""The stepper's buttons, clicked by hand: step, run on, back, stop, edit."""

import asyncio

import IPython.display
import pytest

from agentlib import Agent, connect
from agentlib.notebook import stepper as module
from agentlib.notebook.stepper import Stepper
from agentlib.tools import Tool

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "the city"}},
    "required": ["city"],
    "additionalProperties": False,
}


def make(function=lambda city: f"rain in {city}"):
    client, model = connect(offline=True)
    weather = Tool("get_weather", "The weather of a city.", SCHEMA, function)
    agent = Agent(client, model, tools=[weather], layers=())
    return Stepper(agent.start("What is the weather in Beijing?"))


@pytest.fixture
def shown(monkeypatch):
    """What is displayed to a person who is there."""
    things = []
    monkeypatch.setattr(IPython.display, "display", lambda thing, **how: things.append(thing))
    monkeypatch.setattr(module, "human_attached", lambda: True)
    monkeypatch.setattr(module, "SETTLE", 0)
    return things


async def until_idle(stepper):
    for _ in range(2):
        await asyncio.sleep(0)
    while stepper._busy:
        await asyncio.sleep(0.005)


async def click(stepper, *labels):
    for label in labels:
        next(b for b in stepper._box.children[0].children if b.description == label).click()
        await until_idle(stepper)


def kinds(stepper):
    return [event.kind for event in stepper.session.run.trace]


def test_step_and_run_on(shown):
    async def work():
        stepper = make()
        stepper._ipython_display_()
        await click(stepper, "Step", "Step")
        assert kinds(stepper) == ["task", "request"] and not stepper._editor.layout.display
        await click(stepper, "Run on")
        assert kinds(stepper)[-1] == "end" and "rain in Beijing" in stepper.session.run.text
        assert stepper._step.disabled and not stepper._back.disabled

    asyncio.run(work())


def test_back_restores_history_and_run_and_the_run_goes_on_from_there(shown):
    async def work():
        stepper = make()
        stepper._ipython_display_()
        await click(stepper, *["Step"] * 4)
        messages, trace = list(stepper.session.messages), kinds(stepper)
        await click(stepper, "Run on", *["Back"] * 4)  # result, request, reply, end
        assert (stepper.session.messages, kinds(stepper)) == (messages, trace)
        await click(stepper, "Run on")
        assert stepper.session.run.text.count("rain in Beijing") == 1
        await click(stepper, *["Back"] * 20)
        assert stepper.session.messages == [] and stepper._back.disabled

    asyncio.run(work())


def test_what_is_typed_counts_for_the_next_step(shown):
    async def work():
        stepper = make()
        stepper._ipython_display_()
        await click(stepper, *["Step"] * 4)
        stepper._editor.value = '{"city": "Oslo"}'
        await click(stepper, "Step")
        assert stepper.session.current[0].result.content == "rain in Oslo"
        await click(stepper, "Back")
        assert "Oslo" in stepper._editor.value  # the edit was made before that step

    asyncio.run(work())


def test_a_text_that_cannot_be_taken_stays_to_be_mended(shown):
    async def work():
        stepper = make()
        stepper._ipython_display_()
        await click(stepper, *["Step"] * 3)
        stepper._editor.value = "no message"
        await click(stepper, "Step")
        assert kinds(stepper)[-1] == "reply" and stepper._editor.value == "no message"
        assert "JSON" in stepper._fault.value

    asyncio.run(work())


def test_stop_ends_the_step_that_runs_and_it_can_be_taken_again(shown):
    calls = []

    async def slow(city):
        calls.append(city)
        await asyncio.sleep(60 if len(calls) == 1 else 0)
        return "rain"

    async def work():
        stepper = make(slow)
        stepper._ipython_display_()
        await click(stepper, *["Step"] * 4)
        stepper._step.click()
        while not calls:
            await asyncio.sleep(0.005)
        assert stepper._step.disabled and not stepper._stop.disabled
        stepper._stop.click()
        await until_idle(stepper)
        assert "Stopped" in stepper._fault.value and kinds(stepper)[-1] == "call"
        await click(stepper, "Run on")
        assert "rain" in stepper.session.run.text and len(calls) == 2

    asyncio.run(work())


def test_clicks_while_a_step_runs_change_nothing(shown):
    async def work():
        stepper = make()
        stepper._ipython_display_()
        for label in ("Step", "Step", "Back"):
            next(b for b in stepper._box.children[0].children if b.description == label).click()
        await until_idle(stepper)
        assert kinds(stepper) == ["task"]

    asyncio.run(work())


def test_the_session_may_be_stepped_in_code_between_clicks(shown):
    async def work():
        stepper = make()
        stepper._ipython_display_()
        await click(stepper, "Step")
        await stepper.session.step()
        await click(stepper, "Step")
        assert kinds(stepper) == ["task", "request", "reply"]

    asyncio.run(work())


def test_with_nobody_there_the_state_is_shown_as_text_and_no_widget(shown, monkeypatch):
    monkeypatch.setattr(module, "human_attached", lambda: False)
    make()._ipython_display_()
    (bundle,) = shown
    assert list(bundle) == ["text/plain"] and "Next: put the task into" in bundle["text/plain"]
