"""A tool as the planner knows it: its words by place, the kinds of its parameters."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agentlib.offline.schemas import hints_of, kind_of, resolve, type_of
from agentlib.offline.undoing import undoing
from agentlib.offline.words import concept, concepts, words

_NOT_FOR = re.compile(
    r"\bnot (?:for|to be used|meant|intended|suitable)\b|\b(?:do|does) not use\b|\b(?:don't"
    r"|never) use\b"
    r"|\binstead\b|\brather than\b|不要用|不用于|不适用|不能用|而不是",
    re.IGNORECASE,
)
_ONLY_CONFIRMED = re.compile(
    r"only (?:after|when|if|once)\b[^.]*\b(?:confirm|agree|approv)\w*|用户.{0,6}确认(?:后|之后|过)",
    re.IGNORECASE,
)


_TO_COME = re.compile(
    r"\b(?:not|never|don't)\b[^,;]*\b(?:forecasts?|predictions?|future|tomorrow|later days)\b"
    r"|不[^，；]*(?:预报|预测|未来|明天)",
    re.IGNORECASE,
)


READING = {
    "read", "view", "list", "find", "query", "fetch", "weather", "time", "calculate", "convert",
    "translate", "summarize", "count", "get", "open", "check", "price", "meaning", "status",
    "compare",
    "look", "show", "describe", "balance", "news",
}  # fmt: skip
ACTING = {
    "write", "save", "create", "edit", "update", "append", "delete", "cancel", "copy", "move",
    "run", "send",
    "buy", "refund", "remind", "schedule", "book", "turn", "pay", "transfer", "play", "set", "add",
    "start", "stop",
    "command", "order", "post", "put", "close",
    "borrow", "return", "mark", "complete", "finish", "switch", "feed", "water", "charge",
}  # fmt: skip


@dataclass(frozen=True)
class ToolView:
    """What the planner knows of one tool: concepts by place, kinds of its parameters."""

    name: str
    parameters: dict[str, Any]
    named: frozenset[str]
    told: frozenset[str]
    first: frozenset[str]
    denied: frozenset[str]
    asked: frozenset[str]
    kinds: tuple[tuple[str, str, bool], ...]  # (parameter, kind, required)
    ask_first: bool
    present: bool = False  # it says that it is not for what is to come
    opening: str = ""  # what the description begins with
    undoes: str = ""  # "undo" or "give" for a tool that has to be asked for by its verb

    @property
    def verb(self) -> str:
        """The first word of the name: what the tool does, in most names."""
        return next(iter(words(self.name.replace("_", " "))), "")

    @property
    def required(self) -> list[str]:
        return [n for n, _, needed in self.kinds if needed]

    def all(self) -> frozenset[str]:
        return self.named | self.told | self.asked

    def __hash__(self) -> int:
        return hash((self.name, self.named, self.told))


def is_acting(tool: ToolView) -> bool:
    """True for a tool that changes something, as far as its name and description show."""
    if tool.verb in ("set", "put", "make", "change"):
        return True
    if (
        tool.kinds
        and all(k in ("number", "array") for _, k, _ in tool.kinds)
        and (tool.verb in ("add", "sum", "plus"))
    ):
        return False  # it computes
    if tool.opening in READING:
        return False
    if tool.named & (READING - {"time", "weather", "price"}):
        return False
    if tool.named & ACTING:
        return True
    return bool(tool.first & ACTING) and not tool.first & READING


def view(entry: dict[str, Any]) -> ToolView:
    """A tool of the request's `tools` list, read once per schema."""
    return _view(json.dumps(entry.get("function") or {}, sort_keys=False, default=str))


@lru_cache(maxsize=1024)
def _view(text: str) -> ToolView:
    function = json.loads(text)
    parameters = function.get("parameters") or {}
    properties = {
        n: resolve(s, parameters) for n, s in (parameters.get("properties") or {}).items()
    }
    required = set(parameters.get("required") or [])
    sentences = re.split(r"(?<=[.!?;])\s+|[。；！\n]+", function.get("description") or "")
    good = [s for s in sentences if not _NOT_FOR.search(s)]
    asked: set[str] = set()
    for name, schema in properties.items():
        inner = schema.get("items") if type_of(schema) == "array" else schema
        enum = " ".join(map(str, (inner or {}).get("enum") or []))
        asked |= set(concepts(f"{name.replace('_', ' ')} {hints_of(schema)} {enum}"))
    named = frozenset(concepts(re.sub(r"[_-]", " ", function.get("name", ""))))
    told = frozenset(c for s in good for c in concepts(s))
    return ToolView(
        name=function.get("name", ""),
        parameters=parameters,
        named=named,
        told=told,
        first=frozenset(concepts(good[0])) if good else frozenset(),
        denied=frozenset(c for s in sentences if _NOT_FOR.search(s) for c in concepts(s))
        - named
        - told,
        asked=frozenset(asked),
        kinds=tuple((n, kind_of(n, s), n in required) for n, s in properties.items()),
        opening=concept(next(iter(words(good[0])), "")) if good else "",
        present=any(_NOT_FOR.search(s) and _TO_COME.search(s) for s in sentences),
        undoes=undoing(function.get("name", ""), function.get("description") or ""),
        ask_first=bool(_ONLY_CONFIRMED.search(function.get("description") or "")),
    )
