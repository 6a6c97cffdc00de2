"""run_shell: through the sandbox, with its refusals and its question."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

import pytest

from agentlib import Context, Executor, ToolCall, ToolRegistry
from agentlib.builtin_tools import run_shell, shell_tool
from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.results import ToolResult
from agentlib.sandbox.process import Sandbox, SandboxUnavailable

HERE = Sandbox.guarantees().backend
needs_sandbox = pytest.mark.skipif(HERE is None, reason="no sandbox on this machine")


def run(workspace: Path, command: str, tool: object = run_shell) -> ToolResult:
    executor = Executor(ToolRegistry([tool]), context=Context(workspace=workspace))
    return executor.execute_sync(ToolCall("run_shell", json.dumps({"command": command})))


@needs_sandbox
def test_streams_apart_and_exit_code(tmp_path: Path) -> None:
    result = run(tmp_path, "echo out; echo err >&2; pwd; exit 4")
    assert result.value == {
        "exit_code": 4,
        "stdout": f"out\n{tmp_path.resolve()}\n",
        "stderr": "err\n",
    }


@needs_sandbox
def test_each_stream_is_cut_at_4000_characters(tmp_path: Path) -> None:
    value = run(tmp_path, "head -c 5000 /dev/zero | tr '\\0' x; seq 2000 >&2").value
    assert value["stdout"] == "x" * 4_000 + "\n[truncated: first 4,000 of 5,000 characters]"
    assert value["stderr"].startswith("1\n2\n") and "first 4,000 of" in value["stderr"]


@needs_sandbox
def test_it_has_no_network_and_no_way_out(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "secret").write_text("secret")
    value = run(tmp_path / "ws", "cat ../secret; cat /proc/net/route | wc -l").value
    assert "secret" not in value["stdout"]


@needs_sandbox
def test_the_time_limit_is_told(tmp_path: Path) -> None:
    value = run(tmp_path, "echo begun; sleep 20", shell_tool(timeout=0.4)).value
    assert value["exit_code"] == 137 and value["stdout"] == "begun\n"
    assert value["stopped"] == "timed out after 0.4 s; everything it started was ended"


@needs_sandbox
def test_the_executors_limit_ends_the_command_too(tmp_path: Path) -> None:
    tool = shell_tool()
    tool.timeout = 0.5
    began = time.monotonic()
    result = run(tmp_path, "while true; do printf x >> beat; sleep 0.02; done", tool)
    assert time.monotonic() - began < 20  # the sandbox allows 30
    assert result.error.category == ErrorCategory.TIMEOUT
    size = (tmp_path / "beat").stat().st_size
    time.sleep(0.2)
    assert (tmp_path / "beat").stat().st_size == size


@pytest.mark.parametrize(
    "command", ["rm -rf x", "git status && rm -rf x", "sudo ls", "dd of=/dev/sda"]
)
def test_what_destroys_is_refused_and_nothing_runs(tmp_path: Path, command: str) -> None:
    (tmp_path / "x").mkdir()
    result = run(tmp_path, command)
    assert result.error.code == "dangerous_command"
    assert "refused" in result.content and (tmp_path / "x").exists()
    with pytest.raises(ToolCallError, match="refused"):
        run_shell.__tool_options__["confirm"](command)


def test_the_question_shows_the_command() -> None:
    ask = run_shell.__tool_options__["confirm"]
    assert ask("ls -l") == "Run this shell command?\nls -l"
    asked = ask("ls\u202e $X")
    assert "\\u202e" in asked and "can't be judged beforehand" in asked


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux")
def test_without_a_sandbox_it_refuses_with_the_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agentlib.sandbox import probe

    monkeypatch.setattr(probe, "test", lambda *_: ("read", "nothing holds.", "do this."))
    result = run(tmp_path, "echo x > made")
    assert isinstance(result.error, SandboxUnavailable)
    assert "do this." in result.content and not (tmp_path / "made").exists()
    down = run(tmp_path, "echo x > made", shell_tool(backend="rlimits"))
    assert down.ok and (tmp_path / "made").exists()
    assert "network" in down.value["not_enforced"] and "read" in down.value["not_enforced"]


@needs_sandbox
def test_it_is_awaited_and_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def main() -> dict:
        task = asyncio.create_task(run_shell("sleep 20"))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await run_shell("echo again")

    assert asyncio.run(main())["stdout"] == "again\n"
