"""Numbers and ids of a text, and which parameter each belongs to."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline.patterns import MONEY
from agentlib.offline.schemas import hints_of, type_of
from agentlib.offline.source import Several, Source, one_or_more, side_by_side
from agentlib.offline.values import Value, as_number
from agentlib.offline.words import CJK, concept, near, stem, words

NUMBER_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10,
} | {"eleven": 11, "twelve": 12, "dozen": 12, "twenty": 20, "hundred": 100} | {
    c: i for i, c in enumerate("零一二三四五六七八九十") if i
} | {"两": 2}  # fmt: skip
NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|hundred)\b"
    r"|[一两二三四五六七八九十](?=[个张件份条次位只本台盒瓶天人间晚])(?!个?下)",
    re.I,
)
_LIMIT = {
    "limit", "max", "top", "count", "k", "n", "size", "maximum", "number", "quantity", "amount",
}  # fmt: skip
_UNITS = {
    "kg": "kilograms", "g": "grams", "m": "meters", "cm": "centimeters", "km": "kilometers",
    "l": "liters", "min": "minutes", "h": "hours", "s": "seconds", "c": "celsius",
}  # fmt: skip
_LIMIT_MARK = re.compile(
    r"\b(?:top|first|at most|up to|only|limit(?: to)?|maximum|max)\s*$|(?:前|最多)\s*$", re.I
)

_SIDES = {
    "max": re.compile(
        r"\b(?:under|below|less than|cheaper than|at most|up to|max\w*(?: of)?)\W*$"
        r"|不超过\W*$",
        re.I,
    ),
    "min": re.compile(
        r"\b(?:over|above|more than|at least|from|min\w*(?: of)?)\W*$|(?:至少|超过)\W*$", re.I
    ),
}  # fmt: skip


def number(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A number of the text; for an optional parameter only one that stands beside its name."""
    clocks = [v for v in source.free("moment") if v.value.time and "hour" in words(name)]
    if clocks:  # "at 14:00"
        source.take(clocks[0])
        return clocks[0].value.time.hour
    found = _numbers(source)
    if needed:
        found = _by_fit(found, name, schema, source)
    else:
        found = [v for v in found if _is_meant(name, schema, v, source)]
    if source.numbers_wanted == 1 and needed and names_one(name, source):
        group = side_by_side(found, source)
        if len(group) > 1:
            source.take(*group)
            return Several([as_number(str(v.value)) for v in group])
    for value in found:
        result = as_number(str(value.value))
        if type_of(schema) == "integer" and not isinstance(result, int):
            if not float(result).is_integer():
                continue
            result = int(result)
        source.take(with_lead(name, value, source))
        return result
    return None


def _numbers(source: Source) -> list[Value]:
    """The numbers that are free, in digits and in words, in their order."""
    found = source.free("number")
    spoken = [
        Value("number", NUMBER_WORDS[m[0].lower()], *m.span())
        for m in NUMBER_WORD.finditer(source.text)
        if source.is_free(*m.span())
    ]
    found += [v for v in spoken if not found or source.text[v.start : v.end] not in source.told]
    return sorted(found, key=lambda v: v.start)


_PERCENT = re.compile(r"\s*(?:%|percent\b)", re.IGNORECASE)


def _by_fit(found: list[Value], name: str, schema: dict[str, Any], source: Source) -> list[Value]:
    """The numbers, those beside the parameter's name and money for an amount first."""
    own = set(words(name.replace("_", " ")))
    if own & {"id", "no", "number", "code"}:
        found = [v for v in found if not is_money(v, source.text)]
    if re.search(r"\bsubtract\b.+\bfrom\b", source.text, re.I):
        found = found[::-1]
    share = bool(own & {"percent", "percentage", "pct", "rate", "discount"})
    found = sorted(found, key=lambda v: share != bool(_PERCENT.match(source.text, v.end)))
    paid = {v for v in found if own & _MONEY_NAMES and is_money(v, source.text)}
    return sorted(
        found, key=lambda v: v not in paid and not stands_beside(name, schema, v, source.text)
    )


