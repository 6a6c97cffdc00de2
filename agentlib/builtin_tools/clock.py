"""The current time."""

from __future__ import annotations

from datetime import datetime

from agentlib.builtin_tools.common import options


@options(category="utility", tags=("time", "date"), repeatable=True)
def get_current_time() -> str:
    """Tell the current local date, weekday and time of this computer.

    Use it whenever the answer depends on now: "today", "tomorrow", "in two hours". Takes no
    arguments. Not for the time in another time zone.
    """
    now = datetime.now().astimezone()
    return f"{now.isoformat(timespec='seconds')} ({now:%A})"
