"""What a notebook shows of a run: the history as coloured lines, requests as JSON."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from typing import Any

COLOURS = {"system": "#888", "user": "#2a7", "assistant": "#36c", "tool": "#c73"}


class History:
    """Messages as a reader wants to see them: role, text, calls and their ids, one line each.

    messages: dicts, or the client's message objects. limit: characters shown of each text.
    """

    def __init__(self, messages: Iterable[Any], title: str = "", limit: int = 200) -> None:
        self.title = title
        self.lines = [line for m in messages for line in _lines(as_dict(m), limit)]

    def __repr__(self) -> str:
        head = [self.title] if self.title else []
        return "\n".join(head + [f"{role:<10} {text}" for role, text in self.lines])

    def _repr_html_(self) -> str:
        rows = "".join(_row(role, text) for role, text in self.lines)
        title = f"<b>{html.escape(self.title)}</b>" if self.title else ""
        return f'<div style="font-family:monospace;font-size:13px">{title}{rows}</div>'


def as_dict(message: Any) -> dict[str, Any]:
    """A message as a plain dict, whether it is one or the client's object."""
    return message if isinstance(message, dict) else message.model_dump(exclude_none=True)


def _lines(message: dict[str, Any], limit: int) -> list[tuple[str, str]]:
    role, lines = str(message.get("role")), []
    if role == "tool":
        call_id = _short_id(message.get("tool_call_id"))
        return [(role, f"[{call_id}] {_short(message.get('content'), limit)}")]
    calls = message.get("tool_calls") or []
    if message.get("content") or not calls:
        lines.append((role, _short(message.get("content"), limit)))
    for call in calls:
        function = call.get("function", {})
        text = f"{function.get('name')}({_short(function.get('arguments'), limit)})"
        lines.append((role, f"[{_short_id(call.get('id'))}] calls {text}"))
    return lines


def _short_id(call_id: Any) -> str:
    text = str(call_id)
    return text if len(text) <= 12 else f"{text[:5]}…{text[-4:]}"


def _short(content: Any, limit: int) -> str:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    text = text.replace("\n", "\\n")
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def _row(role: str, text: str) -> str:
    colour = COLOURS.get(role, "#888")
    style = f"border-left:4px solid {colour};padding:2px 8px;margin:2px 0;white-space:pre-wrap"
    name = f'<span style="color:{colour};display:inline-block;width:6em">{html.escape(role)}</span>'
    return f'<div style="{style}">{name}{html.escape(text)}</div>'


def show_history(messages: Iterable[Any], title: str = "", limit: int = 200) -> None:
    """Display the messages, in a notebook as coloured lines, elsewhere as text."""
    show(History(messages, title, limit))


def show_json(data: Any, limit: int = 300) -> None:
    """Print plain data (a request, a reply) as indented JSON, long strings shortened."""
    data = data if isinstance(data, (dict, list)) else as_dict(data)
    print(json.dumps(_shortened(data, limit), indent=2, ensure_ascii=False))


def _shortened(data: Any, limit: int) -> Any:
    if isinstance(data, dict):
        return {key: _shortened(value, limit) for key, value in data.items()}
    if isinstance(data, list):
        return [_shortened(value, limit) for value in data]
    return data if not isinstance(data, str) or len(data) <= limit else f"{data[:limit]}…"


def show(item: Any) -> None:
    """Display in a notebook, print elsewhere."""
    try:
        shell = get_ipython()  # type: ignore[name-defined]
    except NameError:
        print(item)
        return
    if hasattr(shell, "kernel"):
        from IPython.display import display

        display(item)
    else:
        print(item)
