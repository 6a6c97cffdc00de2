"""Confirmation as a layer: a tool that says `confirm` runs only after a yes.

The question belongs to the tool, the answer to the approver; this layer only stands between them.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from weakref import WeakKeyDictionary

from agentlib.approvers import (
    Approver,
    ApproverError,
    Decision,
    arguments_of,
    default_approver,
    question_for,
)
from agentlib.context import Context, current_context
from agentlib.errors import ErrorCategory, ToolCallError, describe, from_exception
from agentlib.executor import Proceed, check_arguments
from agentlib.results import ToolCall, ToolResult

__all__ = ["Approval", "Decision"]

_WHY = {
    "timeout": "was not run: nobody answered the question in time",
    "interrupt": "was not run: the person interrupted the question",
    "nobody": "was not run: nobody is there to allow it",
    "fault": "was not run: the question could not be put",
}


class Approval:
    """Ask `approver` (default: whoever can answer here) before a call of a tool with `confirm`.

    One question at a time. Anything but a clear yes is a DENIED result.
    """

    def __init__(self, approver: Approver | None = None) -> None:
        self.approver = approver
        self._remembered: set[tuple[object, ...]] = set()
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]
        self._locks = WeakKeyDictionary()  # a lock belongs to one event loop

    async def __call__(self, call: ToolCall, proceed: Proceed) -> ToolResult:
        if call.tool is None or not call.tool.confirm:
            return await proceed(call)
        lock = self._locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())
        try:
            async with lock:
                token = current_context.set(call.context or Context())  # `confirm` may ask for it
                try:
                    decision = await self._decide(call)
                finally:
                    current_context.reset(token)
            if decision.allow is not True:
                raise _refusal(call, decision)
            if decision.arguments in (None, arguments_of(call)):
                return await proceed(call)
            edited = call.with_arguments(decision.arguments)
            check_arguments(call.tool, edited)
        except ToolCallError as error:
            return ToolResult.failure(call, error)
        return _told_of_edit(await proceed(edited))

    async def _decide(self, call: ToolCall) -> Decision:
        arguments = check_arguments(call.tool, call)  # never ask about a call that can't run
        try:
            question = question_for(call.tool, arguments)
        except Exception as error:  # the tool's own code: what it raises is the call's result
            raise from_exception(call.tool.name, error) from error
        if question is None or _key(call, arguments_of(call)) in self._remembered:
            return Decision(True)
        self.approver = self.approver or default_approver()
        try:
            decision = await self.approver(call, call.tool, call.context or Context())
        except ApproverError:  # the author's mistake is shown to the author
            raise
        except Exception as error:  # whatever went wrong in asking, it is not a yes
            return Decision(False, describe(error), by="fault")
        if not isinstance(decision, Decision):
            return Decision(False, f"the approver gave {decision!r}, no Decision", by="fault")
        if decision.allow is True and decision.remember:
            edited = decision.arguments
            self._remembered.add(_key(call, arguments_of(call) if edited is None else edited))
        return decision


def _key(call: ToolCall, arguments: dict[str, object]) -> tuple[object, ...]:
    """This session, this very tool (a redefined one asks anew), exactly these arguments."""
    session = (call.context.user, call.context.session) if call.context else ()
    return session, call.tool, json.dumps(arguments, sort_keys=True, default=repr)


def _refusal(call: ToolCall, decision: Decision) -> ToolCallError:
    what = _WHY.get(decision.by, "was refused by the person, and was not run")
    reason = f" Reason: {decision.reason.strip().rstrip('.')}." if decision.reason.strip() else ""
    return ToolCallError(
        f"{call.tool.name} {what}.{reason} Do not try this call again; "
        "say what could not be done, or go on without it.",
        category=ErrorCategory.PERMISSION_DENIED,
        code={"timeout": "no_answer", "nobody": "no_answer"}.get(decision.by, "refused"),
    )


def _told_of_edit(result: ToolResult) -> ToolResult:
    """The model asked for one thing and another was done: it has to know."""
    arguments = json.dumps(arguments_of(result.call), ensure_ascii=False, default=repr)
    note = f"[The person changed the arguments before allowing this call: {arguments}]"
    return replace(result, content=f"{note}\n{result.content}")
