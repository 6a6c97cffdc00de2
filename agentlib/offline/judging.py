"""What kind of step it is: a report, a follow-up, two wishes in one, or one that has to wait."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agentlib.offline.choosing import choose, mended, rank
from agentlib.offline.filling import fill
from agentlib.offline.picking import POINTS
from agentlib.offline.splitting import Step
from agentlib.offline.toolview import ToolView, is_acting
from agentlib.offline.values import Found, find_values
from agentlib.offline.words import concepts

if TYPE_CHECKING:
    from agentlib.offline.work import Work

_REPORT = re.compile(
    r"^\W*(?:(?:please|and|then|also|can you|could you)\s+)*(?:tell|show|give|say|explain|"
    r"summari[sz]e|describe|report|let me know|what|which|who|how|answer|print|compare|is"
    r"|does|are)\b"
    r"|^\W*(?:请|再|并|把)*(?:告诉|总结|说明|解释|说|概括|看看|比较|回答|汇报)",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(
    r"^\W*(?:and|what about|how about|also|same|now|then|or|in|for|i mean\w*|no|sorry"
    r"|actually|rather)\b"
    r"|^\W*(?:那|还有|以及|再看|换成)|呢\W*$",
    re.IGNORECASE,
)
_ASKS_OF = re.compile(r"\W*(?:and\s+)?(?:what|how) about\b|.*呢\W*$", re.IGNORECASE)
_BOTH = re.compile(r"\s+(?:and|as well as|plus)\s+(?:also\s+)?|和|以及|还有", re.IGNORECASE)


def is_report(work: Work, text: str, found: Found) -> bool:
    """ "Tell me what it says": nothing to call, the answer will say it."""
    if not (work.outcomes or work.pending) or not _REPORT.match(text):
        return False
    topics = {c for o in work.outcomes if o.tool for c in o.tool.named | o.tool.first}
    topics |= {c for t, _ in work.pending for c in t.named | t.first}
    about = bool(concepts(text)) and set(concepts(text)) <= topics
    acted = [o.tool for o in work.outcomes if o.tool] + [t for t, _ in work.pending]
    best = rank(text, found, work.tools)[0]
    if about and all(is_acting(t) for t in acted) and best[0] >= 1.1:
        about = is_acting(best[2])  # "add it, then show me all tasks"
    vague = bool(POINTS.search(text)) and best[1] < 2.2
    typed = found.of("path", "url", "email", "quote", "expression", "name")
    return not typed and (about or vague)


_SHOW_IT = re.compile(
    r"^\W*(?:(?:please|then|and|only|just)\s+)*(?:show|print|display|read|open)\s+(?:me\s+)?"
    r"(?:it|that|this|the (?:new )?file)\b"
    r"|^\W*(?:只|再|请)*(?:显示|读取|读|打开|看看)(?:它|这个文件|该文件)",
    re.IGNORECASE,
)


def reader_of(work: Work, text: str) -> ToolView | None:
    """The tool that reads, for "show it" about a file that no call of this turn has read."""
    if not _SHOW_IT.match(text):
        return None
    known = [o.tool for o in work.outcomes if o.tool] + [t for t, _ in work.pending]
    if known and not is_acting(known[-1]) or not (known or work.others):
        return None
    readers = [t for t in work.tools if "read" in t.named and not is_acting(t)]
    return next((t for t in readers if [k for _, k, n in t.kinds if n] == ["path"]), None)


def is_remark(work: Work, text: str) -> bool:
    """A step no tool fits that the answer to the others takes care of."""
    known = bool(work.outcomes or work.pending) and bool(_REPORT.match(text))
    return known and (len(concepts(text)) < 4 or bool(POINTS.search(text)))


def follow_up(work: Work, text: str, found: Found) -> tuple[ToolView, dict[str, Any]] | None:
    """ "And in Tokyo?": the last tool again, with what the text changes."""
    if not _FOLLOW_UP.search(text):
        return None
    last = [(r.name, r.arguments) for r in work.turn.before]
    last += [(o.name, o.arguments) for o in work.outcomes if o.tool and o.arguments is not None]
    last += [(t.name, a) for t, a in work.pending]
    tool = work.tool(last[-1][0]) if last else None
    if tool is None or not tool.kinds or (tool.undoes and _ASKS_OF.match(text)):
        return None
    fresh = fill(tool.parameters, work.source(text, tool))
    held = set(concepts(" ".join(map(str, fresh.arguments.values()))))
    moments = {c for m in found.of("moment") for c in concepts(m.value.text)}
    left = [c for c in concepts(text) if c not in held | moments | tool.all()]
    return (tool, last[-1][1]) if fresh.arguments and not left else None


def lacking(work: Work, text: str) -> Callable[[ToolView], int]:
    """How many required arguments a tool lacks; none are counted where results may give them."""
    pointing = bool(POINTS.search(text)) and bool(work.outcomes or work.pending)

    def count(tool: ToolView) -> int:
        if pointing:
            return 0
        source = work.source(text, tool)
        missing, dated = fill(tool.parameters, source).missing, source.found.of("moment")
        moments = {n for n, k, _ in tool.kinds if k == "moment" and dated}
        return len(set(missing) - moments)  # tomorrow says enough to choose, the time is asked for

    return count


def two_wishes(work: Work, text: str) -> list[str]:
    """ "The time and the weather in Rome": the halves, when each names a tool of its own."""
    halves = _BOTH.split(text)
    if len(halves) != 2 or work.forced or work.required:
        return []
    chosen = []
    for half in halves:
        found = find_values(half, work.today)
        tool = choose(half, found, work.tools)
        if (
            tool is None
            or is_acting(tool)
            or fill(tool.parameters, work.source(half, tool)).missing
        ):
            return []
        chosen.append(tool.name)
    return halves if len(set(chosen)) == 2 else []


def must_wait(
    pending: list[tuple[ToolView, dict[str, Any]]], tool: ToolView, arguments: dict[str, Any]
) -> bool:
    """A call waits behind a pending one that changes what it looks at, or shares its values."""
    acting = is_acting(tool)
    for other, given in pending:
        shared = {str(v) for v in given.values()} & {str(v) for v in arguments.values()}
        other_acts = is_acting(other)
        if other.name == tool.name and not acting:
            continue
        if (other_acts and not acting) or (shared and (acting or other_acts)):
            return True
    return False


def probe(work: Work, step: Step) -> None:
    """Look up what a condition speaks of, when no result so far can tell."""
    text = mended(step.condition or "", work.tools)
    done = {o.tool.name for o in work.outcomes if o.tool} | {t.name for t, _ in work.pending}
    for _, by_words, tool in rank(text, find_values(text, work.today), work.tools):
        if by_words < 0.8 or is_acting(tool):
            continue
        if tool.name in done:
            return
        filled = fill(tool.parameters, work.source(text, tool))
        if filled.missing and not done:  # "refund order 5 if it is not shipped"
            filled = fill(tool.parameters, work.source(f"{step.text} {text}", tool))
        if not filled.missing and (filled.certain or not done):
            work.call(Step(step.condition or ""), tool, filled.arguments)
            return


_AGAIN = re.compile(r"\bagain\b|\bonce more\b|\banother\b|再", re.IGNORECASE)


def done_before(work: Work, text: str, tool: ToolView, arguments: dict[str, Any]) -> bool:
    """Whether an earlier step of the turn is this very action: "I weigh 60 kg, log it"."""
    made = [(t.name, a) for t, a in work.pending]
    made += [(o.name, o.arguments) for o in work.outcomes if o.state == "ok"]
    return (tool.name, arguments) in made and not _AGAIN.search(text)
