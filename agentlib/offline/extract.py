"""One extractor for each kind of parameter: the text's values that fit, or None."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentlib.offline import leftovers, phrases
from agentlib.offline.dates import shape_of
from agentlib.offline.schemas import SHAPES, hints_of, kind_of, type_of
from agentlib.offline.values import Value, as_number, find_values
from agentlib.offline.words import CJK, concept, words

if TYPE_CHECKING:
    from agentlib.offline.filling import Source


@dataclass
class Several:
    """Values that each want a call of their own."""

    values: list[Any]


class Soft(str):
    """Leftover words: a value only when nothing better is found."""


def _one_or_more(values: list[Value], source: Source, needed: bool) -> Any:
    """One value, or several that the text puts side by side ("a.txt and b.txt")."""
    if not values:
        return None
    group = _side_by_side(values, source) if needed and not source.single else values[:1]
    source.take(*group)
    unique = list(dict.fromkeys(v.value for v in group))
    return Several(unique) if len(unique) > 1 else unique[0]


def _side_by_side(values: list[Value], source: Source) -> list[Value]:
    group = values[:1]
    for value in values[1:]:
        if not phrases.JOINT.fullmatch(source.text[group[-1].end : value.start]):
            break
        group.append(value)
    return group


def _typed(*kinds: str) -> Any:
    def extractor(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
        return _one_or_more(source.free(*kinds), source, needed)

    return extractor


def path(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A path; a tool that writes takes the one behind "to", "into" or "in"."""
    found = source.free("path")
    if source.acting and len(found) > 1:
        led = re.compile(
            r"(?:\b(?:to|into|in|as)|到|进|入|为)\s*(?:the\s+)?(?:file\s+)?['\"`]?$", re.IGNORECASE
        )
        found = [v for v in found if led.search(source.text[: v.start])] or found
    if not found and needed and source.skip & {"list", "directory"} and "file" not in source.skip:
        return "."  # a listing of no folder in particular
    return _one_or_more(found, source, needed)


