"""What an audit line says of a call, and when many such lines are an alarm."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from agentlib.layers.redaction import HIDDEN, redact
from agentlib.results import ExecutionStatus, ToolCall, ToolResult, truncate_output

SHOWN = 2_000  # characters of one argument, or of the result, that a line keeps


def make_entry(call: ToolCall, result: ToolResult, began: float, order: int) -> dict[str, Any]:
    """The line's content, secrets already out. began: epoch seconds; order: of the call's start."""
    context, error = call.context, result.error
    entry = {
        "time": _utc(began),
        "order": order,
        "user": context.user if context else "",
        "session": context.session if context else "",
        "run": context.run if context else "",
        "call_id": call.id,
        "tool": call.name,
        "arguments": _clean(call.arguments),
        "decision": _decision(result),
        "status": result.status.value,
        "attempts": result.attempts,
        "duration": round(result.duration, 4),
        "error": error.category.value if error else None,
        "result": _clean(result.content),
    }
    if result.call.arguments != call.arguments:  # somebody changed them before allowing the call
        entry["arguments_run"] = _clean(result.call.arguments)
    return {**entry, "events": _events(call, entry)}


def _utc(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")


def _decision(result: ToolResult) -> str:
    """ "allowed": it ran; "denied": no permission, or a person's no; "refused": any other stop."""
    if result.status is ExecutionStatus.DENIED:
        return "denied"
    return "refused" if result.error is not None and result.attempts == 0 else "allowed"


def _events(call: ToolCall, entry: dict[str, Any]) -> list[str]:
    """What makes the line a security event: "denied", "critical", "redacted"; mostly nothing."""
    events = ["denied"] if entry["decision"] == "denied" else []
    if call.tool is not None and "critical" in call.tool.tags:
        events.append("critical")
        if HIDDEN in str(entry["arguments"]):
            events.append("redacted")
    return events


def _clean(value: Any) -> Any:
    """JSON text as the object it is, other text as text; redacted first, then shortened."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return _shorten(redact(value))
    return _shorten(redact(value))


def _shorten(value: Any) -> Any:
    if isinstance(value, str):
        return truncate_output(value, SHOWN)
    if isinstance(value, list):
        return [_shorten(item) for item in value]
    return {k: _shorten(v) for k, v in value.items()} if isinstance(value, dict) else value


@dataclass(frozen=True)
class Alert:
    """A burst: `count` calls of `user` ended as `kind` within `window` seconds.

    kind: "denied" or "failed". time, run, session: of the call that made it a burst.
    """

    kind: str
    user: str
    count: int
    window: float
    time: str
    run: str
    session: str

    def entry(self) -> dict[str, Any]:
        """The alert as a line of the security file."""
        return {**asdict(self), "events": ["alert"]}


class Bursts:
    """Counts each user's denials and failures in a moving window; a full one is an Alert."""

    def __init__(self, burst: int = 5, window: float = 60.0) -> None:
        self.burst, self.window = burst, window
        self._recent: dict[tuple[str, str], deque[float]] = {}

    def count(self, entry: dict[str, Any], now: float) -> Alert | None:
        """The alert that this entry completes, once for every `burst` of them; else None."""
        kinds = {"denied": "denied", "failed": "failed", "timeout": "failed"}
        kind, user = kinds.get(entry["status"]), entry["user"]
        if kind is None:
            return None
        times = self._recent.setdefault((user, kind), deque())
        times.append(now)
        while times[0] <= now - self.window:
            times.popleft()
        if len(times) < self.burst:
            return None
        times.clear()
        return Alert(
            kind, user, self.burst, self.window, entry["time"], entry["run"], entry["session"]
        )
