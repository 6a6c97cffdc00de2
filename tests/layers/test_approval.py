"""The confirmation layer: what asks, what a yes and a no become, what is never a yes."""

import asyncio
from pathlib import Path

import pytest

from agentlib.approvers import ApproverError, Decision, DenyAll, ScriptedApprover
from agentlib.context import Context
from agentlib.executor import Executor
from agentlib.layers.approval import Approval
from agentlib.registry import ToolRegistry
from agentlib.results import ExecutionStatus, ToolCall

ran: list[dict] = []


def registry(confirm=True) -> ToolRegistry:
    ran.clear()
    tools = ToolRegistry()

    @tools.tool(confirm=confirm)
    def send(to: str, count: int = 1) -> str:
        """Send something.

        Args:
            to: who gets it
            count: how many
        """
        ran.append({"to": to, "count": count})
        return f"sent {count} to {to}"

    @tools.tool
    def look() -> str:
        """Look."""
        return "seen"

    return tools


def call(arguments='{"to": "ann"}', name="send", **more) -> ToolCall:
    return ToolCall(name, arguments, **more)


def run(approver, *calls: ToolCall, confirm=True, context=None):
    """The results of the calls, one after the other, through one Approval."""
    executor = Executor(registry(confirm), layers=(Approval(approver),), context=context)

    async def work():
        return [await executor.execute(c) for c in calls]

    return asyncio.run(work())


def test_allow_runs_the_call_and_the_model_hears_nothing_of_the_question():
    approver = ScriptedApprover(["allow"])
    (result,) = run(approver, call())
    assert (result.content, ran) == ("sent 1 to ann", [{"to": "ann", "count": 1}])
    assert approver.asked == ["Run send?"]


@pytest.mark.parametrize(
    "confirm, asked",
    [
        (False, []),
        (True, ["Run send?"]),
        (lambda to, count=1: f"Send {count} to {to}?", ["Send 1 to ann?"]),
        (lambda **_: None, []),
        (lambda **_: "", []),
    ],
)
def test_the_tool_says_whether_and_what_to_ask(confirm, asked):
    approver = ScriptedApprover(["allow"])
    (result,) = run(approver, call(), confirm=confirm)
    assert result.ok and approver.asked == asked


@pytest.mark.parametrize(
    "bad", [call("{"), call('{"who": "ann"}'), call("{}"), call(name="nothing"), call(name="look")]
)
def test_no_question_about_what_cannot_run_or_asks_nothing(bad):
    approver = ScriptedApprover(["allow"])
    run(approver, bad)
    assert approver.asked == [] and ran == []


@pytest.mark.parametrize(
    "decision, says, says_not",
    [
        (Decision(False, by="click"), ["refused by the person", "not try"], ["click", "Reason"]),
        (Decision(False, "not to ann", by="click"), ["refused", "Reason: not to ann."], []),
        (Decision(False, by="timeout"), ["nobody answered"], ["refused", "decided"]),
        (Decision(False, by="interrupt"), ["interrupted"], ["refused", "decided"]),
        (Decision(False, "no terminal", by="nobody"), ["nobody is there", "terminal"], ["refused"]),
    ],
)
def test_a_no_is_a_denied_result_that_says_why(decision, says, says_not):
    (result,) = run(ScriptedApprover([decision]), call())
    assert result.status is ExecutionStatus.DENIED and ran == []
    assert all(word in result.content for word in ["Error: send", *says])
    assert not any(word in result.content for word in says_not)
    assert "Do not try this call again" in result.content


async def _raises(call, tool, context):
    raise OSError("no screen")


async def _says_true(call, tool, context):
    return True


async def _says_yes_but_not_quite(call, tool, context):
    return Decision("no")  # a true value, but no True


@pytest.mark.parametrize(
    "approver",
    [_raises, _says_true, _says_yes_but_not_quite, ScriptedApprover([]), DenyAll()],
    ids=lambda a: getattr(a, "__name__", type(a).__name__),
)
def test_anything_but_a_clear_yes_is_a_no(approver):
    (result,) = run(approver, call())
    assert result.status is ExecutionStatus.DENIED and ran == []


def test_a_mistake_in_the_set_up_reaches_the_author():
    async def misused(call, tool, context):
        raise ApproverError("use await")

    with pytest.raises(ApproverError, match="use await"):
        run(misused, call())
    assert ran == []


def test_a_question_that_raises_is_an_error_result_and_asks_nobody():
    def confirm(to, count=1):
        raise ValueError("outside the workspace")

    approver = ScriptedApprover(["allow"])
    (result,) = run(approver, call(), confirm=confirm)
    assert result.status is ExecutionStatus.FAILED
    assert "ValueError: outside the workspace" in result.content
    assert approver.asked == [] and ran == []


