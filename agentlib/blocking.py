"""Between plain and async code: fronts for plain callers, jobs side by side."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def _background_loop() -> asyncio.AbstractEventLoop:
    """One event loop in a daemon thread, so that async clients keep their connections."""
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="agentlib", daemon=True).start()
        return _loop


def in_background() -> bool:
    """True in the thread that `run_blocking` works in."""
    return threading.current_thread().name == "agentlib"


def run_blocking(job: Callable[[], Awaitable[T]]) -> T:
    """Run `job` to its end from plain code, also inside a running event loop (a notebook).

    An interrupt cancels the job, waits up to 5 s for it to clean up, and goes on upwards.
    """
    loop = _background_loop()
    if in_background():
        raise RuntimeError("already inside a blocking run: use `await` here instead.")
    ended = threading.Event()

    async def work() -> tuple[T | None, BaseException | None]:
        try:
            return await job(), None
        except (KeyboardInterrupt, SystemExit) as error:  # would end the loop's thread
            return None, error
        finally:
            ended.set()

    future = asyncio.run_coroutine_threadsafe(work(), loop)
    try:
        value, error = future.result()
    except BaseException:
        future.cancel()
        ended.wait(5)
        raise
    if error is not None:
        raise error
    return value  # type: ignore[return-value]


async def run_side_by_side(jobs: Sequence[Callable[[], Awaitable[T]]], *, limit: int) -> list[T]:
    """The results of all jobs in their order, at most `limit` at once.

    The first exception is raised when every job has ended or been cancelled.
    """
    if len(jobs) == 1:
        return [await jobs[0]()]
    gate = asyncio.Semaphore(limit)

    async def one(job: Callable[[], Awaitable[T]]) -> tuple[T | None, BaseException | None]:
        async with gate:
            try:
                return await job(), None
            except (KeyboardInterrupt, SystemExit) as error:  # not through a task: into ours
                return None, error

    tasks = [asyncio.create_task(one(j), context=contextvars.copy_context()) for j in jobs]
    try:
        pairs: list[Any] = await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
    for _, error in pairs:
        if error is not None:
            raise error
    return [value for value, _ in pairs]
