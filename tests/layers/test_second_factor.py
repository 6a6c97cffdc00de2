"""The second factor: a right code, once, and anything else is a no."""

import asyncio
import base64

import pytest

from agentlib.approvers import ApproverError
from agentlib.executor import Executor
from agentlib.layers.second_factor import OneTimeCodes, SecondFactor, one_time_code
from agentlib.results import ExecutionStatus, ToolCall
from agentlib.tools import Tool

SECRET = base64.b32encode(b"12345678901234567890").decode()  # RFC 6238, appendix B
SCHEMA = {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    "at, code",  # the last six of the eight digits in RFC 6238, appendix B, SHA-1
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_codes_are_those_of_the_standard(at, code):
    assert one_time_code(SECRET, at) == code


def run(ask, check=lambda code: code == "123456", tags=("second-factor",)):
    ran = []
    tool = Tool("delete_order", "Delete.", SCHEMA, lambda: ran.append(1), tags=tags)
    executor = Executor([tool], layers=(SecondFactor(ask, check),))
    return asyncio.run(executor.execute(ToolCall("delete_order"))), ran


def typing(code):
    async def ask(call, tool, context):
        if isinstance(code, Exception):
            raise code
        return code

    return ask


def test_a_right_code_runs_the_call():
    result, ran = run(typing("123456"))
    assert result.ok and ran == [1]


@pytest.mark.parametrize("code", ["654321", "", None, " ", OSError("no phone")])
def test_anything_else_denies(code):
    result, ran = run(typing(code))
    assert result.status is ExecutionStatus.DENIED and ran == []
    assert "second factor" in result.content and "123456" not in result.content


def test_a_check_that_does_not_say_true_denies():
    result, ran = run(typing("123456"), check=lambda code: "yes")
    assert result.status is ExecutionStatus.DENIED and ran == []


def test_a_tool_without_the_tag_is_not_asked_about():
    result, ran = run(typing(AssertionError("asked")), tags=())
    assert result.ok and ran == [1]


def test_the_authors_mistake_reaches_the_author():
    with pytest.raises(ApproverError):
        run(typing(ApproverError("use await")))


def test_a_code_counts_once_and_for_a_minute_at_most():
    now = [1111111111.0]
    codes = OneTimeCodes(SECRET, clock=lambda: now[0])
    code = one_time_code(SECRET, now[0])
    assert codes(f" {code} ") and not codes(code)
    now[0] += 30
    fresh = one_time_code(SECRET, now[0])
    now[0] += 30  # the app showed it just before
    assert codes(fresh)
    old = one_time_code(SECRET, now[0] + 30)
    now[0] += 100
    assert not codes(old)
    assert not codes("") and not codes("１２３４５６")
