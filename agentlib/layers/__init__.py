"""Layers: policy around a call, each `async def layer(call, proceed) -> ToolResult`.

Something before, `await proceed(call)`, something after. Read one and you have read them all.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any


def standard_layers(approver: Any = None, *, audit: str | Path | None = None) -> tuple[Any, ...]:
    """The standard stack, outermost first. approver: None asks whoever can answer here.

    audit: a file for the audit log; None keeps none.
    """
    from agentlib.approvers import default_approver
    from agentlib.layers.approval import Approval
    from agentlib.layers.fallback import Fallback
    from agentlib.layers.loop_guard import LoopGuard
    from agentlib.layers.permissions import Permissions
    from agentlib.layers.rate_limit import RateLimit
    from agentlib.layers.retry import Retry

    stack = (
        Permissions(),  # what is forbidden is refused before it costs anything
        RateLimit(),  # then what is allowed too often
        LoopGuard(),  # a repeated call is stopped before it asks a person the same again
        Approval(approver or default_approver()),  # a person sees only calls that may run
        Fallback(),  # outside retry: a substitute only when trying again did not help
        Retry(),  # innermost: one approved call may take several attempts
    )
    if audit is None:
        return stack
    from agentlib.layers.audit import AuditLog

    return (AuditLog(audit), *stack)  # outermost: it sees every decision of the others
