"""What the values and turns of a text say: for or against a tool, or of the subject."""

from __future__ import annotations

import re

from agentlib.offline.amounts import is_money
from agentlib.offline.patterns import CURRENCY
from agentlib.offline.schemas import resolve
from agentlib.offline.toolview import ToolView
from agentlib.offline.typed import matching
from agentlib.offline.values import Found
from agentlib.offline.words import words


def evidence(found: Found, tool: ToolView) -> float:
    """Values a parameter waits for speak for the tool; values it can't take speak against it."""
    kinds = {k for _, k, _ in tool.kinds}
    required = {k for _, k, needed in tool.kinds if needed}
    total = _looks(found, tool, kinds)
    total -= 3.0 if tool.present and _is_to_come(found) else 0.0
    total += 0.9 if found.of("expression") and "expression" in kinds else 0.0
    total += 0.3 if found.of("quote") and kinds & {"content", "title", "query", "string"} else 0.0
    total += 0.6 if {"old", "new"} <= kinds and len(found.of("quote")) > 1 else 0.0
    total += 0.5 if found.of("name") and {"place", "person"} & required else 0.0
    for name, kind, needed in tool.kinds:
        if kind in ("url", "path", "email") and needed and not found.of(kind, "quote"):
            total -= 0.4
        elif kind == "pattern":
            total += 1.2 if _pattern_hit(found.text, tool, name) else -0.8 * needed
        elif kind == "enum" and _enum_hit(found.text, tool, name):
            total += 0.5
    return total


def _is_to_come(found: Found) -> bool:
    return bool(re.search(r"\btomorrow\b|\bnext (?:week|month)\b|[明后]天|下周", found.text, re.I))


def _looks(found: Found, tool: ToolView, kinds: set[str]) -> float:
    """URLs, addresses and paths against what the tool takes."""
    total = 0.0
    kinds = kinds | ({"email"} if kinds & {"person"} else set())
    for kind in ("url", "email", "path"):
        if found.of(kind) and kind in kinds:
            total += 0.9
        elif found.of(kind) and not kinds & {"array", "object"}:
            total -= 0.0 if kind == "path" and kinds & {"content", "command"} else 1.2
    paths = [v.value for v in found.of("path") if v.value != "."]
    if "path" in kinds and "directory" in tool.named and paths:
        total -= 0.8 if all("." in p.rsplit("/", 1)[-1] for p in paths) else 0.0
    return total


def _pattern_hit(text: str, tool: ToolView, name: str) -> bool:
    return bool(matching(resolve(tool.parameters["properties"][name], tool.parameters), text))


def _enum_hit(text: str, tool: ToolView, name: str) -> bool:
    schema = resolve(tool.parameters["properties"][name], tool.parameters)
    low = set(words(text))
    return any(str(c).lower() in low or str(c) in text for c in schema.get("enum") or [])


QUESTION = re.compile(
    r"\W*(?:(?:hi|hello|hey)\b[^,.!]*[,.!]\s*)?"
    r"(?:(?:please |can you |could you )*(?:tell|show) me )?"
    r"(?:what|whats|who|where|when|which|how (?!about\b)\w+)\b"
    r"|\W*(?:(?:please|can you|could you)\s+)*(?:show me|show (?:all|my)|display)\b"
    r"|\W*(?:is|are|does|do|did|has|have|will)\b|.*(?:吗|多少|几点|怎么样|如何)\W*$",
    re.IGNORECASE | re.DOTALL,
)


_OPERATIONS = {"+": ("add", "sum"), "-": ("subtract",)} | {
    s: (n,) for s, n in (("*", "multiply"), ("×", "multiply"), ("/", "divide"), ("÷", "divide"))
}


_TONGUE = re.compile(
    r"\b(?:in|into|to)\s+(?:English|German|French|Spanish|Italian|Chinese|Japanese|Korean|Russian"
    r"|Portuguese|Arabic|Dutch|Latin|Greek)\b|用[英法德日韩俄]?[文语]?(?:怎么)?说",
    re.IGNORECASE,
)


_SPOKEN_SIGN = re.compile(r"\b(?:divided?|multipl(?:y|ied)|subtract|plus|minus)\b|[加减乘除]", re.I)


def implied_by(found: Found) -> dict[str, float]:
    """What values say about the subject: a path speaks of files, a sum of calculating."""
    implied: dict[str, float] = {}
    if re.search(r"\bhow much (?:is|are|does|do|for)\b", found.text, re.I) and not found.of(
        "number"
    ):
        implied["price"] = 0.9
    if re.search(r"\bwhat (?:does|do)\b.+\bmean\b|什么意思", found.text, re.I):
        implied["meaning"] = 1.0
    if re.search(r"\bdo you (?:have|know)\b|\b(?:is|are) there\b|有没有", found.text, re.I):
        files = [v for v in found.of("path") if "." in v.value.strip("./")]
        named = re.search(r"\bfile\b|\bexists?\b|文件", found.text, re.I)
        implied |= {"read": 0.9} if files and not named else {"find": 0.7, "list": 0.7}
    if re.search(r"\bhow (?:do|can|should|to)\b.*\b(?:make|cook|bake|prepare)\b", found.text, re.I):
        implied["recipe"] = 1.0
    for value in found.values:
        if value.kind == "path":
            if value.value == ".":
                implied |= {"directory": 1.2, "file": 0.0}
                continue
            folder = value.value.endswith(("/", ".")) or "." not in value.value.rsplit("/", 1)[-1]
            implied["directory" if folder else "file"] = 0.6
        elif value.kind in ("url", "email"):
            implied[value.kind] = 0.6
        elif value.kind == "quote" and found.text[value.start] == "`":
            implied["command"] = 0.6
        elif value.kind == "expression":
            implied["calculate"] = 1.0
            sign = re.search(r"(?<=[\d)\s])[-+*/×÷]", value.value)
            implied |= dict.fromkeys(_OPERATIONS.get(sign[0] if sign else "", ()), 0.9)
    if re.match(r"\W*(?:please\s+)?text\s+(?:her|him|them|me|my|[A-Z])", found.text):
        implied |= {"message": 1.0, "send": 0.7}
    if len(found.of("number")) > 1 and _SPOKEN_SIGN.search(found.text):
        implied["calculate"] = 0.9
    if _TONGUE.search(found.text):
        implied["translate"] = 0.9
    if CURRENCY.search(found.text):
        implied |= _implied_money(found)
    return implied


def _implied_money(found: Found) -> dict[str, float]:
    """A sum of money that is sent or given away speaks of paying, a lone code of currencies."""
    sums = [v for v in found.of("number") if is_money(v, found.text)]
    if sums and re.search(r"\b(?:send|give|transfer|wire)\b|给|转", found.text, re.I):
        return {"pay": 0.9, "currency": 0.0}
    two = len({m[0].lower() for m in CURRENCY.finditer(found.text)}) > 1
    return {} if sums and not two and not QUESTION.match(found.text) else {"currency": 0.8}
