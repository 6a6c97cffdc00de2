"""Rate limits: never more calls in any window than the notation says."""

import asyncio
import threading
import time
from collections import deque

import pytest

from agentlib.errors import ErrorCategory
from agentlib.executor import Context, Executor
from agentlib.layers.rate_limit import RateLimit, parse_rate
from agentlib.registry import ToolRegistry
from agentlib.results import ToolCall
from agentlib.tools import Tool


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def _executor(rate, clock, user="ann", layer=None):
    registry = ToolRegistry()

    @registry.tool(rate_limit=rate)
    def ping() -> str:
        """Answer."""
        return "pong"

    @registry.tool(rate_limit=rate)
    def pong() -> str:
        """Answer, too."""
        return "ping"

    layers = (layer or RateLimit(clock),)
    return Executor(registry, layers=layers, context=Context(user=user))


def _statuses(executor, count, name="ping"):
    return [executor.execute_sync(ToolCall(name)).ok for _ in range(count)]


@pytest.mark.parametrize(
    "notation, expected",
    [
        ("100/minute", [(100, 60)]),
        ("5/10 seconds", [(5, 10)]),
        ("1 per day", [(1, 86_400)]),
        ("1/second; 20/hour", [(1, 1), (20, 3600)]),
    ],
)
def test_notation(notation, expected):
    assert parse_rate(notation) == expected


@pytest.mark.parametrize("bad", ["", "fast", "100", "100/min", "0/minute", "-1/minute", 5, "1/"])
def test_bad_notation_is_refused_with_the_mend(bad):
    with pytest.raises(ValueError, match=r'ping: rate_limit .*"100/minute"'):
        parse_rate(bad, "ping")


def test_bad_notation_is_refused_when_the_tool_is_made():
    with pytest.raises(ValueError, match="100/minute"):
        Tool("ping", "", {"type": "object"}, print, rate_limit="100/min")


def test_the_window_moves():
    clock = Clock()
    executor = _executor("2/minute", clock)
    assert _statuses(executor, 1) == [True]  # at 0 s
    clock.now += 40
    assert _statuses(executor, 2) == [True, False]  # at 40 s; a refused call is not counted
    clock.now += 19.9
    assert _statuses(executor, 1) == [False]  # at 59.9 s the first is still in the window
    clock.now += 0.2
    assert _statuses(executor, 2) == [True, False]  # at 60.1 s only the one of 40 s is
    clock.now += 40
    assert _statuses(executor, 2) == [True, False]  # at 100.1 s only the one of 60.1 s is


@pytest.mark.parametrize("start, later", [(1000.0, 12.3), (1.13, 18.33), (1.87, 2.15)])
def test_error_says_when_and_then_there_is_room(start, later):  # floats round against us in two
    clock = Clock()
    clock.now = start
    executor = _executor("1/minute", clock)
    assert _statuses(executor, 1) == [True]
    clock.now += later
    error = executor.execute_sync(ToolCall("ping")).error
    assert error.category is ErrorCategory.RATE_LIMIT
    assert error.retry_after == pytest.approx(60 - later, abs=0.002)
    assert "1/minute" in error.message and "ping" in error.message
    clock.now += error.retry_after
    assert _statuses(executor, 1) == [True]


def test_several_rates_hold_together():
    clock = Clock()
    executor = _executor("1/second; 2/minute", clock)
    assert _statuses(executor, 2) == [True, False]
    clock.now += 1
    assert _statuses(executor, 1) == [True]
    clock.now += 1
    result = executor.execute_sync(ToolCall("ping"))
    assert result.error.retry_after == pytest.approx(58, abs=0.002)


def test_a_short_rate_looks_at_its_own_last_calls():
    clock = Clock()
    executor = _executor("1/second; 5/minute", clock)
    assert _statuses(executor, 1) == [True]
    clock.now += 10
    assert _statuses(executor, 1) == [True]
    clock.now += 0.5
    assert _statuses(executor, 1) == [False]


def test_each_user_and_each_tool_has_its_own():
    clock = Clock()
    layer = RateLimit(clock)
    ann, bob = (_executor("1/minute", clock, user, layer) for user in ("ann", "bob"))
    assert _statuses(ann, 2) == [True, False]
    assert _statuses(ann, 2, "pong") == [True, False]
    assert _statuses(bob, 2) == [True, False]


def test_a_tool_without_a_limit_is_not_limited():
    assert all(_statuses(_executor(None, Clock()), 50))


def test_a_burst_of_threads_and_tasks_never_overshoots():
    layer, ran = RateLimit(), []
    registry = ToolRegistry()

    @registry.tool(rate_limit="50/hour")
    async def ping() -> str:
        """Answer."""
        ran.append(1)
        return "pong"

    def burst():
        executor = Executor(registry, layers=(layer,))
        gate.wait()
        asyncio.run(executor.execute_all([ToolCall("ping") for _ in range(40)]))

    gate = threading.Barrier(8)
    threads = [threading.Thread(target=burst) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ran) == 50  # 320 asked at once


def test_look_and_count_is_one_act():
    """Others get their turn between looking and counting, where an unlocked limit overshoots."""

    class Slow(deque):
        def append(self, value):
            time.sleep(0.001)
            super().append(value)

    layer, tool, got = RateLimit(Clock()), Tool("t", "", {}, print, rate_limit="5/hour"), []
    layer._times["ann", "t"] = Slow()
    threads = [
        threading.Thread(target=lambda: got.append(layer._take("ann", tool))) for _ in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got.count(0.0) == 5
