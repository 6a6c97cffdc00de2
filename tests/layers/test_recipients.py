"""Who may be written to: listed addresses only, and no way of writing gets round it."""

import asyncio

import pytest

from agentlib.executor import Executor
from agentlib.layers.recipients import RecipientList
from agentlib.registry import ToolRegistry
from agentlib.results import ExecutionStatus, ToolCall

sent: list[list[str]] = []
tools = ToolRegistry()


@tools.tool
def send_email(to: list[str] | str, text: str = "", cc: list[str] | None = None) -> str:
    """Send an e-mail."""
    sent.append([to, cc])
    return "sent"


@tools.tool
def note(to: str) -> str:
    """Write a note to anyone."""
    return "noted"


def run(arguments, name="send_email", allowed=("ann@example.org", "*@school.example")):
    sent.clear()
    executor = Executor(tools, layers=(RecipientList(allowed),))
    return asyncio.run(executor.execute(ToolCall(name, arguments)))


@pytest.mark.parametrize(
    "arguments",
    [
        {"to": "ann@example.org"},
        {"to": ["ann@example.org", "bob@school.example"]},
        {"to": "Ann@Example.org, bob@school.example"},
        {"to": "ann@example.org", "cc": ["bob@school.example"]},
    ],
)
def test_listed_recipients_are_written_to(arguments):
    assert run(arguments).ok and len(sent) == 1


@pytest.mark.parametrize(
    "to, cc",
    [
        ("eve@example.org", None),
        ("ann@example.org.evil.example", None),
        ("eve@sub.school.example", None),
        ("eve@notschool.example", None),
        ("ann@example.org, eve@evil.example", None),
        ("ann@example.org;eve@evil.example", None),
        (["ann@example.org", "eve@evil.example"], None),
        ("ann@example.org", ["eve@evil.example"]),
        ("ann@example.org <eve@evil.example>", None),
        ('"ann@example.org" <eve@evil.example>', None),
        ("ann@example.org\nBcc: eve@evil.example", None),
        ("eve@evil.example@school.example", None),
        ("ann", None),
        ("", None),
        ([], None),
        ("*@school.example", None),
    ],
)
def test_everyone_else_is_not_and_nothing_is_sent_at_all(to, cc):
    result = run({"to": to, "cc": cc})
    assert result.status is ExecutionStatus.DENIED and sent == []
    assert "nothing was sent" in result.content and "ann@example.org" in result.content


def test_other_tools_are_not_looked_at():
    assert run({"to": "anyone"}, name="note").ok


def test_wrong_arguments_are_the_usual_error():
    result = run({"whom": "ann@example.org"})
    assert result.status is ExecutionStatus.FAILED and "whom" in result.content


def test_one_address_as_the_list_is_refused_at_once():
    with pytest.raises(TypeError, match="list of addresses"):
        RecipientList("ann@example.org")
