"""Text fields that keep in step with the page while a cell awaits."""

from __future__ import annotations

from typing import Any

# A click may overtake the last keys typed before it, since changes wait for their turn and clicks
# do not: so many seconds after a click, a field is read.
SETTLE = 0.3


def keep_in_step(*fields: Any) -> None:
    """Acknowledge each change of these widgets, so that the page sends the next one.

    ipykernel 7.4 handles a widget's message while a cell awaits, but says "idle" for it only when
    no cell runs; ipywidgets sends one change and holds the following back until that word comes.
    Without this only the first key typed into a question's field would arrive.
    """
    for field in fields:
        if field.comm is not None:
            field.comm.on_msg(lambda msg, handle=field._handle_msg: _handle(handle, msg))


def _handle(handle: Any, msg: dict[str, Any]) -> None:
    handle(msg)
    from IPython import get_ipython

    kernel = getattr(get_ipython(), "kernel", None)
    if kernel is not None:
        idle = {"execution_state": "idle"}
        topic = f"kernel.{kernel.ident}.status".encode()
        kernel.session.send(kernel.iopub_socket, "status", idle, parent=msg, ident=topic)
