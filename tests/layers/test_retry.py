"""Retry: how often, after how long, and never what must not be repeated."""

import asyncio

import pytest

from agentlib.errors import STRATEGIES, ErrorCategory, ToolCallError
from agentlib.executor import Executor
from agentlib.layers.retry import Retry
from agentlib.registry import ToolRegistry
from agentlib.results import ToolCall, ToolResult


def _run(errors, **options):
    """Calls a tool that raises each of `errors` in turn, then succeeds: (result, runs, waits)."""
    registry, runs, waits, left = ToolRegistry(), [], [], list(errors)

    async def sleep(seconds):
        waits.append(seconds)

    @registry.tool(**{"repeatable": True, **options})
    async def look_up() -> str:
        """Look something up."""
        runs.append(1)
        if left:
            raise left.pop(0)
        return "found"

    executor = Executor(registry, layers=(Retry(sleep=sleep),))
    result = asyncio.run(executor.execute(ToolCall("look_up")))
    return result, len(runs), waits


def _error(category=ErrorCategory.EXTERNAL_SERVICE, **options):
    return ToolCallError("no answer", category=category, **options)


def test_waits_1_2_4_then_gives_the_last_error_back():
    result, runs, waits = _run([_error()] * 9)
    assert (runs, waits, result.attempts) == (4, [1, 2, 4], 4)
    assert result.error.category is ErrorCategory.EXTERNAL_SERVICE


@pytest.mark.parametrize("failures", [0, 1, 2, 3])
def test_success_ends_it_and_attempts_are_counted(failures):
    result, runs, waits = _run([_error()] * failures)
    assert result.ok and result.content == "found"
    assert runs == result.attempts == failures + 1
    assert waits == [1, 2, 4][:failures]


def test_a_tool_not_marked_repeatable_runs_once():
    result, runs, waits = _run([_error()] * 9, repeatable=False)
    assert (runs, waits, result.attempts) == (1, [], 1)


@pytest.mark.parametrize("retries, runs_expected", [(0, 1), (1, 2), (5, 6)])
def test_max_retries_is_the_tools(retries, runs_expected):
    _, runs, waits = _run([_error()] * 9, max_retries=retries)
    assert runs == runs_expected
    assert waits == [1, 2, 4, 8, 16][:retries]


@pytest.mark.parametrize("category", list(ErrorCategory))
def test_only_categories_whose_strategy_is_retryable(category):
    retryable = category in (
        ErrorCategory.RATE_LIMIT,
        ErrorCategory.TIMEOUT,
        ErrorCategory.EXTERNAL_SERVICE,
    )
    assert STRATEGIES[category].retryable is retryable
    _, runs, _ = _run([_error(category)])
    assert runs == (2 if retryable else 1)


@pytest.mark.parametrize(
    "retry_after, waits_expected", [(0.5, [1]), (10, [10]), (60, [60]), (61, []), (3600, [])]
)
def test_retry_after_lengthens_the_wait_or_ends_it(retry_after, waits_expected):
    result, _, waits = _run([_error(retry_after=retry_after)])
    assert waits == waits_expected
    assert result.ok is bool(waits_expected)


def test_durations_add_up():
    registry = ToolRegistry()
    registry.tool(repeatable=True)(_slow)

    async def no_wait(seconds):
        pass

    executor = Executor(registry, layers=(Retry(sleep=no_wait),), timeout=0.05)
    result = asyncio.run(executor.execute(ToolCall("_slow")))
    assert result.attempts == 4 and result.duration >= 4 * 0.05


async def _slow() -> str:
    """Sleep longer than the limit."""
    await asyncio.sleep(5)


def test_cancellation_goes_through_a_wait():
    registry, runs = ToolRegistry(), []

    @registry.tool(repeatable=True)
    async def fails() -> str:
        """Fail."""
        runs.append(1)
        raise _error()

    async def main():
        asleep = asyncio.Event()

        async def sleep(seconds):
            asleep.set()
            await asyncio.sleep(3600)

        executor = Executor(registry, layers=(Retry(sleep=sleep),))
        task = asyncio.create_task(executor.execute(ToolCall("fails")))
        await asleep.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert runs == [1]


def test_cancellation_goes_through_an_attempt():
    registry, runs = ToolRegistry(), []

    async def main():
        started = asyncio.Event()

        @registry.tool(repeatable=True)
        async def waits() -> str:
            """Wait."""
            runs.append(1)
            started.set()
            await asyncio.sleep(3600)

        executor = Executor(registry, layers=(Retry(),), timeout=4000)
        task = asyncio.create_task(executor.execute(ToolCall("waits")))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert runs == [1]


def test_an_interrupt_is_not_retried():
    with pytest.raises(KeyboardInterrupt):
        _run([KeyboardInterrupt()])


DOUBT = "may have taken effect"


@pytest.mark.parametrize(
    ("category", "options", "told"),
    [
        ("timeout", {"category": "action"}, True),
        ("external_service_error", {"category": "action"}, True),
        ("timeout", {"confirm": lambda: None}, True),
        ("timeout", {"category": "data"}, False),  # looking again does no harm
        ("rate_limit", {"category": "action"}, False),  # refused, so not done
        ("business_error", {"category": "action"}, False),
        ("system_error", {"category": "action"}, True),  # it broke, perhaps after it acted
        ("system_error", {"category": "data"}, False),
    ],
)
def test_no_answer_of_a_tool_that_acts_is_told_to_the_model(category, options, told):
    result, runs, _ = _run([_error(ErrorCategory(category))], repeatable=False, **options)
    assert runs == 1 and (DOUBT in result.content) is told


def test_what_never_ran_is_in_no_doubt():
    registry = ToolRegistry()

    @registry.tool(category="action")
    def pay() -> str:
        """Pay."""
        return "paid"

    async def refuses(call, proceed):
        return ToolResult.failure(call, _error(ErrorCategory.TIMEOUT))

    executor = Executor(registry, layers=(Retry(), refuses))
    assert DOUBT not in asyncio.run(executor.execute(ToolCall("pay"))).content


def test_a_repeatable_action_that_failed_to_the_end_is_told_of_once():
    result, runs, _ = _run([_error()] * 9, category="action")
    assert runs == 4 and result.content.count(DOUBT) == 1
