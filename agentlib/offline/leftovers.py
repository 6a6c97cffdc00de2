"""Free text: quotes, marked text, and what is left of a step when all else is taken."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline.amounts import NUMBER_WORD
from agentlib.offline.phrases import CONTENT_MARK, after_colon, after_marker, mentions
from agentlib.offline.places import beside_own_word, chinese_names, named_person, unknown_words
from agentlib.offline.remainder import remainder
from agentlib.offline.schemas import hints_of
from agentlib.offline.source import Soft, Source, one_or_more
from agentlib.offline.values import Value
from agentlib.offline.words import concept, concepts

_CALLED = re.compile(
    r"(?:\b(?:called|named|titled)\s+|叫(?:做|(?![我他她你醒大]))|名为)(?P<n>[A-Za-z0-9][\w.-]*|[\u3400-\u9fff]+)",
    re.IGNORECASE,
)


_MAKE_FILE = re.compile(
    r"\W*(?:(?:please|can you|could you)\s+)*(?:make|create|generate)\s+(?:me\s+)?"
    r"(?:(?:an?|the|one)\s+)?"
    r"(?:\w+\s+)?file\b",
    re.IGNORECASE,
)


_WITH_IN = re.compile(  # "create a.txt with hello in it"
    rf"\bwith\s+(?!(?:an?|the|some\w*|any|all|my|your|its?|this|that|\d+)\b|{NUMBER_WORD.pattern})"
    r"(?P<t>\S.*?)\s+(?:in|inside)\s+it\W*$",
    re.IGNORECASE,
)


def content(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """Quoted text, or what stands behind "saying", "with the text", "内容为"."""
    if text := after_marker(source, CONTENT_MARK):
        return text
    quotes = source.free("quote")
    if quotes and needed:
        source.take(quotes[0])
        return quotes[0].value
    if not needed:
        return None
    if (links := source.free("url")) and re.search(
        r"\blinks?\b|\burls?\b|链接|网址", hints_of(schema), re.I
    ):
        return one_or_more(links, source, needed)
    if (put := _WITH_IN.search(source.text)) and source.is_free(*put.span("t")):
        source.take(put.span())
        return Soft(put["t"])
    made = _MAKE_FILE.match(source.text)  # "make a file with three things": what is to ask for
    soft = Soft(remainder(source)) if source.last and not made else None
    return after_colon(source) or soft or None


def rest(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """Free text: a quote, else what is left of the step."""
    if not needed:
        return optional_text(name, source)
    if quotes := source.free("quote") or source.free("url"):
        return one_or_more(quotes[:1], source, needed)
    if asked := _counted(source):
        return asked
    named = _names(source)
    if len(named) == 1 and source.numbers_wanted:  # "Give The Matrix 5 stars"
        return one_or_more(named, source, needed)
    if text := after_colon(source):
        return text
    left = remainder(source)
    asks = _ASKS.match(left) or _ASKS_WHO.match(source.text)
    if asks and len(named) == 1:  # "When did The Matrix come out?"
        return one_or_more(named, source, needed)
    return left or None


_ASKS_WHO = re.compile(r"\W*(?:who|when|where|what year)\b", re.IGNORECASE)
_ASKS = re.compile(r"(?:who|when|where|what|which|how|did|does|was|were|is)\s", re.IGNORECASE)


def _names(source: Source) -> list[Value]:
    """The names of a text without the verb it begins with: Repeat, for a tool that repeats."""
    known = source.skip | source.told
    return [v for v in source.free("name") if v.start or concept(v.value) not in known]


_HOW_MANY = re.compile(
    r"\bhow (?:many|much)\s+(?P<n>[a-z][a-z -]*?)\s+(?:do|does|are|is|have|has|left|in|on)\b", re.I
)


def _counted(source: Source) -> str | None:
    """The pencils of "how many pencils do we have"."""
    asked = _HOW_MANY.search(source.text)
    if not asked or not source.is_free(*asked.span("n")):
        return None
    if set(concepts(asked["n"])) & (source.told | source.skip):
        return None
    source.take(asked.span("n"))
    return asked["n"]


def string(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A parameter nobody can guess the kind of: its own word, quotes, names, leftover words."""
    if not needed:
        return optional_text(name, source)
    if (called := _CALLED.search(source.text)) and source.is_free(*called.span("n")):
        source.take(called.span("n"))
        return called["n"]
    if source.required > 1 and (text := after_colon(source)):
        return text
    if beside := beside_own_word(name, source):
        return one_or_more(beside, source, needed)
    named = source.free("url") + _names(source)
    runs = unknown_words(source) if source.required > 1 else []
    if len(runs) == 1 and not source.free("quote", "name"):
        return one_or_more(runs, source, needed)
    hits = source.free("quote") or named or chinese_names(source)
    return one_or_more(hits, source, needed) if hits else rest(name, schema, needed, source)


def person(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A quoted or capitalised name."""
    quotes = source.free("quote") if needed else []
    quotes = quotes[source.texts_wanted :]  # the texts' own quotes are not names
    hits = quotes or source.free("name") or named_person(source)
    if not needed:
        by = [h for h in hits if re.search(r"\bby\s+$", source.text[: h.start])]
        hits = by or (hits if mentions(name, source.text) else [])
        return one_or_more(hits[:1], source, needed)
    if hits or source.texts_wanted:  # leftover words belong to the text then
        return one_or_more(hits, source, needed)
    return rest(name, schema, needed, source)


def optional_text(name: str, source: Source) -> str | None:
    """Text for an optional parameter: only a quote that stands near the parameter's own word."""
    if not mentions(name, source.text):
        return None
    for quote in source.free("quote"):
        if mentions(name, source.text[max(0, quote.start - 30) : quote.start]):
            source.take(quote)
            return quote.value
    return None
