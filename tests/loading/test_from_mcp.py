"""Tools of MCP servers: one that nobody here wrote, and a small one over both transports."""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agentlib.errors import ErrorCategory
from agentlib.executor import Executor
from agentlib.loading.from_mcp import choose_name, mcp_tools
from agentlib.registry import ToolRegistry
from agentlib.results import ExecutionStatus, ToolCall

SMALL = Path(__file__).with_name("small_mcp_server.py")
STDIO = [sys.executable, str(SMALL), "stdio"]
TIME = [sys.executable, "-m", "mcp_server_time"]


@contextlib.contextmanager
def _served():
    """The small server over HTTP: its address, once it listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    child = subprocess.Popen(
        [sys.executable, str(SMALL), "http", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            assert child.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        child.kill()
        child.wait()


@pytest.fixture(scope="module", params=["stdio", "http"])
def small(request):
    """An executor over the small server's tools, once per transport."""
    with contextlib.ExitStack() as stack:
        server = STDIO if request.param == "stdio" else stack.enter_context(_served())
        registry = ToolRegistry()
        stack.enter_context(mcp_tools(server, registry, startup_timeout=60))
        yield Executor(registry)


def _gone(pid):
    """True once there is no such process (or only what its parent has not yet waited for)."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def test_a_server_from_the_package_index():
    async def main():
        registry = ToolRegistry()
        async with mcp_tools(TIME, registry, startup_timeout=60, permissions="time") as tools:
            assert {tool.name for tool in tools} == {"get_current_time", "convert_time"}
            assert all(tool.permissions == {"time"} for tool in tools)
            schema = registry.get("convert_time").schema()["function"]["parameters"]
            assert set(schema["required"]) == {"source_timezone", "time", "target_timezone"}
            executor = Executor(registry)
            arguments = {"source_timezone": "Asia/Shanghai", "target_timezone": "UTC"}
            good = ToolCall("convert_time", {**arguments, "time": "09:00"})
            bad = ToolCall("convert_time", {**arguments, "time": "25:99"})
            return await executor.execute_all([good, bad]), registry

    (good, bad), registry = asyncio.run(main())
    assert "T01:00:00+00:00" in good.content  # Shanghai is eight hours ahead
    assert not bad.ok and bad.error.category is ErrorCategory.BUSINESS_ERROR
    assert len(registry) == 0, "the block is over, so its tools are gone"


def test_calls_of_a_turn_side_by_side_from_any_event_loop(small):
    calls = [ToolCall("add", {"a": n}) for n in range(5)]
    assert [r.content for r in asyncio.run(small.execute_all(calls))] == list("12345")
    assert small.execute_sync(ToolCall("add", '{"a": 2, "b": 3}')).content == "5"


def test_is_error_is_an_error_result(small):
    result = small.execute_sync(ToolCall("fail", {"reason": "no such order"}))
    assert result.status is ExecutionStatus.FAILED and result.error.code == "mcp_error"
    assert "no such order" in result.content


def test_arguments_are_checked_before_the_server_is_asked(small):
    result = small.execute_sync(ToolCall("add", '{"a": "x", "c": 1}'))
    assert result.attempts == 0 and result.error.category is ErrorCategory.INVALID_ARGUMENT


def test_a_name_the_api_refuses_is_mended(small):
    result = small.execute_sync(ToolCall("order_get_all"))
    assert json.loads(result.content) == {"id": 7, "city": "北京"}


def test_every_kind_of_content_becomes_text(small):
    lines = small.execute_sync(ToolCall("contents")).content.splitlines()
    assert lines == [
        "first",
        "[image, image/png, 100 bytes]",
        "[resource memo://note]",
        "the note's text",
        "[link to more: https://example.com/more]",
    ]


def test_the_tools_own_time_limit(small):
    small.registry.get("slow").timeout = 0.3
    began = time.monotonic()
    result = small.execute_sync(ToolCall("slow", {"seconds": 20}))
    assert result.status is ExecutionStatus.TIMEOUT and time.monotonic() - began < 10
    assert small.execute_sync(ToolCall("add", {"a": 1})).content == "2"


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_server_that_dies_is_an_error_result(transport):
    async def main(server):
        async with mcp_tools(server, registry := ToolRegistry(), startup_timeout=60):
            executor = Executor(registry, timeout=50)
            waiting = asyncio.create_task(executor.execute(ToolCall("slow", {"seconds": 40})))
            await asyncio.sleep(0.2)
            died = await executor.execute(ToolCall("die"))
            return died, await waiting, await executor.execute(ToolCall("add", {"a": 1}))

    with contextlib.ExitStack() as stack:
        server = STDIO if transport == "stdio" else stack.enter_context(_served())
        results = asyncio.run(main(server))
    for result in results:
        assert result.error.category is ErrorCategory.EXTERNAL_SERVICE
        assert result.error.code == "mcp_server_gone"


def test_calls_in_the_moment_of_its_end_are_answered_too():
    async def main():
        async with mcp_tools(STDIO, registry := ToolRegistry(), startup_timeout=60):
            executor = Executor(registry, timeout=50)
            codes = {(await executor.execute(ToolCall("die"))).error.code}
            for _ in range(50):  # while the session's loop is ending, and after
                codes.add((await executor.execute(ToolCall("add", {"a": 1}))).error.code)
            return codes

    assert asyncio.run(main()) == {"mcp_server_gone"}


def test_names_that_clash_are_prefixed_and_the_others_stay():
    registry = ToolRegistry()

    @registry.tool
    def add() -> str:
        """It was here first."""
        return "mine"

    with mcp_tools(STDIO, registry, startup_timeout=60, tags="remote"):
        assert "small_server_add" in registry and "pid" in registry
        executor = Executor(registry)
        assert executor.execute_sync(ToolCall("add")).content == "mine"
        assert executor.execute_sync(ToolCall("small_server_add", {"a": 1})).content == "2"
        assert registry.by_tag("remote")
    assert registry.names() == ["add"]


@pytest.mark.parametrize(
    "wanted, taken, prefix, expected",
    [
        ("add", [], None, "add"),
        ("add", ["add"], None, "srv_add"),
        ("add", ["add", "srv_add"], None, "srv_add_2"),
        ("add", [], "my", "my_add"),
        ("a.b c/d", [], None, "a_b_c_d"),
        ("a.b", ["a_b"], None, "srv_a_b"),
        ("", [], None, "tool"),
        ("x" * 90, [], None, "x" * 64),
        ("x" * 90, ["x" * 64], None, "srv_" + "x" * 60),
        ("x" * 90, ["x" * 64, "srv_" + "x" * 60], None, "srv_" + "x" * 58 + "_2"),
    ],
)
def test_choose_name(wanted, taken, prefix, expected):
    assert choose_name(wanted, taken, prefix, "srv") == expected


def test_no_process_is_left_and_no_secret_goes_along(monkeypatch):
    monkeypatch.setenv("HIDDEN_KEY", "hunter2")
    with mcp_tools(STDIO, registry := ToolRegistry(), env={"GIVEN": "yes"}, startup_timeout=60):
        text = Executor(registry).execute_sync(ToolCall("pid")).content
        tool = registry.get("add")
    pid, given, hidden = text.split()
    assert (given, hidden) == ("yes", "None")
    assert _gone(int(pid))
    kept = Executor([tool]).execute_sync(ToolCall("add", {"a": 1}))
    assert kept.error.code == "mcp_server_gone", "a tool kept after the block"


@pytest.mark.parametrize("ends_by", ["raise ValueError", "os._exit(0)"])
def test_a_program_that_ends_without_closing_leaves_no_process(ends_by):
    program = (
        "import os, sys\n"
        "from agentlib.executor import Executor\n"
        "from agentlib.loading.from_mcp import mcp_tools\n"
        "from agentlib.results import ToolCall\n"
        "tools = mcp_tools(sys.argv[1:], startup_timeout=60).open()\n"
        "text = Executor(tools).execute_sync(ToolCall('pid')).content\n"
        "print(text.split()[0], flush=True)\n"
        f"{ends_by}\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, *STDIO], capture_output=True, text=True, timeout=90
    )
    assert _gone(int(ended.stdout))


def test_cancelled_in_the_block_the_server_ends():
    async def main():
        async with mcp_tools(STDIO, startup_timeout=60) as tools:
            executor = Executor(tools)
            found.append((await executor.execute(ToolCall("pid"))).content)
            inside.set()
            await executor.execute(ToolCall("slow", {"seconds": 25}))

    async def cancel():
        task = asyncio.create_task(main())
        await inside.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    inside, found = asyncio.Event(), []
    asyncio.run(cancel())
    assert _gone(int(found[0].split()[0]))


STUBBORN = (
    "import os, signal, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "open(sys.argv[1], 'w').write(str(os.getpid()))\n"
    "print('loading a model', file=sys.stderr, flush=True)\n"
    "time.sleep(90)\n"
)


def test_a_server_that_never_answers_is_killed(tmp_path):
    where = tmp_path / "pid"
    with pytest.raises(ConnectionError, match="(?s)startup_timeout.*loading a model"):
        mcp_tools([sys.executable, "-c", STUBBORN, str(where)], startup_timeout=2).open()
    assert _gone(int(where.read_text()))


def test_cancelled_while_it_starts(tmp_path):
    where = tmp_path / "pid"

    async def main():
        server = mcp_tools([sys.executable, "-c", STUBBORN, str(where)], startup_timeout=60)
        task = asyncio.create_task(server.__aenter__())
        while not where.exists() or not where.read_text():
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    began = time.monotonic()
    asyncio.run(main())
    assert _gone(int(where.read_text())) and time.monotonic() - began < 30


@pytest.mark.parametrize(
    "server, says",
    [
        (["no-such-command-x"], "no such command"),
        ([sys.executable, "-c", "raise SystemExit('the disk is full')"], "the disk is full"),
        ("http://127.0.0.1:9/mcp", "connection"),
    ],
)
def test_a_server_that_cannot_start_says_why(server, says):
    async def main():
        async with mcp_tools(server, startup_timeout=30):
            pass

    with pytest.raises(ConnectionError, match=f"(?is)MCP server .*{says}"):
        asyncio.run(main())


@pytest.mark.parametrize("server", ["mcp-server-time", "", [], "ftp://host/mcp"])
def test_what_is_neither_an_address_nor_a_command(server):
    with pytest.raises(ValueError, match="as a list of words"):
        mcp_tools(server)
