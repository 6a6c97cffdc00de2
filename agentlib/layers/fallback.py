"""Fallback: an earlier good result, or a person, when a call fails for good."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentlib.errors import STRATEGIES, ToolCallError
from agentlib.layers.retry import acts, in_doubt, told_of_doubt
from agentlib.results import MAX_RESULT, ToolCall, ToolResult, truncate_output

if TYPE_CHECKING:
    from agentlib.executor import Proceed
    from agentlib.tools import Tool

KEPT = 256  # results, the least recently used goes first


@dataclass(frozen=True)
class Handover:
    """One failed call that a person has to take over. time: seconds since the epoch.

    in_doubt: it may have taken effect before it failed, so it must be checked before it is redone.
    """

    call: ToolCall
    error: ToolCallError
    time: float
    in_doubt: bool = False


class HandoverQueue:
    """Calls that wait for a person, oldest first. on_append: told of each, to show it."""

    def __init__(self, on_append: Callable[[Handover], None] | None = None) -> None:
        self._waiting: list[Handover] = []
        self.on_append = on_append

    def append(self, item: Handover) -> None:
        self._waiting.append(item)
        if self.on_append is not None:
            self.on_append(item)

    def remove(self, item: Handover) -> None:
        """Take this one. ValueError: it is not waiting (any more)."""
        self._waiting.remove(item)

    def take(self) -> Handover | None:
        """The oldest one, removed; None when nothing waits."""
        return self._waiting.pop(0) if self._waiting else None

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[Handover]:
        return iter(list(self._waiting))


class Fallback:
    """The layer: what the error's category names as its fallback ("cached", "handover", "none").

    Reused are only results of tools that merely look things up (`may_reuse`), for the same user,
    workspace and arguments, at most `max_age` seconds old (None: any age). clock: epoch seconds.
    """

    def __init__(
        self,
        queue: HandoverQueue | None = None,
        *,
        max_age: float | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.queue = HandoverQueue() if queue is None else queue
        self.max_age, self._clock = max_age, clock
        self._good: OrderedDict[tuple[Any, ...], tuple[float, ToolResult]] = OrderedDict()

    async def __call__(self, call: ToolCall, proceed: Proceed) -> ToolResult:
        result = await proceed(call)
        if result.ok:
            self._remember(call, result)
        if result.error is None or call.tool is None:
            return result
        fallback = STRATEGIES[result.error.category].fallback
        if fallback == "handover":
            return self._hand_over(call, result)
        return self._cached(call, result) if fallback == "cached" else result

    def _remember(self, call: ToolCall, result: ToolResult) -> None:
        if call.tool is not None and may_reuse(call.tool):
            self._good[_key(call)] = (self._clock(), result)
            self._good.move_to_end(_key(call))
            if len(self._good) > KEPT:
                self._good.popitem(last=False)

    def _cached(self, call: ToolCall, failed: ToolResult) -> ToolResult:
        when, good = self._good.get(_key(call), (0.0, None))
        age = max(0.0, self._clock() - when)
        if good is None or (self.max_age is not None and age > self.max_age):
            return failed
        text = (
            f"[cached: {call.name} fails right now ({failed.error.category}). This is its last "
            f"good result for the same arguments, {age:.0f} s old.]\n{good.content}"
        )
        return ToolResult(
            call=call,
            status=good.status,
            content=truncate_output(text, MAX_RESULT),
            value=good.value,
            duration=failed.duration,
            attempts=failed.attempts,
        )

    def _hand_over(self, call: ToolCall, failed: ToolResult) -> ToolResult:
        self.queue.append(Handover(call, failed.error, self._clock(), in_doubt(failed)))
        content = told_of_doubt(failed).content
        failed.content = truncate_output(
            f"{content}\nA person has been asked to take this call over and has it in a "
            "queue. Do not repeat it: go on with the rest, or tell the user that it is waiting.",
            MAX_RESULT,
        )
        return failed


def may_reuse(tool: Tool) -> bool:
    """True for a tool that only looks things up.

    An old "done" of a tool that acts would tell the model of an effect that did not happen.
    """
    return tool.repeatable and not acts(tool)


def _key(call: ToolCall) -> tuple[Any, ...]:
    context = call.context
    who = (context.user, context.workspace) if context else ("", None)
    return (*who, call.tool, canonical_arguments(call.arguments))


def canonical_arguments(arguments: str | dict[str, Any] | None) -> str:
    """The arguments with sorted keys and no blanks, so that equal calls look equal."""
    try:
        value = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
        return json.dumps(value or {}, sort_keys=True, separators=(",", ":"), default=repr)
    except (ValueError, TypeError, RecursionError):
        return repr(arguments)