def enum(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """The enum value that the text names, in any case, or by a word the description ties to it."""
    choices = schema.get("enum") or [schema.get("const")]
    if len(choices) == 1 and needed:
        return choices[0]
    hits = phrases.enum_hits(choices, hints_of(schema), source)
    if not hits:
        return None
    return _one_or_more(hits, source, needed)


def pattern(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """Words of the text that match the schema's pattern in full."""
    try:
        wanted = re.compile(schema.get("pattern") or SHAPES[schema["format"]])
    except re.error:
        return string(name, schema, needed, source)
    hits, loose = [], bool(wanted.search("word"))
    for match in re.finditer(r"[A-Za-z0-9_@#./:+-]+", source.text):
        word = match[0].rstrip(".,:;") if not wanted.fullmatch(match[0]) else match[0]
        plain = loose and not re.search(r"[\dA-Z]", word)
        if wanted.search(word) and source.is_free(*match.span()) and not plain:
            hits.append(Value("pattern", word, match.start(), match.start() + len(word)))
    hits += [v for v in source.free("quote") if wanted.search(v.value)]
    return _one_or_more(hits, source, needed)


def phone(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A telephone number: six digits or more, with a plus, blanks, dashes or brackets."""
    hits = [
        Value("phone", m[0].strip(), m.start(), m.start() + len(m[0].strip()))
        for m in re.finditer(r"(?<![\w.])\+?\d[\d ()-]{4,}\d", source.text)
        if source.is_free(*m.span())
    ]
    return _one_or_more(hits, source, needed)


def command(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A quoted command, or what follows "run" when it looks like one."""
    if quotes := source.free("quote"):
        return _one_or_more(quotes[:1], source, needed)
    match = re.search(
        r"(?:\b(?:run|execute|exec)|运行|执行)(?:\s+(?:the\s+)?(?:shell\s+)?(?:command|命令))?\s*[:：]?\s*(?P<c>[^，。；]+)",
        source.text,
        re.IGNORECASE,
    )
    text = match["c"].strip().rstrip(".") if match else ""
    text = re.sub(r"^(?:the )?(?:command\s+)?", "", text, flags=re.I)
    text = re.sub(r"\s+(?:command|in the (?:shell|terminal))$", "", text, flags=re.I)
    if (
        not text
        or not needed
        or CJK.search(text)
        or text.split()[0].lower() in ("a", "it", "that", "this", "some")
    ):
        return None
    source.take(match.span("c"))
    return text


def moment(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A date, a time or both, written the way the schema wants it."""
    found = source.free("moment")
    wants = moment_form(name, schema)
    if wants == "%H:%M" or wants == "%H:%M:%S":
        found = [v for v in found if v.value.time]
    elif "%H" not in wants:
        found = [v for v in found if v.value.date]
    if not found:
        return None
    first, spans = found[0].value, [found[0]]
    date, time = first.date, first.time
    for other in found[1:]:
        if date is None and other.value.date:
            date = other.value.date
        elif time is None and other.value.time and "%H" in wants:
            time = other.value.time
        else:
            continue
        spans.append(other)
    source.take(*spans)
    if date is None and "%Y" in wants:
        around = [m.value.date for m in find_values(source.context, source.today).of("moment")]
        date = next((d for d in reversed(around) if d), None)
    return _written(date, time, wants, schema, spans, source)


def moment_form(name: str, schema: dict[str, Any]) -> str:
    """The strftime pattern wanted: by format, by hints, else by the parameter's name."""
    by_format = {"date": "%Y-%m-%d", "date-time": "%Y-%m-%dT%H:%M:%S", "time": "%H:%M:%S"}
    form = by_format.get(schema.get("format", "")) or shape_of(hints_of(schema))
    if form:
        return form
    parts = set(words(name.replace("_", " ")))
    if parts & {"date", "day", "日期"}:
        return "%Y-%m-%d"
    if "time" in parts and not re.search(r"date|日期", hints_of(schema), re.I):
        return "%H:%M"
    return "%Y-%m-%d %H:%M"


def _written(
    date: dt.date | None,
    time: dt.time | None,
    form: str,
    schema: dict[str, Any],
    spans: list[Value],
    source: Source,
) -> str:
    exact = bool(schema.get("format") or shape_of(hints_of(schema)))
    if not exact and re.search(r"tomorrow|明天", hints_of(schema), re.I) and date and time is None:
        return spans[0].value.text  # the schema takes words for dates
    if "%Y" in form and "%H" in form and not exact:
        form = "%Y-%m-%d %H:%M" if date and time else "%Y-%m-%d" if date else "%H:%M"
    when = dt.datetime.combine(date or source.today, time or dt.time(0))
    return when.strftime(form)


def number(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A number of the text; for an optional parameter only one that stands beside its name."""
    found = source.free("number")
    found += [
        Value("number", phrases.NUMBER_WORDS[m[0].lower()], *m.span())
        for m in phrases.NUMBER_WORD.finditer(source.text)
        if source.is_free(*m.span())
    ]
    if not needed:
        found = [v for v in found if _is_meant(name, schema, v, source)]
    else:
        found.sort(key=lambda v: (not phrases.stands_beside(name, schema, v, source.text), v.start))
    if source.numbers_wanted == 1 and needed and phrases.names_one(name, source):
        group = _side_by_side(found, source)
        if len(group) > 1:
            source.take(*group)
            return Several([as_number(str(v.value)) for v in group])
    for value in found:
        result = as_number(str(value.value))
        if type_of(schema) == "integer" and not isinstance(result, int):
            if not float(result).is_integer():
                continue
            result = int(result)
        source.take(phrases.with_lead(name, value, source))
        return result
    return None


def _is_meant(name: str, schema: dict[str, Any], value: Value, source: Source) -> bool:
    """Whether a number belongs to an optional parameter: its name beside it, or "two dice" for a count."""
    if phrases.stands_beside(name, schema, value, source.text):
        return True
    if "year" in words(name) and re.fullmatch(r"1[89]\d\d|20\d\d", str(value.value)):
        return True
    following = words(source.text[value.end : value.end + 16])[:1]
    counted = bool(following) and (concept(following[0]) in source.skip or following[0] == "times")
    return counted and bool({"count", "times", "quantity", "number", "n"} & set(words(name)))


def boolean(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """True or False where the text says so in the parameter's own words."""
    return phrases.yes_or_no(name, schema, needed, source)


def named(name: str, schema: dict[str, Any], source: Source) -> Any:
    """The value of `name: value`, `name=value` or `name "value"`, with the parameter's own name."""
    return phrases.named_value(name, schema, source, coerce)


def array(name: str, items: dict[str, Any], needed: bool, source: Source) -> list[Any] | None:
    """All the values of the items' kind, or the words of a spoken list."""
    kind = kind_of(name, items) if type_of(items) == "string" else type_of(items)
    if items.get("enum"):
        hits = phrases.enum_hits(items["enum"], hints_of(items), source)
    elif kind in ("integer", "number"):
        hits = source.free("number")
        hits = [Value("number", as_number(v.value), v.start, v.end) for v in hits]
    elif kind in ("url", "email", "path"):
        hits = source.free(kind)
    else:
        hits = source.free("quote") or phrases.listed(name, source)
        hits = hits or (source.free("name") if needed else [])
    source.take(*hits)
    return list(dict.fromkeys(v.value for v in hits)) or None


def content(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """Quoted text, or what stands behind "saying", "with the text", "内容为"."""
    if text := phrases.after_marker(source, phrases.CONTENT_MARK):
        return text
    quotes = source.free("quote")
    if quotes and needed:
        source.take(quotes[0])
        return quotes[0].value
    if not needed:
        return None
    soft = Soft(leftovers.remainder(source)) if source.last else None
    return phrases.after_colon(source) or soft or None


def old(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """The text to be replaced."""
    return leftovers.exchange(source)[0]


def new(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """The text to put in its place."""
    return leftovers.exchange(source)[1]


def place(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """Capitalised words, or the words after in/at/for; Chinese: what stands before 的 or a known word."""
    return _one_or_more(leftovers.places(source, needed, name), source, needed)


def person(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A quoted or capitalised name."""
    quotes = source.free("quote") if needed else []
    quotes = quotes[source.texts_wanted :]  # the texts' own quotes are not names
    hits = quotes or source.free("name") or leftovers.named_person(source)
    if not needed:
        by = [h for h in hits if re.search(r"\bby\s+$", source.text[: h.start])]
        hits = by or (hits if phrases.mentions(name, source.text) else [])
        return _one_or_more(hits[:1], source, needed)
    return _one_or_more(hits, source, needed) if hits else rest(name, schema, needed, source)


def identifier(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A number or a word with digits or capitals in it (A-17, AAPL)."""
    hits = []
    for match in re.finditer(r"#?([A-Za-z]*[-_]?\d[\w-]*|\b[A-Z]{2,}[\w-]*)", source.text):
        if source.is_free(*match.span()):
            hits.append(Value("id", match[1], *match.span()))
    beside = [h for h in hits if phrases.stands_beside(name, schema, h, source.text)]
    spare = len(source.free("number")) > source.numbers_wanted
    hits = [h for h in hits if h in beside or (needed and (spare or not h.value.isdigit()))]
    hits.sort(key=lambda h: (h not in beside, h.value.isdigit()))
    if not hits and needed and (quotes := source.free("quote")):
        hits = quotes[:1]
    return _one_or_more(hits, source, needed)


def word_of(kind: str) -> Any:
    """Extractor for a language, a currency or a unit: "to French", "USD", "in miles"."""

    def extractor(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
        return leftovers.target_word(kind, name, needed, source)

    return extractor


def rest(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """Free text: a quote, else what is left of the step."""
    if not needed:
        return leftovers.optional_text(name, source)
    if quotes := source.free("quote"):
        return _one_or_more(quotes[:1], source, needed)
    return phrases.after_colon(source) or leftovers.remainder(source) or None


def string(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A parameter nobody can guess the kind of: its own word, quotes, names, leftover words."""
    if not needed:
        return leftovers.optional_text(name, source)
    if beside := leftovers.beside_own_word(name, source):
        return _one_or_more(beside, source, needed)
    runs = leftovers.unknown_words(source) if source.required > 1 else []
    if len(runs) == 1 and not source.free("quote", "name"):
        return _one_or_more(runs, source, needed)
    hits = source.free("quote") or source.free("name")
    return _one_or_more(hits, source, needed) if hits else rest(name, schema, needed, source)


def expression(name: str, schema: dict[str, Any], needed: bool, source: Source) -> Any:
    """A sum written out, or two numbers joined by a spoken operation."""
    return leftovers.expression(source) if needed else None


def coerce(value: Any, schema: dict[str, Any]) -> Any:
    """A value given as text in the type the schema wants; None when it does not fit."""
    kind = type_of(schema)
    if schema.get("enum"):
        low = {str(c).lower(): c for c in schema["enum"]}
        hit = low.get(str(value).strip().lower())
        return hit if hit is not None else phrases.enum_in(schema, str(value))
    if kind in ("integer", "number") and not isinstance(value, (int, float)):
        match = re.search(r"-?\d+(?:\.\d+)?", str(value).replace(",", ""))
        if not match:
            return None
        result = as_number(match[0])
        return int(result) if kind == "integer" else result
    if kind == "boolean" and not isinstance(value, bool):
        low = str(value).lower()
        return (
            True
            if low in ("true", "yes", "on", "是")
            else False
            if low in ("false", "no", "off", "否")
            else None
        )
    if kind == "array" and not isinstance(value, list):
        return [value]
    if kind == "string" and not isinstance(value, str):
        return str(value)
    return value


EXTRACTORS = {
    "enum": enum, "url": _typed("url"), "email": _typed("email"), "path": path, "phone": phone,
    "pattern": pattern, "command": command, "moment": moment, "boolean": boolean, "content": content,
    "old": old, "new": new, "place": place, "person": person, "id": identifier, "title": rest,
    "query": rest, "string": string, "expression": expression, "language": word_of("language"),
    "currency": word_of("currency"), "unit": word_of("unit"),
}  # fmt: skip
__all__ = ["EXTRACTORS", "Several", "array", "coerce", "concept", "named", "number"]
