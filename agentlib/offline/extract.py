"""One extractor for each kind of parameter: the text's values that fit, or None."""

from __future__ import annotations

from typing import Any

from agentlib.offline import leftovers, places, targets, typed
from agentlib.offline.amounts import identifier, number
from agentlib.offline.enums import boolean, enum, enum_hits
from agentlib.offline.moments import moment
from agentlib.offline.phrases import listed, mentions
from agentlib.offline.schemas import hints_of, kind_of, type_of
from agentlib.offline.source import Source
from agentlib.offline.values import Value, as_number


def array(name: str, items: dict[str, Any], needed: bool, source: Source) -> list[Any] | None:
    """All the values of the items' kind, or the words of a spoken list."""
    kind = kind_of(name, items) if type_of(items) == "string" else type_of(items)
    if items.get("enum"):
        hits = enum_hits(items["enum"], hints_of(items), source)
    elif kind in ("integer", "number"):
        hits = source.free("number")
        hits = [Value("number", as_number(v.value), v.start, v.end) for v in hits]
    elif kind in ("url", "email", "path"):
        hits = source.free(kind)
    else:
        hits = listed(name, source) if mentions(name, source.text) else []
        hits = hits or source.free("quote") or listed(name, source)
        hits = hits or (source.free("name") if needed else [])
    source.take(*hits)
    return list(dict.fromkeys(v.value for v in hits)) or None


EXTRACTORS = {
    "enum": enum, "url": typed.typed("url"), "email": typed.typed("email"), "path": typed.path,
    "phone": typed.phone, "pattern": typed.pattern, "command": typed.command, "moment": moment,
    "boolean": boolean, "number": number, "content": leftovers.content, "old": targets.old,
    "new": targets.new, "place": places.place, "person": leftovers.person, "id": identifier,
    "title": leftovers.rest, "query": leftovers.rest, "string": leftovers.string,
    "expression": targets.arithmetic, "language": targets.word_of("language"),
    "currency": targets.word_of("currency"), "unit": targets.word_of("unit"),
}  # fmt: skip
