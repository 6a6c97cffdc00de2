"""Pictures of calls over time: which were let through, which were warned about, which stopped.

A mark has a shape as well as a colour: a dot was let through, a triangle is a warning, a square
a stop, a ring a call that was not made any more. As plain text they are `.`, `!`, `X` and `o`.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from typing import Any

from agentlib.loops.seen import plain_arguments
from agentlib.notebook.views import show

SIGNS = {"ok": ".", "warn": "!", "stop": "X", "left": "o"}
COLOURS = {"ok": "#4a90c2", "warn": "#d98c00", "stop": "#c8382e", "left": "#999"}
WIDTH, LANE, LEFT = 660, 24, 210  # pixels


class CallPicture:
    """One run: a lane for each different call, a mark for each time it was made.

    calls: objects with tool, arguments and at. kinds: "ok", "warn" or "stop" for each call, as far
    as they were judged; calls behind a stop are "left". reason: what is said below.
    """

    def __init__(
        self, calls: Iterable[Any], kinds: Sequence[str] = (), reason: str = "", unit: str = " s"
    ) -> None:
        self.calls, self.reason, self.unit = list(calls), reason, unit
        self.kinds = _padded(kinds, len(self.calls))
        self.labels = [label(call.tool, call.arguments) for call in self.calls]
        self.lanes = list(dict.fromkeys(self.labels))

    def __repr__(self) -> str:
        wide = max(map(len, self.lanes), default=0)
        rows = [f"{lane:<{wide}}  {self._signs(lane)}".rstrip() for lane in self.lanes]
        return "\n".join(rows + ([self.reason] if self.reason else []))

    def _signs(self, lane: str) -> str:
        pairs = zip(self.labels, self.kinds, strict=True)
        return "".join(SIGNS[kind] if name == lane else " " for name, kind in pairs)

    def _repr_html_(self) -> str:
        times = [call.at for call in self.calls] or [0]
        first, length = min(times), (max(times) - min(times)) or 1
        height = LANE * len(self.lanes)
        parts = [_lane(y, name) for y, name in enumerate(self.lanes)]
        for call, name, kind in zip(self.calls, self.labels, self.kinds, strict=True):
            x = LEFT + 10 + (WIDTH - LEFT - 40) * (call.at - first) / length
            parts.append(mark(x, LANE * self.lanes.index(name) + LANE / 2, kind))
        for x, time in ((LEFT + 10, first), (WIDTH - 30, max(times))):
            parts.append(text_at(x, height + 14, f"{time:g}{self.unit}", "middle"))
        return svg(height + 20, parts) + _below(self.reason)


def _padded(kinds: Sequence[str], length: int) -> list[str]:
    rest = "left" if "stop" in kinds else "ok"
    return [*kinds[:length], *[rest] * (length - len(kinds))]


def label(tool: str, arguments: Any, limit: int = 28) -> str:
    """A call in a few characters: `read_file(todo.txt)`."""
    values = arguments.values() if isinstance(arguments, dict) else [arguments]
    texts = [v if isinstance(v, str) else json.dumps(v, default=repr) for v in values]
    text = f"{tool}({', '.join(texts)})"
    return text if len(text) <= limit else f"{text[: limit - 2]}…)"


def svg(height: float, parts: Iterable[str]) -> str:
    """The parts in one picture. Text takes the page's colour, so that it reads on any theme."""
    style = "font:12px monospace;max-width:100%"
    size = f'width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}"'
    return f'<svg {size} fill="currentColor" style="{style}">{"".join(parts)}</svg>'


def mark(x: float, y: float, kind: str) -> str:
    """The mark of one call."""
    colour = COLOURS[kind]
    if kind == "warn":
        d = f"M{x - 6:.0f} {y + 5:.0f}h12l-6-11z"
    elif kind == "stop":
        d = f"M{x - 5:.0f} {y - 5:.0f}h10v10h-10z"
    else:
        style = f'fill="{colour}"' if kind == "ok" else f'fill="none" stroke="{colour}"'
        return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4" {style}/>'
    return f'<path d="{d}" fill="{colour}"/>'


def _lane(place: int, name: str) -> str:
    y = LANE * place + LANE / 2
    line = f'<path d="M{LEFT} {y:g}H{WIDTH - 20}" stroke="#aaa" stroke-width=".5"/>'
    return line + text_at(0, y + 4, name)


def text_at(x: float, y: float, text: str, anchor: str = "") -> str:
    """A piece of text; anchor: "middle" or "end" instead of its start."""
    where = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:g}" y="{y:g}"{where}>{html.escape(text)}</text>'


def _below(reason: str) -> str:
    if not reason:
        return ""
    return f'<div style="white-space:pre-wrap;max-width:{WIDTH}px">{html.escape(reason)}</div>'


def show_calls(
    calls: Iterable[Any], kinds: Sequence[str] = (), reason: str = "", unit: str = " s"
) -> None:
    """Display one run's calls over time; see `CallPicture`."""
    show(CallPicture(calls, kinds, reason, unit))


def show_run(run: Any) -> None:
    """Display the calls of an agent's run, one beside the other, and what the loop guard did."""
    calls = [_Made(number, result) for number, result in enumerate(run.calls, start=1)]
    said = [f"call {made.at}: {made.said}" for made in calls if made.kind != "ok"]
    show(CallPicture(calls, [made.kind for made in calls], "\n".join(said), unit=""))


class _Made:
    """A call of a run as the picture wants it; `at` is its number."""

    def __init__(self, number: int, result: Any) -> None:
        self.tool, self.at = result.name, number
        self.arguments = plain_arguments(result.call.arguments)
        looped = result.error is not None and result.error.category == "loop"
        self.kind = ("warn" if result.error.recoverable else "stop") if looped else "ok"
        self.said = result.content
