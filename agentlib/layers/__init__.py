"""Layers: policy around a call, each `async def layer(call, proceed) -> ToolResult`.

Something before, `await proceed(call)`, something after. Read one and you have read them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any


def standard_layers(
    approver: Any = None,
    *,
    recipients: Iterable[str] = (),
    second_factor: Any = None,
    handover: Any = None,
    audit: str | Path | Any = None,
) -> tuple[Any, ...]:
    """The standard stack, outermost first.

    approver: None asks whoever can answer here. recipients: whom `send_email` may write to.
    second_factor: a `SecondFactor`; without one, a tool tagged "second-factor" is denied.
    handover: a `HandoverQueue`. audit: a file, or an `AuditLog`; None keeps no log.
    """
    from agentlib.approvers import default_approver
    from agentlib.layers.approval import Approval
    from agentlib.layers.audit import AuditLog
    from agentlib.layers.fallback import Fallback
    from agentlib.layers.loop_guard import LoopGuard
    from agentlib.layers.permissions import Permissions
    from agentlib.layers.rate_limit import RateLimit
    from agentlib.layers.recipients import RecipientList
    from agentlib.layers.retry import Retry
    from agentlib.layers.second_factor import SecondFactor

    letters = RecipientList(recipients)
    log = AuditLog(audit) if isinstance(audit, str | Path) else audit
    stack = (
        log,  # outermost: it sees every decision of the others
        Permissions(),  # what is forbidden is refused before it costs anything
        RateLimit(),  # then what comes too often
        LoopGuard(),  # a repeated call ends before a person is asked the same again
        letters,  # nobody is asked about a letter that may not be sent
        Approval(approver or default_approver()),  # a person sees only calls that may run
        letters,  # again: whoever says yes may have changed the address
        second_factor or SecondFactor(_no_code, bool),  # the second question, after the yes
        Fallback(handover),  # outside retry: a substitute only when trying again did not help
        Retry(),  # innermost: one approved call may take several attempts
    )
    return tuple(layer for layer in stack if layer is not None)


async def _no_code(*_: Any) -> str:
    raise LookupError("no second factor is set up; pass standard_layers(second_factor=...)")
