"""The question as widgets: what would run, and the buttons that decide."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import Callable
from typing import Any

from agentlib.approvers import Decision, arguments_of
from agentlib.console import visible
from agentlib.errors import ToolCallError, describe
from agentlib.results import ToolCall

_CELL = "text-align:left;vertical-align:top;padding:2px 12px 2px 0"
_PRE = (
    "margin:0;max-height:14em;overflow:auto;white-space:pre-wrap;font-size:var(--jp-code-font-size)"
)


def escaped(text: str) -> str:
    """The text for HTML, with control and direction marks spelled out."""
    return html.escape(visible(text))


def question_html(call: ToolCall, text: str) -> str:
    """The question and every argument in full: what is shown is what will run."""
    rows = "".join(
        f'<tr><td style="{_CELL};opacity:.7">{escaped(name)}</td>'
        f'<td style="{_CELL}"><pre style="{_PRE}">{escaped(_shown(value))}</pre></td></tr>'
        for name, value in arguments_of(call).items()
    )
    name = f"<b><code>{escaped(call.name)}</code></b>"
    return (
        f'<div style="line-height:1.5">The agent wants to run {name}'
        f'<div style="font-size:1.1em;margin:4px 0 6px">{escaped(text)}</div>'
        f'<table style="margin:0;border-collapse:collapse">{rows}</table></div>'
    )


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value or '""'
    return json.dumps(value, ensure_ascii=False, indent=2, default=repr)


class Question:
    """One question on the screen; `answer` gives the Decision of the first click."""

    def __init__(self, call: ToolCall, text: str, check: Callable[[dict[str, Any]], Any]) -> None:
        import ipywidgets as w

        def button(label: str, tip: str, style: str, action: Callable[..., None]) -> Any:
            made = w.Button(description=label, tooltip=tip, button_style=style, disabled=True)
            made.layout.width = "auto"
            made.on_click(action)
            return made

        self._call, self._check, self._armed = call, check, False
        allow, session = "Run the call, this once", "Never ask again for exactly these arguments"
        self._buttons = [
            button("Allow", allow, "success", lambda _: self._allow(False)),
            button("Deny", "Do not run the call", "danger", lambda _: self._deny()),
            button("Allow for this session", session, "", lambda _: self._allow(True)),
            button("Edit arguments", "Change them, then allow", "", lambda _: self._edit()),
        ]
        hint = "Reason for a no (optional; the model reads it)"
        self._reason = w.Text(placeholder=hint, layout=w.Layout(width="24em"))
        text_of = json.dumps(arguments_of(call), ensure_ascii=False, indent=2)
        box = w.Layout(width="100%", height="8em", display="none")
        self._editor, self._fault = w.Textarea(text_of, layout=box), w.HTML()
        row = w.HBox([*self._buttons, self._reason], layout=w.Layout(flex_flow="row wrap"))
        frame = w.Layout(border="1px solid #d9a441", padding="8px 12px", margin="4px 0")
        head = w.HTML(question_html(call, text))
        self.box = w.VBox([head, self._editor, self._fault, row], layout=frame)

    async def answer(self, arm_after: float) -> Decision:
        """Wait for the first click. The buttons arm after `arm_after` seconds.

        Until then the second half of a double click on the question before would answer this one.
        """
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[Decision] = self._loop.create_future()
        await asyncio.sleep(arm_after)
        self._armed = True
        self._enable(True)
        return await self._future

    def close(self) -> None:
        """Close every widget, so that a saved notebook holds none."""
        import ipywidgets as w

        self._armed = False

        def close(widget: Any) -> None:
            for child in getattr(widget, "children", ()):
                close(child)
            for part in (widget.layout, getattr(widget, "style", None), widget):
                if isinstance(part, w.Widget):
                    part.close()

        close(self.box)

    def _enable(self, on: bool) -> None:
        for button in self._buttons:
            button.disabled = not on

    def _settle(self, decision: Decision) -> None:
        """The first click wins; clicks may come from another thread than the question's."""
        if not self._armed:
            return
        self._armed = False
        self._enable(False)

        def set_result() -> None:
            if not self._future.done():
                self._future.set_result(decision)

        self._loop.call_soon_threadsafe(set_result)

    def _deny(self) -> None:
        self._settle(Decision(False, self._reason.value.strip(), by="click"))

    def _allow(self, remember: bool) -> None:
        if self._editor.layout.display == "none":
            return self._settle(Decision(True, remember=remember, by="click"))
        try:
            arguments = json.loads(self._editor.value)
            self._check(arguments)
        except json.JSONDecodeError as error:
            return self._complain(f"Not JSON: {error}")
        except ToolCallError as error:
            return self._complain(error.message)
        except Exception as error:  # a checker's fault must not swallow the click without a word
            return self._complain(describe(error))
        self._settle(Decision(True, remember=remember, arguments=arguments, by="click"))

    def _complain(self, text: str) -> None:
        self._fault.value = f'<span style="color:#c22">{escaped(text)}</span>'

    def _edit(self) -> None:
        opened = self._editor.layout.display == "none"
        self._editor.layout.display = "" if opened else "none"
        self._fault.value = ""
        labels = ("Allow as edited", "Leave as it was") if opened else ("Allow", "Edit arguments")
        self._buttons[0].description, self._buttons[3].description = labels
