"""What something is turned into: languages, currencies, units, replacements, sums."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline.lexicon import STOP
from agentlib.offline.source import Source

_CODES = {
    "dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "yuan": "CNY", "rmb": "CNY",
    "美元": "USD", "美金": "USD", "欧元": "EUR", "英镑": "GBP", "日元": "JPY", "人民币": "CNY",
    "元": "CNY",
}  # fmt: skip
_SIGNS = {
    "plus": "+", "add": "+", "sum": "+", "and": "+", "加上": "+", "加": "+", "minus": "-",
    "减去": "-",
    "减": "-", "times": "*", "multiplied by": "*", "multiply": "*", "乘以": "*", "乘": "*",
    "divided by": "/", "divide": "/", "over": "/", "除以": "/", "除": "/",
}  # fmt: skip


def target_word(kind: str, name: str, needed: bool, source: Source) -> str | None:
    """A language, a currency or a unit by its side of "from ... to ..."."""
    text, target = source.text, bool(re.search(r"to|target|dest|目标", name)) or kind == "language"
    if kind == "currency":
        return _currency(target, "from" in name or "base" in name or "source" in name, source)
    if re.search(r"from|source", name):
        mark = r"\bfrom\s+|从"
    else:
        mark = (
            r"\b(?:into|to|in)\s+|(?:翻译成|译成|译为|转换成|换算成|成|为)"
            if target or needed
            else r"\bin\s+"
        )
    if (
        asked := re.search(r"\bhow many\s+(?P<w>[A-Za-z]+)|多少(?P<c>[\u3400-\u9fff]+)", text, re.I)
    ) and target:
        group = "w" if asked["w"] else "c"
        if source.is_free(*asked.span(group)):
            source.take(asked.span(group))
            return asked[group]
    for match in reversed(
        list(re.finditer(rf"(?:{mark})(?P<w>[A-Za-z°]+|[\u3400-\u9fff]{{2,4}})", text, re.I))
    ):
        if source.is_free(*match.span("w")) and match["w"].lower() not in STOP:
            source.take(match.span("w"))
            return match["w"]
    beside = (
        re.search(r"\d\s*(?P<w>[A-Za-z°]+|[\u3400-\u9fff]{1,3})", text) if kind == "unit" else None
    )
    if beside and source.is_free(*beside.span("w")):
        source.take(beside.span("w"))
        return beside["w"]
    return None


_HOW_MANY = re.compile(r"(?:\bhow (?:many|much)|多少)\s*$", re.I)


def _currency(target: bool, origin: bool, source: Source) -> str | None:
    hits = []
    for match in re.finditer(
        r"\b[A-Z]{3}\b|[A-Za-z]+|美元|美金|欧元|英镑|日元|人民币", source.text
    ):
        word = match[0].lower().rstrip("s")
        code = _CODES.get(word) or (
            match[0].upper() if re.fullmatch(r"[A-Z]{3}", match[0]) else None
        )
        code = code or (word.upper() if word.upper() in _CODES.values() else None)
        if code and source.is_free(*match.span()):
            hits.append((code, match.span()))
    hits.sort(key=lambda h: not re.search(r"\d\s*$", source.text[: h[1][0]]))  # "50 pounds"
    unknown = [h for h in hits if _HOW_MANY.search(source.text[: h[1][0]])]
    if target and unknown:
        hits = unknown
    elif unknown and len(hits) > len(unknown):
        hits = [h for h in hits if h not in unknown]
    if target and not origin:
        hits = [
            h for h in hits if re.search(r"(?:\b(?:to|into|in)\s+|成|为)$", source.text[: h[1][0]])
        ] or hits[-1:]
    if not hits:
        return None
    source.take(hits[0][1])
    return hits[0][0]


def exchange(source: Source) -> tuple[str | None, str | None]:
    """What to replace and by what: `replace 'a' with 'b'`, `change a to b`, 把 a 改成 b."""
    quotes = source.found.of("quote")
    quotes = [q for q in quotes if not any(q.overlaps(p) for p in source.found.of("path"))]
    if len(quotes) > 1:
        source.take(*quotes[:2])
        swapped = re.search(r"instead of\W*$|代替\W*$", source.text[: quotes[1].start])
        pair = (quotes[0].value, quotes[1].value)
        return pair[::-1] if swapped else pair
    match = re.search(
        r"\b(?:replace|change|swap|edit|modify|rename|update|substitute)\s+(?:the (?:word"
        r"|text|line) )?(?P<a>\S.*?)\s+(?:with|by|to|into|for)\s+(?P<b>\S+)"
        r"|[把将](?:.*?(?:中|里|里面)的)?\s*(?P<c>.+?)\s*(?:替换成|替换为|改成|改为|换成"
        r"|换为)\s*(?P<d>[^，。,\s]+)",
        source.text, re.I,
    )  # fmt: skip
    if not match:
        return (None, None)
    pair = (match["a"] or match["c"], match["b"] or match["d"])
    return tuple(p.strip().strip("'\"“”‘’`") for p in pair)


def expression(source: Source) -> str | None:
    """A written sum, or numbers joined by a spoken operation, as an arithmetic expression."""
    if written := source.free("expression"):
        source.take(written[0])
        text = written[0].value.replace("×", "*").replace("÷", "/").replace("^", "**")
        return re.sub(r"(?<=\d)\s*x\s*(?=\d)", " * ", text)
    numbers = source.free("number")
    signs = [s for s in _SIGNS if re.search(rf"\b{s}\b" if s.isascii() else s, source.text, re.I)]
    signs = [s for s in signs if s != "and"] or signs
    if len(numbers) < 2 or not signs:
        return None
    source.take(*numbers)
    sign = _SIGNS[max(signs, key=len)]
    values = [n.value for n in numbers]
    if re.search(r"\bsubtract\b.+\bfrom\b", source.text, re.I):
        values, sign = values[::-1], "-"
    return f" {sign} ".join(values)


def old(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """The text to be replaced."""
    return exchange(source)[0]


def new(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """The text to put in its place."""
    return exchange(source)[1]


def word_of(kind: str) -> Any:
    """Extractor for a language, a currency or a unit: "to French", "USD", "in miles"."""

    def extractor(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
        return target_word(kind, name, needed, source)

    return extractor


def arithmetic(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A sum written out, or two numbers joined by a spoken operation."""
    return expression(source) if needed else None
