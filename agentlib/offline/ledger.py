"""What was called in this turn: each call followed through errors to a result or a next call."""

from __future__ import annotations

import datetime as dt
import json
import re
from dataclasses import dataclass
from typing import Any

from agentlib.offline import mending
from agentlib.offline.history import Record
from agentlib.offline.mending import Call
from agentlib.offline.reading import Trouble, trouble_of
from agentlib.offline.toolview import ToolView, is_acting

MOST_FAILURES = 5  # failed calls of one step, as they were meant, before giving up
MOST_STRAYS = 12  # records taken for a distorted form of one call


@dataclass
class Followed:
    """Where a call stands: ok, failed, denied, next (make `call`) or look (make it, then wait)."""

    state: str
    call: Call
    record: Record | None = None
    trouble: Trouble | None = None


def key_of(call: Call) -> str:
    """Equal for equal calls, whatever the order of their arguments."""
    return call[0] + json.dumps(call[1], sort_keys=True, default=str, ensure_ascii=False)


class Ledger:
    """The turn's records, each used by the step it belongs to."""

    def __init__(self, records: list[Record], tools: list[ToolView]) -> None:
        self.records = records
        self.tools = {t.name: t for t in reversed(tools)}

    def has(self, call: Call) -> bool:
        """True when this very call has been made."""
        return self._record(call, used=True) is not None

    def follow(self, call: Call, tool: ToolView) -> Followed:
        """The call's result, or the call to make next; marks the records it uses."""
        failures: list[str] = []
        for _ in range(MOST_FAILURES + MOST_STRAYS):
            record = self._record(call)
            if record is None and not is_acting(tool) and not failures:
                record = self._known(call)
            if record is None:
                record = self._distorted(call)
            if record is None:
                break
            record.used = True
            trouble = trouble_of(record.result or "")
            if trouble is None:
                return Followed("ok", call, record)
            after = self._after(trouble, record, call, tool, failures)
            if isinstance(after, Followed):
                return after
            call, tool = after, self.tools.get(after[0], tool)
        else:  # spoilt every time: enough
            return Followed("failed", call, record, trouble)
        return Followed("next", call)

    def _after(
        self, trouble: Trouble, record: Record, call: Call, tool: ToolView, failures: list[str]
    ) -> Followed | Call:
        """The next call after an error, or how the step ends."""
        failures.append(key_of((record.name, record.arguments)))
        over = Followed("denied" if trouble.kind == "denied" else "failed", call, record, trouble)
        if trouble.kind in ("denied", "loop"):
            return over
        if key_of(call) != failures[-1]:  # what went wrong was not the call meant
            failures[-1] = "stray"
            return call if failures.count(key_of(call)) < 2 else over
        if len(failures) - failures.count("stray") >= MOST_FAILURES:
            return over
        following: Call | None = None
        if trouble.kind == "missing":
            look = self._look(call, tool)
            if isinstance(look, Followed):
                return look
            following = look
        following = following or mending.mend(trouble, tool, call[1], list(self.tools.values()))
        if following is None:
            return over
        same = key_of(following) == failures[-1]
        return following if failures.count(key_of(following)) < (2 if same else 1) else over

    def _look(self, call: Call, tool: ToolView) -> Followed | Call | None:
        """Look beside a missing file; then the same call for the closest name there."""
        look = mending.listing_call(tool, call[1], list(self.tools.values()))
        if look is None or (is_acting(tool) and "edit" not in tool.named):
            return None
        record = self._record(look, used=True)
        if record is None:
            return Followed("look", look)
        record.used = True
        if trouble_of(record.result or ""):
            return None
        return mending.other_file(tool, call[1], record.result or "")

    def _record(self, call: Call, used: bool = False) -> Record | None:
        key = key_of(call)
        for record in self.records:
            same = record.name == call[0] and key_of((record.name, record.arguments)) == key
            if same and (used or not record.used):
                return record
        return None

    def _known(self, call: Call) -> Record | None:
        """The good result of the same call made earlier in the turn: looking once is enough."""
        record = self._record(call, used=True)
        if record is None or trouble_of(record.result or "") is not None:
            return None
        later = self.records[self.records.index(record) + 1 :]
        changed = any((t := self.tools.get(r.name)) and is_acting(t) for r in later)
        return None if changed else record

    def _distorted(self, call: Call) -> Record | None:
        """An unused record that was meant to be this call but reads otherwise."""
        free = [r for r in self.records if not r.used]
        for record in free:
            failed = trouble_of(record.result or "") is not None
            alike = _likeness(record.arguments, call[1])
            if record.name != call[0]:
                stranger = record.name not in self.tools
                if stranger and failed and (alike >= 0.5 or not record.arguments):
                    return record
                continue
            alone = sum(1 for r in free if r.name == call[0]) == 1
            broken = "" in record.arguments or alike >= 0.5 or alone
            if alike > 0.5 or (failed and broken):
                return record
        return None


def _likeness(a: dict[str, Any], b: dict[str, Any]) -> float:
    same = sum(1 for k, v in a.items() if k in b and _same(b[k], v))
    return same / max(len({*a, *b}), 1)


def _same(a: Any, b: Any) -> bool:
    """Equal, or the same text: "100" is meant where 100 is."""
    return a == b or str(a).strip().lower() == str(b).strip().lower() or _just_before(a, b)


def _just_before(a: Any, b: Any) -> bool:
    """Of two moments: the clock went on between two requests that say "in two hours"."""
    try:
        late, early = (dt.datetime.fromisoformat(str(v)) for v in (a, b))
        return dt.timedelta(0) <= late - early < dt.timedelta(minutes=10)
    except (ValueError, TypeError):
        pass
    clocks = [re.fullmatch(r"(\d\d):(\d\d)(?::\d\d)?", str(v)) for v in (a, b)]
    minutes = [int(c[1]) * 60 + int(c[2]) for c in clocks if c]
    return len(minutes) == 2 and 0 <= minutes[0] - minutes[1] < 10
