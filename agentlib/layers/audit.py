"""Audit: one JSON line per call, whatever became of it; security events apart; alerts on bursts."""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.layers.audit_entry import Alert, Bursts, make_entry
from agentlib.layers.audit_file import DailyLines, read_lines
from agentlib.results import ExecutionStatus, ToolCall, ToolResult

if TYPE_CHECKING:
    from agentlib.executor import Proceed


class AuditLog:
    """The layer: writes every call to `path`, its security events to `stem.security.jsonl` too.

    It belongs outermost. What cannot be audited does not run: while the log is not writable,
    every call is refused. burst: how many denials, or failures, of one user within `window`
    seconds call `on_alert` once. clock: epoch seconds.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        on_alert: Callable[[Alert], None] | None = None,
        burst: int = 5,
        window: float = 60.0,
        keep_days: int = 90,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = Path(path)
        self.security_path = self.path.with_name(f"{self.path.stem}.security.jsonl")
        self.alerts: list[Alert] = []
        self._lines = DailyLines(self.path, keep_days)
        self._security = DailyLines(self.security_path, keep_days)
        self._bursts = Bursts(burst, window)
        self._on_alert, self._clock, self._order = on_alert, clock, itertools.count(1)

    async def __call__(self, call: ToolCall, proceed: Proceed) -> ToolResult:
        began, order = self._clock(), next(self._order)
        try:  # nothing to write yet, but what could not be written before must go first
            self._lines.append([], began)
            self._security.append([], began)
        except OSError as error:
            return ToolResult.failure(call, self._refusal(call, error))
        result = ToolResult(call, ExecutionStatus.FAILED, "interrupted before it ended")
        try:
            result = await proceed(call)
        except ToolCallError as error:  # a layer that refuses by raising
            result = ToolResult.failure(call, error)
        finally:  # an interrupted call is a call, too
            self._record(make_entry(call, result, began, order))
        return result

    def _record(self, entry: dict[str, Any]) -> None:
        now = self._clock()
        alert = self._bursts.count(entry, now)
        security = [entry] if entry["events"] else []
        try:
            self._lines.append([entry], now)
            self._security.append([*security, *([alert.entry()] if alert else [])], now)
        except OSError:  # the call has run, so its result stands; the line waits for the next call
            logging.getLogger(__name__).exception("an audit line could not be written yet")
        if alert is not None:
            self.alerts.append(alert)
            if self._on_alert is not None:
                self._on_alert(alert)

    def _refusal(self, call: ToolCall, error: OSError) -> ToolCallError:
        return ToolCallError(
            f"{call.name} was not run: the audit log {self.path.name} cannot be written "
            f"({error.strerror or error}), and a call that cannot be audited is refused. "
            "Make its folder writable, or free space there.",
            category=ErrorCategory.SYSTEM_ERROR,
            code="audit_unavailable",
        )


def read_audit(path: str | Path, *, run: str | None = None) -> Iterator[dict[str, Any]]:
    """The entries of an audit file and its past days; for one run: its calls in order."""
    if run is None:
        yield from read_lines(path)
        return
    entries = [entry for entry in read_lines(path) if entry.get("run") == run]
    yield from sorted(entries, key=lambda entry: (entry["time"], entry["order"]))
