"""What a text holds that could be an argument: quotes, URLs, paths, numbers, names."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from agentlib.offline.dates import Moment, find_moments
from agentlib.offline.lexicon import STOP, VERBS, WEAK
from agentlib.offline.patterns import (
    ABBREVIATIONS,
    EMAIL,
    EXPRESSION,
    FOLDER,
    HERE,
    LEADING,
    NAME,
    NO_FOLDER,
    NUMBER,
    PARENT,
    PATH,
    PERCENT,
    QUOTE,
    SIGNS,
    SPOKEN,
    TIMES,
    UNIT_NAME,
    URL,
    VERB_LIKE,
)
from agentlib.offline.relative import times_ahead
from agentlib.offline.words import CJK, chinese_words, is_known


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
    ahead = times_ahead(text, today)
    day = today.date() if isinstance(today, dt.datetime) else today
    for moment in [*ahead, *find_moments(text, day)]:
        found.add("moment", moment, (moment.start, moment.end))
    _find_sums(text, found)
    for match in NUMBER.finditer(text):
        number = Value("number", match[0].replace(",", ""), *match.span())
        in_two_hours = [(m.start, m.end) for m in ahead]  # the 2 may be wanted alone
        over = [v for v in found.values if v.kind != "expression" and number.overlaps(v)]
        if all((v.start, v.end) in in_two_hours for v in over):
            found.values.append(number)
    for match in NAME.finditer(text):
        _add_name(match, found)
    found.values.sort(key=lambda v: v.start)
    return found


def _find_sums(text: str, found: Found) -> None:
    asked = re.search(r"\b(?:what|calculate|compute|much)\b", text, re.I)
    for match in EXPRESSION.finditer(TIMES.sub("*", text) if asked else text):
        found.add("expression", match[0].strip(), match.span())
    for match in SPOKEN.finditer(text):
        found.add("expression", f"{match[1]} {SIGNS[match[2].lower()]} {match[3]}", match.span())
    for match in PERCENT.finditer(text):
        found.add("expression", f"{match[2]} * {match[1]} / 100", match.span())


def _find_paths(text: str, found: Found) -> None:
    for match in PATH.finditer(text):
        path, start = match[0], match.start()
        if CJK.match(path):
            path = _without_verbs(path)
            start = match.end() - len(path)
        path = path.rstrip(".") if path.strip("./") else path
        if path and path != "/" and path.lower() not in ABBREVIATIONS and not _is_fraction(path):
            found.add("path", path, (start, start + len(path)))
    for match in HERE.finditer(text):
        if match[0].lower() != "here" or not re.search(r"\d", text) or _OF_FILES.search(text):
            found.add("path", ".", match.span())
    for match in PARENT.finditer(text):
        found.add("path", "..", match.span())
    for match in FOLDER.finditer(text):
        group = next(g for g in "abc" if match[g])
        word = match[group]
        if word.lower() not in STOP | WEAK | VERBS | NO_FOLDER:
            found.add("path", word, match.span(group))
    for quote in found.of("quote"):
        if PATH.fullmatch(quote.value) or re.fullmatch(r"[^\n/]{1,60}\.[a-z0-9]{1,4}", quote.value):
            found.add("path", quote.value, (quote.start, quote.end), free=False)


_OF_FILES = re.compile(r"\b(?:files?|folders?|director\w+|list|read)\b|文件|目录", re.IGNORECASE)


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
        and VERB_LIKE.match(found.text[match.end() :])
    ):
        return
    if (not before or before[-1] in ".!?:;。！？\n,，") and is_known(first.lower()):
        name = name[len(first) :].lstrip()
        start = match.end() - len(name)
    began = (not before or before[-1] in ".!?:;。！？\n") and start == match.start()
    while (
        name
        and (began or not name.lower().startswith("the "))
        and is_known(name.split()[0].lower())
        and name.split()[0].lower() in LEADING
    ):
        first = name.split()[0]
        name = name[len(first) :].lstrip()
        start = match.end() - len(name)
    if re.match(
        r"\s+(?!for\b|at\b|on\b|in\b|and\b|to\b|with\b|is\b)[a-z]", found.text[match.end() :]
    ):
        name = re.sub(r"['’]s$", "", name)  # Anna's email, but: at Luigi's for four
    if re.search(r"\d\s*$", found.text[:start]) and UNIT_NAME.match(name):
        name = UNIT_NAME.sub("", name)  # 50 EUR
        start = match.end() - len(name)
    if name and name not in ("I", "OK", "A"):
        found.add("name", name, (start, start + len(name)))


def as_number(text: str) -> int | float:
    """Digits as an int where possible, else a float."""
    value = float(text)
    return int(value) if value.is_integer() and "." not in text else value


def moments(found: Found) -> list[Moment]:
    """The dates and times among the values."""
    return [v.value for v in found.of("moment")]
