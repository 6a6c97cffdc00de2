"""Approvers without a notebook: scripts, nobody, and the default one."""

import asyncio
import io
import sys

import pytest

from agentlib.approvers import (
    ConsoleApprover,
    Decision,
    DenyAll,
    ScriptedApprover,
    default_approver,
)
from agentlib.context import Context
from agentlib.results import ToolCall
from agentlib.tools import Tool

SCHEMA = {
    "type": "object",
    "properties": {"to": {"type": "string"}},
    "required": ["to"],
    "additionalProperties": False,
}
TOOL = Tool("send", "Send.", SCHEMA, lambda to: to, confirm=lambda to: f"Send to {to}?")


def ask(approver, arguments: dict | None = None) -> Decision:
    call = ToolCall("send", arguments or {"to": "ann"})
    return asyncio.run(approver(call, TOOL, Context()))


@pytest.mark.parametrize(
    "word, allow, remember",
    [
        ("allow", True, False),
        ("deny", False, False),
        ("session", True, True),
        (" Allow ", True, False),
    ],
)
def test_words(word, allow, remember):
    decision = ask(ScriptedApprover([word]))
    assert (decision.allow, decision.remember, decision.by) == (allow, remember, "script")


@pytest.mark.parametrize("word", ["yes", "", "allowed", None, True])
def test_an_unknown_word_is_refused_when_the_script_is_made(word):
    with pytest.raises(ValueError, match="allow, deny, session"):
        ScriptedApprover(["allow", word])


def test_a_script_that_has_run_out_denies():
    approver = ScriptedApprover(["allow"])
    assert [ask(approver).allow, ask(approver).allow] == [True, False]
    assert approver.asked == ["Send to ann?"] * 2


def test_deny_all_gives_its_reason():
    assert ask(DenyAll("no screen")) == Decision(False, "no screen", by="nobody")


def typed(*lines: str):
    """A reader that gives these lines, then end of file."""
    left = list(lines)

    def read(prompt: str) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    return read


@pytest.mark.parametrize(
    "lines, decision",
    [
        (["y"], Decision(True, by="typed")),
        (["YES"], Decision(True, by="typed")),
        (["n"], Decision(False, by="typed")),
        (["s"], Decision(True, remember=True, by="typed")),
        (["what?", "y"], Decision(True, by="typed")),
        (["", "", ""], Decision(False, "no clear answer was given", by="typed")),
        ([], Decision(False, "the terminal was closed", by="nobody")),
        (["e", '{"to": "bob"}'], Decision(True, arguments={"to": "bob"}, by="typed")),
        (["e", '{"whom": 1}', "n"], Decision(False, by="typed")),
        (["e", "to bob", "n"], Decision(False, by="typed")),
        (["e"], Decision(False, "the terminal was closed", by="nobody")),
    ],
)
def test_console_answers(lines, decision, capsys):
    assert ask(ConsoleApprover(typed(*lines))) == decision
    assert "send: Send to ann?" in capsys.readouterr().out


def test_the_console_shows_every_argument_with_control_marks_spelled_out(capsys):
    ask(ConsoleApprover(typed("n")), {"to": "ann\u202egro.\x1b[2Jbad \u3000张三"})
    out = capsys.readouterr().out
    assert "\u202e" not in out and "\x1b" not in out
    assert "\\u202e" in out and "张三" in out


@pytest.mark.parametrize("stdin", [None, io.StringIO("y\n")], ids=["none", "no terminal"])
def test_without_a_terminal_the_console_says_no(stdin, monkeypatch):
    monkeypatch.setattr(sys, "stdin", stdin)
    decision = ask(ConsoleApprover())
    assert (decision.allow, decision.by) == (False, "nobody")


def test_the_default_without_notebook_and_terminal_is_no_and_names_the_mend(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    decision = ask(default_approver())
    assert not decision.allow and "ScriptedApprover" in decision.reason


def test_the_default_in_a_terminal_is_the_console(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdin", terminal)
    assert isinstance(default_approver(), ConsoleApprover)


def test_an_event_loop_stays_alive_while_the_console_waits():
    import threading

    go = threading.Event()

    async def work():
        approver = ConsoleApprover(lambda prompt: "y" if go.wait(5) else "n")
        task = asyncio.create_task(approver(ToolCall("send", {"to": "ann"}), TOOL, Context()))
        await asyncio.sleep(0.01)  # the loop runs on: only so can the answer come
        go.set()
        return await task

    assert asyncio.run(work()).allow
