"""The loop guard: first a warning the model can read, then the end of the run."""

import asyncio

from replies import Script, calls

from agentlib.agent import Agent
from agentlib.context import Context
from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.executor import Executor
from agentlib.layers.loop_guard import RUNS_KEPT, LoopGuard
from agentlib.loops import LoopDetectionConfig
from agentlib.registry import ToolRegistry
from agentlib.results import ToolCall


def build(guard=None, **limits):
    """An executor with a guard, and the list of what its tools were called with."""
    registry, ran = ToolRegistry(), []

    @registry.tool
    def look(path: str) -> str:
        """Look."""
        ran.append(path)
        return f"text of {path}"

    @registry.tool
    def count() -> int:
        """Count up."""
        ran.append("count")
        return len(ran)

    @registry.tool
    def fail(path: str) -> str:
        """Fail."""
        ran.append(path)
        raise FileNotFoundError(path)

    limits.setdefault("clock", lambda: 0.0)
    guard = guard or LoopGuard(LoopDetectionConfig(**limits))
    return Executor(registry, layers=(guard,)), ran


def turn(executor, calls, run="r1"):
    """The results of one turn, in a context of its own as the agent makes it."""
    made = [ToolCall(name, arguments) for name, arguments in calls]
    return asyncio.run(executor.execute_all(made, context=Context(session="s", run=run)))


def turns(executor, calls, run="r1"):
    """The results of calls made one turn after another."""
    return [turn(executor, [call], run)[0] for call in calls]


def outcomes(results):
    """ok, warn or stop for each result, as the agent tells them apart."""
    kinds = {None: "ok", True: "warn", False: "stop"}
    for result in results:
        assert result.error is None or result.error.category is ErrorCategory.LOOP
    return [kinds[result.error and result.error.recoverable] for result in results]


LOOK = ("look", '{"path": "a"}')


def test_the_sixth_same_call_is_not_run_but_answered_and_the_seventh_ends_the_run():
    executor, ran = build()
    results = turns(executor, [LOOK] * 7)
    assert outcomes(results) == ["ok"] * 5 + ["warn", "stop"]
    assert len(ran) == 5
    warning, stop = results[5], results[6]
    assert "look was called 5 times with the same arguments" in warning.content
    assert "not run" in warning.content and "try something else" in warning.content
    assert "ends here" in stop.content
    assert warning.attempts == stop.attempts == 0


def test_a_model_that_heeds_the_warning_goes_on():
    executor, ran = build()
    results = turns(executor, [LOOK] * 6 + [("look", '{"path": "b"}'), LOOK])
    assert outcomes(results) == ["ok"] * 5 + ["warn", "ok", "ok"]
    assert ran[-2:] == ["b", "a"]


def test_a_changing_result_is_left_alone():
    executor, _ = build()
    assert set(outcomes(turns(executor, [("count", "{}")] * 20))) == {"ok"}


def test_failures_of_guessed_arguments_are_a_loop():
    executor, ran = build()
    results = turns(executor, [("fail", {"path": f"file{n}.txt"}) for n in range(7)])
    assert [r.error.category.value for r in results] == ["business_error"] * 5 + ["loop"] * 2
    assert len(ran) == 5


def test_same_calls_of_one_turn_are_counted_one_by_one():
    executor, ran = build()
    results = turn(executor, [LOOK] * 8)
    # the model has not read the warning yet: a turn that was warned in doesn't end the run
    assert outcomes(results) == ["ok"] * 5 + ["warn"] * 3
    assert len(ran) == 5
    assert outcomes(turn(executor, [LOOK])) == ["stop"]


def test_different_calls_of_one_turn_are_left_alone():
    executor, ran = build()
    chapters = [("look", {"path": f"chapter-{x}"}) for x in "abcdefgh"]
    assert set(outcomes(turn(executor, chapters))) == {"ok"}
    assert sorted(ran) == [f"chapter-{x}" for x in "abcdefgh"]


def test_each_run_has_a_detector_of_its_own():
    executor, _ = build()
    turns(executor, [LOOK] * 5)
    assert outcomes(turns(executor, [LOOK] * 5, run="r2")) == ["ok"] * 5
    assert outcomes(turns(executor, [LOOK] * 2)) == ["warn", "stop"]


def test_the_total_counts_in_a_run_and_not_outside_of_one():
    many = [("look", {"path": f"{n}"}) for n in range(22)]
    executor, ran = build()
    assert outcomes(turns(executor, many)) == ["ok"] * 20 + ["warn", "stop"]
    assert len(ran) == 20
    assert set(outcomes(turns(executor, many, run=""))) == {"ok"}


def test_outside_of_a_run_a_loop_is_warned_about_and_stopped_too():
    executor, _ = build()
    results = [executor.execute_sync(ToolCall(*LOOK)) for _ in range(7)]
    assert outcomes(results) == ["ok"] * 5 + ["warn", "stop"]


def test_a_stop_is_never_the_first_word():
    executor, _ = build(max_consecutive_calls=3, max_total_calls=2)
    assert outcomes(turns(executor, [LOOK] * 2 + [("count", "{}")] * 2)) == [
        "ok", "ok", "warn", "stop"
    ]  # fmt: skip
    executor, _ = build(max_total_calls=1)
    first_turn = turn(executor, [("look", {"path": f"{n}"}) for n in range(4)])
    assert outcomes(first_turn) == ["ok", "warn", "warn", "warn"]


def test_a_refusal_raised_further_in_is_recorded():
    registry = ToolRegistry()

    @registry.tool
    def look(path: str) -> str:
        """Look."""
        return path

    async def deny(call, proceed):
        raise ToolCallError("no", category=ErrorCategory.PERMISSION_DENIED)

    executor = Executor(registry, layers=(LoopGuard(), deny))
    results = turns(executor, [LOOK] * 7)
    categories = [r.error.category.value for r in results]
    assert categories == ["permission_denied"] * 5 + ["loop"] * 2


def test_only_the_newest_runs_are_remembered():
    guard = LoopGuard()
    executor, _ = build(guard)
    for n in range(RUNS_KEPT + 10):
        turn(executor, [LOOK], run=f"run{n}")
    assert len(guard._runs) == RUNS_KEPT
    assert next(iter(guard._runs)) == ("s", "run10")


def test_the_agent_ends_such_a_run_as_a_loop():
    def look(path: str) -> str:
        """Look at a path."""
        return "nothing"

    script = Script(*[calls(LOOK) for _ in range(9)])
    agent = Agent(script.client(), "m", tools=[look], layers=(LoopGuard(),))
    run = agent.run_sync("look until it is there")
    assert run.stopped == "loop"
    assert run.steps == 7
    assert "look was called 6 times" in run.text
    assert [r.ok for r in run.calls] == [True] * 5 + [False] * 2
