"""How people point at a value: "city: Paris", "with the text", "tags: a, b and c"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agentlib.offline.patterns import JOINT
from agentlib.offline.schemas import kind_of
from agentlib.offline.source import Source
from agentlib.offline.values import Value
from agentlib.offline.words import concept, concepts, is_known, stem, words

CONTENT_MARK = re.compile(
    r"(?:^\W*(?:please\s+)?(?:save|write|put|store|add) the (?:text|words?|line|sentence)\b"
    r"|\band say\b|\b(?:saying|that says|which says|(?:with|and|using) (?:the |a )?"
    r"(?:text|contents?|message|body|words?|note)"
    r"|containing|that contains|reading|to say|telling (?:him|her|them|us))\b(?:\s+that)?"
    r"|(?:正文|内容|文字|文本)(?:为|是|写|：|:)+|写着|写上|并写入|说)\s*[:：]?\s*",
    re.I,
)

TOLD_THAT = re.compile(  # "tell Ana that ...", "email ana@example.org that ..."
    r"\b(?:tell|e-?mail|message|text|notify|inform|ping|write|let|remind|post|note|remember)\b"
    r"(?:[^,;!?]*?\s)??(?P<m>\s*that\s+)",
    re.I,
)


def mentions(name: str, text: str) -> bool:
    """True when the text holds one of the parameter's own words."""
    own = {concept(w) for w in words(name.replace("_", " "))}
    return bool(own & set(concepts(text)))


_CHINESE_NAMES = {
    "title": ("主题", "标题"),
    "content": ("内容", "正文"),
    "person": ("姓名", "名字"),
}
_COMMON = {"from", "when", "name", "what", "date", "time", "text", "content"}  # need a colon
_PLAIN = ("string", "person", "title", "id")  # "user ana, password hunter2"
_VALUE = r"(?P<q>\"[^\"]+\"|'[^']+'|“[^”]+”|「[^」]+」)|(?P<w>[^\s,;，；。]+)"


def named_value(
    name: str, schema: dict[str, Any], source: Source, coerce: Callable[[Any, dict[str, Any]], Any]
) -> Any:
    """The value behind the parameter's own name: `city: Paris`, `limit=5`, `subject "Hello"`."""
    kind = kind_of(name, schema)
    if kind in ("array", "object", "old", "new", "boolean"):
        return None
    shape = "|".join((re.escape(name).replace("_", r"[ _-]?"), *_CHINESE_NAMES.get(kind, ())))
    short = len(name) < 3 or name in _COMMON
    link = r"\s*[=:：]\s*" if short else r"\s*(?:[=:：]|\bis\b|\bof\b|为|是)?\s*"
    named = rf"(?<![A-Za-z0-9_-])(?:{shape})(?P<link>{link})(?:{_VALUE})"
    for match in re.finditer(named, source.text, re.I):
        group, mark = "q" if match["q"] else "w", match["link"].strip()
        text = match["q"][1:-1] if match["q"] else match["w"].rstrip(".?!")
        number = kind in ("number", "id", "pattern") and re.search(r"\d", text)
        marked = mark and mark in "=:：为是" and kind != "moment"
        plain = kind in _PLAIN and not mark and match["w"] and text.isalnum() and not is_known(text)
        if not (match["q"] or number or marked or plain) or not source.is_free(*match.span(group)):
            continue
        span = match.span(group)
        if (
            kind in ("title", "content", "query", "command")
            and group == "w"
            and mark in (":", "：")
        ):
            end = _end_of_text(source.text, match.start("w"))
            text, span = source.text[match.start("w") : end].strip(), (match.start("w"), end)
            if not source.is_free(*span):
                continue
        if (found := coerce(text, schema)) is not None:
            source.take(span)
            return found
    return None


def _end_of_text(text: str, start: int) -> int:
    """Where a text behind "task:" ends: at the next "name:", else with the step."""
    following = re.compile(r"[,;，；]\s*\w+\s*[=:：]").search(text, start)
    rest = text[start : following.start() if following else len(text)]
    return start + len(rest.rstrip(" .。"))


