"""A budget: how many calls, tokens and seconds one run may use."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.results import ToolCall, ToolResult

if TYPE_CHECKING:
    from agentlib.session import Run


@dataclass(frozen=True)
class Budget:
    """What one run may use; None is no limit. When it is used up, nothing more is begun.

    It is looked at before each request and before each turn's calls: what has begun is not cut
    off, and an answer that has come still counts. tokens: as the endpoint counts them, of requests
    and replies. clock: seconds. ValueError: a limit that is not above 0.
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

    def used_up(self, run: Run, began: float) -> str:
        """Which limit the run has reached, in words, or "". began: this clock at its start.

        The last call allowed may still be answered; only one call more is too much.
        """
        if self.calls is not None and len(run.calls) > self.calls:
            return f"the budget of {_count(self.calls, 'call')} is used up"
        if self.tokens is not None and run.usage.get("total_tokens", 0) >= self.tokens:
            return f"the budget of {_count(self.tokens, 'token')} is used up"
        if self.seconds is not None and self.clock() - began >= self.seconds:
            return f"the budget of {self.seconds:g} s is used up"
        return ""

    def share(
        self, calls: Sequence[ToolCall], run: Run, began: float
    ) -> tuple[list[ToolCall], list[ToolResult]]:
        """The first calls of a turn, which may run, and the results of the others, which may not.

        A call that may not run is answered all the same: the protocol wants a result for each.
        """
        why = self.used_up(run, began)
        room = len(calls) if self.calls is None else max(0, self.calls - len(run.calls))
        room = 0 if why else room
        why = why or f"the budget of {_count(self.calls or 0, 'call')} is used up"
        return list(calls[:room]), [_not_run(call, why) for call in calls[room:]]


def _not_run(call: ToolCall, why: str) -> ToolResult:
    error = ToolCallError(
        f"{call.name} was not run: {why}, and the run ends here.",
        category=ErrorCategory.RATE_LIMIT,
        code="budget",
        recoverable=False,
    )
    return ToolResult.failure(call, error)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
