"""Which tool fits a step best: by words of name, description, parameters, and by values at hand."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from agentlib.offline.amounts import CURRENCY, is_money
from agentlib.offline.evidence import evidence
from agentlib.offline.lexicon import VERBS
from agentlib.offline.toolview import ACTING, READING, ToolView, is_acting
from agentlib.offline.values import Found
from agentlib.offline.words import CJK, concept, concepts, is_known, near, nearest, weight

_QUESTION = re.compile(
    r"\W*(?:(?:hi|hello|hey)\b[^,.!]*[,.!]\s*)?"
    r"(?:(?:please |can you |could you )*(?:tell|show) me )?"
    r"(?:what|whats|who|where|when|which|how (?!about\b)\w+)\b"
    r"|\W*(?:(?:please|can you|could you)\s+)*(?:show me|show (?:all|my)|display)\b"
    r"|\W*(?:is|are|does|do|did|has|have|will)\b|.*(?:吗|多少|几点|怎么样|如何)\W*$",
    re.IGNORECASE | re.DOTALL,
)
_WHICH = re.compile(
    r"\b(?:what|which|how many)\s+(?:(?!is\b|does\b|was\b|has\b)\w+\s+)?(?!is\b|does\b|was\b"
    r"|has\b)\w+s\b"
    r"|\b(?:show|see|display)\s+(?:me\s+)?(?:all|my|the)\s+(?:\w+\s+)?\w+s\b"
    r"|哪些|哪几|有几个|多少个|有什么|(?:显示|看看|看一下|列出)(?:所有|全部|我的)",
    re.IGNORECASE,
)
_CONTENT = re.compile(
    r"\bwhat(?:'s|s| is)? (?:in|inside)\b|\bwhat (?:does|do)\b.+\bsay|内容|写了什么", re.I
)
_OPERATIONS = {"+": ("add", "sum"), "-": ("subtract",)} | {
    s: (n,) for s, n in (("*", "multiply"), ("×", "multiply"), ("/", "divide"), ("÷", "divide"))
}
_VERBS = sorted(v for v in VERBS if v.isascii() and len(v) > 3)
_TONGUE = re.compile(
    r"\b(?:in|into|to)\s+(?:English|German|French|Spanish|Italian|Chinese|Japanese|Korean|Russian"
    r"|Portuguese|Arabic|Dutch|Latin|Greek)\b|用[英法德日韩俄]?[文语]?(?:怎么)?说",
    re.IGNORECASE,
)
SPOKEN_SIGN = re.compile(r"\b(?:divided?|multipl(?:y|ied)|subtract|plus|minus)\b|[加减乘除]", re.I)
THRESHOLD = 1.3  # words that a choice needs at least
CLOSE = 1.1  # tools this near to the best one are told apart by their arguments


def mended(text: str, tools: list[ToolView]) -> str:
    """The text with slips of the keyboard put right towards the words of the tools."""
    vocabulary = sorted({c for t in tools for c in t.named | t.first if c.isascii() and len(c) > 3})

    first = re.match(r"\W*([A-Za-z]{4,})(?=\s)", text)
    if first and not is_known(first[1].lower()) and (verb := nearest(first[1], _VERBS, 0.83)):
        text = text[: first.start(1)] + verb + text[first.end(1) :]  # "crete a file"

    def mend(match: re.Match[str]) -> str:
        word = match[0]
        if is_known(word) or concept(word) in vocabulary:
            return word
        close = nearest(word, vocabulary, 0.82)
        same = close and (len(word) > 5 or sorted(close) == sorted(word))  # "shave" is not "save"
        return close if close and same else word

    return re.sub(r"(?<![\w./@'\"`-])[a-z]{5,}(?![\w./@-]*\w)", mend, text)


def score(text: str, found: Found, tool: ToolView, tools: list[ToolView]) -> tuple[float, float]:
    """(fit, fit by words alone) of a tool for a step."""
    asked = {c: 0.75 if c in ("find", "query") else 1.0 for c in concepts(_bare(found))}
    verb, by_words = next(iter(asked), ""), 0.0
    for value in found.of("name"):  # a city that a description lists is an argument, not a wish
        asked |= {
            c: 0.3 for c in concepts(value.value) if c in asked and c not in tool.named | tool.first
        }
    if _CONTENT.search(text):
        asked.setdefault("read", 0.7)
    if _WHICH.search(text):
        asked.setdefault("list", 0.7)  # "which files", "how many orders": a listing would say
    if "directory" in asked and "file" in asked:
        asked["file"] = 0.4  # the files of a folder
    if re.match(r"\W*(?:please\s+)?make\b", text, re.IGNORECASE):
        verb = ""
    if re.match(r"\W*(?:please\s+)?make\s+(?:it|the)\b", text, re.IGNORECASE):
        asked.pop("create", None)  # "make it 21 degrees"
        by_words += 0.4 if is_acting(tool) else -1.0
    for name, strength in _implied(found).items():
        asked[name] = max(strength, asked.get(name, 0)) if strength else 0.4
    for name, strength in asked.items():
        kin = [_worth(n, 0.55 * strength, tool, tools) for n in near(name)]
        by_words += max([_worth(name, strength, tool, tools), *kin], key=abs)
    covered = {*asked, *(n for a in asked for n in near(a))}
    question = _QUESTION.match(text)
    if (
        verb in ACTING - {"set", "order"}
        and not question
        and not {verb, *near(verb)} & (tool.named | tool.told)
    ):
        by_words -= 1.5  # "delete a.txt" is not for a tool that reads files
    if (verb in READING or question) and is_acting(tool):
        by_words -= 1.5  # and a question is not for a tool that changes things
    foreign = bool(CJK.search(text))  # a name in pinyin says nothing to the lexicon
    opens = re.match(r"\W*(?:please\s+)?([a-z]+)", text, re.IGNORECASE)
    if (
        verb in ACTING | {"note"}
        and opens
        and concept(opens[1]) == verb
        and not is_acting(tool)
        and any(verb in t.named and is_acting(t) for t in tools)
    ):
        by_words -= 1.0  # "remind me to ..." is not for the tool that lists reminders
    unmatched = sum(
        weight(c) for c in tool.named if c not in covered and (not foreign or is_known(c))
    )
    return by_words - min(0.5 * unmatched, 0.8) + evidence(found, tool), by_words


def _bare(found: Found) -> str:
    """The text without quotes, paths and addresses, which say nothing of the tool."""
    text = found.text
    for value in found.of("quote", "url", "email", "path"):
        if value.value != ".":
            text = text[: value.start] + " " * (value.end - value.start) + text[value.end :]
    return text


def _worth(name: str, strength: float, tool: ToolView, tools: list[ToolView]) -> float:
    if name in tool.named:
        place = 2.4
    elif name in tool.first:
        place = 1.5
    elif name in tool.told:
        place = 0.8
    elif name in tool.asked:
        place = 0.7
    elif _holds_word(name, tool):
        place = 1.2
    else:
        return -0.8 * strength if name in tool.denied else 0.0
    holders = sum(1 for t in tools if name in t.named or name in t.told)
    rare = 1.0 / (1.0 + 0.25 * math.log(max(holders, 1)))
    worth = 0.8 if name in tool.named & {"user", "item", "number"} else weight(name)
    return place * strength * worth * rare - (0.5 if name in tool.denied else 0)


def _holds_word(name: str, tool: ToolView) -> bool:
    """A Chinese word nobody knows, inside a run that nobody knows: 空调 in 控制空调."""
    if not CJK.match(name) or len(name) < 2:
        return False
    runs = (c for c in tool.named | tool.told | tool.asked if CJK.match(c) and len(c) > 1)
    return any(name in run or run in name for run in runs)


def _implied(found: Found) -> dict[str, float]:
    """What values say about the subject: a path speaks of files, a sum of calculating."""
    implied: dict[str, float] = {}
    if re.search(r"\bdo you (?:have|know)\b|\b(?:is|are) there\b|有没有", found.text, re.I):
        implied |= {"find": 0.7, "list": 0.7}
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
    if len(found.of("number")) > 1 and SPOKEN_SIGN.search(found.text):
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
    return {} if sums and not two and not _QUESTION.match(found.text) else {"currency": 0.8}


def rank(text: str, found: Found, tools: list[ToolView]) -> list[tuple[float, float, ToolView]]:
    """The tools by fit, best first; equal ones in the request's order."""
    scored = [(*score(text, found, t, tools), t) for t in tools]
    return sorted(scored, key=lambda s: -s[0])


def choose(
    text: str,
    found: Found,
    tools: list[ToolView],
    lacking: Callable[[ToolView], int] | None = None,
) -> ToolView | None:
    """The tool that fits best, or None when none fits well enough.

    lacking: how many required arguments the text does not hold; it decides between close ones.
    """
    ranked = rank(text, found, tools)
    if not ranked:
        return None
    near_best = [r for r in ranked[:4] if r[0] > ranked[0][0] - CLOSE and _enough(r, found)]
    if lacking and len(near_best) > 1:
        near_best.sort(key=lambda r: 0.7 * lacking(r[2]) - r[0])
    if near_best:
        return near_best[0][2]
    return None


def _enough(ranked: tuple[float, float, ToolView], found: Found) -> bool:
    best, by_words, tool = ranked
    held = {"place" if v.kind == "name" else v.kind for v in found.values}
    held |= {"person"} & {"person" for v in held if v == "place"}
    typed = {k for _, k, needed in tool.kinds if needed} & held
    if typed and not is_acting(tool):  # the text holds what the tool waits for: fewer words will do
        return by_words >= 0.8 and best >= 0.5
    return by_words >= (THRESHOLD if is_acting(tool) else 1.1) and best >= 0.7
