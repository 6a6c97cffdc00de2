"""What a text holds that could be an argument: quotes, URLs, paths, numbers, names, each with its place."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from agentlib.offline.dates import Moment, find_moments
from agentlib.offline.lexicon import STOP, VERBS, WEAK
from agentlib.offline.words import CJK, chinese_words, is_known

QUOTE = re.compile(
    r"```(?:\w*\n)?(?P<a>.+?)```|`(?P<b>[^`]+)`|\"(?P<c>[^\"]+)\"|“(?P<d>[^”]+)”|‘(?P<e>[^’]+)’"
    r"|「(?P<f>[^」]+)」|(?<![A-Za-z0-9])'(?P<g>(?:[^'\n]|'(?=[A-Za-z]))+)'(?![A-Za-z0-9])",
    re.DOTALL,
)
URL = re.compile(r"(?:https?|ftp)://[^\s\"'<>，。；）)]+", re.IGNORECASE)
EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
PATH = re.compile(
    r"(?<![A-Za-z0-9_])(?:(?:~|\.{1,2})?/(?:[A-Za-z0-9_.-]+/?)*|[A-Za-z0-9_-]+(?:/[A-Za-z0-9_.-]+)+/?"
    r"|[A-Za-z0-9_-]+/(?=[\s,.;，。]|$)"
    r"|[\u3400-\u9fffA-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.(?!com\b|org\b|net\b)[A-Za-z][A-Za-z0-9]{0,4})"
    r"(?![A-Za-z0-9_@])"
)
_HERE = re.compile(
    r"\b(?:(?:the|this|my|our)\s+)?(?:(?:current|working|this|present)\s+)+"
    r"(?:working\s+)?(?:folder|directory|dir)\b|\bthis (?:folder|directory)\b|\bhere\b"
    r"|(?:当前|这个|本|此)(?:工作)?(?:目录|文件夹)(?:下|里)?",
    re.IGNORECASE,
)
_FOLDER = re.compile(
    r"\b(?:folder|directory)\s+(?:called |named )?(?!of\b|in\b|and\b|to\b|is\b|for\b|with\b|then\b|please\b|exists?\b|has\b|at\b)"
    r"(?P<a>[A-Za-z0-9_][A-Za-z0-9_.-]*)|(?P<b>[A-Za-z0-9_][A-Za-z0-9_.-]*)\s*(?:folder|directory|目录|文件夹)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])(?<![A-Za-z0-9]-)[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![A-Za-z0-9_]*[A-Za-z]\d|\.\d)"
)
_EXPRESSION = re.compile(r"[-(]*\d[\d.]*\)*(?:\s*(?:\*\*|//|[-+*/×÷^%])\s*[-(]*\d[\d.]*\)*)+")
_TIMES = re.compile(r"(?<=\d)x(?=\d)|(?<=\d )x(?= \d)")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent)\s+of\s+(\d+(?:\.\d+)?)", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][\w'’-]*(?:\s+(?:de|of|the|van|von|la)?\s*[A-Z][\w'’-]*)*")
_ABBREVIATIONS = {"e.g", "i.e", "a.m", "p.m", "etc.", "vs."}


JOINT = re.compile(
    r"\s*(?:,?\s*\b(?:and|or|vs\.?|versus|with|plus)\b|[,&+、，]|和|与|跟|及|以及|还有)\s*(?:(?:and|in|the|for|of|at|\w+ (?:of|in|for))\s+)*",
    re.I,
)


@dataclass(frozen=True)
class Value:
    """One possible argument: kind (quote, url, email, path, number, moment, expression, name)."""

    kind: str
    value: Any
    start: int
    end: int

    def overlaps(self, other: Value) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass
class Found:
    """All values of one text, in order."""

    text: str
    values: list[Value] = field(default_factory=list)

    def of(self, *kinds: str) -> list[Value]:
        return [v for v in self.values if v.kind in kinds]

    def add(self, kind: str, value: Any, span: tuple[int, int], free: bool = True) -> None:
        new = Value(kind, value, *span)
        if not (free and any(new.overlaps(v) for v in self.values)):
            self.values.append(new)


@lru_cache(maxsize=1024)
def find_values(text: str, today: dt.date) -> Found:
    """Everything in the text that could be an argument; the more certain kinds come first."""
    found = Found(text)
    for match in QUOTE.finditer(text):
        found.add("quote", next(g for g in match.groups() if g is not None), match.span())
    for match in URL.finditer(text):
        url = match[0].rstrip(".,;:!?")
        found.add("url", url, (match.start(), match.start() + len(url)))
    for match in EMAIL.finditer(text):
        found.add("email", match[0].rstrip("."), match.span())
    _find_paths(text, found)
    for moment in find_moments(text, today):
        found.add("moment", moment, (moment.start, moment.end))
    sums = (
        _TIMES.sub("*", text)
        if re.search(r"\b(?:what|calculate|compute|much)\b", text, re.I)
        else text
    )
    for match in _EXPRESSION.finditer(sums):
        found.add("expression", match[0].strip(), match.span())
    for match in _PERCENT.finditer(text):
        found.add("expression", f"{match[2]} * {match[1]} / 100", match.span())
    for match in _NUMBER.finditer(text):
        number = Value("number", match[0].replace(",", ""), *match.span())
        if not any(number.overlaps(v) for v in found.values if v.kind != "expression"):
            found.values.append(number)
    for match in _NAME.finditer(text):
        _add_name(match, found)
    found.values.sort(key=lambda v: v.start)
    return found


def _find_paths(text: str, found: Found) -> None:
    for match in PATH.finditer(text):
        path, start = match[0], match.start()
        if CJK.match(path):
            path = _without_verbs(path)
            start = match.end() - len(path)
        path = path.rstrip(".") if path.strip("./") else path
        if path and path != "/" and path.lower() not in _ABBREVIATIONS and not _is_fraction(path):
            found.add("path", path, (start, start + len(path)))
    for match in _HERE.finditer(text):
        found.add("path", ".", match.span())
    for match in _FOLDER.finditer(text):
        word = match["a"] or match["b"]
        if word.lower() not in STOP | WEAK | VERBS | _NO_FOLDER:
            found.add("path", word, match.span("a" if match["a"] else "b"))
    for quote in found.of("quote"):
        if PATH.fullmatch(quote.value) or re.fullmatch(r"[^\n/]{1,60}\.[a-z0-9]{1,4}", quote.value):
            found.add("path", quote.value, (quote.start, quote.end), free=False)


def _is_fraction(path: str) -> bool:
    return bool(re.fullmatch(r"[\d/.-]+", path))


def _without_verbs(path: str) -> str:
    """A Chinese run before a file name: the known words in front are not part of the name."""
    run = re.match(r"[\u3400-\u9fff]+", path)[0]
    pieces = chinese_words(run)
    while pieces and is_known(pieces[0]):
        path = path[len(pieces.pop(0)) :]
    return path


def _add_name(match: re.Match[str], found: Found) -> None:
    """Capitalised words; the first word of a sentence counts only when nobody knows it."""
    start, name = match.start(), match[0]
    before = found.text[:start].rstrip()
    first = name.split()[0]
    if (
        (not before or before[-1] in ".!?:;。！？\n")
        and name == first
        and _VERB_LIKE.match(found.text[match.end() :])
    ):
        return
    if (not before or before[-1] in ".!?:;。！？\n,，") and is_known(first.lower()):
        name = name[len(first) :].lstrip()
        start = match.end() - len(name)
    began = not before or before[-1] in ".!?:;。！？\n"
    while (
        name
        and (began or not name.lower().startswith("the "))
        and is_known(name.split()[0].lower())
        and name.split()[0].lower() in _LEADING
    ):
        first = name.split()[0]
        name = name[len(first) :].lstrip()
        start = match.end() - len(name)
    if re.match(
        r"\s+(?!for\b|at\b|on\b|in\b|and\b|to\b|with\b|is\b)[a-z]", found.text[match.end() :]
    ):
        name = re.sub(r"['’]s$", "", name)  # Anna's email, but: at Luigi's for four
    if name and name not in ("I", "OK", "A"):
        found.add("name", name, (start, start + len(name)))


_VERB_LIKE = re.compile(
    r"\s+(?:an?|the|my|all|this|these|every|each|it|me|two|three|\d|['\"“`])", re.IGNORECASE
)
_NO_FOLDER = {"new", "same", "parent", "home", "root", "empty", "other", "sub-", "a"}
_LEADING = {"the", "a", "i", "what", "in", "is", "how", "please", "and", "can", "could"}


def as_number(text: str) -> int | float:
    """Digits as an int where possible, else a float."""
    value = float(text)
    return int(value) if value.is_integer() and "." not in text else value


def moments(found: Found) -> list[Moment]:
    """The dates and times among the values."""
    return [v.value for v in found.of("moment")]
