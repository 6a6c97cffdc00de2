"""The executor: whatever a tool does, one result comes back; rows N1, N2 and R."""

import asyncio
import contextvars
import functools
import threading
import time

import pytest

from agentlib import Context, ErrorCategory, ExecutionStatus, Executor, ToolCall, ToolCallError
from agentlib.context import cancel_requested


def read_note(name: str) -> str:
    """Read a note."""
    if name != "a":
        raise FileNotFoundError(f"no note {name}")
    return "text of a"


def run_shell(command: str) -> str:
    """Run a command."""
    return command.upper()


def execute(tools, name, arguments="{}", **options):
    return asyncio.run(Executor(tools, **options).execute(ToolCall(name, arguments, "c1")))


def test_a_good_call_keeps_value_content_and_counts():
    result = execute([read_note], "read_note", '{"name": "a"}')
    assert (result.status, result.content, result.value) == ("success", "text of a", "text of a")
    assert (result.call_id, result.attempts, result.error) == ("c1", 1, None)
    assert result.message() == {"role": "tool", "tool_call_id": "c1", "content": "text of a"}


def test_an_unknown_tool_is_a_result_that_lists_the_tools():
    result = execute([read_note, run_shell], "delete_all")
    assert result.status is ExecutionStatus.FAILED
    assert result.error.category is ErrorCategory.TOOL_NOT_FOUND
    assert "delete_all" in result.content and "read_note, run_shell" in result.content
    assert "none" in execute([], "x").content


@pytest.mark.parametrize("name", ["", None, 3, ["run_shell"], {}])
def test_a_name_that_is_none_is_a_result_too(name):  # N1
    result = execute([run_shell], name)
    assert result.error.category is ErrorCategory.TOOL_NOT_FOUND
    assert "The tools there are: run_shell." in result.content


@pytest.mark.parametrize("name", ["functions.run_shell", " run_shell ", "Run_Shell", "`run_shell`"])
def test_a_name_that_can_mean_only_one_tool_is_mapped(name):
    assert execute([run_shell], name, '{"command": "ls"}').content == "LS"


def test_a_name_that_can_mean_two_tools_is_unknown():
    from agentlib import Tool

    two = [Tool(n, "d", {"type": "object", "properties": {}}, print) for n in ("Say", "say")]
    assert execute(two, "SAY").error.category is ErrorCategory.TOOL_NOT_FOUND
    assert execute(two, "say").ok  # the exact name is no doubt


@pytest.mark.parametrize(
    ("error", "shown", "category"),
    [
        (FileNotFoundError("no x"), "failing failed: FileNotFoundError: no x", "business_error"),
        (ValueError(), "failing failed: ValueError", "business_error"),
        (RuntimeError("bug"), "failing failed: RuntimeError: bug", "system_error"),
        (ConnectionError("down"), "ConnectionError: down", "external_service_error"),
        (TimeoutError("slow"), "TimeoutError: slow", "timeout"),
        (ToolCallError("sold out", code="stock"), "Error: sold out", "business_error"),
        (StopIteration("end"), "StopIteration: end", "system_error"),
        (ValueError("x" * 9_000), "[cut, 9000 characters]", "business_error"),
    ],
)
def test_what_a_tool_raises_is_a_result(error, shown, category):
    def failing() -> str:
        """Fails."""
        raise error

    result = execute([failing], "failing")
    assert shown in result.content and result.content.startswith("Error: ")
    assert result.error.category == category
    assert len(result.content) < 4_200


@pytest.mark.parametrize("value", [0, "", False, [], None])
def test_an_empty_value_is_a_result_not_an_error(value):
    def empty():
        """Returns something empty."""
        return value

    result = execute([empty], "empty")
    assert result.ok and result.value == value


def test_output_is_capped_at_50_000_characters_and_says_so():
    def long() -> str:
        """Long."""
        return "é" * 1_000_000

    content = execute([long], "long").content
    assert content.startswith("é" * 50_000 + "\n[") and "1,000,000 characters" in content


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_limit_is_kept(kind):  # R1
    asked_for = threading.Event()

    def slow_sync() -> str:
        """Slow."""
        asked_for.wait(60)
        return "late"

    async def slow_async() -> str:
        """Slow."""
        await asyncio.sleep(60)
        return "late"

    async def main():
        tool = slow_sync if kind == "sync" else slow_async
        executor = Executor([tool], timeout=0.1)
        result = await executor.execute(ToolCall(tool.__name__))
        running = list(executor.still_running)
        asked_for.set()
        return result, running

    result, running = asyncio.run(main())
    assert result.status is ExecutionStatus.TIMEOUT and "within 0.1 s" in result.content
    assert 0.1 <= result.duration < 30
    assert running == (["slow_sync"] if kind == "sync" else [])
    assert ("may still be working" in result.content) == (kind == "sync")


def test_a_sync_tool_can_ask_whether_it_was_given_up():
    seen = threading.Event()

    def patient() -> str:
        """Works until told."""
        while not cancel_requested():
            time.sleep(0.005)
        seen.set()
        return "stopped"

    assert execute([patient], "patient", timeout=0.05).status is ExecutionStatus.TIMEOUT
    assert seen.wait(2)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("count", [1, 3])
