"""Running one function under a time limit: async as it is, sync in a worker thread."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from typing import Any

from agentlib.context import current_stop
from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.waiting import wakeful


async def run_function(
    function: Callable[..., Any],
    args: list[Any],
    kwargs: dict[str, Any],
    *,
    name: str,
    limit: float,
    abandoned: list[str],
) -> Any:
    """What the function returns. ToolCallError (timeout): no answer within `limit` seconds.

    A sync function runs in a thread, so the event loop stays alive. A thread cannot be killed:
    one that outlives its limit is named in `abandoned` until it ends.
    """
    import anyio

    stop = threading.Event()
    token = current_stop.set(stop)
    try:
        async with wakeful():
            with anyio.move_on_after(limit):
                if is_async(function):
                    return await function(*args, **kwargs)
                value = await _in_thread(function, args, kwargs, name, stop, abandoned)
                return await value if inspect.isawaitable(value) else value
    finally:
        stop.set()
        current_stop.reset(token)
    tail = f" {name} may still be working in its thread." if name in abandoned else ""
    raise ToolCallError(
        f"{name} timed out: no answer within {limit:g} s.{tail}", category=ErrorCategory.TIMEOUT
    )


async def _in_thread(
    function: Callable[..., Any],
    args: list[Any],
    kwargs: dict[str, Any],
    name: str,
    stop: threading.Event,
    abandoned: list[str],
) -> Any:
    import anyio

    ended = threading.Event()

    def work() -> Any:
        try:
            return function(*args, **kwargs)
        except StopIteration as error:  # a future cannot carry it
            raise RuntimeError(f"StopIteration: {error}") from error
        finally:
            ended.set()
            if stop.is_set() and name in abandoned:
                abandoned.remove(name)

    try:
        return await anyio.to_thread.run_sync(
            work, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1)
        )
    except anyio.get_cancelled_exc_class():
        stop.set()
        if not ended.is_set():
            abandoned.append(name)
        raise


def is_async(function: Any) -> bool:
    """True for an async function, a partial of one, or an object with an async `__call__`."""
    while hasattr(function, "func"):  # functools.partial
        function = function.func
    called = type(function).__call__ if callable(function) else None
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)
