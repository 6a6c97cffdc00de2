"""What a notebook shows of a run: the history as coloured lines, requests as JSON."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import zip_longest
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


class BeforeAfter:
    """Two states of a history side by side: what is gone, new or moved, and what stayed.

    A line of `rows` is (left, right), each (mark, role, text) or None where the side has none.
    """

    MARKS = {"": " ", "gone": "-", "new": "+", "moved": "~"}
    STYLES = {
        "": "",
        "gone": "opacity:.55;text-decoration:line-through",
        "new": "background:rgba(60,170,90,.18)",
        "moved": "background:rgba(230,160,30,.2)",
    }

    def __init__(
        self,
        before: Iterable[Any],
        after: Iterable[Any],
        titles: tuple[str, str] = ("before", "after"),
        limit: int = 44,
    ) -> None:
        self.titles = titles
        old, new = ([line for m in side for line in _lines(as_dict(m), limit)]
                    for side in (before, after))  # fmt: skip
        self.rows: list[tuple[Any, Any]] = []
        for _, i, i_end, j, j_end in SequenceMatcher(None, old, new, False).get_opcodes():
            same = old[i:i_end] == new[j:j_end]
            left = [(_mark(same, line in new, "gone"), *line) for line in old[i:i_end]]
            right = [(_mark(same, line in old, "new"), *line) for line in new[j:j_end]]
            self.rows += zip_longest(left, right)

    def __repr__(self) -> str:
        sides = [[self._text(part) for part in side] for side in zip(*self.rows, strict=True)]
        left, right = sides or [[], []]
        wide = max(map(len, [self.titles[0], *left]))
        lines = zip([self.titles[0], *left], [self.titles[1], *right], strict=True)
        return "\n".join(f"{a:<{wide}} | {b}".rstrip() for a, b in lines)

    def _text(self, part: Any) -> str:
        return f"{self.MARKS[part[0]]} {part[1]:<9} {part[2]}" if part else ""

    def _repr_html_(self) -> str:
        cells = "".join(f"<b>{html.escape(title)}</b>" for title in self.titles)
        for part in (part for row in self.rows for part in row):
            style = f' style="{self.STYLES[part[0]]}"' if part else ""
            cells += f"<div{style}>{_row(*part[1:]) if part else ''}</div>"
        grid = "display:grid;grid-template-columns:1fr 1fr;column-gap:16px"
        return f'<div style="{grid};font-family:monospace;font-size:13px">{cells}</div>'


def _mark(same: bool, on_both_sides: bool, otherwise: str) -> str:
    return "" if same else "moved" if on_both_sides else otherwise


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


def show_before_after(before: Iterable[Any], after: Iterable[Any], **options: Any) -> None:
    """Display two states of a history side by side, changes marked. options: of BeforeAfter."""
    show(BeforeAfter(before, after, **options))


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
