"""What to call after an error: another name, another file, a value of the right type."""

from __future__ import annotations

import os.path
import re
from typing import Any

from agentlib.offline.coercing import coerce
from agentlib.offline.reading import Trouble, names_of, parsed
from agentlib.offline.schemas import resolve, type_of
from agentlib.offline.toolview import ToolView, is_acting
from agentlib.offline.words import city_names, concepts, nearest

Call = tuple[str, dict[str, Any]]


def path_of(tool: ToolView | None, arguments: dict[str, Any]) -> str | None:
    """The name of the call's path parameter that holds text."""
    kinds = dict((n, k) for n, k, _ in tool.kinds) if tool else {}
    return next(
        (n for n, v in arguments.items() if kinds.get(n) == "path" and isinstance(v, str)), None
    )


def listing_call(tool: ToolView, arguments: dict[str, Any], tools: list[ToolView]) -> Call | None:
    """A call that shows what lies beside a missing file, when some tool can list."""
    key = path_of(tool, arguments)
    if key is None:
        return None
    for other in tools:
        paths = [n for n, k, _ in other.kinds if k == "path"]
        only = [n for n in other.required if n not in paths]
        if other.name != tool.name and "list" in other.named | other.first and not only:
            folder = os.path.dirname(arguments[key]) or "."
            return (other.name, {paths[0]: folder} if paths else {})
    return None


def other_file(tool: ToolView, arguments: dict[str, Any], listing: str) -> Call | None:
    """The same call for the name in a listing that comes closest to the one that is missing."""
    key = path_of(tool, arguments)
    wanted = arguments.get(key) if key else None
    if not wanted:
        return None
    base, folder = os.path.basename(wanted.rstrip("/")), os.path.dirname(wanted)
    names = [n for n in names_of(parsed(listing)) if not n.endswith("/") and n != base]
    stems = {os.path.splitext(n)[0]: n for n in reversed(names)}
    own = os.path.splitext(base)[0]
    close = stems.get(nearest(own, list(stems), 0.65) or "")
    if close is None:
        words = set(concepts(own.replace("_", " ")))
        close = next(
            (n for s, n in stems.items() if words & set(concepts(s.replace("_", " ")))), None
        )
    if close is None:
        return None
    return (tool.name, {**arguments, key: f"{folder}/{close}" if folder else close})


def mend(
    trouble: Trouble, tool: ToolView, arguments: dict[str, Any], tools: list[ToolView]
) -> Call | None:
    """The next call after an error; None when there is nothing to try."""
    if advised := _advised(trouble, tool, arguments):
        return (tool.name, advised)
    if trouble.kind == "unknown_tool":
        offered = [n for n in trouble.listed if n != tool.name]
        close = nearest(tool.name, offered, 0.5)
        return (close, arguments) if close else None
    if trouble.kind == "transient":
        return None if is_acting(tool) else (tool.name, arguments)
    if trouble.kind == "json":
        return (tool.name, arguments)
    mended = _mend_values(trouble, tool, arguments)
    return (tool.name, mended) if mended and mended != arguments else None


def _advised(trouble: Trouble, tool: ToolView, arguments: dict[str, Any]) -> dict[str, Any] | None:
    """What the message advises outright: "Try again with people=4."; None without advice."""
    found, told = dict(arguments), _ADVICE.search(trouble.message)
    for name, schema in (tool.parameters.get("properties") or {}).items() if told else ():
        said = re.search(
            rf"(?<!\w){re.escape(name)}\s*[=:]\s*"
            rf"(?:(['\"`])(?P<q>.+?)\1|(?P<w>[^\s,;'\"`]+))",
            trouble.message[told.start() :],
        )
        value = said and (said["q"] or said["w"].rstrip(".!?)。"))
        if value and (fitting := coerce(value, resolve(schema, tool.parameters))) is not None:
            found[name] = fitting
    return found if found != arguments else None


_ADVICE = re.compile(
    r"\b(?:try|retry|use|call(?: it)?(?: again)? with|did you mean)\b|请用|请改|改用|试试|重试",
    re.I,
)


def _mend_values(
    trouble: Trouble, tool: ToolView, arguments: dict[str, Any]
) -> dict[str, Any] | None:
    mended, message = dict(arguments), trouble.message
    properties = tool.parameters.get("properties") or {}
    unknown = re.search(
        r"unknown|unexpected|undeclared|extra|additional|not declared|未知", message, re.I
    )
    for name, value in arguments.items():
        spoken = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message)
        if name not in properties and (spoken or unknown):
            close = nearest(name, [p for p in properties if p not in arguments], 0.6)
            del mended[name]
            if close:
                mended[close] = value
        elif name in properties and (spoken or len(arguments) == 1 or str(value) in message):
            schema = resolve(properties[name], tool.parameters)
            mended[name] = _mend_value(value, schema, trouble)
    return mended


def _mend_value(value: Any, schema: dict[str, Any], trouble: Trouble) -> Any:
    """The value as schema and message want it; the value itself when nothing fits better."""
    changed = None
    if _ADDRESS.match(str(value)):
        return value  # an address that was refused is not to be made up anew
    if "type" not in schema and (wanted := _TYPE.search(trouble.message)) and "enum" not in schema:
        name = wanted["t"].lower()
        changed = coerce(value, {"type": _SHORT.get(name, name)})
    elif not isinstance(value, str) or type_of(schema) != "string":
        changed = coerce(value, schema)
    elif "://" not in value and "." in value and re.search(r"https?\b", trouble.message):
        changed = f"https://{value}"
    else:
        changed = _closest(value, schema, trouble)
    return value if changed is None else changed


_TYPE = re.compile(
    r"(?:expected|must be|should be|needs? (?:to be )?|want(?:s|ed)?|not) (?:of type |an? |valid )*"
    r"['\"]?(?P<t>integer|int|number|float|boolean|bool|array|list|string|str)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[a-z]+://", re.IGNORECASE)
_SHORT = {"int": "integer", "float": "number", "bool": "boolean", "list": "array", "str": "string"}


def _closest(value: str, schema: dict[str, Any], trouble: Trouble) -> str | None:
    """The offered value that comes closest in spelling, or holds the other."""
    offered = [str(e) for e in schema.get("enum") or trouble.listed]
    if re.search(r"[./\\]", value):  # a path: no words of a message
        offered = [o for o in offered if not re.search(r"\s", o)]
    fitting = [o for o in offered if o != value and re.search(schema.get("pattern") or "", o)]
    if town := next((o for o in fitting if o in city_names(value)), None):
        return town
    low = value.lower()
    short = [o for o in fitting if len(o.split()) < 4 and min(len(o), len(low)) > 2]
    held = (o for o in short if low in o.lower() or o.lower() in low)
    return nearest(value, fitting, 0.6) or next(held, None)
