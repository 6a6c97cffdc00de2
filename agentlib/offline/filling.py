"""Filling a tool's parameters from a step's text, by the schema alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from agentlib.offline.coercing import coerce
from agentlib.offline.extract import EXTRACTORS, array
from agentlib.offline.phrases import mentions, named_value
from agentlib.offline.schemas import RECIPIENT, kind_of, resolve, type_of
from agentlib.offline.source import Several, Soft, Source
from agentlib.offline.words import words

# The order in which parameters take their share of the text: the most certain kinds first.
_KINDS = (
    "enum url email phone pattern command moment expression path old new id currency "
    "language unit number "
    "boolean place person array object content title query string"
)
_ORDER = re.split(" ", _KINDS)
_EMPTY_FILE = re.compile(r"\b(?:empty|blank)\s+(?:\w+\s+)?file\b|空白?的?文件", re.IGNORECASE)
_LEFTOVER = {"place", "person", "array", "object", "content", "title", "query", "string"}


@dataclass
class Filled:
    """Arguments found, required names not found, and values that ask for one call each."""

    arguments: dict[str, Any] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    several: tuple[str, list[Any]] | None = None
    kinds: dict[str, str] = field(default_factory=dict)
    soft: set[str] = field(default_factory=set)  # filled with leftover words
    certain: int = 0  # arguments that rest on a typed value, not on leftover words

    def each(self) -> list[dict[str, Any]]:
        """The arguments of each call: one, or one for each of several values."""
        if self.several is None:
            return [self.arguments]
        name, values = self.several
        return [{**self.arguments, name: value} for value in values]


def fill(parameters: dict[str, Any], source: Source) -> Filled:
    """Arguments for one tool; required ones without a value end up in `missing`."""
    filled = Filled()
    properties = parameters.get("properties") or {}
    required = [r for r in parameters.get("required") or [] if isinstance(r, str)]
    schemas = {n: resolve(s, parameters) for n, s in properties.items()}
    filled.kinds = {n: _kind_here(n, s, source) for n, s in schemas.items()}
    source.nouns = frozenset(n.lower() for n in properties)
    source.required = len(required)
    texts = ("content", "title", "old", "new")
    source.texts_wanted = sum(1 for n in required if filled.kinds.get(n) in texts)
    source.numbers_wanted = sum(1 for n in required if filled.kinds.get(n) == "number")
    order = sorted(
        schemas, key=lambda n: (_ORDER.index(filled.kinds[n]), not mentions(n, source.text))
    )
    _named_first(schemas, filled, source)
    typed = [n for n in order if filled.kinds[n] not in _LEFTOVER]
    for names, needed in product((typed, order), (True, False)):
        for name in names:
            if (name in required) == needed and name not in filled.arguments:
                _fill_one(name, schemas[name], parameters, needed, filled, source)
    for name in required:
        if filled.kinds.get(name) == "content" and _EMPTY_FILE.search(source.text):
            filled.arguments.setdefault(name, "")
    _leftovers(order, required, schemas, parameters, filled, source)
    for name in required:
        if name not in filled.arguments and schemas.get(name, {}).get("default") is not None:
            filled.arguments[name] = schemas[name]["default"]
    filled.missing = [n for n in required if n not in filled.arguments]
    filled.arguments = {n: filled.arguments[n] for n in properties if n in filled.arguments}
    return filled


def _kind_here(name: str, schema: dict[str, Any], source: Source) -> str:
    """The kind of a parameter, where the text decides: a target is a path or a place."""
    kind = kind_of(name, schema)
    side = re.search(r"(?:^|_)(?:source|destination|target|src|dst|from|to)$", name)
    if kind in ("path", "place") and side:
        kind = "path" if source.found.of("path") else "place"
    if kind in ("person", "place") and set(words(name)) & RECIPIENT and source.found.of("email"):
        return "email"
    return kind


def _leftovers(
    order: list[str],
    required: list[str],
    schemas: dict[str, Any],
    root: dict[str, Any],
    filled: Filled,
    source: Source,
) -> None:
    """What is left of the text: for a required content, or the one optional thing to search by."""
    source.last = True
    for name in order:
        if name in required and name not in filled.arguments and filled.kinds[name] == "content":
            _fill_one(name, schemas[name], root, True, filled, source)
    if required or filled.arguments:
        return
    wanted = ("place", "person") if source.free("name") else ("query", "title", "string")
    for name in order:
        if filled.kinds[name] in wanted and not filled.arguments:
            _fill_one(name, schemas[name], root, True, filled, source)


def _named_first(schemas: dict[str, Any], filled: Filled, source: Source) -> None:
    """`city: Paris`, `limit=5`, and what the user answered when asked."""
    for name, schema in schemas.items():
        if name in source.given:
            value = _from_reply(name, schema, filled.kinds[name], source)
            if value is not None:
                filled.arguments[name] = value
            continue
        named = named_value(name, schema, source, coerce)
        if named is not None:
            filled.arguments[name] = named
            filled.certain += 1


def _from_reply(name: str, schema: dict[str, Any], kind: str, source: Source) -> Any:
    """What the user answered when asked for this parameter."""
    said = str(source.given[name])
    if kind == "moment":
        said = re.sub(r"^\s*(?=\d{1,2}\W*$)", "at ", said)
    reply = Source(said, source.today, context=source.text)
    if kind in EXTRACTORS and kind not in ("content", "title", "query", "string"):
        value = EXTRACTORS[kind](name, schema, True, reply)
        if value is not None and not isinstance(value, Several):
            return value
    text = reply.text.strip().rstrip(".。")
    if schema.get("pattern") and not re.search(schema["pattern"], text):
        return None
    return coerce(text, schema)


def _fill_one(
    name: str,
    schema: dict[str, Any],
    root: dict[str, Any],
    needed: bool,
    filled: Filled,
    source: Source,
) -> None:
    kind = filled.kinds[name]
    needs = root.get("required") or []
    alike = [n for n in needs if filled.kinds.get(n) == kind]
    if kind == "enum":  # a room and a state are told apart by their choices
        alike = [
            n
            for n in alike
            if resolve(root["properties"][n], root).get("enum") == schema.get("enum")
        ]
    source.single = len(alike) > 1
    if kind in ("array", "object"):
        value = _fill_nested(name, kind, schema, root, needed, source)
    else:
        value = EXTRACTORS[kind](name, schema, needed, source)
    if isinstance(value, Several):
        filled.several = filled.several or (name, value.values)
        value = value.values[0]
    if value is None or value == "" or value == schema.get("default"):
        return
    if isinstance(value, Soft):
        filled.soft.add(name)
        value = str(value)
    filled.arguments[name] = value
    filled.certain += kind not in ("title", "query", "string", "content")


def _fill_nested(
    name: str, kind: str, schema: dict[str, Any], root: dict[str, Any], needed: bool, source: Source
) -> Any:
    if kind == "array":
        items = resolve(schema.get("items") or {}, root)
        if type_of(items) == "object":
            inner = _fill_object(items, root, source)
            return [inner] if inner else None
        return array(name, items, needed, source)
    return _fill_object(schema, root, source, required=needed)


def _fill_object(
    schema: dict[str, Any], root: dict[str, Any], source: Source, required: bool = False
) -> dict[str, Any] | None:
    nested = {"$defs": root.get("$defs"), "definitions": root.get("definitions"), **schema}
    inner = fill(nested, source)
    if not inner.arguments or inner.missing and not required:
        return None
    return inner.arguments if not inner.missing else None
