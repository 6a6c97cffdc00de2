"""Working through the steps: what has been done for each, and which calls are next."""

from __future__ import annotations

import datetime as dt
import json
import re
from dataclasses import dataclass, field
from typing import Any

from agentlib.offline import answering, mending
from agentlib.offline.choosing import ACTING, READING, ToolView, choose, is_acting, mended, rank
from agentlib.offline.conditions import holds
from agentlib.offline.filling import Filled, Source, fill
from agentlib.offline.history import Record, Turn
from agentlib.offline.mending import Call
from agentlib.offline.reading import Trouble, is_warning, trouble_of
from agentlib.offline.references import POINTS, Outcome, is_reference, resolve_from
from agentlib.offline.schemas import resolve
from agentlib.offline.steps import Step, split_steps
from agentlib.offline.values import find_values
from agentlib.offline.words import chinese_words, concept, concepts, near

_REPORT = re.compile(
    r"^\W*(?:(?:please|and|then|also|can you|could you)\s+)*(?:tell|show|give|say|explain|summari[sz]e|describe|report|let me know|"
    r"what|which|who|how|answer|print|compare|is|does|are)\b|^\W*(?:请|再|并|把)*(?:告诉|总结|说明|解释|说|概括|看看|比较|回答|汇报)",
    re.I,
)
_FOLLOW_UP = re.compile(
    r"^\W*(?:and|what about|how about|also|same|now|then|or|in|for)\b|^\W*(?:那|还有|以及|再看|换成)|呢\W*$",
    re.I,
)


