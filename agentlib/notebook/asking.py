"""A question on the screen, whatever it asks: one at a time, awaited, closed when it is over."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.metadata
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

from agentlib.approvers import ApproverError, Decision, in_kernel
from agentlib.notebook.spots import Spot
from agentlib.waiting import wakeful

KERNEL = (7, 4)  # the first ipykernel in which a click arrives while a cell awaits
_lock = asyncio.Lock()  # one question on the screen at a time, whoever asks


class OnScreen(Protocol):
    """Widgets in `box` that give one Decision, and close."""

    box: Any

    async def answer(self, arm_after: float) -> Decision: ...
    def close(self) -> None: ...


@contextlib.asynccontextmanager
async def turn(name: str) -> AsyncIterator[str | None]:
    """This question's turn; gives why there can be no buttons, or None.

    ApproverError: the run blocks, so that no click could arrive.
    """
    if not in_kernel_loop():
        raise ApproverError(
            f"{name} asks a person first, and a blocking run leaves no way for a click "
            "to arrive: use `await agent.run(...)` instead of `agent.run_sync(...)`."
        )
    async with _lock:
        yield no_buttons_because()


async def put(
    make: Callable[[], OnScreen],
    left: Callable[[Decision], dict[str, str]],
    *,
    timeout: float,
    arm_after: float,
) -> Decision:
    """Show the question, wait for its Decision, and leave the text `left(decision)` in its place.

    make: gives the question; it is made anew when it has to be shown elsewhere. A timeout and an
    interrupt are a no; the cancellation of an interrupt goes on.
    """
    spot, shown = Spot(), []
    decision = Decision(False, by="interrupt")  # unless something better comes
    try:
        async with wakeful(), asyncio.timeout(timeout):
            with spot.following():
                decision = await _answer(spot, make, shown, arm_after)
    except TimeoutError:
        decision = Decision(False, f"no answer within {timeout:g} s", by="timeout")
    finally:
        spot.leave(left(decision))
        for question in shown:
            question.close()
    return decision


async def _answer(
    spot: Spot, make: Callable[[], OnScreen], shown: list[OnScreen], arm_after: float
) -> Decision:
    """The Decision of the question that is on the screen; the last of `shown` is open."""
    while True:
        shown.append(make())
        spot.show(shown[-1].box)
        for old in shown[:-1]:
            old.close()
        del shown[:-1]
        answer = asyncio.ensure_future(shown[-1].answer(arm_after))
        moved = asyncio.ensure_future(spot.moved())
        try:
            await asyncio.wait((answer, moved), return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
        finally:
            answer.cancel()
            moved.cancel()


def show(bundle: dict[str, str]) -> None:
    """Display a text that is there to stay; outside a notebook's kernel, nothing."""
    if in_kernel():
        from IPython.display import display

        display(bundle, raw=True)


def in_kernel_loop() -> bool:
    """True on the event loop that the kernel's messages, and so the clicks, arrive on."""
    from IPython import get_ipython

    loop: Any = getattr(getattr(get_ipython().kernel, "io_loop", None), "asyncio_loop", None)
    return loop is None or loop is asyncio.get_running_loop()


def no_buttons_because() -> str | None:
    """Why buttons cannot work in this kernel, with the mend; None when they can."""
    try:
        import ipykernel
        import ipywidgets  # noqa: F401
    except ImportError as error:
        return f"{error.name} is not installed: pip install {error.name}"
    version = importlib.metadata.version("ipykernel")
    if tuple(ipykernel.version_info[:2]) < KERNEL:
        return (
            f'ipykernel {version} gets no clicks while a cell waits: pip install "ipykernel>=7.4"'
        )
    return None


def typed(prompt: str) -> str:
    """One line by `input()`, which blocks the kernel; "" when there is none."""
    try:
        return input(prompt).strip()
    except EOFError:
        return ""
    except KeyboardInterrupt:
        raise asyncio.CancelledError from None
