"""Free text out of a step: places, languages, sums, replacements, and what is left over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentlib.offline.lexicon import POLITE, STOP, VERBS
from agentlib.offline.phrases import JOINT, NUMBER_WORDS, mentions
from agentlib.offline.values import Value
from agentlib.offline.words import CJK, chinese_words, concept, is_known, words

if TYPE_CHECKING:
    from agentlib.offline.filling import Source

_CODES = {
    "dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "yuan": "CNY", "rmb": "CNY",
    "美元": "USD", "美金": "USD", "欧元": "EUR", "英镑": "GBP", "日元": "JPY", "人民币": "CNY", "元": "CNY",
}  # fmt: skip
_SIGNS = {
    "plus": "+", "add": "+", "sum": "+", "and": "+", "加上": "+", "加": "+", "minus": "-", "减去": "-",
    "减": "-", "times": "*", "multiplied by": "*", "multiply": "*", "乘以": "*", "乘": "*",
    "divided by": "/", "divide": "/", "over": "/", "除以": "/", "除": "/",
}  # fmt: skip
_TAIL = re.compile(
    r"(?:[\s,，]*(?:\b(?:please|for me|now|to|into|in|at|on|by|as|with|and|from|for|the|called|named|file)"
    r"|吗|呢|吧|是什么|怎么样|是多少|有哪些|到|在|里|中|的))+[\s?？.。!！,，]*$",
    re.I,
)


def places(source: Source, needed: bool, name: str = "") -> list[Value]:
    """Capitalised names, words behind in/at/for/of, Chinese words nobody else claims."""
    side = _side(name)
    if side and (hit := _after(side, source)):
        return [hit]
    found = [v for v in source.free("quote", "name") if v.kind == "name" or needed]
    found += _chinese_names(source) if CJK.search(source.text) else []
    if not found:
        found = unknown_words(source, needed)
    return sorted(found, key=lambda v: v.start)


def _side(name: str) -> str:
    parts = set(words(name.replace("_", " ")))
    if parts & {"origin", "from", "source", "start", "departure"}:
        return r"\bfrom\b|从"
    return r"\b(?:to|into)\b|到|去|飞" if parts & {"destination", "to", "target", "arrival"} else ""


def _after(mark: str, source: Source) -> Value | None:
    for match in re.finditer(mark, source.text, re.I):
        near = source.free("name", "quote") + _chinese_names(source)
        for value in sorted(near, key=lambda v: v.start):
            if 0 <= value.start - match.end() <= 1:
                return value
        word = re.compile(r"\s*([A-Za-z][\w-]+)").match(source.text, match.end())
        if word and not is_known(word[1].lower()) and source.is_free(*word.span(1)):
            return Value("name", word[1], *word.span(1))
    return None


def _chinese_names(source: Source) -> list[Value]:
    hits = []
    for run in re.finditer(r"[\u3400-\u9fff]+", source.text):
        at = run.start()
        for piece in chinese_words(run[0]):
            known = is_known(piece) or concept(piece) in source.skip
            if len(piece) > 1 and not known and source.is_free(at, at + len(piece)):
                hits.append(Value("name", piece, at, at + len(piece)))
            at += len(piece)
    moments = source.found.of("moment")
    return [h for h in hits if not any(h.overlaps(m) for m in moments)]


def unknown_words(source: Source, needed: bool = True) -> list[Value]:
    """`weather in paris and new york`: unknown words behind a preposition, else any unknown words."""
    runs, last = [], None
    for match in re.finditer(r"[A-Za-z][\w'-]*", source.text):
        word = match[0].lower()
        known = is_known(word) or concept(word) in source.skip or not source.is_free(*match.span())
        taken = any(
            v.start <= match.start() < v.end for v in source.found.of("moment", "path", "url")
        )
        if known and not (last and word in ("new", "old")) or taken:
            last = None if word != "new" else match.start()
            continue
        start = last if isinstance(last, int) else match.start()
        if runs and source.text[runs[-1].end : match.start()] == " ":
            start = runs.pop().start
        runs.append(Value("name", source.text[start : match.end()], start, match.end()))
        last = None
    led = re.compile(r"\b(?:in|at|for|of|near|from|to|like in)\s+(?:the\s+)?$", re.I)
    for at, run in enumerate(runs):
        if led.search(source.text[: run.start]):
            return runs[at:]
    return runs if needed else []


def beside_own_word(name: str, source: Source) -> list[Value]:
    """`channel dev`, `the dev channel`, `in the bedroom`: a word by its neighbour."""
    own = {concept(w) for w in words(name.replace("_", " "))}
    found = [m for m in re.finditer(r"[A-Za-z][A-Za-z0-9_-]*|[\u3400-\u9fff]+", source.text)]
    parts: list[tuple[str, int, int]] = []
    for match in found:
        at = match.start()
        for piece in chinese_words(match[0]) if CJK.match(match[0]) else [match[0]]:
            parts.append((piece, at, at + len(piece)))
            at += len(piece)
    for here, (word, _, _) in enumerate(parts):
        if concept(word) not in own:
            continue
        for other in (here + 1, here - 1):
            if 0 <= other < len(parts) and _is_plain(parts[other], source):
                return [
                    Value(
                        "name",
                        parts[other][0],
                        min(parts[here][1], parts[other][1]),
                        max(parts[here][2], parts[other][2]),
                    )
                ]
    if source.free("quote") or source.free("name"):
        return []
    led = re.search(r"\b(?:in|at|for|of|by|on)\s+(?:the\s+)?([A-Za-z][\w-]*)", source.text)
    if led and _is_plain((led[1], *led.span(1)), source):
        return [Value("name", led[1], *led.span(1))]
    return []


def _is_plain(part: tuple[str, int, int], source: Source) -> bool:
    word, start, end = part
    low = word.lower()
    if low in STOP or low in VERBS or concept(low) in source.skip or not source.is_free(start, end):
        return False
    return not any(
        v.start <= start < v.end for v in source.found.of("quote", "moment", "path", "url")
    )


def named_person(source: Source) -> list[Value]:
    """`to alice`, `with bob`, 给小明: a name in lower case or in Chinese."""
    given = re.search(r"[给向对跟](?P<n>[\u3400-\u9fffA-Za-z]{1,8}?)(?=发|打|说|写|寄|回|留|转|送)", source.text)
    if given and source.is_free(*given.span("n")) and given["n"] not in STOP:
        return [Value("name", given["n"], *given.span("n"))]
    match = re.search(
        r"\b(?:to|with|for|by|of)\s+(?!the\b|me\b|my\b)(?P<n>[a-z][\w-]+)", source.text
    )
    if match and not is_known(match["n"]) and source.is_free(*match.span("n")):
        return [Value("name", match["n"], *match.span("n"))]
    return _chinese_names(source)


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
        r"\b(?:replace|change|swap|edit|modify|rename|update|substitute)\s+(?:the (?:word|text|line) )?(?P<a>\S.*?)\s+(?:with|by|to|into|for)\s+(?P<b>\S+)"
        r"|[把将](?:.*?(?:中|里|里面)的)?\s*(?P<c>.+?)\s*(?:替换成|替换为|改成|改为|换成|换为)\s*(?P<d>[^，。,\s]+)",
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


def optional_text(name: str, source: Source) -> str | None:
    """Text for an optional parameter: only a quote that stands near the parameter's own word."""
    if not mentions(name, source.text):
        return None
    for quote in source.free("quote"):
        if mentions(name, source.text[max(0, quote.start - 30) : quote.start]):
            source.take(quote)
            return quote.value
    return None