@dataclass
class Work:
    """One turn's work, replayed from the history: outcomes so far, calls to make, questions to ask."""

    turn: Turn
    tools: list[ToolView]
    today: dt.date
    lang: str
    forced: ToolView | None = None
    required: bool = False
    outcomes: list[Outcome] = field(default_factory=list)
    ready: list[Call] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    halted: bool = False
    waiting: bool = False
    pending: list[tuple[ToolView, dict[str, Any]]] = field(default_factory=list)

    def run(self) -> None:
        """Go through the steps until one must wait for results."""
        whole = self.forced or self.required
        steps = split_steps(self.turn.text, frozenset(t.verb for t in self.tools))
        steps = (
            [Step(self.turn.text)] if whole and not self.turn.records and len(steps) < 2 else steps
        )
        for number, step in enumerate(steps):
            self.context = " ".join([*self.turn.earlier[-1:], *(s.text for s in steps[:number])])
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
        tool = self.forced or self._choose(found.text, found)
        text = mended(step.text, [tool]) if tool else step.text
        if tool and not self.forced and self._is_report(text, found):
            tool = None
        base: dict[str, Any] = {}
        if tool is None and (again := self._follow_up(text, found)):
            tool, base = again
        if tool is None:
            self._without_tool(step, text)
            return
        self._with_tool(step, text, tool, base)

    def _choose(self, text: str, found: Any) -> ToolView | None:
        if self.required and self.tools and not self.turn.records:
            return rank(text, found, self.tools)[0][2]
        return choose(text, found, self.tools)

    def _may_run(self, step: Step) -> bool:
        """Whether the step's condition holds; a condition about nothing known is looked up first."""
        if self._probe(step) and self.waiting:
            return False
        if self.ready:
            self.waiting = True
            return False
        done = [o for o in self.outcomes if o.state in ("ok", "failed")]
        answer = holds(step.condition, [o.result for o in done], self.given(done))
        if answer is not None and answer != step.negated:
            return True
        state = "unknown" if answer is None else "skipped"
        self.outcomes.append(Outcome(step, state))
        return False

    def given(self, done: list[Outcome]) -> set[str]:
        """Concepts of the calls' own arguments: a result that repeats them proves nothing."""
        return {c for o in done for v in (o.arguments or {}).values() for c in concepts(str(v))}

    def _probe(self, step: Step) -> bool:
        """Look up what a condition speaks of, when no result so far can tell."""
        text = mended(step.condition or "", self.tools)
        done = {o.tool.name for o in self.outcomes if o.tool} | {t.name for t, _ in self.pending}
        for _, by_words, tool in rank(text, find_values(text, self.today), self.tools):
            if by_words < 0.8 or is_acting(tool):
                continue
            if tool.name in done:
                return False
            filled = fill(tool.parameters, self._source(text, tool))
            if filled.missing and not done:  # "refund order 5 if it is not shipped"
                filled = fill(tool.parameters, self._source(f"{step.text} {text}", tool))
            if not filled.missing and (filled.certain or not done):
                self._call(Step(step.condition or ""), tool, filled.arguments)
                self.waiting = bool(self.ready)
                return True
        return False

    def _is_report(self, text: str, found: Any) -> bool:
        """ "Tell me what it says": nothing to call, the answer will say it."""
        if not (self.outcomes or self.pending) or not _REPORT.match(text):
            return False
        typed = found.of("path", "url", "email", "quote", "expression", "name")
        best = rank(text, found, self.tools)[0][1]
        topics = {c for o in self.outcomes if o.tool for c in o.tool.named | o.tool.first}
        topics |= {c for t, _ in self.pending for c in t.named | t.first}
        about = bool(concepts(text)) and set(concepts(text)) <= topics
        return not typed and (about or (bool(POINTS.search(text)) and best < 2.2))

    def _follow_up(self, text: str, found: Any) -> tuple[ToolView, dict[str, Any]] | None:
        """ "And in Tokyo?": the last tool again, with what the text changes."""
        if not _FOLLOW_UP.search(text):
            return None
        last: Any = next(
            (o for o in reversed(self.outcomes) if o.tool and o.arguments is not None), None
        )
        last = (last.name, last.arguments) if last else None
        last = last or next(((t.name, a) for t, a in reversed(self.pending)), None)
        last = last or next(((r.name, r.arguments) for r in reversed(self.turn.before)), None)
        tool = next((t for t in self.tools if last and t.name == last[0]), None)
        if tool is None or not tool.kinds:
            return None
        fresh = fill(tool.parameters, self._source(text, tool))
        held = set(concepts(" ".join(map(str, fresh.arguments.values()))))
        moments = {c for m in found.of("moment") for c in concepts(m.value.text)}
        left = [c for c in concepts(text) if c not in held | moments | tool.all()]
        return (tool, last[1]) if fresh.arguments and not left else None

    def _without_tool(self, step: Step, text: str) -> None:
        known = bool(self.outcomes or self.pending)
        report = (
            known and bool(_REPORT.match(text)) and (len(concepts(text)) < 4 or POINTS.search(text))
        )
        self.outcomes.append(Outcome(step, "report" if report else "untooled"))

    def _source(self, text: str, tool: ToolView) -> Source:
        verbs = {
            c
            for c in concepts(text)
            if c in READING | ACTING and c != "weather" and {c, *near(c)} & tool.all()
        }
        given = {name: reply for name, reply in self.turn.answers}
        return Source(
            text,
            self.today,
            frozenset(tool.named | verbs),
            self.context,
            given,
            is_acting(tool),
            told=tool.told,
        )

    def _with_tool(self, step: Step, text: str, tool: ToolView, base: dict[str, Any]) -> None:
        filled = fill(tool.parameters, self._source(text, tool))
        for name in [n for n, k, _ in tool.kinds if k == "moment" and n not in filled.arguments]:
            said = [
                o.step.text for o in self.outcomes if o.state == "untooled"
            ]  # "I go to Rome tomorrow."
            filled.arguments |= (
                self._only_from(name, " ".join(said), tool) if said and not base else {}
            )
        if base:
            filled.arguments = {**base, **filled.arguments}
            filled.missing = [n for n in filled.missing if n not in base]
        if not self._complete(step, text, tool, filled):
            return
        name, values = filled.several or ("", [None])
        for value in values:
            arguments = {**filled.arguments, name: value} if name else filled.arguments
            if self._must_wait(tool, arguments, text):
                self.waiting = True
                return
            if tool.ask_first and not self._confirmed() and not self._has(tool, arguments):
                self.asks.append(answering.ask_to_confirm(self.lang, tool.name, arguments))
                continue
            self._call(step, tool, arguments)

    def _complete(self, step: Step, text: str, tool: ToolView, filled: Filled) -> bool:
        """Fill what the text only points at from results; False when the step must wait or ask."""
        topics = {c for o in self.outcomes if o.tool for c in o.tool.named}
        topics |= {c for t, _ in self.pending for c in t.named}
        for name, value in list(filled.arguments.items()):
            pointing = filled.kinds.get(name) in (
                "content",
                "string",
                "query",
                "title",
                "person",
                "place",
                "array",
                "expression",
            )
            known = self.outcomes or self.pending or self.turn.before
            if pointing and known and is_reference(value, topics) and name not in self.turn.answers:
                del filled.arguments[name]
                filled.missing.append(name)
        for name in [
            n for n in filled.soft if n in filled.arguments and filled.kinds[n] == "content"
        ]:
            if (made := self._produce(text, tool)) is not None:
                filled.arguments[name] = made
            if self.waiting:
                return False
        if filled.missing and self.ready:
            self.waiting = True
            return False
        earlier = [
            Outcome(Step(""), "ok", self._tool(r.name), r.name, r.arguments, r.result or "")
            for r in self.turn.before
        ]
        for name in list(filled.missing):
            schema = resolve(tool.parameters["properties"].get(name, {}), tool.parameters)
            kind = filled.kinds.get(name, "string")
            value = resolve_from(name, kind, schema, text, [*earlier, *self.outcomes])
            if value is None:
                value = self._from_elsewhere(name, kind, text, tool)
            if self.waiting:
                return False
            if value is not None:
                filled.arguments[name] = value
                filled.missing.remove(name)
        known = tool.parameters.get("properties") or {}
        filled.arguments = {n: filled.arguments[n] for n in known if n in filled.arguments}
        if filled.missing and not (self.forced or self.required):
            name = filled.missing[0]
            schema = resolve(tool.parameters["properties"].get(name, {}), tool.parameters)
            self.asks.append(answering.ask(self.lang, tool.name, name, schema))
            return False
        for name in filled.missing:
            filled.arguments[name] = _placeholder(
                resolve(tool.parameters["properties"].get(name, {}), tool.parameters)
            )
        return True

    def _from_elsewhere(self, name: str, kind: str, text: str, tool: ToolView) -> Any:
        """A value from the task's other sentences, or from a tool the step itself speaks of."""
        if kind == "content" and (made := self._produce(text, tool)) is not None:
            return made
        for other in reversed([*self.turn.earlier[-1:], *self.others]):
            if kind in ("place", "email", "url", "id", "pattern", "enum", "currency", "moment"):
                found = self._only_from(name, other, tool)
                if found:
                    return found[name]
        return None

    def _only_from(self, name: str, text: str, tool: ToolView) -> dict[str, Any]:
        """One parameter alone, filled from another sentence."""
        part = {**tool.parameters, "required": [name]}
        part["properties"] = {name: tool.parameters["properties"][name]}
        return fill(part, self._source(text, tool)).arguments

    def _produce(self, text: str, tool: ToolView) -> str | None:
        """ "Save the weather in Paris to a.txt": the weather has to be asked for first."""
        source = self._source(text, tool)
        fill({**tool.parameters, "required": ["path"]}, source)
        rest = text
        for start, end in sorted(source.used, reverse=True):
            rest = rest[:start] + rest[end:]
        rest = re.sub(
            r"[A-Za-z]+|[\u3400-\u9fff]+",
            lambda m: "".join(w for w in _pieces(m[0]) if concept(w) not in ACTING),
            rest,
        )
        others = [t for t in self.tools if t.name != tool.name and not is_acting(t)]
        found = find_values(rest, self.today)
        best = rank(rest, found, others)[:1]
        if not best or best[0][1] < 0.8:
            return None
        maker = best[0][2]
        filled = fill(maker.parameters, self._source(rest, maker))
        typed = filled.certain and found.of("path", "url", "number")
        if filled.missing or (best[0][1] < 2.2 and not typed):
            return None
        before = len(self.outcomes)
        for value in filled.several[1] if filled.several else [None]:
            arguments = (
                {**filled.arguments, filled.several[0]: value}
                if filled.several
                else filled.arguments
            )
            self._call(Step(rest), maker, arguments)
        if self.ready:
            self.waiting = True
            return None
        made = [o for o in self.outcomes[before:] if o.state == "ok"]
        return "\n".join(answering.phrase(answering.parsed(o.result)) for o in made) or None

    def _tool(self, name: str) -> ToolView | None:
        return next((t for t in self.tools if t.name == name), None)

    def _confirmed(self) -> bool:
        return self.turn.confirmed or bool(
            re.search(r"\bconfirm(?:ed)?\b|确认", self.turn.text, re.I)
        )

    def _has(self, tool: ToolView, arguments: dict[str, Any]) -> bool:
        return any(r.name == tool.name and r.arguments == arguments for r in self.turn.records)

    def _must_wait(self, tool: ToolView, arguments: dict[str, Any], text: str) -> bool:
        """A call waits behind a pending one that changes what it looks at, or shares its values."""
        for other, given in self.pending:
            shared = {str(v) for v in given.values()} & {str(v) for v in arguments.values()}
            acting, other_acts = is_acting(tool), is_acting(other)
            if other.name == tool.name and not acting:
                continue
            if (other_acts and not acting) or (shared and (acting or other_acts)):
                return True
        return False

    def _call(self, step: Step, tool: ToolView, arguments: dict[str, Any]) -> None:
        """Replay the call's records: done, failed, or the next call to make."""
        call: Call = (tool.name, arguments)
        failures: list[str] = []
        stray = 0
        while True:
            record = self._record(call)
            if record is None and not is_acting(tool) and not failures:
                record = self._known(call)
            if record is None and stray < 4 and (odd := self._distorted(call)):
                record, stray = odd, stray + 1
            if record is None:
                if failures.count(_key(call)) < 2 and not self.halted:
                    self.ready.append(call)
                    self.pending.append((tool, call[1]))
                return
            record.used = True
            trouble = trouble_of(record.result or "")
            if trouble is None:
                self.halted |= is_warning(record.result or "")
                self.outcomes.append(
                    Outcome(step, "ok", tool, record.name, record.arguments, record.result or "")
                )
                return
            following = self._after(trouble, record, call, tool, failures)
            if following is None:
                state = "denied" if trouble.kind == "denied" else "failed"
                self.halted |= trouble.kind in ("denied", "loop")
                if not self.waiting:
                    self.outcomes.append(
                        Outcome(
                            step,
                            state,
                            tool,
                            record.name,
                            record.arguments,
                            record.result or "",
                            trouble.message,
                        )
                    )
                return
            call = following
            tool = self._tool(call[0]) or tool

    def _after(
        self, trouble: Trouble, record: Record, call: Call, tool: ToolView, failures: list[str]
    ) -> Call | None:
        """The next call after an error, or None to give up."""
        failures.append(_key((record.name, record.arguments)))
        if trouble.kind in ("denied", "loop") or len(failures) > 5:
            return None
        if _key(call) != failures[-1]:  # what went wrong was not the call meant
            return call if failures.count(_key(call)) < 2 else None
        following = None
        if trouble.kind == "missing":
            following = self._other_file(call, tool)
            if self.waiting:
                return None
        following = following or mending.mend(trouble, tool, call[1], self.tools)
        if following and failures.count(_key(following)) < (
            2 if _key(following) == failures[-1] else 1
        ):
            return following
        return None

    def _other_file(self, call: Call, tool: ToolView) -> Call | None:
        """Look beside a missing file, then the closest name there."""
        look = mending.listing_call(tool, call[1], self.tools)
        if look is None or is_acting(tool) and "edit" not in tool.named:
            return None
        record = self._record(look, used=True)
        if record is None:
            self.ready.append(look)
            self.pending.append((self._tool(look[0]) or tool, look[1]))
            self.waiting = True
            return None
        record.used = True
        if trouble_of(record.result or ""):
            return None
        return mending.other_file(tool, call[1], record.result or "", "")

    def _record(self, call: Call, used: bool = False) -> Record | None:
        key = _key(call)
        return next(
            (
                r
                for r in self.turn.records
                if (used or not r.used) and _key((r.name, r.arguments)) == key
            ),
            None,
        )

    def _known(self, call: Call) -> Record | None:
        """The good result of the same call made earlier in the turn: looking once is enough."""
        record = self._record(call, used=True)
        if record is None or trouble_of(record.result or "") is not None:
            return None
        later = self.turn.records[self.turn.records.index(record) + 1 :]
        changed = any((tool := self._tool(r.name)) and is_acting(tool) for r in later)
        return None if changed else record

    def _distorted(self, call: Call) -> Record | None:
        """An unused record that was meant to be this call but reads otherwise."""
        names = {t.name for t in self.tools}
        for record in self.turn.records:
            if record.used or (record.name != call[0] and record.name in names):
                continue
            failed = trouble_of(record.result or "") is not None
            same = sum(1 for k, v in record.arguments.items() if call[1].get(k) == v)
            alike = same / max(len({*record.arguments, *call[1]}), 1)
            if record.name != call[0]:
                if failed and (alike >= 0.5 or not record.arguments):
                    return record
            elif alike > 0.5 or (
                failed and ("" in record.arguments or alike >= 0.5 or self._only(call))
            ):
                return record
        return None

    def _only(self, call: Call) -> bool:
        return sum(1 for r in self.turn.records if r.name == call[0] and not r.used) == 1


def _pieces(run: str) -> list[str]:
    return [run] if run.isascii() else chinese_words(run)


def _key(call: Call) -> str:
    return call[0] + json.dumps(call[1], sort_keys=True, default=str, ensure_ascii=False)


def _placeholder(schema: dict[str, Any]) -> Any:
    """A value for a forced call whose text holds none: default, example, enum, or empty."""
    for found in (
        schema.get("default"),
        *(schema.get("examples") or []),
        *(schema.get("enum") or []),
    ):
        if found is not None:
            return found
    empty = {"integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}
    return empty.get(schema.get("type"), "")
