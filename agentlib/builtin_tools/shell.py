"""Run a shell command, inside the process sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentlib.builtin_tools.common import options, visible, workspace
from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.results import truncate_output

if TYPE_CHECKING:
    from agentlib.sandbox.process import SandboxResult
    from agentlib.tools import Tool

TIMEOUT = 30.0  # seconds
MAX_STREAM = 4_000  # characters of stdout, and of stderr


def _ask_shell(command: str) -> str:
    """The question shows the command, and says so when it can't be judged from its text."""
    verdict = _checked(command)
    question = f"Run this shell command?\n{visible(command, 2_000)}"
    if verdict.kind == "opaque":
        question += f"\nIt can't be judged beforehand: `{visible(verdict.part)}` {verdict.reason}."
    return question


def _checked(command: str) -> Any:
    from agentlib.sandbox.commands import judge_command

    verdict = judge_command(command)
    if verdict.kind == "dangerous":
        raise ToolCallError(
            f"run_shell: command refused, nothing was run: `{verdict.part}` {verdict.reason}. "
            "Do it another way, or tell the user what you wanted to do.",
            category=ErrorCategory.INVALID_ARGUMENT,
            code="dangerous_command",
        )
    return verdict


@options(category="action", tags=("shell",), confirm=_ask_shell, timeout=40)
async def run_shell(command: str) -> dict[str, Any]:
    """Run one shell command in the workspace and return exit code, stdout and stderr.

    Use it for what no other tool does: run a program or a test, count, search, convert. Not for
    reading or writing a file (read_file, write_file, edit_file). The command has no network, sees
    only the workspace and the system's programs, gets no input, and is stopped after 30 seconds.
    stdout and stderr are cut at 4,000 characters each. Commands that destroy things are refused.
    May change files in the workspace; the user is asked first.

    Args:
        command: The command line for sh, for example "ls -l" or "python3 test.py".
    """
    return await _run(command, {})


async def _run(command: str, settings: dict[str, Any]) -> dict[str, Any]:
    from agentlib.sandbox.process import Sandbox

    _checked(command)
    sandbox = Sandbox(workspace(), **{"timeout": TIMEOUT, **settings})
    return _told(await sandbox.arun(command), sandbox.settings.timeout)


def _told(result: SandboxResult, timeout: float) -> dict[str, Any]:
    """What the model reads; more than the three usual fields only when there is more to say."""
    told: dict[str, Any] = {
        "exit_code": result.exit_code,
        "stdout": truncate_output(result.stdout, MAX_STREAM),
        "stderr": truncate_output(result.stderr, MAX_STREAM),
    }
    if result.timed_out:
        told["stopped"] = f"timed out after {timeout:g} s; everything it started was ended"
    elif result.killed_by:
        told["stopped"] = f"over the {result.killed_by} limit; everything it started was ended"
    if result.not_enforced:
        told["not_enforced"] = list(result.not_enforced)
    if result.undone:
        told["undone"] = [f".git/{name}" for name in result.undone]
    return told


def shell_tool(**settings: Any) -> Tool:
    """`run_shell` with other sandbox settings, as a Tool to register instead of the usual one.

    settings: those of Sandbox. `backend="rlimits"` is how to run, by name and without a boundary,
    on a Linux that has none; every result then lists what is not enforced.
    """
    from agentlib.tools import Tool

    async def run_shell_with_settings(command: str) -> dict[str, Any]:
        return await _run(command, settings)

    usual = Tool.from_function(run_shell)
    return Tool(
        name=usual.name,
        description=usual.description,
        parameters=usual.parameters,
        function=run_shell_with_settings,
        **run_shell.__tool_options__,
    )
