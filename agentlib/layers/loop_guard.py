"""The loop guard: a call that only repeats gets a warning; if it goes on, the run ends."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.loops import LoopDetectionConfig, LoopDetector, LoopVerdict
from agentlib.results import ToolCall, ToolResult

if TYPE_CHECKING:
    from agentlib.executor import Context, Proceed

RUNS_KEPT = 64  # the newest runs whose calls are remembered
_ADVICE = {
    "repeat": "The same call gives the same result. Use the result you have, or",
    "similar": "Small changes to the arguments don't help. Use what you have,",
    "cycle": "Going round again gives the same results. Use what you have, or",
    "total": "Answer with what you have, or",
}


@dataclass
class _Watch:
    """One run's detector, and the context of the turn in which it last warned."""

    detector: LoopDetector
    warned: bool = False
    warned_in: Context | None = None


class LoopGuard:
    """The layer: one detector per run. A call that trips it is not run.

    First comes a LOOP error that the model can read and act on. A call that still goes on in a
    later turn gets one that isn't recoverable, which ends the run. Calls made outside of any run
    are watched per session, without the limit on the total.
    """

    def __init__(self, config: LoopDetectionConfig | None = None) -> None:
        self.config = config or LoopDetectionConfig()
        self._lock = threading.Lock()
        self._runs: OrderedDict[tuple[str, str], _Watch] = OrderedDict()

    async def __call__(self, call: ToolCall, proceed: Proceed) -> ToolResult:
        with self._lock:  # calls of one turn run side by side: look and count are one act
            watch = self._watch(call.context)
            verdict = watch.detector.check(call)
            watch.detector.begin(call)
            if verdict.kind != "ok":
                result = ToolResult.failure(call, _error(verdict, _may_stop(watch, call.context)))
                watch.detector.record(call, result)
                watch.warned, watch.warned_in = True, call.context
                return result
        try:
            result = await proceed(call)
        except ToolCallError as error:  # a layer further in refused by raising
            result = ToolResult.failure(call, error)
        with self._lock:
            watch.detector.record(call, result)
        return result

    def _watch(self, context: Context | None) -> _Watch:
        session, run = (context.session, context.run) if context else ("", "")
        if (session, run) not in self._runs:
            limits = {} if run else {"max_total_calls": float("inf")}
            self._runs[session, run] = _Watch(LoopDetector(replace(self.config, **limits)))
            while len(self._runs) > RUNS_KEPT:
                self._runs.popitem(last=False)
        self._runs.move_to_end((session, run))
        return self._runs[session, run]


def _may_stop(watch: _Watch, context: Context | None) -> bool:
    """Whether the model has read a warning. The agent makes a new context for each turn."""
    if context is None or not context.run:
        return watch.warned
    return watch.warned and watch.warned_in is not context


def _error(verdict: LoopVerdict, may_stop: bool) -> ToolCallError:
    what = f"Loop: {verdict.reason} This call was not run."
    if verdict.kind == "stop" and may_stop:
        text = f"{what} The warning before changed nothing, so the run ends here."
        return ToolCallError(text, category=ErrorCategory.LOOP, recoverable=False)
    text = f"{what} {_ADVICE[verdict.rule]} try something else, or say what is missing."
    return ToolCallError(f"{text} If it goes on, the run ends.", category=ErrorCategory.LOOP)
