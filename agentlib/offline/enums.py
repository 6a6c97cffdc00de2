"""Enum values and switches: where a text names one."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline.coercing import aliases
from agentlib.offline.patterns import SIGN_OF
from agentlib.offline.schemas import hints_of
from agentlib.offline.source import Source, one_or_more
from agentlib.offline.values import Value
from agentlib.offline.words import concept, is_known, nearest, placed_words, words


def enum(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """The enum value that the text names, in any case, or by a word the description ties to it."""
    choices = schema.get("enum") or [schema.get("const")]
    if len(choices) == 1 and needed:
        return choices[0]
    if set(words(name)) & {"from", "source", "base"} and any(
        code[1] not in choices for code in re.finditer(r"\d\s*([A-Z]{3})\b", source.text)
    ):
        return None  # "5 GBP" where GBP is no choice
    hits = enum_hits(choices, hints_of(schema), source)
    if not hits:
        return None
    if len(hits) > 1 and set(words(name)) & {"to", "target", "into", "destination"}:
        led = [h for h in hits if _INTO.search(source.text[: h.start])]
        hits = led[-1:] or hits
    return one_or_more(hits, source, needed)


_INTO = re.compile(r"(?:\b(?:to|into|in)\s+(?:the\s+|my\s+)?|成|为|到)$", re.IGNORECASE)


def enum_hits(choices: list[Any], hints: str, source: Source) -> list[Value]:
    """Where the text names an enum value, or a word that the description ties to one."""
    if operation := _operation(choices, source):
        return [operation]
    hits: list[Value] = []
    for choice in choices:
        for spelling in (str(choice), *aliases(str(choice), hints)):
            span = _find_word(spelling, source)
            if span:
                hits.append(Value("enum", choice, *span))
                break
    hits = hits or _enum_by_meaning(choices, source)
    hits.sort(key=lambda v: (v.start, v.start - v.end))
    return [h for i, h in enumerate(hits) if not any(h.overlaps(o) for o in hits[:i])]


def _operation(choices: list[Any], source: Source) -> Value | None:
    """The choice that stands for the sum in the text: "add" or "+" for "12 plus 30"."""
    signs = {SIGN_OF[str(c).lower()]: c for c in choices if str(c).lower() in SIGN_OF}
    if len(signs) < 2:
        return None
    for value in source.found.of("expression"):
        sign = re.search(r"(?<=[\d)\s])(?:\*\*|[-+*/×÷^%])", value.value)
        sign = SIGN_OF.get(sign[0], sign[0]) if sign else ""
        if sign in signs:
            return Value("enum", signs[sign], value.start, value.start)
    spoken = sorted((w for w in SIGN_OF if w[0].isalpha()), key=len, reverse=True)
    for word in spoken:
        found = re.search(rf"\b{word}\b" if word.isascii() else word, source.text, re.I)
        if found and SIGN_OF[word] in signs:
            return Value("enum", signs[SIGN_OF[word]], found.start(), found.start())
    return None


def _find_word(spelling: str, source: Source) -> tuple[int, int] | None:
    shape = re.escape(spelling.strip()).replace("_", r"[ _-]").replace(r"\-", r"[ _-]")
    edge = r"(?<![A-Za-z0-9_])" if spelling[:1].isascii() else ""
    for match in re.finditer(
        rf"{edge}{shape}" + (r"(?![A-Za-z0-9_])" if edge else ""), source.text, re.I
    ):
        if source.is_free(*match.span()):
            return match.span()
    return None


def _enum_by_meaning(choices: list[Any], source: Source) -> list[Value]:
    """A word of the same stem or concept (每天 for "daily"), or a slip of the keyboard."""
    by_concept = {concept(str(c)): c for c in choices if len(words(str(c))) == 1}
    hits = []
    for word, start, end in placed_words(source.text):
        if not source.is_free(start, end) or (word.isascii() and len(word) < 3):
            continue
        hit = by_concept.get(concept(word))
        if hit is None and len(word) > 3 and word.isascii() and not is_known(word.lower()):
            close = nearest(word, [str(c) for c in choices], 0.8)
            hit = next((c for c in choices if str(c) == close), None) if close else None
        if hit is not None:
            hits.append(Value("enum", hit, start, end))
    return hits


def yes_or_no(name: str, schema: dict[str, Any], needed: bool, source: Source) -> bool | None:
    """A boolean's value where the text speaks of it; "turn off", "without", "不" make it False."""
    text, own = (
        source.text,
        [w for w in words(name.replace("_", " ")) if w not in ("is", "include", "with")],
    )
    if (
        {"on", "enabled", "enable", "state", "active", "power", "open"} & set(own)
        or needed
        and len(own) == 1
    ):
        if re.search(r"\b(?:off|close|shut|disable\w*|deactivate)\b|关", text, re.I):
            return False
        if re.search(r"\b(?:on|open|enable\w*|activate)\b|开", text, re.I):
            return True
    for word in own:
        found = next(
            (m for m in re.finditer(r"[\w'-]+", text) if concept(m[0]) == concept(word)), None
        )
        if found:
            before = text[max(0, found.start() - 16) : found.start()]
            if found[0].lower().startswith(("un", "dis", "de")) and not word.startswith(
                found[0].lower()[:3]
            ):
                return False
            return not re.search(
                r"\b(?:no|not|non|without|don't|never|exclude)\b|不|无", before, re.I
            )
    return None


def boolean(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """True or False where the text says so in the parameter's own words."""
    return yes_or_no(name, schema, needed, source)
