"""Working through the steps: what has been done for each, and which calls are next."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from typing import Any

from agentlib.offline import answering
from agentlib.offline.carrying import carried, left_over
from agentlib.offline.choosing import mended
from agentlib.offline.completing import complete, only_from
from agentlib.offline.conditions import holds
from agentlib.offline.filling import fill
from agentlib.offline.history import Turn
from agentlib.offline.judging import (
    done_before,
    follow_up,
    is_remark,
    is_report,
    must_wait,
    probe,
    reader_of,
    two_wishes,
)
from agentlib.offline.ledger import Ledger
from agentlib.offline.mending import Call
from agentlib.offline.reading import is_warning
from agentlib.offline.references import Outcome
from agentlib.offline.seeking import tool_for
from agentlib.offline.source import Source
from agentlib.offline.steps import Step, split_steps
from agentlib.offline.toolview import ACTING, READING, ToolView, is_acting
from agentlib.offline.values import find_values
from agentlib.offline.words import concepts, near

_CONFIRMED = re.compile(r"\bconfirm(?:ed)?\b|确认", re.IGNORECASE)


@dataclass
class Work:
    """One turn's work, replayed from the history.

    forced: the only tool allowed by tool_choice; required: some tool has to be called.
    pending: calls of this reply. halted: refused or told to stop. waiting: for results.
    """

    turn: Turn
    tools: list[ToolView]
    today: dt.date
    lang: str
    forced: ToolView | None = None
    required: bool = False
    outcomes: list[Outcome] = field(default_factory=list)
    ready: list[Call] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    pending: list[tuple[ToolView, dict[str, Any]]] = field(default_factory=list)
    halted: bool = False
    waiting: bool = False
    others: list[str] = field(default_factory=list)
    condition: str = ""  # of the step under way
    verdicts: dict[str, bool | None] = field(default_factory=dict)

    def run(self) -> None:
        """Go through the steps until one must wait for results."""
        self.ledger = Ledger(self.turn.records, self.tools)
        nouns = frozenset(n for t in self.tools for n, _, _ in t.kinds)
        steps = split_steps(self.turn.text, frozenset(t.verb for t in self.tools), nouns)
        if (self.forced or self.required) and not self.turn.records and len(steps) < 2:
            steps = [Step(self.turn.text)]
        for number, step in enumerate(steps):
            self.others = [s.text for s in steps[:number]]
            self.take(step)
            if self.waiting:
                break
        if self.halted:
            self.ready, self.asks = [], []

    def take(self, step: Step) -> None:
        """Plan or replay one step."""
        if step.forbidden:
            self.outcomes.append(Outcome(step, "forbidden"))
        if step.forbidden or (step.condition and not self._may_run(step)):
            return
        self.condition = step.condition or ""
        found = find_values(mended(step.text, self.tools), self.today)
        tool = self.forced or reader_of(self, step.text) or tool_for(self, found)
        text = mended(step.text, [tool]) if tool else step.text
        if (
            tool
            and not self.forced
            and not reader_of(self, step.text)
            and is_report(self, text, found)
        ):
            tool = None
        base: dict[str, Any] = {}
        if tool is None and (again := follow_up(self, text, found)):
            tool, base = again
        if parts := two_wishes(self, text) or (tool and not base and carried(self, text, tool)):
            for half in parts:
                self.take(Step(half))
        elif tool is None:
            state = "report" if is_remark(self, text) else "untooled"
            self.outcomes.append(Outcome(step, state))
        else:
            self._with_tool(step, text, tool, base)

    def tool(self, name: str) -> ToolView | None:
        """The request's tool of this name."""
        return next((t for t in self.tools if t.name == name), None)

    def given(self, done: list[Outcome]) -> set[str]:
        """Concepts of the calls' own arguments: a result that repeats them proves nothing."""
        return {c for o in done for v in (o.arguments or {}).values() for c in concepts(str(v))}

    def source(self, text: str, tool: ToolView) -> Source:
        """The text as a source of arguments for a tool."""
        told = tool.all()
        verbs = {c for c in concepts(text) if c in READING | ACTING and {c, *near(c)} & told}
        return Source(
            text,
            self.today,
            frozenset(tool.named | verbs - {"weather"}),
            " ".join([*self.turn.earlier[-1:], *self.others, self.condition]),
            dict(self.turn.answers),
            is_acting(tool) and any(k == "content" for _, k, _ in tool.kinds),
            acts=is_acting(tool),
            told=tool.told,
        )

    def call(self, step: Step, tool: ToolView, arguments: dict[str, Any]) -> None:
        """What came of a call, or the call that has to be made for it next."""
        followed = self.ledger.follow((tool.name, arguments), tool)
        name, given = followed.call
        if followed.state in ("next", "look"):
            if self.halted:
                self.outcomes.append(Outcome(step, "stopped"))
                return
            self.ready.append(followed.call)
            self.pending.append((self.tool(name) or tool, given))
            self.waiting |= followed.state == "look"
            return
        record, trouble = followed.record, followed.trouble
        result = record.result or "" if record else ""
        message = trouble.message if trouble else ""
        if trouble is None and given != arguments and record:
            message = answering.instead(self.lang, arguments, given)
        self.halted |= is_warning(result) or bool(trouble and trouble.kind in ("denied", "loop"))
        used = record.arguments if record else given
        self.outcomes.append(
            Outcome(step, followed.state, self.tool(name) or tool, name, used, result, message)
        )

    def _may_run(self, step: Step) -> bool:
        """Whether the step's condition holds; what nothing known tells is looked up first."""
        condition = step.condition or ""
        if condition not in self.verdicts:
            probe(self, step)
            if self.ready:
                self.waiting = True
                return False
            done = [o for o in self.outcomes if o.state in ("ok", "failed")]
            self.verdicts[condition] = holds(condition, [o.result for o in done], self.given(done))
        answer = self.verdicts[condition]
        if answer is not None and answer != step.negated:
            return True
        self.outcomes.append(Outcome(step, "unknown" if answer is None else "skipped"))
        return False

    def _with_tool(self, step: Step, text: str, tool: ToolView, base: dict[str, Any]) -> None:
        filled = fill(tool.parameters, self.source(text, tool))
        said = " ".join(o.step.text for o in self.outcomes if o.state == "untooled")
        for name in [n for n, k, _ in tool.kinds if k == "moment" and n not in filled.arguments]:
            if said and not base:  # "I go to Rome tomorrow. What will the weather be?"
                filled.arguments |= only_from(self, name, said, tool)
        filled.arguments = {**base, **filled.arguments}
        filled.missing = [n for n in filled.missing if n not in base]
        if not complete(self, step, text, tool, filled):
            return
        for arguments in filled.each():
            if is_acting(tool) and done_before(self, text, tool, arguments):
                continue
            if must_wait(self.pending, tool, arguments):
                self.waiting = True
                return
            if tool.ask_first and not self._confirmed((tool.name, arguments)):
                if self.turn.declined:
                    self.outcomes.append(Outcome(step, "declined", tool, tool.name, arguments))
                    continue
                self.asks.append(answering.ask_to_confirm(self.lang, tool.name, arguments))
                continue
            self.call(step, tool, arguments)
        if rest := left_over(self, text, tool, filled):
            self.outcomes.append(Outcome(Step(rest), "part"))

    def _confirmed(self, call: Call) -> bool:
        said = self.turn.confirmed or bool(_CONFIRMED.search(self.turn.text))
        return said or self.ledger.has(call)
