"""The executor: one call in, one result out, and an error is a result too.

It checks the arguments, runs the function (async, or sync in a worker thread) under a time limit,
and turns whatever comes of it into a `ToolResult`. All policy is in layers around it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from agentlib.blocking import run_blocking, run_side_by_side
from agentlib.context import Context, cancel_requested, current_context
from agentlib.errors import ErrorCategory, ToolCallError, from_exception
from agentlib.registry import ToolRegistry
from agentlib.results import ExecutionStatus, ToolCall, ToolResult
from agentlib.running import run_function
from agentlib.tools import Tool

Proceed = Callable[[ToolCall], Awaitable[ToolResult]]
Layer = Callable[[ToolCall, Proceed], Awaitable[ToolResult]]


class Executor:
    """Runs calls of a registry's tools through `layers`, the first one outermost.

    timeout: seconds for a tool that names none. parallel: calls of one turn run at once.
    history: every result, in the order the calls began.
    """

    def __init__(
        self,
        registry: ToolRegistry | Iterable[Any],
        *,
        layers: Sequence[Layer] = (),
        context: Context | None = None,
        timeout: float = 30.0,
        parallel: int = 8,
    ) -> None:
        self.registry = registry if isinstance(registry, ToolRegistry) else ToolRegistry(registry)
        self.layers = tuple(layers)
        self.context = context or Context()
        self.timeout = timeout
        self.parallel = parallel
        self.history: list[ToolResult] = []
        self.still_running: list[str] = []  # sync tools that outlived their time limit

    async def execute(self, call: ToolCall, *, context: Context | None = None) -> ToolResult:
        """The call's result. A tool's fault is a result; only interrupts and cancellation raise."""
        context = context or call.context or self.context
        call = replace(call, tool=find_tool(self.registry, call.name), context=context)
        place = len(self.history)
        self.history.append(ToolResult(call))
        try:
            result = await self._through(call, 0)
        except ToolCallError as error:  # a layer may refuse by raising, too
            result = ToolResult.failure(call, error)
        except BaseException:
            self.history[place].status = ExecutionStatus.FAILED
            raise
        self.history[place] = result
        return result

    async def execute_all(
        self, calls: Sequence[ToolCall], *, context: Context | None = None
    ) -> list[ToolResult]:
        """The results of one turn's calls, run side by side, in call order."""
        jobs = [lambda c=call: self.execute(c, context=context) for call in calls]
        return await run_side_by_side(jobs, limit=self.parallel)

    def execute_sync(self, call: ToolCall) -> ToolResult:
        """`execute` for plain code; works inside a running event loop too."""
        return run_blocking(lambda: self.execute(call))

    def stats(self) -> dict[str, Any]:
        """How many calls, how many of each status, and the average seconds inside a tool."""
        durations = [r.duration for r in self.history if r.attempts]
        return {
            "total": len(self.history),
            "by_status": dict(Counter(r.status.value for r in self.history)),
            "average_seconds": sum(durations) / len(durations) if durations else 0.0,
        }

    async def _through(self, call: ToolCall, depth: int) -> ToolResult:
        if depth == len(self.layers):
            return await self._invoke(call)
        return await self.layers[depth](call, lambda c: self._through(c, depth + 1))

    async def _invoke(self, call: ToolCall) -> ToolResult:
        """The innermost step: arguments checked, then the function, then a result."""
        tool = call.tool
        if tool is None:
            return ToolResult.failure(call, unknown_tool(call.name, self.registry))
        try:
            args, kwargs = _bind(tool, call)
        except ToolCallError as error:
            return ToolResult.failure(call, error)
        self._set_running(call)
        began = time.perf_counter()
        limit = self.timeout if tool.timeout is None else tool.timeout
        token = current_context.set(call.context or self.context)
        try:
            value = await run_function(
                tool.function,
                args,
                kwargs,
                name=tool.name,
                limit=limit,
                abandoned=self.still_running,
            )
        except Exception as error:  # the one place where a tool's exception becomes a result
            spent = time.perf_counter() - began
            failure = from_exception(tool.name, error)
            return ToolResult.failure(call, failure, duration=spent, attempts=1)
        finally:
            current_context.reset(token)
        spent = time.perf_counter() - began
        return ToolResult.success(call, value, duration=spent, attempts=1)

    def _set_running(self, call: ToolCall) -> None:
        for record in reversed(self.history):
            if record.call_id == call.id:
                record.status = ExecutionStatus.RUNNING
                return


def _bind(tool: Tool, call: ToolCall) -> tuple[list[Any], dict[str, Any]]:
    from agentlib.arguments import parse_arguments

    return parse_arguments(call, tool)


def check_arguments(tool: Tool, call: ToolCall) -> dict[str, Any]:
    """The call's arguments as the function would get them, by name; ToolCallError if wrong."""
    args, kwargs = _bind(tool, call)
    names = list(tool.parameters.get("properties", {}))
    return {**dict(zip(names, args, strict=False)), **kwargs}


def find_tool(registry: ToolRegistry, name: str) -> Tool | None:
    """The tool a model means by `name`: exact, else the only one it can mean, else None.

    Models add a namespace ("functions.run_shell"), blanks or another case.
    """
    if not isinstance(name, str):
        return None
    exact = registry.get(name)
    if exact is not None:
        return exact
    wanted = _plain(name)
    near = [n for n in registry.names() if _plain(n) == wanted]
    return registry.get(near[0]) if len(near) == 1 else None


def _plain(name: str) -> str:
    return name.strip(" \t\r\n\"'`").removeprefix("functions.").removeprefix("tools.").casefold()


def unknown_tool(name: Any, registry: ToolRegistry) -> ToolCallError:
    names = ", ".join(registry.names()) or "none"
    return ToolCallError(
        f"there is no tool named {str(name)[:100]!r}. The tools there are: {names}.",
        category=ErrorCategory.TOOL_NOT_FOUND,
    )


__all__ = ["Context", "Executor", "Layer", "Proceed", "cancel_requested", "check_arguments"]