def remainder(source: Source) -> str:
    """What is left of the step when used values, politeness and the tool's own words are gone."""
    text = source.text
    spans = [*source.used, *((m.start, m.end) for m in source.found.of("moment"))]
    for start, end in spans:
        text = text[:start] + "\x00" * (end - start) + text[end:]
    text = re.sub(
        r"(?:,?\s*\b(?:at most|up to|the first|the top|top|maximum|limit|at|on|by|in|for|to|from|with)\s+(?:the\s+)?)?['\"`“”]?\x00+['\"`“”]?",
        "\x01",
        text,
        flags=re.I,
    )
    text = re.sub(r"^\W*look up\b", "", text.replace("\x01", " ").strip(), flags=re.I)
    text = _strip_front(text, source.skip)
    verb = re.match(r"([A-Za-z]+)\s+(?:an?|the|my)\s+", text)
    if verb and concept(verb[1]) in source.told:  # "how often should I water a fern"
        text = text[verb.end() :]
    while (
        tail := re.search(r"\s+(?:in|on|from|at|with)\s+(?:the\s+|my\s+)?([A-Za-z]+)\W*$", text)
    ) and (concept(tail[1]) in source.told | source.skip):
        text = text[: tail.start()]  # "... in the encyclopedia"
    text = re.sub(r"^\W*(?:in|at|on|from|with|by|of|into|as)\s+(?:the\s+)?", "", text, flags=re.I)
    text = _strip_back(_TAIL.sub("", " ".join(text.split())), source.skip)
    return text.strip(" .,;:!?，。；：！？、\"'")


def _strip_front(text: str, skip: frozenset[str]) -> str:
    lead = re.compile(r"\s*(?:[A-Za-z][\w'-]*|[\u3400-\u9fff]+|[,:;，：、])")
    while match := lead.match(text):
        piece = match[0].strip()
        if CJK.match(piece):
            first = chinese_words(piece)[0]
            if first not in POLITE and concept(first) not in skip:
                break
            text = text[match.end() - len(piece) + len(first) :]
            continue
        if (
            piece.isalpha()
            and piece.lower() not in POLITE
            and concept(piece) not in skip
            and "'" not in piece
        ):
            break
        if (
            piece[0].isalpha()
            and not piece.isalpha()
            and piece.lower() not in POLITE
            and "'" not in piece
        ):
            break
        text = text[match.end() :]
    return text


def _strip_back(text: str, skip: frozenset[str]) -> str:
    """Chinese puts the verb behind: 把你好写入 a.txt."""
    while run := re.search(r"[\u3400-\u9fff]+$", text):
        last = chinese_words(run[0])[-1]
        if last not in "到在里中进的" and concept(last) not in skip:
            break
        text = text[: -len(last)]
    return text


__all__ = [
    "JOINT",
    "NUMBER_WORDS",
    "exchange",
    "expression",
    "optional_text",
    "places",
    "remainder",
]
