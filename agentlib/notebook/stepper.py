"""The stepper: a run one step at a time, the history on one side, what comes next on the other."""

from __future__ import annotations

import asyncio
import contextvars
import html
from collections.abc import Callable, Coroutine
from typing import Any

from agentlib.errors import describe
from agentlib.notebook.answers import human_attached
from agentlib.notebook.fields import SETTLE, keep_in_step
from agentlib.notebook.stages import edit, last_event, stage_of
from agentlib.notebook.views import History
from agentlib.session import Session

_PANE = (
    "border:1px solid #8884;padding:8px;height:22em;overflow:auto;box-sizing:border-box;"
    "line-height:1.4"
)


class Stepper:
    """Step through `agent.start("task")`: Step, Run on, Back, Stop, and a field to edit.

    Shown when it is a cell's last value. The session stays yours: `await session.step()` goes on
    from wherever the buttons left it. Back takes back the run, not what a tool did outside it.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._past: list[dict[str, Any]] = []  # a snapshot before each step
        self._job: asyncio.Task[None] | None = None
        self._known = 0  # messages that were in the history before the last step

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if not human_attached():
            display({"text/plain": str(self)}, raw=True)
            return
        # Clicks come later and from elsewhere; their steps run as if this cell did.
        self._loop, self._context = asyncio.get_running_loop(), contextvars.copy_context()
        self._build()
        self._draw()
        self._enable(busy=False)
        display(self._box)

    def __str__(self) -> str:
        stage = stage_of(self.session)
        history = History(self.session.messages, "History")
        return f"{history!r}\n{stage.title}.\nNext: {stage.next}"

    def _build(self) -> None:
        import ipywidgets as w

        def button(label: str, tip: str, style: str, action: Callable[[], None]) -> Any:
            made = w.Button(description=label, tooltip=tip, button_style=style)
            made.layout.width = "auto"
            made.on_click(lambda _: action())
            return made

        self._back = button(
            "Back", "To before the last step; what a tool did stays done", "", self._go_back
        )
        self._step = button("Step", "Do what is next", "primary", lambda: self._start(self._once()))
        self._run_on = button("Run on", "To the end", "", lambda: self._start(self._to_the_end()))
        self._stop = button("Stop", "End the step that runs", "", self._cancel)
        self._path, self._history, self._stage, self._fault = (w.HTML() for _ in range(4))
        self._editor = w.Textarea(layout=w.Layout(width="98%", height="11em"))
        half = w.Layout(width="50%", padding="0 4px")
        left = w.VBox([w.HTML("<b>History</b>"), self._history], layout=half)
        right = w.VBox([self._stage, self._editor, self._fault], layout=half)
        row = w.HBox([self._back, self._step, self._run_on, self._stop])
        self._box = w.VBox([row, self._path, w.HBox([left, right])])
        keep_in_step(self._editor)

    def _start(self, job: Coroutine[Any, Any, None]) -> None:
        """Run `job` on the kernel's loop; a click may come from another thread."""

        def start() -> None:
            if self._busy:
                return job.close()
            self._job = self._loop.create_task(self._guarded(job), context=self._context.copy())

        self._loop.call_soon_threadsafe(start)

    @property
    def _busy(self) -> bool:
        return self._job is not None and not self._job.done()

    async def _guarded(self, job: Coroutine[Any, Any, None]) -> None:
        self._enable(busy=True)
        fault = ""
        try:
            await job
            self._draw()
        except asyncio.CancelledError:
            fault = "Stopped: this step was not done."
        except Exception as error:  # shown in the stepper: there is no cell to show it in
            fault = describe(error)
        self._fault.value = f'<span style="color:#c23b3b">{html.escape(fault)}</span>'
        self._enable(busy=False)

    async def _once(self) -> None:
        session = self.session
        if session.done:
            return
        if self._editor.value != self._shown:
            await asyncio.sleep(SETTLE)
            edit(session, self._editor.value)
        before, self._known = session.snapshot(), len(session.messages)
        await session.step()
        self._past.append(before)

    async def _to_the_end(self) -> None:
        while not self.session.done:
            await self._once()
            self._draw()
            await asyncio.sleep(0)  # Stop gets its turn

    def _go_back(self) -> None:
        def back() -> None:
            if self._past and not self._busy:
                self.session.restore(self._past.pop())
                event, trace = last_event(self.session), self.session.run.trace
                if event is not None and trace:
                    trace[-1] = event  # an edit is seen in the trace as well
                self._known = len(self.session.messages)
                self._draw()
                self._enable(busy=False)

        self._loop.call_soon_threadsafe(back)

    def _cancel(self) -> None:
        self._loop.call_soon_threadsafe(lambda: self._job.cancel() if self._busy else None)

    def _enable(self, busy: bool) -> None:
        done = self.session.done
        self._back.disabled = busy or not self._past
        self._step.disabled = self._run_on.disabled = busy or done
        stage = stage_of(self.session)
        self._stop.disabled, self._editor.disabled = not busy, busy or not stage.label
        after = "Working …" if busy else f"Next: {stage.next}"
        self._stage.value = stage_html(stage.title, after, stage.label)

    def _draw(self) -> None:
        """Show where the session stands. What was typed and not taken is lost."""
        stage = stage_of(self.session)
        self._path.value = path_html([e.kind for e in self.session.run.trace])
        self._history.value = self._history_html()
        self._shown = self._editor.value = stage.text
        self._editor.layout.display = "" if stage.text else "none"

    def _history_html(self) -> str:
        messages = self.session.messages
        old, new = messages[: self._known], messages[self._known :]
        parts = History(old, limit=400)._repr_html_()
        if new:
            parts += f'<div style="background:#fc03">{History(new, limit=400)._repr_html_()}</div>'
        return f'<div style="{_PANE}">{parts}</div>'


def path_html(kinds: list[str]) -> str:
    """The run so far as a line of words, the newest one marked."""
    marked = [f"<span>{html.escape(kind)}</span>" for kind in kinds[-12:]]
    if marked:
        marked[-1] = f'<b style="background:#fc05;padding:1px 5px">{html.escape(kinds[-1])}</b>'
    more = "… → " if len(kinds) > 12 else ""
    return f'<div style="opacity:.85">{more}{" → ".join(marked) or "not begun"}</div>'


def stage_html(title: str, after: str, label: str) -> str:
    """What has just come, what a step does now, and what may be edited before it."""
    hint = f'<div style="opacity:.7">You may edit the {html.escape(label)}:</div>' if label else ""
    return (
        f'<div style="line-height:1.5"><b>{html.escape(title)}</b>'
        f'<div style="margin:4px 0">{html.escape(after)}</div>{hint}</div>'
    )
