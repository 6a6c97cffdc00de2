"""A budget: how many calls, tokens and seconds one run may use."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.results import ToolCall, ToolResult

if TYPE_CHECKING:
    from agentlib.session import Run


@dataclass(frozen=True)
class Budget:
    """What one run may use; None is no limit. When more is used, nothing more is begun.

    It is looked at before each request, and before a turn's calls, which run all or not at all.
    What has begun is not cut off, and an answer that has come still counts. tokens: as the
    endpoint counts them, of requests and replies. clock: seconds. ValueError: a limit not above 0.
    """

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        for name in ("calls", "tokens", "seconds"):
            limit = getattr(self, name)
            if limit is not None and not limit > 0:
                raise ValueError(f"budget: {name} must be above 0, got {limit!r}; None: no limit.")

    def exceeded(self, run: Run, began: float, wanted: int = 0) -> str:
        """Which limit the run would break with `wanted` calls more, in words, or "".

        began: what the clock said at the run's start.
        """
        used = {
            "calls": len(run.calls) + wanted,
            "tokens": run.usage.get("total_tokens", 0),
            "seconds": self.clock() - began,
        }
        for name, number in used.items():
            limit = getattr(self, name)
            if limit is not None and number > limit:
                return f"its budget is {limit:,} {name if limit != 1 else name[:-1]}"
        return ""


def not_run(call: ToolCall, why: str) -> ToolResult:
    """The result of a call that the budget leaves no room for: each call needs one."""
    error = ToolCallError(
        f"{call.name} was not run: the run ends here, {why}.",
        category=ErrorCategory.RATE_LIMIT,
        code="budget",
        recoverable=False,
    )
    return ToolResult.failure(call, error)
