"""Later arguments out of earlier results: "it", "the first file", "the order", 结果."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agentlib.offline.answering import phrase
from agentlib.offline.coercing import coerce
from agentlib.offline.lexicon import POINTING, STOP, VERBS
from agentlib.offline.picking import EXTREME, PLACE, POINTS, pick
from agentlib.offline.reading import (
    entries_of,
    look_up,
    names_of,
    numbers_of,
    parsed,
    speaks_of,
    values_of,
)
from agentlib.offline.schemas import RECIPIENT
from agentlib.offline.steps import Step
from agentlib.offline.toolview import ToolView
from agentlib.offline.words import concepts, words

_SHAPES = {
    "phone": r"\+?\d[\d ()-]{4,}\d",
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "url": r"https?://[^\s\"'<>]+",
}

_NAMES = ("place", "person", "title", "string", "query")  # what a bare word of a result may be


@dataclass
class Outcome:
    """What came of one step. state: ok, failed, denied, skipped, unknown, report, untooled."""

    step: Step
    state: str
    tool: ToolView | None = None
    name: str = ""
    arguments: dict[str, Any] | None = None
    result: str = ""
    message: str = ""


def _bare(text: str) -> str:
    return re.sub(r"^\W*(?:the|an?)\s+", "", text, flags=re.IGNORECASE)


def is_reference(text: Any, topics: set[str]) -> bool:
    """True for words that only point at results: "the result", "it", "the weather" once known."""
    if not isinstance(text, str):
        return False
    if re.match(r"\W*(?:its|their)\b|它的|其中?的", text, re.IGNORECASE) and len(words(text)) < 5:
        return True
    order = re.fullmatch(r"\W*([a-z]+) (?:it|that|this|them)\W*", text, re.IGNORECASE)
    if order and order[1].lower() in VERBS:  # "record it" is no text to record
        return True
    if len(words(text)) < 4 and (PLACE.match(_bare(text)) or EXTREME.match(_bare(text))):
        return True
    text = PLACE.sub(" it ", EXTREME.sub(" it ", text))
    left = [w for w in words(text) if w not in POINTING]
    return bool(words(text)) and all(concepts(w) and set(concepts(w)) <= topics for w in left)


def resolve_from(
    name: str, kind: str, schema: dict[str, Any], text: str, outcomes: list[Outcome]
) -> Any:
    """A parameter's value from the results so far, the latest first; None when they hold none."""
    good = [o for o in outcomes if o.state == "ok"]
    if not good:
        return None
    if kind in ("content", "new") or (kind == "query" and POINTS.search(text)):
        return _content(text, good) if kind != "query" else None
    if kind in ("array", "expression"):
        return _numbers(kind, schema, good)
    for outcome in reversed(good):
        value = _from_one(name, kind, schema, text, outcome)
        if value is not None and (fitting := coerce(value, schema)) is not None:
            return fitting
    return None


def _content(text: str, good: list[Outcome]) -> str:
    """The results that the text speaks of, or the last one, as plain text."""
    value = parsed(good[-1].result)
    if isinstance(value, dict):  # "post its amount"
        asked = set(concepts(text))
        leaf = next(
            (
                v
                for k, v in values_of(value)
                if k and set(concepts(k.replace("_", " "))) <= asked and concepts(k)
            ),
            None,
        )
        if leaf is not None and re.search(r"\b(?:its|the|their|his|her)\b|其|它的", text, re.I):
            return str(leaf)
    about = [o for o in good if o.tool and set(concepts(text)) & o.tool.named]
    if re.search(
        r"\b(?:them|both|all|results|everything|these|those)\b|它们|全部|都|所有", text, re.I
    ):
        about = good
    return "\n".join(plain(o) for o in about or good[-1:])


