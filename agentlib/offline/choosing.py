"""Which tool fits a step best: by words of name, description, parameters, and by values at hand."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from agentlib.offline.evidence import QUESTION, evidence, implied_by
from agentlib.offline.lexicon import VERBS
from agentlib.offline.toolview import ACTING, READING, ToolView, is_acting
from agentlib.offline.values import Found
from agentlib.offline.words import CJK, concept, concepts, is_known, near, nearest, weight

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
_VERBS = sorted(v for v in VERBS if v.isascii() and len(v) > 3)
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
    asked = _asked(text, found, tool)
    by_words = _manner(text, found, tool, tools)
    for name, strength in asked.items():
        kin = [_worth(n, 0.55 * strength, tool, tools) for n in near(name)]
        by_words += max([_worth(name, strength, tool, tools), *kin], key=abs)
    covered = {*asked, *(n for a in asked for n in near(a))}
    foreign = bool(CJK.search(text))  # a name in pinyin says nothing to the lexicon
    unmatched = sum(
        weight(c) for c in tool.named if c not in covered and (not foreign or is_known(c))
    )
    return by_words - min(0.5 * unmatched, 0.8) + evidence(found, tool), by_words


def _asked(text: str, found: Found, tool: ToolView) -> dict[str, float]:
    """The concepts a step speaks of, said or implied, with their strength."""
    asked = {c: 0.75 if c in ("find", "query") else 1.0 for c in concepts(_bare(found))}
    for value in found.of("name"):  # a city that a description lists is an argument, not a wish
        asked |= {
            c: 0.3 for c in concepts(value.value) if c in asked and c not in tool.named | tool.first
        }
    if _CONTENT.search(text):
        asked.setdefault("read", 0.7)
    if _WHICH.search(text):
        asked.setdefault("list", 0.7)  # "which files", "how many orders": a listing would say
    files = [v for v in found.of("path") if "." in v.value.strip("./")]
    if files and re.search(
        r"\bhow many\b.+\b(?:in|are|does)\b|[里中]面?都?有(?:什么|哪些|几|多少)", text, re.I
    ):
        asked["read"] = 1.0  # what is counted stands in the file
        asked.pop("list", None)
    if "directory" in asked and "file" in asked:
        asked["file"] = 0.4  # the files of a folder
    if _MAKE_IT.match(text):
        asked.pop("create", None)
    for name, strength in implied_by(found).items():
        asked[name] = max(strength, asked.get(name, 0)) if strength else 0.4
    return asked


_MAKE_IT = re.compile(r"\W*(?:please\s+)?make\s+(?:it|the)\b", re.IGNORECASE)  # 21 degrees
_FIRST = re.compile(r"\W*(?:please\s+)?([a-z]+)", re.IGNORECASE)


def _manner(text: str, found: Found, tool: ToolView, tools: list[ToolView]) -> float:
    """How an order or a question suits a tool that changes things, or one that only looks."""
    acts, question, first = is_acting(tool), QUESTION.match(text), _FIRST.match(text)
    verb = next(iter(concepts(_bare(found))), "")
    verb = "" if first and first[1].lower() == "make" else verb
    total = (0.4 if acts else -1.0) if _MAKE_IT.match(text) else 0.0
    own = {verb, *near(verb)} & (tool.named | tool.told)
    if verb in ACTING - {"set", "order"} and not question and not own:
        total -= 1.5  # "delete a.txt" is not for a tool that reads files
    if (verb in READING or question) and acts:
        total -= 1.5  # and a question is not for a tool that changes things
    opens = first and concept(first[1].lower()) == tool.opening and tool.opening not in READING
    if opens and sum(t.opening == tool.opening for t in tools) == 1:
        total += 0.8  # "give it 5 stars", of a tool described as "Give a film a rating"
    doers = (t for t in tools if verb in t.named and is_acting(t))
    ordered = verb in ACTING | {"note"} and first and concept(first[1]) == verb
    if ordered and not acts and any(doers):
        total -= 1.0  # "remind me to ..." is not for the tool that lists reminders
    return total


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
    worth = 0.8 if name in tool.named & {"user", "item", "number", "information"} else weight(name)
    return place * strength * worth * rare - (0.5 if name in tool.denied else 0)


def _holds_word(name: str, tool: ToolView) -> bool:
    """A Chinese word nobody knows, inside a run that nobody knows: 空调 in 控制空调."""
    if not CJK.match(name) or len(name) < 2:
        return False
    runs = (c for c in tool.named | tool.told | tool.asked if CJK.match(c) and len(c) > 1)
    return any(name in run or run in name for run in runs)


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