def listed(name: str, source: Source) -> list[Value]:
    """The words of a list behind the parameter's name or a colon: "tags: red, green and blue"."""
    own = "|".join(
        re.escape(w) for w in {*words(name), *(stem(w) for w in words(name))} if len(w) > 2
    )
    match = re.search(
        rf"(?:(?:\b(?:{own or 'items'})s?\b(?:\s*[:：=]|\s+are)?)|[:：])\s*(?P<l>[^.;。；]+)",
        source.text,
        re.I,
    )
    if not match or not re.search(r"[A-Za-z\u3400-\u9fff]", match["l"]):
        match = re.search(
            r"\b(?:with|using|from|for|of|containing|to)\s+(?P<l>[^.;。；]+)|[用把](?P<c>.+)",
            source.text,
            re.I,
        )
    if not match:
        return []
    group = "l" if match["l"] else "c"
    return _pieces_of_list(match[group], match.start(group), source)


def _pieces_of_list(text: str, at: int, source: Source) -> list[Value]:
    hits = []
    for piece in re.split(r"(\s*,\s*and\s+|\s*[,，、]\s*|\s+and\s+|和)", text):
        stop = re.search(r"\s+(?:to|in|for|on|at|with)\b", piece)
        word = piece[: stop.start()] if stop else piece
        if word.strip() and not JOINT.fullmatch(piece) and source.is_free(at, at + len(word)):
            hits.append(Value("listed", word.strip(), at, at + len(word)))
        at += len(piece)
        if stop:
            break
    return hits


def after_marker(source: Source, mark: re.Pattern[str]) -> str | None:
    """What follows a marker: the quote behind it, else everything up to the step's end."""
    match = mark.search(source.text) or TOLD_THAT.search(source.text)
    start = match.start("m") if match and match.re is TOLD_THAT else match and match.start()
    if not match or not source.is_free(start, match.end()):
        return None
    for quote in source.free("quote"):
        if quote.start - match.end() in (0, 1):
            source.take(quote, (start, match.end()))
            return quote.value
    nouns = "|".join(map(re.escape, source.nouns)) or "$"
    text = source.text[match.end() :]
    named = re.search(rf",?\s+(?:with\s+)?(?:the\s+)?(?:{nouns})\s+['\"]", text)
    text = text[: named.start()] if named else text
    stop = re.search(r"\s+(?:to|into|in) (?:the )?(?:file )?\S+\.\w{1,4}$", text)
    text = text[: stop.start()] if stop else text
    if not source.is_free(match.end(), match.end() + len(text)):
        return None
    source.take((start, match.end() + len(text)))
    return text.strip().rstrip("。.") or None


def _uncovered(taken: set[tuple[int, int]], text: str, start: int, end: int) -> tuple[int, int]:
    """The span without used values at its end and the unit behind them: 午饭 25 元."""
    for used, stop in sorted(taken, reverse=True):
        unit = re.compile(r"\s*(?:[A-Z]{3}|euros?|dollars?|元|块|欧元|美元)?\s*", re.I)
        if start < used and unit.match(text, stop).end() >= end:
            end = used
    return start, start + len(text[start:end].rstrip(" ,，"))


def after_colon(source: Source) -> str | None:
    """What stands behind the last colon of a step, to its end."""
    match = re.search(r"(?<=[^\d\s])\s*[:：]\s*(?P<t>[^\s/].*?)[。.]?\s*$", source.text, re.DOTALL)
    if not match:
        return None
    moments = [v for v in source.found.of("moment") if v.start >= match.start("t")]
    taken = set(source.used) - {(m.start, m.end) for m in moments}
    start, end = _uncovered(taken, source.text, *match.span("t"))
    if any(s < end and start < e for s, e in taken):
        return None
    text = source.text[start:end]
    for found in moments:  # "add a todo: hand in the report tomorrow"
        if (found.start, found.end) in source.used:
            text = text.replace(found.value.text, "").strip(" ,，")
    source.take((start, end))
    return text
