"""Places, persons and other names: by capitals, by neighbours, by unknown words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from agentlib.offline.lexicon import STOP, VERBS
from agentlib.offline.patterns import JOINT
from agentlib.offline.schemas import hints_of
from agentlib.offline.source import Source, one_or_more
from agentlib.offline.values import Value
from agentlib.offline.words import (
    CJK,
    chinese_words,
    city_names,
    concept,
    is_known,
    placed_words,
    words,
)

_WAY = re.compile(
    r"从\s*(?P<f>[\u3400-\u9fffA-Za-z]+?)\s*(?:到|去|飞往|飞|至)\s*(?P<t>[\u3400-\u9fffA-Za-z]+?)"
    r"(?=坐|乘|怎么|的|多|有|要|开车|走|[，。？?,]|\s|$)"
)


def places(source: Source, needed: bool, name: str = "", hints: str = "") -> list[Value]:
    """Capitalised names, words behind in/at/for/of, Chinese words nobody else claims."""
    side = _side(f"{name} {hints}")
    if side and (way := _WAY.search(source.text)):
        span = way.span("f" if "从" in side else "t")
        if source.is_free(*span):
            return [Value("name", source.text[slice(*span)], *span)]
    if side and (hit := _after(side, source)):
        return [hit]
    found = [v for v in source.free("quote", "name") if v.kind == "name" or needed]
    found += chinese_names(source) if CJK.search(source.text) else []
    if not found:
        found = unknown_words(source, needed)
    return sorted(found, key=lambda v: v.start)


def _side(name: str) -> str:
    parts = set(words(name.replace("_", " ")))
    if parts & {"origin", "from", "source", "start", "departure"} or re.search("起点|出发", name):
        return r"\bfrom\b|从"
    target = parts & {"destination", "to", "target", "arrival"} or re.search("终点|目的", name)
    return r"\b(?:to|into)\b|到|去|飞" if target else ""


def _after(mark: str, source: Source) -> Value | None:
    for match in re.finditer(mark, source.text, re.I):
        near = source.free("name", "quote") + chinese_names(source)
        for value in sorted(near, key=lambda v: v.start):
            if 0 <= value.start - match.end() <= 1:
                return value
        word = re.compile(r"\s*([A-Za-z][\w-]+)").match(source.text, match.end())
        if word and not is_known(word[1].lower()) and source.is_free(*word.span(1)):
            return Value("name", word[1], *word.span(1))
    return None


def chinese_names(source: Source) -> list[Value]:
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
    """`weather in paris and new york`: unknown words, best those behind a preposition."""
    runs, last = [], None
    for match in re.finditer(r"[A-Za-z][A-Za-z0-9_'-]*", source.text):
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
    parts = placed_words(source.text)
    for here, (word, _, _) in enumerate(parts):
        if concept(word) not in own:
            continue
        for other in (here + 1, here - 1):
            if 0 <= other < len(parts) and _is_plain(parts[other], source):
                text, start, end = parts[other]
                span = (min(parts[here][1], start), max(parts[here][2], end))
                more = parts[other + 1 :] if other > here else []
                return [Value("name", text, *span), *_joined_on(end, more, source)]
    if source.free("quote") or source.free("name"):
        return []
    led = re.search(r"\b(?:in|at|for|of|by|on)\s+(?:the\s+)?([A-Za-z][\w-]*)", source.text)
    if led and concept(led[1]) not in own and _is_plain((led[1], *led.span(1)), source):
        start, end = led.span(1)
        end = _run_on(end, parts, source)  # "the price of green tea"
        found = [Value("name", source.text[start:end], start, end)]
        for part in parts:  # "... and black coffee"
            joint = JOINT.fullmatch(source.text[found[-1].end : part[1]])
            if part[1] > found[-1].end and joint and _is_plain(part, source):
                end = _run_on(part[2], parts, source)
                found.append(Value("name", source.text[part[1] : end], part[1], end))
        return found
    return []


def _run_on(end: int, parts: list[tuple[str, int, int]], source: Source) -> int:
    """Where the run of plain words ends that goes on behind `end`."""
    for part in parts:
        if source.text[end : part[1]] == " " and _is_plain(part, source):
            end = part[2]
    return end


def _joined_on(end: int, parts: list[tuple[str, int, int]], source: Source) -> list[Value]:
    """The words that "and" or a comma joins on: `servers web1, web2 and db1`."""
    found: list[Value] = []
    for part in parts:
        text, start, after = part
        if JOINT.fullmatch(source.text[end:start]) and _is_plain(part, source):
            found.append(Value("name", text, start, after))
            end = after
    return found


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
    given = re.search(
        r"[给向对跟](?P<n>[\u3400-\u9fffA-Za-z]{1,8}?)(?=发|打|说|写|寄|回|留|转|送)", source.text
    )
    if given and source.is_free(*given.span("n")) and given["n"] not in STOP:
        return [Value("name", given["n"], *given.span("n"))]
    match = re.search(
        r"\b(?:to|with|for|by|of)\s+(?!the\b|me\b|my\b)(?P<n>[a-z][\w-]+)", source.text
    )
    if (
        match
        and not is_known(match["n"])
        and match["n"] not in source.nouns
        and source.is_free(*match.span("n"))
    ):
        return [Value("name", match["n"], *match.span("n"))]
    return chinese_names(source)


def place(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """Names by capitals, by the preposition in front, or in Chinese by being no known word."""
    found = places(
        source, needed, name, "".join(re.findall("起点|出发|终点|目的", hints_of(schema)))
    )
    for tongue, chinese in ((r"\bEnglish\b|英文|英语", True), (r"\bChinese\b|中文", False)):
        if re.search(tongue, hints_of(schema)):
            found = [_in_tongue(v, chinese) for v in found]
    return one_or_more(found, source, needed)


def _in_tongue(value: Value, from_chinese: bool) -> Value:
    """The city by its name in the other language, where it stands in the first one."""
    other = city_names(value.value) if bool(CJK.search(value.value)) == from_chinese else ()
    return replace(value, value=other[0]) if other else value
