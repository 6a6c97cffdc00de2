"""Retry: the same call again after 1, 2, 4 seconds, only where repeating can do no harm."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from agentlib.errors import STRATEGIES, ErrorCategory
from agentlib.results import ToolCall, ToolResult

if TYPE_CHECKING:
    from agentlib.executor import Proceed
    from agentlib.tools import Tool

LONGEST_WAIT = 60.0  # seconds; a service that asks for more is not waited for
_UNSURE = (ErrorCategory.TIMEOUT, ErrorCategory.EXTERNAL_SERVICE, ErrorCategory.SYSTEM_ERROR)


class Retry:
    """The layer: repeats a failed call of a tool that says `repeatable`, up to its max_retries.

    Only errors whose category is retryable. An error's retry_after (seconds) lengthens the wait;
    beyond `longest_wait` the error goes back at once. sleep: given seconds, awaited.
    Of a tool that acts and then got no answer, or broke, the model is told that it may have worked.
    """

    def __init__(
        self,
        *,
        first_wait: float = 1.0,
        longest_wait: float = LONGEST_WAIT,
        sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        self.first_wait, self.longest_wait, self._sleep = first_wait, longest_wait, sleep

    async def __call__(self, call: ToolCall, proceed: Proceed) -> ToolResult:
        if call.tool is None or not call.tool.repeatable or call.tool.max_retries < 1:
            return told_of_doubt(await proceed(call))
        import anyio
        from tenacity import AsyncRetrying, retry_if_result, stop_after_attempt

        results: list[ToolResult] = []

        async def attempt() -> ToolResult:
            results.append(await proceed(call))
            return results[-1]

        retrying = AsyncRetrying(
            stop=stop_after_attempt(1 + call.tool.max_retries),
            wait=lambda state: self._wait(state.attempt_number, results[-1]),
            retry=retry_if_result(self._worth_it),
            sleep=self._sleep or anyio.sleep,
            retry_error_callback=lambda state: results[-1],
        )
        result = await retrying(attempt)
        result.attempts = sum(r.attempts for r in results)
        result.duration = sum(r.duration for r in results)
        return told_of_doubt(result)

    def _wait(self, attempt: int, result: ToolResult) -> float:
        return max(self.first_wait * 2 ** (attempt - 1), result.error.retry_after or 0.0)

    def _worth_it(self, result: ToolResult) -> bool:
        error = result.error
        if error is None or not STRATEGIES[error.category].retryable:
            return False
        return (error.retry_after or 0.0) <= self.longest_wait


def acts(tool: Tool) -> bool:
    """True for a tool that changes something: one of category "action", or one that asks first."""
    return tool.category == "action" or bool(tool.confirm)


def in_doubt(result: ToolResult) -> bool:
    """True for a failed call that ran and may have acted: no answer is not the same as not done."""
    tool, error = result.call.tool, result.error
    if tool is None or error is None or not result.attempts:
        return False
    return acts(tool) and error.category in _UNSURE


def told_of_doubt(result: ToolResult) -> ToolResult:
    """The same result; one in doubt says so, once: else the model pays again by itself."""
    doubt = (
        f"\n{result.name} may have taken effect all the same. Do not call it again before you "
        "have checked; if you can't check, tell the user."
    )
    if in_doubt(result) and doubt not in result.content:
        result.content += doubt
    return result
