"""What happened in a run: its events, as a list, a sequence diagram, a timeline or JSON lines."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from agentlib.results import ExecutionStatus, ToolCall, ToolResult, to_text


@dataclass
class Event:
    """One thing that happened. kind: task, request, delta, reply, call, result, end.

    at, duration: seconds from the run's start, and taken; a reply's and a result's `at` is when
    the request or the call began. step: the model turn, from 1.
    A stepper may change `message`, `call` or `result` before the run goes on; it then uses those.
    """

    kind: str
    step: int = 0
    at: float = 0.0
    duration: float = 0.0
    text: str = ""
    request: dict[str, Any] | None = None
    message: dict[str, Any] | None = None
    call: ToolCall | None = None
    result: ToolResult | None = None
    usage: dict[str, int] | None = None

    def summary(self) -> str:
        """The event in one line of at most about 100 characters."""
        if self.kind == "request" and self.request:
            count, tools = len(self.request["messages"]), len(self.request.get("tools", ()))
            return f"{count} messages, {tools} tools"
        if self.kind == "reply" and self.message:
            calls = self.message.get("tool_calls") or []
            names = ", ".join(c["function"]["name"] for c in calls)
            return f"calls {names}" if calls else _line(self.message.get("content") or "")
        if self.kind == "call" and self.call:
            return _line(f"{self.call.name}({_arguments(self.call)})")
        if self.kind == "result" and self.result:
            return _line(f"{self.result.status}: {self.result.content}")
        return _line(self.text)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for one JSON line; a request is kept as its size, not its copy."""
        data: dict[str, Any] = {"kind": self.kind, "step": self.step}
        data |= {"at": round(self.at, 6), "duration": round(self.duration, 6)}
        if self.text or self.request:
            data["text"] = self.text or self.summary()
        if self.message:
            data["message"] = self.message
        if self.usage:
            data["usage"] = self.usage
        call = self.result.call if self.result else self.call
        if call:
            data["call"] = {"id": call.id, "name": call.name, "arguments": call.arguments}
        if self.result:
            data["result"] = {"status": self.result.status.value, "content": self.result.content}
            data["result"]["attempts"] = self.result.attempts
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Event:
        """The event of a JSON line; what was only summed up stays a text."""
        kept = {
            k: data[k] for k in ("kind", "step", "at", "duration", "message", "usage") if k in data
        }
        event = cls(text=data.get("text", ""), **kept)
        if "call" in data:
            event.call = ToolCall(**{k: data["call"][k] for k in ("name", "arguments", "id")})
        if "result" in data and event.call:
            status = ExecutionStatus(data["result"]["status"])
            event.result = ToolResult(event.call, status, data["result"]["content"])
            event.result.attempts = data["result"].get("attempts", 0)
        return event


class Trace(list[Event]):
    """The events of one run, in order."""

    def mermaid(self) -> str:
        """A Mermaid sequence diagram: you, the tools, the agent, the model."""
        # The agent between tools and model: only a task and an answer cross another's line.
        lines = ["sequenceDiagram", "  participant U as You", "  participant T as Tools"]
        lines += ["  participant A as Agent", "  participant M as Model"]
        arrows = {
            "task": "U->>A", "request": "A->>M", "reply": "M-->>A",
            "call": "A->>T", "result": "T-->>A", "end": "A-->>U",
        }  # fmt: skip
        for event in self:
            if event.kind in arrows:
                lines.append(f"  {arrows[event.kind]}: {_label(event)}")
        return "\n".join(lines)

    def html(self) -> str:
        """A timeline: one bar per reply and per result, as wide as its time."""
        total = max((e.at + e.duration for e in self), default=0.0) or 1.0
        rows = "".join(_row(e, total) for e in self if e.kind in ("task", "reply", "result", "end"))
        widths = "".join(f'<col style="width:{part}%">' for part in (5, 9, 46, 10, 30))
        return f'<table style="width:100%;border-collapse:collapse">{widths}{rows}</table>'

    def to_jsonl(self, path: str | Path | None = None) -> str:
        """One JSON object per line; written to `path` when one is given."""
        lines = [json.dumps(e.to_dict(), ensure_ascii=False) + "\n" for e in self]
        if path is not None:
            Path(path).write_text("".join(lines), encoding="utf-8")
        return "".join(lines)

    @classmethod
    def from_jsonl(cls, source: str | Path) -> Trace:
        """A trace from a path, or from the text that `to_jsonl` returned."""
        if isinstance(source, Path) or (source and source[0] != "{"):
            source = Path(source).read_text(encoding="utf-8")
        return cls(Event.from_dict(json.loads(line)) for line in source.splitlines() if line)

    @classmethod
    def from_audit(cls, entries: Iterable[dict[str, Any]]) -> Trace:
        """The calls and results of a run, from its lines: `read_audit(path, run=run.id)`.

        at: seconds from the first call. What was said is not in an audit log, nor are secrets.
        """
        trace, began = cls(), None
        for entry in entries:
            moment = datetime.fromisoformat(entry["time"])
            began = began or moment
            at = (moment - began).total_seconds()
            call = ToolCall(entry["tool"], entry["arguments"], entry["call_id"])
            ran = call.with_arguments(entry.get("arguments_run", entry["arguments"]))
            result = ToolResult(ran, ExecutionStatus(entry["status"]), to_text(entry["result"]))
            result.attempts, result.duration = entry["attempts"], entry["duration"]
            trace.append(Event("call", at=at, call=call))
            trace.append(Event("result", at=at, duration=result.duration, result=result))
        return trace

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/markdown": f"```mermaid\n{self.mermaid()}\n```"}

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def __str__(self) -> str:
        return "\n".join(
            f"{e.step:>2}  {e.kind:<8} {e.summary()}" for e in self if e.kind != "delta"
        )


def _arguments(call: ToolCall) -> str:
    raw = call.arguments
    return raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False, default=str)


def _line(text: str, limit: int = 90) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


_MERMAID = str.maketrans({"#": "#35;", ";": "#59;", "<": "#lt;", ">": "#gt;", "%": "#37;"})


def _label(event: Event) -> str:
    return _line(event.summary(), 60).translate(_MERMAID) or event.kind


def _row(event: Event, total: float) -> str:
    left, width = 100 * event.at / total, max(0.5, 100 * event.duration / total)
    style = f"margin-left:{left:.1f}%;width:{width:.1f}%;height:10px;background:#59a"
    cells = [str(event.step), event.kind, html.escape(event.summary())]
    cells += [f"{event.duration:.3f} s", f'<div style="{style}"></div>']
    return "<tr>" + "".join(f'<td style="text-align:left">{c}</td>' for c in cells) + "</tr>"
