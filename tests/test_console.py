"""The question in a real terminal: what a person types decides, an interrupt ends it."""

import os
import signal
import subprocess
import sys
import time

import pytest

pty = pytest.importorskip("pty")

PROGRAM = """
import asyncio
from agentlib import Executor, ToolCall
from agentlib.layers.approval import Approval
from agentlib.tools import Tool

schema = {"type": "object", "properties": {}}
tool = Tool("launch", "Launch.", schema, lambda: print("RAN"), confirm=True)
executor = Executor([tool], layers=(Approval(),))
print("STATUS", asyncio.run(executor.execute(ToolCall("launch"))).status)
"""


def in_terminal(answer: str | None) -> str:
    """All that the program printed; it ends soon after the answer (None: Ctrl-C)."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", PROGRAM]
    program = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    out, asked = b"", False
    while True:
        try:
            piece = os.read(ours, 1000)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        out += piece
        if not asked and b"[e]dit:" in out:
            time.sleep(0.1)
            asked = True
            if answer is None:
                program.send_signal(signal.SIGINT)
            else:
                os.write(ours, answer.encode())
    program.wait(20)
    os.close(ours)
    return out.decode()


@pytest.mark.parametrize(
    "answer, status, ran",
    [("y\n", "success", True), ("n\n", "denied", False), ("\x04", "denied", False)],
    ids=["y", "n", "end of file"],
)
def test_an_answer_decides(answer, status, ran):
    out = in_terminal(answer)
    assert f"STATUS {status}" in out and ("RAN" in out) is ran


def test_an_interrupt_ends_the_program_although_a_line_is_still_read():
    out = in_terminal(None)
    assert "KeyboardInterrupt" in out and "RAN" not in out
