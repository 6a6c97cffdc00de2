"""Where a question stands on the page, and where it goes when its cell loses it.

A cell that is run again clears its output, and a page that is reloaded knows nothing of a cell
that still waits: the buttons are gone while the kernel waits for a click. So a question follows
the person to the cell they run next.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
from collections import deque
from collections.abc import Iterator
from typing import Any

HINT = "No buttons here? Run this cell again and they come back; or press ■ (Interrupt)."
MOVED = (
    "This question is of a run that still waits; this cell runs when it is answered. "
    "To drop the question, press ■ (Interrupt)."
)
_numbers = itertools.count(1)


class Requests:
    """The requests to run a cell, as the kernel receives them; the newest of each cell is kept.

    While a cell awaits, the kernel keeps such requests for later, but it reads their headers at
    once, with `session.deserialize`: that is where they are seen.
    """

    def __init__(self) -> None:
        self.newest: dict[str, dict[str, Any]] = {}
        self._seen: deque[str] = deque(maxlen=1000)  # each is read again when its turn comes
        self.tell: Any = None  # called in whatever thread reads

    def watch(self, session: Any) -> None:
        """Begin to look on; once is enough for a session."""
        if "deserialize" in vars(session):
            return
        read = session.deserialize

        def reading(*args: Any, **kwargs: Any) -> Any:
            message = read(*args, **kwargs)
            self._saw(message)
            return message

        session.deserialize = reading

    def _saw(self, message: dict[str, Any]) -> None:
        is_run = message.get("header", {}).get("msg_type") == "execute_request"
        if not is_run or _id(message) in self._seen:
            return
        self._seen.append(_id(message))
        self.newest[_cell(message)] = message
        if self.tell is not None:
            self.tell(message)


def _cell(message: dict[str, Any]) -> str:
    return str(message.get("metadata", {}).get("cellId", ""))


def _id(message: dict[str, Any]) -> str:
    return str(message.get("header", {}).get("msg_id", ""))


requests = Requests()


class Spot:
    """The place of one question: a box with a line of text under it, replaced by text at last."""

    def __init__(self) -> None:
        from IPython import get_ipython

        self._shell = get_ipython()
        kernel = getattr(self._shell, "kernel", None)
        self._request: dict[str, Any] = kernel.get_parent() if kernel else {}
        self._id = f"question-{os.getpid()}-{next(_numbers)}"
        self._moved, self._note = asyncio.Event(), HINT
        if kernel:
            requests.watch(kernel.session)
            cell = _cell(self._request)
            self._request = requests.newest.get(cell, self._request) if cell else self._request

    @contextlib.contextmanager
    def following(self) -> Iterator[None]:
        """In the body, `moved` ends when the person runs this cell again, or reloads the page."""
        loop = asyncio.get_running_loop()
        requests.tell = lambda message: loop.call_soon_threadsafe(self._consider, message)
        try:
            yield
        finally:
            requests.tell = None

    def _consider(self, message: dict[str, Any]) -> None:
        """Another cell of the same page leaves the question where it is, and seen."""
        here, there = self._request, message
        same_page = here.get("header", {}).get("session") == there["header"].get("session")
        if not same_page or (_cell(here) and _cell(here) == _cell(there)):
            self._request, self._note = message, MOVED
            self._moved.set()

    async def moved(self) -> None:
        """Wait until the question has to be shown elsewhere."""
        await self._moved.wait()
        self._moved.clear()

    def show(self, box: Any) -> None:
        """Show the box where the question stands now, with a line that outlives the buttons."""
        from IPython.display import display

        note = f'<div style="opacity:.65;font-size:.9em">{self._note}</div>'
        with self._under():
            display(box, display_id=self._id)
            line = {"text/html": note, "text/plain": self._note}
            display(line, raw=True, display_id=f"{self._id}-note")

    def leave(self, text: dict[str, str]) -> None:
        """Put the text in the place of the box, for good."""
        from IPython.display import update_display

        update_display(text, raw=True, display_id=self._id)
        update_display({"text/html": "", "text/plain": ""}, raw=True, display_id=f"{self._id}-note")

    @contextlib.contextmanager
    def _under(self) -> Iterator[None]:
        """In the body, what is displayed appears under the cell of the request."""
        publisher = getattr(self._shell, "display_pub", None)
        if not self._request or not hasattr(publisher, "set_thread_parent"):
            yield
            return
        token = publisher.set_thread_parent(self._request)
        try:
            yield
        finally:
            publisher.reset_thread_parent(token)
