"""Run a shell command, inside the process sandbox."""

from __future__ import annotations

from typing import Any

from agentlib.builtin_tools.common import options, visible, workspace
from agentlib.results import truncate_output

TIMEOUT = 30.0  # seconds
MAX_STREAM = 4_000  # characters of stdout, and of stderr


def _ask_shell(command: str) -> str:
    return f"Run this shell command?\n{visible(command, 2_000)}"


@options(
    category="action", tags=("shell",), confirm=_ask_shell, timeout=40
)
async def run_shell(command: str) -> dict[str, Any]:
    """Run one shell command in the workspace and return exit code, stdout and stderr.

    Use it for what no other tool does: run a program or a test, count, search, convert. Not for
    reading or writing a file (read_file, write_file, edit_file). The command has no network, sees
    only the workspace and the system's programs, gets no input, and is stopped after 30 seconds.
    stdout and stderr are cut at 4,000 characters each. May change files; the user is asked first.

    Args:
        command: The command line for sh, for example "ls -l" or "python3 test.py".
    """
    from agentlib.sandbox.process import Sandbox

    result = await Sandbox(workspace(), timeout=TIMEOUT).arun(command)
    return {
        "exit_code": result.exit_code,
        "stdout": truncate_output(result.stdout, MAX_STREAM),
        "stderr": truncate_output(result.stderr, MAX_STREAM),
    }
