"""The question as widgets: what would run, and the buttons that decide."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import Callable
from typing import Any

from agentlib.approvers import Decision, arguments_of
from agentlib.console import visible
from agentlib.course.show import UNBROKEN
from agentlib.errors import ToolCallError, describe
from agentlib.notebook.fields import SETTLE, keep_in_step
from agentlib.results import ToolCall

_CELL = "text-align:left;vertical-align:top;padding:2px 12px 2px 0"
_PRE = f"margin:0;max-height:14em;overflow:auto;{UNBROKEN};font-size:var(--jp-code-font-size)"


def escaped(text: str) -> str:
    """The text for HTML, with control and direction marks spelled out."""
    return html.escape(visible(text))


def question_html(call: ToolCall, text: str, edited: bool = False) -> str:
    """The question and every argument in full: what is shown is what will run."""
    rows = "".join(
        f'<tr><td style="{_CELL};opacity:.7">{escaped(name)}</td>'
        f'<td style="{_CELL}"><pre style="{_PRE}">{escaped(_shown(value))}</pre></td></tr>'
        for name, value in arguments_of(call).items()
    )
    name = f"<b><code>{escaped(call.name)}</code></b>"
    who = "You changed the arguments of" if edited else "The agent wants to run"
    return (
        f'<div style="line-height:1.5">{who} {name}'
        f'<div style="font-size:1.1em;margin:4px 0 6px">{escaped(text)}</div>'
        f'<table style="margin:0;border-collapse:collapse">{rows}</table></div>'
    )


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value or '""'
    return json.dumps(value, ensure_ascii=False, indent=2, default=repr)


class Question:
    """One question on the screen; `answer` gives the Decision of the first click.

    ask: gives the question's text for other arguments, or raises what is wrong with them. Edited
    arguments are first shown in full; only then can they be allowed.
    """

    def __init__(self, call: ToolCall, ask: Callable[[ToolCall], str]) -> None:
        import ipywidgets as w

        self._call, self._ask, self._armed = call, ask, False
        self._edited: dict[str, Any] | None = None
        hint = "Reason for a no (optional; the model reads it)"
        self._reason = w.Text(placeholder=hint, layout=w.Layout(width="24em"))
        self._editor = w.Textarea(layout=w.Layout(width="98%", height="9em"))
        self._head, self._fault = w.HTML(question_html(call, ask(call))), w.HTML()
        once = "Run the call, this once"
        session = "Run it, and do not ask about the same call again: this tool, these arguments"
        self._buttons = [
            self._button("Allow", once, "success", lambda: self._allow(False)),
            self._button("Deny", "Do not run the call", "danger", self._deny),
            self._button("Allow for this session", session, "", lambda: self._allow(True)),
            self._button("Edit arguments", "Change them before you allow", "", self._edit),
        ]
        use = self._button("Use these arguments", "Show the call with them", "info", self._use)
        back = self._button("Cancel", "Leave them as they were", "", self._leave)
        use.disabled = back.disabled = False
        wrap = w.Layout(flex_flow="row wrap")
        self._choice = w.HBox([*self._buttons, self._reason], layout=wrap)
        self._editing = w.VBox([self._editor, self._fault, w.HBox([use, back])])
        frame = w.Layout(border="1px solid #d9a441", padding="8px 12px", margin="4px 0")
        self.box = w.VBox([self._head, self._choice], layout=frame)
        keep_in_step(self._editor, self._reason)

    def _button(self, label: str, tip: str, style: str, action: Callable[[], None]) -> Any:
        import ipywidgets as w

        made = w.Button(description=label, tooltip=tip, button_style=style, disabled=True)
        made.layout.width = "auto"
        made.on_click(lambda _: action())
        return made

    async def answer(self, arm_after: float) -> Decision:
        """Wait for the first click. The buttons arm after `arm_after` seconds.

        Until then the second half of a double click on the question before would answer this one.
        """
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[Decision] = self._loop.create_future()
        await asyncio.sleep(arm_after)
        self._arm(True)
        return await self._future

    def close(self) -> None:
        """Close every widget, so that a saved notebook holds none."""
        self._armed = False
        close_all(self.box, self._choice, self._editing)

    def _arm(self, on: bool) -> None:
        self._armed = on
        for button in self._buttons:
            button.disabled = not on

    def _settle(self, decision: Decision) -> None:
        """The first click wins; clicks may come from another thread than the question's."""
        if not self._armed:
            return
        self._arm(False)

        def set_result() -> None:
            if not self._future.done():
                self._future.set_result(decision)

        self._loop.call_soon_threadsafe(set_result)

    def _deny(self) -> None:
        self._settle(Decision(False, self._reason.value.strip(), by="click"))

    def _allow(self, remember: bool) -> None:
        self._settle(Decision(True, remember=remember, arguments=self._edited, by="click"))

    def _edit(self) -> None:
        self._editor.value = json.dumps(arguments_of(self._call), ensure_ascii=False, indent=2)
        self._show(self._editing)

    def _use(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.call_later, SETTLE, self._take)

    def _take(self) -> None:
        """The editor's text becomes the call that is asked about, if it can be one."""
        try:
            arguments = json.loads(self._editor.value)
            call = self._call.with_arguments(arguments)
            text = self._ask(call)
        except json.JSONDecodeError as error:
            return self._complain(f"This is not JSON: {error}")
        except ToolCallError as error:
            return self._complain(error.message)
        except Exception as error:  # the tool's own question may raise; the click gets an answer
            return self._complain(describe(error))
        self._call, self._edited = call, arguments
        self._head.value = question_html(call, text, edited=True)
        self._leave()

    def _leave(self) -> None:
        self._show(self._choice)

    def _show(self, part: Any) -> None:
        self._fault.value = ""
        self.box.children = [self._head, part]

    def _complain(self, text: str) -> None:
        self._fault.value = f'<span style="color:#c23b3b">{escaped(text)}</span>'


def close_all(*widgets: Any) -> None:
    """Close widgets with all that belongs to them: children, layouts, styles."""
    for widget in widgets:
        close_all(*getattr(widget, "children", ()))
        for part in (widget.layout, getattr(widget, "style", None), widget):
            if hasattr(part, "close"):
                part.close()
