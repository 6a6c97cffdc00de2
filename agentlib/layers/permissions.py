"""Permissions: what this user holds, against what this tool needs, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.results import ToolCall, ToolResult

if TYPE_CHECKING:
    from agentlib.executor import Proceed


def covers(held: str, needed: str) -> bool:
    """True when the permission `held` includes `needed`, segment by segment between colons.

    "*" alone covers everything; as a segment it stands for one, at the end for all that follow.
    Nothing else is a wildcard: "add" is not "addition", "admin" is not "write".
    """
    have, want = held.split(":"), needed.split(":")
    if have[-1] == "*" and len(want) > len(have):
        want = want[: len(have)]
    return len(have) == len(want) and all(h in ("*", w) for h, w in zip(have, want, strict=True))


def missing_permissions(held: Iterable[str], needed: Iterable[str]) -> list[str]:
    """Those of `needed` that nothing in `held` covers, sorted."""
    held = list(held)
    return sorted(n for n in needed if not any(covers(h, n) for h in held))


class Permissions:
    """The layer: a call whose user lacks a permission of its tool is denied and never runs."""

    async def __call__(self, call: ToolCall, proceed: Proceed) -> ToolResult:
        held = call.context.permissions if call.context else ()
        missing = missing_permissions(held, call.tool.permissions) if call.tool else []
        if not missing:
            return await proceed(call)
        user = call.context.user if call.context else "anonymous"
        error = ToolCallError(
            f"{call.name} needs the permission {', '.join(missing)}, which user {user!r} does not "
            "have. Nothing was done. Asking again will not help: go on without it, or tell the "
            "user.",
            category=ErrorCategory.PERMISSION_DENIED,
        )
        return ToolResult.failure(call, error)
