"""Loop detection: calls that go on although nothing new comes of them.

What counts is news. A call brings no news when, within the window, either

- the same call (same tool, same arguments, keys in any order) last had the same result, or
- the call right before it was of the same tool, with similar arguments and the same result;
  two failures of one category are the same here, for their texts quote the arguments.

The latest calls without news, one after another, are the streak; a call with news ends it. A loop
is a streak that went once all round, and "at most 5 consecutive calls of one tool" means that 5
calls of a loop, its first round included, are let through: then comes a warning, then a stop. So
the same call and small variations of it are warned about at the 6th, A-B-A-B at the 6th, too, a
circle of three at the 7th, one of four at the 9th.

Left alone are a poll whose result changes, five different files read one after another,
chapter1.txt to chapter9.txt, a test run again after each edit. What this can't see, a loop whose
results carry a clock, ends at the total. A poll that waits for its first change must look less
than 6 times within the window.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from agentlib.loops.seen import Seen, describe, outcome
from agentlib.loops.similarity import similarity
from agentlib.loops.verdict import LoopVerdict
from agentlib.results import ToolCall

MOST_KEPT = 256  # calls remembered, should more of them fall into the window


@dataclass(frozen=True)
class LoopDetectionConfig:
    """The limits. window_seconds: older calls don't count; clock: seconds, never going back."""

    max_consecutive_calls: int = 5
    max_total_calls: float = 20
    similarity: float = 0.8
    window_seconds: float = 60
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        if min(self.max_consecutive_calls, self.max_total_calls) < 1 or self.window_seconds <= 0:
            raise ValueError("loop limits: the two counts are at least 1, the window above 0 s.")
        if not 0 < self.similarity <= 1:
            raise ValueError(f"similarity: above 0 and at most 1, not {self.similarity}.")


_SEVERITY = {"ok": 0, "warn": 1, "stop": 2}


class LoopDetector:
    """Watches the calls of one run: `check` before a call, `record` after it; both O(1).

    Where calls run side by side, `begin` counts a call in when it starts.
    """

    def __init__(self, config: LoopDetectionConfig | None = None) -> None:
        self.config = config or LoopDetectionConfig()
        self.reset()

    def reset(self) -> None:
        """Forget every call."""
        self.total = 0
        self._seen: deque[Seen] = deque(maxlen=MOST_KEPT)
        self._last: dict[str, Seen] = {}  # the newest of each key
        self._running: dict[str, list[Seen]] = {}  # by call id

    def check(self, call: ToolCall) -> LoopVerdict:
        """What to do about a call that is about to be made. Asking changes nothing."""
        found = (self._check_loop(self._look_at(call)), self._check_total())
        return max(found, key=lambda verdict: _SEVERITY[verdict.kind])

    def _check_loop(self, new: Seen) -> LoopVerdict:
        if not self._goes_on(new):
            return LoopVerdict()
        streak = self._streak()
        kinds = len({new.kind, *(seen.kind for seen in streak)})
        over = len(streak) + kinds - self.config.max_consecutive_calls
        if kinds > 1:  # a circle must have gone once all round
            over = min(over, len(streak) - kinds)
        if over < 0:
            return LoopVerdict()
        rule, reason = describe(new, streak, kinds)
        return LoopVerdict("stop" if over else "warn", reason, rule)

    def _check_total(self) -> LoopVerdict:
        limit = self.config.max_total_calls
        if self.total < limit:
            return LoopVerdict()
        reason = f"this run has made {self.total} calls, and {limit} is the most it may make."
        return LoopVerdict("stop" if self.total > limit else "warn", reason, "total")

    def begin(self, call: ToolCall) -> None:
        """Count a call that starts now; `record` with the same call id completes it."""
        seen = self._look_at(call)
        seen.no_news = self._recent(last := self._last.get(seen.key))
        seen.kind = last.kind if seen.no_news else seen.key
        if not seen.no_news:
            self._last[seen.key] = seen
        self._running.setdefault(call.id, []).append(seen)
        self._append(seen)

    def record(self, call: ToolCall, result: Any) -> None:
        """What came of a call: a ToolResult, or any value. Being refused as a loop is no news."""
        running = self._running.get(call.id)
        if running:
            seen = running.pop(0)
            if not running:
                del self._running[call.id]
        else:
            seen = self._look_at(call)
            self._append(seen)
        before, seen.before = seen.before, None
        seen.result, seen.failed = outcome(result)
        if seen.failed == "loop":
            seen.no_news, seen.result = True, None
            return
        seen.no_news = self._is_old_news(seen, before)
        self._last[seen.key] = seen

    def _look_at(self, call: ToolCall) -> Seen:
        return Seen.of(call, self.config.clock())

    def _append(self, seen: Seen) -> None:
        self.total += 1
        if len(self._seen) == MOST_KEPT:
            self._forget(self._seen[0])
        seen.before = self._seen[-1] if self._seen else None
        self._seen.append(seen)
        while not self._recent(self._seen[0]):
            self._forget(self._seen.popleft())

    def _forget(self, old: Seen) -> None:
        if self._last.get(old.key) is old:
            del self._last[old.key]

    def _recent(self, seen: Seen | None) -> bool:
        return bool(seen) and seen.at > self.config.clock() - self.config.window_seconds

    def _streak(self) -> list[Seen]:
        """The latest calls that brought no news, newest first."""
        return list(takewhile(lambda s: s.no_news and self._recent(s), reversed(self._seen)))

    def _goes_on(self, new: Seen) -> bool:
        """Whether a call that is about to be made is like one there was; says which by `kind`."""
        last, before = self._last.get(new.key), self._seen[-1] if self._seen else None
        if self._recent(last):
            new.kind = last.kind
        elif self._recent(before) and self._alike(before, new, before.failed is None):
            new.kind = before.kind
        return bool(new.kind)

    def _is_old_news(self, seen: Seen, before: Seen | None) -> bool:
        last = self._last.get(seen.key)
        if last is not seen and self._recent(last) and last.result == seen.result:
            seen.kind = last.kind
            return True
        seen.kind = seen.key
        if before is None or before.result is None or not self._recent(before):
            return False
        both_failed = seen.failed is not None and seen.failed == before.failed
        same = both_failed or (before.result == seen.result and before.failed == seen.failed)
        if not same or not self._alike(before, seen, not both_failed):
            return False
        seen.kind = before.kind
        return True

    def _alike(self, a: Seen, b: Seen, numbers_matter: bool) -> bool:
        if a.tool != b.tool:
            return False
        alike = similarity(a.arguments, b.arguments, numbers_matter=numbers_matter)
        return alike >= self.config.similarity