def test_the_question_may_ask_for_the_context(tmp_path: Path):
    def confirm(to, count=1):
        return f"in {Context.current().workspace}"

    approver = ScriptedApprover(["allow"])
    run(approver, call(), confirm=confirm, context=Context(workspace=tmp_path))
    assert approver.asked == [f"in {tmp_path}"]


def test_edited_arguments_run_instead_and_the_model_is_told():
    edited = Decision(True, arguments={"to": "bob"})
    (result,) = run(ScriptedApprover([edited]), call(id="c1"))
    assert ran == [{"to": "bob", "count": 1}]
    assert "The person changed the arguments" in result.content
    assert '{"to": "bob"}' in result.content and "sent 1 to bob" in result.content
    assert result.message()["tool_call_id"] == "c1"


def test_arguments_given_back_unchanged_are_no_edit():
    (result,) = run(ScriptedApprover([Decision(True, arguments={"to": "ann"})]), call())
    assert result.content == "sent 1 to ann"


def test_edited_arguments_are_checked_again():
    (result,) = run(ScriptedApprover([Decision(True, arguments={"whom": "bob"})]), call())
    assert not result.ok and "whom" in result.content and ran == []


same = [call('{"to": "ann", "count": 2}'), call('{"count": 2, "to": "ann"}')]


@pytest.mark.parametrize(
    "first, second, asked",
    [
        (*same, 1),
        (same[0], call('{"to": "ann", "count": 3}'), 2),
        (same[0], call('{"to": "ann"}'), 2),
        (same[0], call(same[0].arguments, context=Context(session="other")), 2),
    ],
    ids=["another key order", "another value", "fewer", "another session"],
)
def test_remember_is_for_the_exact_arguments_in_this_session(first, second, asked):
    approver = ScriptedApprover(["session", "deny"])
    results = run(approver, first, second)
    assert results[0].ok and results[1].ok is (asked == 1) and len(approver.asked) == asked


def test_allow_without_remember_and_a_no_are_asked_again():
    approver = ScriptedApprover(["allow", Decision(False, remember=True), "deny"])
    run(approver, *same, same[0])
    assert len(approver.asked) == 3


def test_remember_with_an_edit_holds_for_the_edited_arguments():
    approver = ScriptedApprover([Decision(True, remember=True, arguments={"to": "bob"}), "deny"])
    results = run(approver, call(), call('{"to": "bob"}'), call())
    assert [r.ok for r in results] == [True, True, False] and len(approver.asked) == 2


def test_a_redefined_tool_is_asked_about_again():
    tools, approver = registry(), ScriptedApprover(["session", "deny"])
    executor = Executor(tools, layers=(Approval(approver),))

    async def work():
        first = await executor.execute(call())
        tools.register(registry().get("send"), replace=True)
        return first, await executor.execute(call())

    first, second = asyncio.run(work())
    assert first.ok and second.status is ExecutionStatus.DENIED


def test_questions_of_one_turn_come_one_at_a_time_in_call_order():
    open_now, seen = [], []

    async def approver(call, tool, context):
        open_now.append(call.id)
        assert len(open_now) == 1
        await asyncio.sleep(0)
        seen.append(open_now.pop())
        return Decision(call.id != "b")

    executor = Executor(registry(), layers=(Approval(approver),))
    calls = [call(id=i) for i in "abc"]
    results = asyncio.run(executor.execute_all(calls))
    assert seen == ["a", "b", "c"] and [r.ok for r in results] == [True, False, True]


def test_the_second_of_two_equal_calls_of_one_turn_is_not_asked_after_a_session_yes():
    approver = ScriptedApprover(["session"])
    executor = Executor(registry(), layers=(Approval(approver),))
    results = asyncio.run(executor.execute_all([call(id="a"), call(id="b")]))
    assert [r.ok for r in results] == [True, True] and len(approver.asked) == 1


def test_cancelling_a_question_runs_nothing_and_goes_on_upwards():
    async def forever(call, tool, context):
        await asyncio.Event().wait()

    async def work():
        executor = Executor(registry(), layers=(Approval(forever),))
        task = asyncio.create_task(executor.execute(call()))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(work())
    assert ran == []


def test_one_approval_serves_several_event_loops():
    approval = Approval(ScriptedApprover(["allow"] * 4))
    executor = Executor(registry(), layers=(approval,))
    for _ in range(2):  # a lock that was waited on belongs to its loop
        results = asyncio.run(executor.execute_all([call(id="a"), call(id="b")]))
        assert [r.ok for r in results] == [True, True]