def test_an_interrupt_in_a_tool_goes_through(error, count):  # R3
    def stop() -> str:
        """Stops."""
        raise error()

    executor = Executor([stop])
    with pytest.raises(error):
        asyncio.run(executor.execute_all([ToolCall("stop", id=f"c{i}") for i in range(count)]))
    with pytest.raises(error):
        executor.execute_sync(ToolCall("stop"))


def test_one_of_three_fails_and_order_is_kept():  # R5
    async def wait(seconds: float) -> str:
        """Wait."""
        await asyncio.sleep(seconds)
        if seconds == 0.02:
            raise ValueError("no")
        return f"{seconds}"

    ids = {"a": 0.05, "b": 0.02, "c": 0.0}
    executor = Executor([wait])
    many = [ToolCall("wait", {"seconds": s}, i) for i, s in ids.items()]
    results = asyncio.run(executor.execute_all(many))
    assert [r.call_id for r in results] == ["a", "b", "c"]
    assert [r.ok for r in results] == [True, False, True]


def test_calls_of_a_turn_run_at_the_same_time():
    gate = threading.Barrier(8, timeout=5)  # passes only when all eight are inside

    def meet() -> int:
        """Meet."""
        return gate.wait()

    results = asyncio.run(Executor([meet]).execute_all([ToolCall("meet") for _ in range(8)]))
    assert all(r.ok for r in results)


def test_the_loop_stays_alive_and_context_variables_are_seen():  # R6
    variable = contextvars.ContextVar("variable", default="unset")

    def blocking() -> str:
        """Blocks."""
        time.sleep(0.2)
        return f"{variable.get()} {Context.current().user}"

    async def main():
        variable.set("seen")
        executor = Executor([blocking], context=Context(user="ana"))
        task = asyncio.create_task(executor.execute(ToolCall("blocking")))
        ticks = 0
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return (await task).content, ticks

    content, ticks = asyncio.run(main())
    assert content == "seen ana" and ticks > 5


def test_execute_sync_works_inside_a_running_loop():  # R7
    async def inside():
        return Executor([run_shell]).execute_sync(ToolCall("run_shell", {"command": "ls"}))

    assert asyncio.run(inside()).content == "LS"


def test_a_call_is_made_exactly_once():  # R8
    made = []

    def pay() -> str:
        """Pay."""
        made.append(1)
        raise ConnectionError("after the effect")

    from agentlib.layers.retry import Retry

    assert not execute([pay], "pay", layers=[Retry()]).ok
    assert made == [1]


async def add(a: int, b: int) -> int:
    """Add."""
    return a + b


class Adder:
    """Add."""

    __name__ = "adder"

    async def __call__(self, a: int) -> int:
        return a + 1


@pytest.mark.parametrize(
    ("function", "name", "arguments", "value"),
    [
        (functools.partial(add, b=2), "add", {"a": 1}, 3),
        (add, "add", {"a": 1, "b": 2}, 3),
        (Adder(), "adder", {"a": 1}, 2),
    ],
)
def test_whatever_is_async_is_awaited(function, name, arguments, value):  # S6
    from agentlib import Tool

    tool = Tool.from_function(function, name=name)
    assert execute([tool], name, arguments).value == value


def test_layers_wrap_from_the_outside_and_may_answer_themselves():
    seen = []

    def layer(name):
        async def wrapped(call, proceed):
            seen.append(f"{name}>")
            result = await proceed(call)
            seen.append(f"<{name}")
            return result

        return wrapped

    async def refuse(call, proceed):
        raise ToolCallError("not today", category="permission_denied")

    assert execute([run_shell], "run_shell", {"command": "x"}, layers=[layer("a"), layer("b")]).ok
    assert seen == ["a>", "b>", "<b", "<a"]
    result = execute([run_shell], "run_shell", {"command": "x"}, layers=[refuse])
    assert (result.status, result.content) == (ExecutionStatus.DENIED, "Error: not today")


def test_history_and_stats():
    async def main():
        executor = Executor([read_note])
        for name in ("a", "b"):
            await executor.execute(ToolCall("read_note", {"name": name}))
        await executor.execute(ToolCall("nothing"))
        return executor

    executor = asyncio.run(main())
    stats = executor.stats()
    assert stats["total"] == 3 and stats["by_status"] == {"success": 1, "failed": 2}
    assert 0 < stats["average_seconds"] < 1
    assert [r.ok for r in executor.history] == [True, False, False]
    assert Executor([]).stats() == {"total": 0, "by_status": {}, "average_seconds": 0.0}


def test_status_is_pending_then_running_then_final():
    statuses = []

    async def main():
        executor = Executor([])

        async def look(call, proceed):
            statuses.append(executor.history[-1].status)
            return await proceed(call)

        def peek() -> str:
            """Peek."""
            statuses.append(executor.history[-1].status)
            return "x"

        executor.registry.register(peek)
        executor.layers = (look,)
        await executor.execute(ToolCall("peek"))
        statuses.append(executor.history[-1].status)

    asyncio.run(main())
    assert statuses == ["pending", "running", "success"]