def plain(outcome: Outcome) -> str:
    """A result as text: text, and whatever a file holds, stays as it is."""
    value = parsed(outcome.result)
    file_read = outcome.tool is not None and any(k == "path" for _, k, _ in outcome.tool.kinds)
    return outcome.result if file_read or isinstance(value, str) else phrase(value)


def _numbers(kind: str, schema: dict[str, Any], good: list[Outcome]) -> Any:
    """Numbers of all the results: each result's own main number, or all those of the only one."""
    values = [parsed(o.result) for o in good]
    found = [n for v in values for n in (numbers_of(v) if len(values) == 1 else numbers_of(v)[:1])]
    if kind == "expression":
        return " + ".join(map(str, found)) if len(found) > 1 else None
    inner = (schema.get("items") or {}).get("type")
    if inner in ("number", "integer"):
        return found or None
    return [str(e) for e in entries_of(values[-1])] or None


def _from_one(name: str, kind: str, schema: dict[str, Any], text: str, outcome: Outcome) -> Any:
    value, arguments = parsed(outcome.result), outcome.arguments or {}
    lists = not isinstance(value, str) or (outcome.tool is not None and _lists(outcome.tool))
    item = pick(entries_of(value), text) if lists else None
    if kind in _SHAPES and (shaped := re.search(_SHAPES[kind], outcome.result)):
        return shaped[0]
    mail = re.search(_SHAPES["email"], outcome.result)
    if mail and kind == "person" and name in RECIPIENT and re.search(r"mail|邮", text, re.I):
        return mail[0]
    if kind == "path":
        return _path_from(name, item, value, text, outcome)
    if item is not None and not isinstance(item, str):
        value = item
    keyed = value if not isinstance(value, str) else None
    found = look_up(keyed, name)
    if found is None and kind == "id":
        found = look_up(keyed, "id")
    if (
        found is None
        and kind == "number"
        and isinstance(value, int | float)
        and POINTS.search(text)
    ):
        found = value  # "add 5 to the result"
    if found is None:
        found = look_up(arguments, name)
    if found is None and isinstance(item, str):
        found = item
    if found is None and kind in _NAMES and isinstance(value, str) and POINTS.search(text):
        found = value.strip() if re.fullmatch(r"\s*[^\W\d_][\w' -]{0,30}\s*", value) else None
    if found is None and kind == "number" and len(numbers := numbers_of(value)) >= 1:
        found = numbers[0] if len(numbers) == 1 or speaks_of(name, value) else None
    return found


def _path_from(name: str, item: Any, value: Any, text: str, outcome: Outcome) -> str | None:
    """A path out of a listing, or the one another call was about."""
    arguments, listing = outcome.arguments or {}, bool(outcome.tool and _lists(outcome.tool))
    if item is None and listing:
        item = _named_entry(names_of(value), text)
    if item is not None:
        entry = item if isinstance(item, str) else look_up(item, name) or look_up(item, "name")
        return _joined(arguments, str(entry).strip())
    if listing or outcome.tool is None:
        return None
    own = {n: k for n, k, _ in outcome.tool.kinds}
    return next((v for n, v in arguments.items() if own.get(n) == "path"), None)


def _lists(tool: ToolView) -> bool:
    return bool({"list", "find", "directory"} & (tool.named | tool.first))


def _joined(arguments: dict[str, Any], entry: str) -> str:
    folder = next((v for v in arguments.values() if isinstance(v, str)), ".")
    if folder in (".", "./", "") or "/" in entry or entry.startswith(folder):
        return entry
    return f"{folder.rstrip('/')}/{entry}"


def _named_entry(names: list[str], text: str) -> str | None:
    """The entry that a word of the step speaks of: "the readme", "the log file"."""
    wanted = [w for w in words(text) if len(w) > 2 and w not in STOP]
    for entry in names:
        have = set(words(entry.replace("_", " ").replace(".", " ")))
        if have & set(wanted):
            return entry
    files = [n for n in names if not n.endswith("/")]
    return files[0] if len(files) == 1 else None
