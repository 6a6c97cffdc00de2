"""An order over several objects: "Pay Ana 50 EUR and Ben 30 EUR" is two orders, one verb."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentlib.offline.amounts import NUMBER_WORD
from agentlib.offline.filling import Filled, fill
from agentlib.offline.lexicon import STOP
from agentlib.offline.patterns import CURRENCY
from agentlib.offline.toolview import ToolView, is_acting
from agentlib.offline.values import find_values

if TYPE_CHECKING:
    from agentlib.offline.work import Work

_JOINT = re.compile(r"\s*,\s*and\s+|\s*,\s+|\s+and\s+|\s*[，、]\s*", re.IGNORECASE)
_LEAD = re.compile(
    r"\W*(?:(?:please|can you|could you|would you|also|then|and)\s+)*[A-Za-z]+\s+"
    r"(?:(?:me|us|the|a|an|for)\s+)*",
    re.IGNORECASE,
)


_ANOTHER = re.compile(
    r"(?P<order>.*?\b(?:an?|one)\s+\w+)\s+(?P<first>.+?)\s*,?\s+and\s+(?:then\s+)?another"
    r"(?:\s+one)?\s+(?P<second>(?:for|at|of|in|on|to|from|with|called|named)\s.+)",
    re.IGNORECASE,
)


def carried(work: Work, text: str, tool: ToolView) -> list[str]:
    """The orders that one verb gives over several object groups; none for a single one."""
    if more := _ANOTHER.fullmatch(text):  # "... a timer for 5 minutes and another for 10"
        return [f"{more['order']} {more[part]}" for part in ("first", "second")]
    lead = _LEAD.match(text)
    if not lead or any(k == "array" for _, k, _ in tool.kinds):
        return []
    groups = _groups(work, text[lead.end() :])
    parts = [f"{lead[0]}{re.sub(r'^one(?= )', '1', group, flags=re.I)}" for group in groups]
    filled = [fill(tool.parameters, work.source(part, tool)) for part in parts]
    if len(parts) < 2 or any(len(f.arguments) < 2 or f.missing or f.several for f in filled):
        return []
    return parts


def _groups(work: Work, text: str) -> list[str]:
    """The pieces between commas and "and", when all are built alike of two kinds of values."""
    text = re.sub(r"[\s,]+(?:please|thanks|thank you)\W*$", "", text, flags=re.I).rstrip(" .!")
    pieces = [p for p in _JOINT.split(text) if p.strip()]
    shapes = [_shape(work, p) for p in pieces]
    alike = len(pieces) > 1 and len(set(shapes)) == 1 and len(set(shapes[0]) & set("NQDMEw")) > 1
    return pieces if alike and set(shapes[0]) & set("QDME") else []


_COUNT = re.compile(rf"{NUMBER_WORD.pattern}|\bone\b", re.IGNORECASE)
_LETTERS = {"name": "N", "quote": "Q", "number": "D", "moment": "M", "email": "E"}


def _shape(work: Work, text: str) -> str:
    """The kinds of values in order, runs of unknown words as w: "Ana 50 EUR" is ND."""
    spans = [(m.start(), m.end(), "") for m in CURRENCY.finditer(text)]
    for value in find_values(text, work.today).values:
        if not any(s < value.end and value.start < e for s, e, _ in spans):
            spans.append((value.start, value.end, _LETTERS.get(value.kind, "?")))
    for match in _COUNT.finditer(text):
        if not any(s < match.end() and match.start() < e for s, e, _ in spans):
            spans.append((*match.span(), "D"))
    for word in re.finditer(r"[A-Za-z][\w'-]*", text):
        if not any(s < word.end() and word.start() < e for s, e, _ in spans):
            plain = word[0].lower() in STOP
            if word[0].lower() in ("a", "an", "the"):
                continue
            spans.append((*word.span(), word[0].lower() + " " if plain else "w"))
    shape = "".join(letter for _, _, letter in sorted(spans))
    return re.sub(r"w+", "w", shape)


def left_over(work: Work, text: str, tool: ToolView, filled: Filled) -> str:
    """What stands behind the last "and" of an order when no argument came from it; else ""."""
    last = list(re.finditer(r"\s*,?\s+and\s+(?:also\s+)?|\s*以及\s*", text))
    if not last or not is_acting(tool) or filled.missing:
        return ""
    rest = text[last[-1].end() :]
    typed = find_values(rest, work.today).of("name", "number", "quote", "email", "path")
    said = " ".join(str(v) for given in filled.each() for v in given.values()).lower()
    used = any(str(v.value).lower() in said for v in typed) or any(
        w.lower() in said for w in re.findall(r"\w{3,}", rest)
    )
    return rest.strip(" .!") if typed and not used else ""


def left_out(lang: str, text: str) -> str:
    """That a part of the order found no place in a call."""
    if lang == "zh":
        return f"这一部分我没有执行：“{text}”。"
    return f'I left out "{text}": I could not tell what to do with it.'
