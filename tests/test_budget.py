"""The budget: what ends a run, and that nothing is begun once it is used up."""

import asyncio

import pytest
from replies import Script, calls, text

from agentlib import Agent, Budget, ErrorCategory


class Clock:
    """Seconds that pass only when told to."""

    now = 0.0

    def __call__(self):
        return self.now


def world(*replies, clock=None, seconds_a_call=0.0, **options):
    """An agent with one tool that notes its runs and may take time; its script; the notes."""
    ran, script = [], Script(*replies)

    def note(n: int) -> int:
        """Note a number."""
        ran.append(n)
        if clock:
            clock.now += seconds_a_call
        return n

    return Agent(script.client(), "m", [note], layers=(), **options), script, ran


def one(n):
    return calls(("note", {"n": n}))


def several(*numbers):
    return calls(*[("note", {"n": n}) for n in numbers])


# Each model turn of `replies` uses 15 tokens (10 + 5).
# replies, budget -> stopped, what ran, model turns
TABLE = {
    "no budget": ([one(1), one(2), text("ok")], Budget(), "answer", [1, 2], 3),
    "the last call is answered": ([one(1), text("ok")], Budget(calls=1), "answer", [1], 2),
    "one call too many": ([one(1), one(2)], Budget(calls=1), "budget", [1], 2),
    "a turn runs as a whole": ([several(1, 2), text("ok")], Budget(calls=2), "answer", [1, 2], 2),
    "or not at all": ([several(1, 2, 3)], Budget(calls=2), "budget", [], 1),
    "over two turns": ([several(1, 2), several(3, 4)], Budget(calls=3), "budget", [1, 2], 2),
    "tokens: no call after them": ([one(1)], Budget(tokens=14), "budget", [], 1),
    "tokens: used to the last": ([one(1), one(2)], Budget(tokens=15), "budget", [1], 2),
    "tokens: an answer counts": ([text("ok")], Budget(tokens=1), "answer", [], 1),
    "tokens: enough": ([one(1), text("ok")], Budget(tokens=30), "answer", [1], 2),
}


@pytest.mark.parametrize(
    ("replies", "budget", "stopped", "runs", "turns"), TABLE.values(), ids=TABLE
)
def test_what_ends_a_run(replies, budget, stopped, runs, turns):
    agent, script, ran = world(*replies, budget=budget)
    run = agent.run_sync("x")
    assert (run.stopped, sorted(ran), run.steps) == (stopped, runs, turns)
    assert len(script.requests) == turns and run.truncated is (stopped == "budget")


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(calls=1), "Stopped without an answer: its budget is 1 call."),
        (Budget(calls=2), "Stopped without an answer: its budget is 2 calls."),
        (Budget(tokens=14), "Stopped without an answer: its budget is 14 tokens."),
    ],
)
def test_the_text_names_the_limit(budget, said):
    agent, *_ = world(several(1, 2, 3), budget=budget, max_steps=1)
    assert agent.run_sync("x").text == said


def test_each_call_that_was_not_run_has_a_result_that_says_so():
    agent, script, ran = world(several(1, 2), text("I did nothing."), budget=Budget(calls=1))
    run = agent.run_sync("x")
    assert [m.get("tool_call_id") for m in agent.messages] == [None, None, "c0", "c1"]
    assert [r.attempts for r in run.calls] == [0, 0] and ran == []
    refused = run.calls[1]
    assert refused.content == ("Error: note was not run: the run ends here, its budget is 1 call.")
    assert (refused.error.category, refused.error.code) == (ErrorCategory.RATE_LIMIT, "budget")
    assert not refused.error.recoverable
    # The next run has a budget of its own, and goes on with a history that is whole.
    assert agent.run_sync().text == "I did nothing." and len(script.requests[1]["messages"]) == 4


@pytest.mark.parametrize(
    ("seconds", "stopped", "runs"),
    [(10, "answer", [1, 2]), (8, "answer", [1, 2]), (7.9, "budget", [1, 2]), (3, "budget", [1])],
)
def test_seconds_by_the_clock_that_was_handed_in(seconds, stopped, runs):
    clock = Clock()
    clock.now = 1000.0  # where the clock stands at the start plays no part
    budget = Budget(seconds=seconds, clock=clock)
    agent, _, ran = world(one(1), one(2), text("ok"), clock=clock, seconds_a_call=4, budget=budget)
    run = agent.run_sync("x")
    assert (run.stopped, ran) == (stopped, runs)
    assert stopped == "answer" or run.text == (
        f"Stopped without an answer: its budget is {seconds} seconds."
    )


def test_time_that_passes_at_the_model_leaves_its_calls_unrun():
    clock = Clock()
    agent, _, ran = world(one(1), budget=Budget(seconds=5, clock=clock))

    async def main():
        session = agent.start("x")
        while not session.done:
            event = await session.step()
            if event.kind == "reply":
                clock.now += 6
        return session.run

    run = asyncio.run(main())
    assert (run.stopped, ran) == ("budget", []) and agent.messages[-1]["role"] == "tool"


def test_running_out_of_steps_is_still_called_that():
    agent, *_ = world(one(1), one(2), max_steps=1, budget=Budget(calls=1))
    assert agent.run_sync("x").stopped == "max_steps"


@pytest.mark.parametrize("limit", [0, -1, float("nan")])
@pytest.mark.parametrize("name", ["calls", "tokens", "seconds"])
def test_a_limit_must_be_above_zero(name, limit):
    with pytest.raises(ValueError, match=f"budget: {name} must be above 0"):
        Budget(**{name: limit})
