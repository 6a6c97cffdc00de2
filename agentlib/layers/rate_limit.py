"""Rate limits: at most so many calls per user and tool in any stretch of time ("100/minute")."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.results import ToolCall, ToolResult

if TYPE_CHECKING:
    from agentlib.executor import Proceed
    from agentlib.tools import Tool


def parse_rate(notation: str, tool_name: str = "tool") -> list[tuple[int, int]]:
    """The (calls, seconds) pairs of "100/minute" or "1/second; 20/hour". ValueError: unreadable."""
    from limits import parse_many

    try:
        rates = [(rate.amount, rate.get_expiry()) for rate in parse_many(notation)]
    except ValueError:
        rates = [(0, 0)]
    if any(amount < 1 for amount, _ in rates):
        raise ValueError(
            f"{tool_name}: rate_limit {notation!r} is not a rate. Write a count of at least 1, a "
            'slash and second, minute, hour, day, month or year: "100/minute", "5/10 seconds".'
        )
    return rates


class RateLimit:
    """The layer: a moving window per user and tool; no burst of threads or tasks gets past it.

    The times are kept here and not in a `limits` storage: one lock makes look-and-count a
    single act, and a monotonic `clock` (seconds) is not moved by somebody setting the time.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._times: dict[tuple[str, str], deque[float]] = {}
        self._rates: dict[str, list[tuple[int, int]]] = {}

    async def __call__(self, call: ToolCall, proceed: Proceed) -> ToolResult:
        if call.tool is None or call.tool.rate_limit is None:
            return await proceed(call)
        wait = self._take(call.context.user if call.context else "", call.tool)
        if wait == 0:
            return await proceed(call)
        error = ToolCallError(
            f"{call.name} may be called {call.tool.rate_limit} by one user, and that is used up. "
            f"Nothing was done. Try again in {wait:g} s, or go on without it.",
            category=ErrorCategory.RATE_LIMIT,
            retry_after=wait,
        )
        return ToolResult.failure(call, error)

    def _take(self, user: str, tool: Tool) -> float:
        """0 when the call was counted, else the seconds until there is room (nothing counted)."""
        if tool.rate_limit not in self._rates:
            self._rates[tool.rate_limit] = parse_rate(tool.rate_limit, tool.name)
        rates = self._rates[tool.rate_limit]
        with self._lock:
            now = self._clock()
            times = self._times.setdefault((user, tool.name), deque())
            while times and times[0] + max(seconds for _, seconds in rates) <= now:
                times.popleft()
            room = max((times[-n] + s for n, s in rates if len(times) >= n), default=now)
            if room <= now:
                times.append(now)
                return 0.0
        wait = math.ceil((room - now) * 1000) / 1000
        return wait if now + wait >= room else wait + 0.001  # never a hair too early
