"""Working through the steps: what has been done for each, and which calls are next."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from typing import Any

from agentlib.offline import answering
from agentlib.offline.choosing import choose, mended, rank
from agentlib.offline.completing import complete, only_from
from agentlib.offline.conditions import holds
from agentlib.offline.filling import fill
from agentlib.offline.history import Turn
from agentlib.offline.ledger import Ledger
from agentlib.offline.mending import Call
from agentlib.offline.reading import is_warning
from agentlib.offline.references import POINTS, Outcome
from agentlib.offline.source import Source
from agentlib.offline.steps import Step, split_steps
from agentlib.offline.toolview import ACTING, READING, ToolView, is_acting
from agentlib.offline.values import Found, find_values
from agentlib.offline.words import concepts, near

_REPORT = re.compile(
    r"^\W*(?:(?:please|and|then|also|can you|could you)\s+)*(?:tell|show|give|say|explain|"
    r"summari[sz]e|describe|report|let me know|what|which|who|how|answer|print|compare|is|does|are)\b"
    r"|^\W*(?:请|再|并|把)*(?:告诉|总结|说明|解释|说|概括|看看|比较|回答|汇报)",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(
    r"^\W*(?:and|what about|how about|also|same|now|then|or|in|for|i mean\w*|no|sorry|actually|rather)\b"
    r"|^\W*(?:那|还有|以及|再看|换成)|呢\W*$",
    re.IGNORECASE,
)
_CONFIRMED = re.compile(r"\bconfirm(?:ed)?\b|确认", re.IGNORECASE)


@dataclass
class Work:
    """One turn's work, replayed from the history: outcomes so far, calls to make, questions to ask.

    forced: the only tool allowed by tool_choice; required: some tool has to be called.
    pending: calls of this reply, by tool. halted: refused or told to stop. waiting: a step needs
    results that are not there yet.
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
        if step.condition and not self._may_run(step):
            return
        found = find_values(mended(step.text, self.tools), self.today)
        tool = self.forced or self._choose(found)
        text = mended(step.text, [tool]) if tool else step.text
        if tool and not self.forced and self._is_report(text, found):
            tool = None
        base: dict[str, Any] = {}
        if tool is None and (again := self._follow_up(text, found)):
            tool, base = again
        if tool is None:
            known = self.outcomes or self.pending
            short = len(concepts(text)) < 4 or POINTS.search(text)
            report = known and _REPORT.match(text) and short
            self.outcomes.append(Outcome(step, "report" if report else "untooled"))
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
            " ".join([*self.turn.earlier[-1:], *self.others]),
            dict(self.turn.answers),
            is_acting(tool),
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

    def _choose(self, found: Found) -> ToolView | None:
        if self.required and self.tools and not self.turn.records:
            return rank(found.text, found, self.tools)[0][2]
        return choose(found.text, found, self.tools)

    def _may_run(self, step: Step) -> bool:
        """Whether the step's condition holds; a condition about nothing known is looked up first."""
        condition = step.condition or ""
        if condition not in self.verdicts:
            self._probe(step)
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

    def _probe(self, step: Step) -> None:
        """Look up what a condition speaks of, when no result so far can tell."""
        text = mended(step.condition or "", self.tools)
        done = {o.tool.name for o in self.outcomes if o.tool} | {t.name for t, _ in self.pending}
        for _, by_words, tool in rank(text, find_values(text, self.today), self.tools):
            if by_words < 0.8 or is_acting(tool):
                continue
            if tool.name in done:
                return
            filled = fill(tool.parameters, self.source(text, tool))
            if filled.missing and not done:  # "refund order 5 if it is not shipped"
                filled = fill(tool.parameters, self.source(f"{step.text} {text}", tool))
            if not filled.missing and (filled.certain or not done):
                self.call(Step(step.condition or ""), tool, filled.arguments)
                return

    def _is_report(self, text: str, found: Found) -> bool:
        """ "Tell me what it says": nothing to call, the answer will say it."""
        if not (self.outcomes or self.pending) or not _REPORT.match(text):
            return False
        topics = {c for o in self.outcomes if o.tool for c in o.tool.named | o.tool.first}
        topics |= {c for t, _ in self.pending for c in t.named | t.first}
        about = bool(concepts(text)) and set(concepts(text)) <= topics
        vague = bool(POINTS.search(text)) and rank(text, found, self.tools)[0][1] < 2.2
        typed = found.of("path", "url", "email", "quote", "expression", "name")
        return not typed and (about or vague)

    def _follow_up(self, text: str, found: Found) -> tuple[ToolView, dict[str, Any]] | None:
        """ "And in Tokyo?": the last tool again, with what the text changes."""
        if not _FOLLOW_UP.search(text):
            return None
        last = [(r.name, r.arguments) for r in self.turn.before]
        last += [(o.name, o.arguments) for o in self.outcomes if o.tool and o.arguments is not None]
        last += [(t.name, a) for t, a in self.pending]
        tool = self.tool(last[-1][0]) if last else None
        if tool is None or not tool.kinds:
            return None
        fresh = fill(tool.parameters, self.source(text, tool))
        held = set(concepts(" ".join(map(str, fresh.arguments.values()))))
        moments = {c for m in found.of("moment") for c in concepts(m.value.text)}
        left = [c for c in concepts(text) if c not in held | moments | tool.all()]
        return (tool, last[-1][1]) if fresh.arguments and not left else None

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
            if self._must_wait(tool, arguments):
                self.waiting = True
                return
            if tool.ask_first and not self._confirmed((tool.name, arguments)):
                self.asks.append(answering.ask_to_confirm(self.lang, tool.name, arguments))
                continue
            self.call(step, tool, arguments)

    def _confirmed(self, call: Call) -> bool:
        said = self.turn.confirmed or _CONFIRMED.search(self.turn.text)
        return bool(said) or self.ledger.has(call)

    def _must_wait(self, tool: ToolView, arguments: dict[str, Any]) -> bool:
        """A call waits behind a pending one that changes what it looks at, or shares its values."""
        for other, given in self.pending:
            shared = {str(v) for v in given.values()} & {str(v) for v in arguments.values()}
            acting, other_acts = is_acting(tool), is_acting(other)
            if other.name == tool.name and not acting:
                continue
            if (other_acts and not acting) or (shared and (acting or other_acts)):
                return True
        return False
