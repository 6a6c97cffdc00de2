"""Who calls and where: what layers decide by, and what a running tool may ask for."""

from __future__ import annotations

import contextvars
import threading
import uuid
from dataclasses import dataclass, field
from pathlib import Path

current_context: contextvars.ContextVar[Context] = contextvars.ContextVar("agentlib_context")
current_stop: contextvars.ContextVar[threading.Event] = contextvars.ContextVar("agentlib_stop")


@dataclass(frozen=True)
class Context:
    """Who calls, and where: what layers decide by and tools may ask for.

    workspace: the folder that file tools and shell commands stay in; None is the process's
    working directory. run: set by the agent, one id per run.
    """

    user: str = "anonymous"
    session: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    permissions: frozenset[str] = frozenset()
    workspace: Path | None = None
    run: str = ""

    def __post_init__(self) -> None:
        held = self.permissions or ()  # one word is one permission, not its letters
        held = (held,) if isinstance(held, str) else held
        object.__setattr__(self, "permissions", frozenset(held))
        if self.workspace is not None:
            object.__setattr__(self, "workspace", Path(self.workspace))

    @classmethod
    def current(cls) -> Context:
        """The context of the call that is running; a default one outside of any call."""
        return current_context.get(None) or cls()


def cancel_requested() -> bool:
    """True inside a sync tool whose call has timed out or was cancelled: stop, nobody listens.

    A thread cannot be killed from outside; a long sync tool asks this now and then.
    """
    event = current_stop.get(None)
    return event is not None and event.is_set()
