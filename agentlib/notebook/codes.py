"""Ask the person at the notebook for a code: the second factor of a sensitive tool."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from agentlib.approvers import Decision
from agentlib.notebook.answers import human_attached
from agentlib.notebook.asking import put, show, turn, typed
from agentlib.notebook.fields import SETTLE, keep_in_step
from agentlib.notebook.question import close_all, escaped, question_html
from agentlib.results import ToolCall

if TYPE_CHECKING:
    from agentlib.context import Context
    from agentlib.tools import Tool

LABEL = "asks for a second factor."


class CodeField:
    """The `ask` of `SecondFactor`: a text field, OK and Cancel.

    unattended: the codes where no person is attached; when they run out, no code is given.
    timeout: seconds until the question counts as cancelled.
    """

    def __init__(
        self, *, unattended: Iterable[str] = (), timeout: float = 120.0, arm_after: float = 0.4
    ) -> None:
        if isinstance(unattended, str):
            raise TypeError(f"unattended must be a list of codes: [{unattended!r}]")
        self._codes = list(unattended)
        self.timeout, self.arm_after = timeout, arm_after

    async def __call__(self, call: ToolCall, tool: Tool, context: Context) -> str | None:
        if not human_attached():
            code = self._codes.pop(0) if self._codes else None
            show(_left(call, Decision(bool(code), by="script" if code else "nobody")))
            return code
        async with turn(tool.name) as why_not:
            if why_not:
                return typed(f"{tool.name} {LABEL} ({why_not})\nCode: ") or None
            made: list[CodeQuestion] = []

            def make() -> CodeQuestion:
                made.append(CodeQuestion(call))
                return made[-1]

            limits = {"timeout": self.timeout, "arm_after": self.arm_after}
            decision = await put(make, lambda d: _left(call, d), **limits)
            return made[-1].code if decision.allow else None


class CodeQuestion:
    """A field, OK and Cancel; `code` is what was typed."""

    def __init__(self, call: ToolCall) -> None:
        import ipywidgets as w

        self.code = ""
        self._field = w.Text(placeholder="code from your app", layout=w.Layout(width="14em"))
        self._ok = w.Button(description="OK", button_style="success", disabled=True)
        self._cancel = w.Button(description="Cancel", disabled=True)
        head = w.HTML(question_html(call, LABEL.capitalize()))
        frame = w.Layout(border="1px solid #d9a441", padding="8px 12px", margin="4px 0")
        self.box = w.VBox([head, w.HBox([self._field, self._ok, self._cancel])], layout=frame)
        keep_in_step(self._field)

    async def answer(self, arm_after: float) -> Decision:
        """Wait for OK or Cancel; the buttons arm after `arm_after` seconds."""
        loop, clicked = asyncio.get_running_loop(), asyncio.Event()
        first: list[bool] = []

        def choose(ok: bool) -> None:
            first.append(ok)
            loop.call_soon_threadsafe(clicked.set)

        await asyncio.sleep(arm_after)
        self._ok.on_click(lambda _: choose(True))
        self._cancel.on_click(lambda _: choose(False))
        self._ok.disabled = self._cancel.disabled = False
        await clicked.wait()
        self._ok.disabled = self._cancel.disabled = True
        await asyncio.sleep(SETTLE)
        self.code = self._field.value.strip()
        return Decision(first[0] and bool(self.code), by="click")

    def close(self) -> None:
        close_all(self.box)


def _left(call: ToolCall, decision: Decision) -> dict[str, str]:
    said = "a code was given" if decision.allow else "no code was given"
    mark = f"[decided by: {decision.by}]"
    markup = (
        '<div style="border-left:4px solid #888;padding:2px 10px;margin:4px 0">'
        f"<code>{escaped(call.name)}</code> {LABEL}<br><b>{said}</b> "
        f'<span style="opacity:.7">{mark}</span></div>'
    )
    return {"text/html": markup, "text/plain": f"{call.name} {LABEL}\n{said} {mark}"}
