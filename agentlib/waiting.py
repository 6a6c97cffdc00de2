"""Waiting so that an interrupt can end it."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator

WAKE_UP = 0.2  # seconds between two turns of an otherwise idle event loop


@contextlib.asynccontextmanager
async def wakeful(interval: float = WAKE_UP) -> AsyncIterator[None]:
    """Turn the event loop every `interval` seconds while the body waits.

    A loop that sleeps in its selector runs no signal handler, so Kernel → Interrupt would wait as
    long as the answer does (ipykernel issue 881). In a notebook, a cancelled wait is shown as one
    line instead of a traceback. The cancellation itself goes on.
    """
    loop = asyncio.get_running_loop()
    handle: asyncio.TimerHandle | None = None

    def turn() -> None:
        nonlocal handle
        handle = loop.call_later(interval, turn)

    turn()
    try:
        yield
    except asyncio.CancelledError:
        if "ipykernel" in sys.modules:
            from agentlib.notebook.interrupts import show_one_line

            show_one_line()
        raise
    finally:
        if handle is not None:
            handle.cancel()
