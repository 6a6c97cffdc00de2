"""What a person should look at: calls that were handed over, and alerts of the audit log."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from agentlib.errors import STRATEGIES
from agentlib.layers.fallback import Handover, HandoverQueue
from agentlib.notebook.answers import human_attached
from agentlib.notebook.views import show

if TYPE_CHECKING:
    from agentlib.layers.audit_entry import Alert

RED, AMBER = "#c62828", "#b26a00"


class Notice:
    """One notice in two forms: lines of text, and a box with a coloured edge."""

    def __init__(self, head: str, lines: list[str], colour: str) -> None:
        self.head, self.lines, self.colour = head, lines, colour

    def __repr__(self) -> str:
        return "\n".join([self.head, *(f"  {line}" for line in self.lines)])

    def _repr_html_(self) -> str:
        rows = "".join(f"<div><code>{escape(line)}</code></div>" for line in self.lines)
        return (
            f'<div style="border-left:4px solid {self.colour};padding:2px 10px">'
            f'<strong style="color:{self.colour}">{escape(self.head)}</strong>{rows}</div>'
        )


def show_alert(alert: Alert) -> None:
    """Show an alert of the audit log, as `AuditLog(path, on_alert=show_alert)` does by itself."""
    head = f"Alert: {alert.count} calls of user {alert.user!r} {alert.kind} in {alert.window:g} s"
    show(Notice(head, [f"at {alert.time}"], RED))


def show_queue(queue: HandoverQueue) -> None:
    """Show the calls that wait for a person; one who is there can take them over by a click.

    The box then follows the queue: what comes later appears in it.
    """
    if human_attached():
        from IPython.display import display

        display(Desk(queue).box)
    else:
        show(Notice(_count(queue), [_line(item) for item in queue], AMBER))


class Desk:
    """The queue as a box with a button for each call. `box` is the widget."""

    def __init__(self, queue: HandoverQueue) -> None:
        import ipywidgets

        self.queue, self.taken = queue, []
        self.box = ipywidgets.VBox()
        self._told_before, queue.on_append = queue.on_append, self._appended
        self._draw()

    def _appended(self, item: Handover) -> None:
        if self._told_before is not None:
            self._told_before(item)
        self._draw()

    def _take(self, item: Handover) -> None:
        if item in list(self.queue):  # a second click finds it gone
            self.queue.remove(item)
            self.taken.append(item)
        self._draw()

    def _draw(self) -> None:
        import ipywidgets

        rows: list[Any] = [ipywidgets.HTML(f"<b>{escape(_count(self.queue))}</b>")]
        for item in self.queue:
            button = ipywidgets.Button(description="I take it")
            button.on_click(lambda _, item=item: self._take(item))
            rows.append(ipywidgets.HBox([button, ipywidgets.HTML(escape(_line(item)))]))
        rows += [ipywidgets.HTML(f"taken: {escape(_line(item))}") for item in self.taken]
        self.box.children = rows


def _count(queue: HandoverQueue) -> str:
    number = len(queue)
    return f"{number or 'No'} call{'s' * (number != 1)} waiting for a person"


def _line(item: Handover) -> str:
    """The call, what is known of the failure, whether it may have worked, what the user is told."""
    told = STRATEGIES[item.error.category].user_message
    doubt = " [it may have taken effect: check before you do it again]" if item.in_doubt else ""
    failure = f"{item.error.message}{doubt} [user is told: {told}]"
    return f"{item.call.name}({item.call.arguments}): {failure}"
