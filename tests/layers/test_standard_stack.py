"""The standard stack: its order holds, and what nobody set up is denied, not let through."""

import asyncio
import json

import pytest

from agentlib import Context, ExecutionStatus, Executor, Tool, ToolCall
from agentlib.approvers import Decision, ScriptedApprover
from agentlib.layers import standard_layers
from agentlib.layers.second_factor import SecondFactor

SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}}


def run(tool, *, calls=1, permissions=(), approver=None, **options):
    async def main():
        layers = standard_layers(approver or ScriptedApprover(["allow"] * calls), **options)
        context = Context(permissions=permissions, run="r")
        executor = Executor([tool], layers=layers, context=context)
        return [
            await executor.execute(ToolCall(tool.name, {"to": f"{i}@x.example"}, f"c{i}"))
            for i in range(calls)
        ]

    return asyncio.run(main())


def make(ran, name="act", **options):
    return Tool(name, "Act.", SCHEMA, lambda to: ran.append(to) or "done", **options)


def test_a_plain_tool_runs():
    ran = []
    assert run(make(ran))[0].content == "done" and ran


def test_the_audit_log_outside_sees_what_permissions_refuse(tmp_path):
    ran = []
    result = run(make(ran, permissions=["x:write"]), audit=tmp_path / "audit.jsonl")[0]
    assert result.status is ExecutionStatus.DENIED and not ran
    (line,) = (tmp_path / "audit.jsonl").read_text().splitlines()
    assert json.loads(line)["decision"] == "denied"


def test_nobody_is_asked_about_what_is_forbidden_or_may_not_be_sent():
    asked = []

    async def approver(call, tool, context):
        asked.append(call.name)

    run(make([], permissions=["x:write"]), approver=approver)
    run(make([], name="send_email", confirm=True), approver=approver)
    assert asked == []


def test_a_second_factor_that_nobody_set_up_is_a_no():
    ran = []
    tool = make(ran, tags=["second-factor"], confirm=True)
    result = run(tool)[0]
    assert result.status is ExecutionStatus.DENIED and not ran
    assert "second_factor=" in result.content


@pytest.mark.parametrize(("code", "runs"), [("123456", True), ("000000", False)])
def test_a_second_factor_that_is_set_up_decides(code, runs):
    async def ask(call, tool, context):
        return code

    ran = []
    factor = SecondFactor(ask, lambda given: given == "123456")
    result = run(make(ran, tags=["second-factor"]), second_factor=factor)[0]
    assert result.ok == runs and bool(ran) == runs


@pytest.mark.parametrize(("recipients", "runs"), [([], False), (["0@x.example"], True)])
def test_a_letter_goes_only_to_those_listed(recipients, runs):
    ran = []
    run(make(ran, name="send_email"), recipients=recipients)
    assert bool(ran) == runs


def test_the_rate_is_counted_before_a_person_is_asked():
    ran = []
    results = run(make(ran, rate_limit="2/minute", confirm=True), calls=3)
    assert [r.ok for r in results] == [True, True, False] and len(ran) == 2


@pytest.mark.parametrize(("to", "runs"), [("1@x.example", True), ("eve@evil.example", False)])
def test_an_edited_address_is_checked_again(to, runs):
    async def approver(call, tool, context):
        return Decision(True, arguments={"to": to})

    ran = []
    allowed = ["0@x.example", "1@x.example"]
    run(make(ran, name="send_email", confirm=True), approver=approver, recipients=allowed)
    assert ran == ([to] if runs else [])