def _is_meant(name: str, schema: dict[str, Any], value: Value, source: Source) -> bool:
    """Whether a number is an optional parameter's: the name beside it, or "two dice"."""
    if stands_beside(name, schema, value, source.text):
        return True
    if "year" in words(name) and re.fullmatch(r"1[89]\d\d|20\d\d", str(value.value)):
        return True
    if {"quantity", "qty", "pieces", "copies", "count"} & set(words(name)) and re.match(
        r"\s+(?!of\b|to\b|in\b|and\b|percent\b|minutes?\b|hours?\b|days?\b)[a-z]|\s*[个只本件份盒瓶]",
        source.text[value.end :],
    ):
        return True  # "put 3 apples on the list"
    following = words(source.text[value.end : value.end + 16])[:1]
    counted = bool(following) and (concept(following[0]) in source.skip or following[0] == "times")
    return counted and bool({"count", "times", "quantity", "number", "n"} & set(words(name)))


def stands_beside(name: str, schema: dict[str, Any], value: Value, text: str) -> bool:
    """True when the words next to a value are the parameter's name or its description's unit."""
    before, after = text[max(0, value.start - 24) : value.start], text[value.end : value.end + 18]
    own = {stem(w) for w in words(name.replace("_", " "))}
    if own & _LIMIT and _LIMIT_MARK.search(before):
        return True
    for side, mark in _SIDES.items():
        if side in own and mark.search(before):
            return True
    around = {stem(w) for w in words(before)[-3:] + words(after)[:2]} | {
        concept(w) for w in words(before)[-3:] + words(after)[:2]
    }
    if re.match(r"\s*(?:度|°|℃|摄氏)", after):
        around.add("temperature")
    around |= {n for w in around for n in near(w)}
    told = {stem(w) for w in words(hints_of(schema)) if len(w) > 3}
    first = {stem(_UNITS.get(w, w)) for w in words(after)[:1]}
    first |= {w.replace("meter", "metre") for w in first}
    told_zh = {concept(w) for w in words(hints_of(schema)) if CJK.match(w)}
    return (
        bool(own & around)
        or bool(told_zh & around)
        or bool(told & first)
        or any(concept(o) in around for o in own)
    )


_MONEY_NAMES = {
    "amount", "price", "sum", "total", "cost", "value", "budget", "money", "fee", "payment",
    "salary", "金额",
}  # fmt: skip


def is_money(value: Value, text: str) -> bool:
    """True for a number with a currency beside it: 12 EUR, $5, 5 欧元."""
    return bool(MONEY.match(text, value.end) or re.search(r"[$€£¥]$", text[: value.start]))


def names_one(name: str, source: Source) -> bool:
    """True for a number that names a thing ("user_id", "ticket"), not an amount."""
    own = set(words(name.replace("_", " ")))
    own_id = bool(own & {"id", "no", "number", "code", "index", "page"})
    plural = re.search(rf"\b{re.escape(name)}s\s+\d", source.text, re.I)  # "items 2 and 3"
    return own_id or concept(name) in source.skip or bool(plural)


def with_lead(name: str, value: Value, source: Source) -> tuple[int, int]:
    """The value's span with the words that lead to it: "with a maximum price of 10"."""
    own = "|".join(re.escape(w) for w in words(name.replace("_", " ")))
    lead = re.search(
        rf"(?:\b(?:with|for|at|and|under|below|over|above|most|least|up|to|less|more|cheaper"
        rf"|than|a|an|the|of|is|"
        rf"maximum|minimum|top|first|{own})\s+)+$", source.text[: value.start], re.I
    )  # fmt: skip
    start = value.start - len(lead[0]) if lead else value.start
    unit = re.compile(rf"\s+(?:{own})\b", re.I).match(source.text, value.end)
    end = unit.end() if unit else value.end  # "3 times"
    return (start, end) if source.is_free(start, value.start) else (value.start, end)


def identifier(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A number or a word with digits or capitals in it (A-17, AAPL)."""
    hits = []
    for match in re.finditer(r"#?([A-Za-z]*[-_]?\d[\w-]*|\b[A-Z]{2,}[\w-]*)", source.text):
        if source.is_free(*match.span()):
            hits.append(Value("id", match[1], *match.span()))
    beside = [h for h in hits if stands_beside(name, schema, h, source.text)]
    spare = len(source.free("number")) > source.numbers_wanted
    hits = [h for h in hits if h in beside or (needed and (spare or not h.value.isdigit()))]
    hits.sort(key=lambda h: (h not in beside, h.value.isdigit()))
    if not hits and needed and (quotes := source.free("quote")):
        hits = quotes[:1]
    return one_or_more(hits, source, needed)
