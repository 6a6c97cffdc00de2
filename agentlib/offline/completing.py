"""Arguments a step only points at: from earlier results, other sentences, or a call made first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from agentlib.offline import answering
from agentlib.offline.choosing import rank
from agentlib.offline.filling import Filled, fill
from agentlib.offline.looking import find_file, keep_first, look_first
from agentlib.offline.picking import POINTS
from agentlib.offline.references import Outcome, is_reference, plain, resolve_from
from agentlib.offline.schemas import resolve
from agentlib.offline.steps import Step
from agentlib.offline.toolview import ACTING, ToolView, is_acting
from agentlib.offline.values import find_values
from agentlib.offline.words import chinese_words, concept

if TYPE_CHECKING:
    from agentlib.offline.work import Work

_POINTING = {"content", "string", "query", "title", "person", "place", "array", "expression"}
_SAID_ELSEWHERE = {"place", "email", "url", "id", "pattern", "enum", "currency", "moment"}


def complete(work: Work, step: Step, text: str, tool: ToolView, filled: Filled) -> bool:
    """Fill in what the text only points at; False when the step has to wait or to ask."""
    if not look_first(work, text, tool, filled):
        return False
    _drop_references(work, text, tool, filled)
    for name in [n for n in filled.soft if filled.kinds[n] == "content" and n in filled.arguments]:
        if (made := produce(work, text, tool)) is not None:
            filled.arguments[name] = made
    if work.waiting or (filled.missing and work.ready):
        work.waiting = True
        return False
    lacked = list(filled.missing)
    for name in lacked:
        value = _from_results(work, name, text, tool, filled)
        if work.waiting:
            return False
        if value is not None:
            filled.arguments[name] = value
            filled.missing.remove(name)
            late = filled.kinds[name] == "path"  # "write 'x' to the end of it"
            if late and not keep_first(work, text, tool, filled, name):
                return False
    _result_first(text, filled, lacked)
    known = tool.parameters.get("properties") or {}
    filled.arguments = {n: filled.arguments[n] for n in known if n in filled.arguments}
    return _settle(work, tool, filled)


def _result_first(text: str, filled: Filled, lacked: list[str]) -> None:
    """Of two numbers the result is the first: "divide it by 5", "subtract 5 from the result"."""
    numbers = [n for n, k in filled.kinds.items() if k == "number" and n in filled.arguments]
    if len(numbers) != 2 or lacked != numbers[1:]:
        return
    if re.search(r"\b(?:from|to)\s+(?:the|that|it)\b|(?:it|result|that|them)\b[^\d]*\bby\b", text):
        first, second = numbers
        given = filled.arguments
        given[first], given[second] = given[second], given[first]


def _settle(work: Work, tool: ToolView, filled: Filled) -> bool:
    """Ask for the first missing argument; a forced call gets placeholders instead."""
    schemas = {n: schema_of(tool, n) for n in filled.missing}
    if filled.missing and not (work.forced or work.required):
        name = filled.missing[0]
        work.asks.append(answering.ask(work.lang, tool.name, name, schemas[name]))
        return False
    filled.arguments |= {n: _placeholder(s) for n, s in schemas.items()}
    return True


def schema_of(tool: ToolView, name: str) -> dict[str, Any]:
    """The resolved schema of one parameter."""
    return resolve((tool.parameters.get("properties") or {}).get(name, {}), tool.parameters)


def _drop_references(work: Work, text: str, tool: ToolView, filled: Filled) -> None:
    """ "the result", "it", "the weather" as arguments: they are looked up, not sent."""
    if not (work.outcomes or work.pending or work.turn.before):
        return
    topics = {c for o in work.outcomes if o.tool for c in o.tool.named} | set(tool.named)
    topics |= {c for t, _ in work.pending for c in t.named}
    asked = {name for name, _ in work.turn.answers}
    quoted = [v.value for v in find_values(text, work.today).of("quote")]
    for name, value in list(filled.arguments.items()):
        if filled.kinds.get(name) not in _POINTING or name in asked or value in quoted:
            continue
        names = [v.value for v in find_values(text, work.today).of("name")]
        if filled.kinds[name] == "place" and _THERE.search(text) and value not in names:
            value = "it"  # "how many people live there"
        if is_reference(value, topics):
            del filled.arguments[name]
            filled.missing.append(name)


_THERE = re.compile(r"(?<!is )(?<!are )\bthere\b(?! is| are|['’])|那里|那儿", re.IGNORECASE)


def _from_results(work: Work, name: str, text: str, tool: ToolView, filled: Filled) -> Any:
    earlier = [
        Outcome(Step(""), "ok", work.tool(r.name), r.name, r.arguments, r.result or "")
        for r in work.turn.before
    ]
    kind = filled.kinds.get(name, "string")
    if kind == "path":
        find_file(work, text, tool)
    value = resolve_from(name, kind, schema_of(tool, name), text, [*earlier, *work.outcomes])
    if value is not None:
        return value
    if kind == "content":
        return produce(work, text, tool)
    if (told := told_before(work, text, name, tool, filled)) is not None:
        return told
    if kind in _SAID_ELSEWHERE or (kind == "path" and POINTS.search(text)):
        for other in reversed([*work.turn.earlier[-1:], *work.others]):
            if found := only_from(work, name, other, tool):
                return found[name]
    return None


def told_before(work: Work, text: str, name: str, tool: ToolView, filled: Filled) -> Any:
    """ "I ran 30 minutes, log it": what the order points at stands in the statement before."""
    last = work.outcomes[-1] if work.outcomes else None
    if last is None or last.state not in ("untooled", "report") or not _IT.search(text):
        return None
    part = _part(work, name, last.step.text, tool)
    if part.several:  # "I finished items 2 and 3, complete them"
        filled.several = part.several
    return part.arguments.get(name)


_IT = re.compile(r"\b(?:it|that|this|them|these|those)\b|它|这个|这些|一下\W*$", re.IGNORECASE)


def only_from(work: Work, name: str, text: str, tool: ToolView) -> dict[str, Any]:
    """One parameter alone, filled from another sentence."""
    return _part(work, name, text, tool).arguments


def _part(work: Work, name: str, text: str, tool: ToolView) -> Filled:
    part = {**tool.parameters, "required": [name]}
    part["properties"] = {name: tool.parameters["properties"][name]}
    return fill(part, work.source(text, tool))


def produce(work: Work, text: str, tool: ToolView) -> str | None:
    """ "Save the weather in Paris to a.txt": the weather has to be asked for first."""
    rest = _without_target(work, text, tool)
    others = [t for t in work.tools if t.name != tool.name and not is_acting(t)]
    found = find_values(rest, work.today)
    best = rank(rest, found, others)[:1]
    if not best or best[0][1] < 0.8:
        return None
    maker = best[0][2]
    filled = fill(maker.parameters, work.source(rest, maker))
    typed = filled.certain and found.of("path", "url", "number")
    if filled.missing or (best[0][1] < 2.2 and not typed):
        return None
    before = len(work.outcomes)
    for arguments in filled.each():
        work.call(Step(rest), maker, arguments)
    if work.ready:
        work.waiting = True
        return None
    made = [o for o in work.outcomes[before:] if o.state == "ok"]
    return "\n".join(plain(o) for o in made) or None


def _without_target(work: Work, text: str, tool: ToolView) -> str:
    """The step without where it goes and without its verb: what is to be written."""
    source = work.source(text, tool)
    fill({**tool.parameters, "required": ["path"]}, source)
    for start, end in sorted(source.used, reverse=True):
        text = text[:start] + text[end:]

    def keep(match: re.Match[str]) -> str:
        run = match[0]
        pieces = [run] if run.isascii() else chinese_words(run)
        return "".join(w for w in pieces if concept(w) not in ACTING | tool.named)

    return re.sub(r"[A-Za-z]+|[\u3400-\u9fff]+", keep, text)


def _placeholder(schema: dict[str, Any]) -> Any:
    """A value for a forced call whose text holds none: default, example, enum, or empty."""
    shown = (schema.get("default"), *(schema.get("examples") or []), *(schema.get("enum") or []))
    empty = {"integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}
    return next((s for s in shown if s is not None), empty.get(schema.get("type"), ""))
