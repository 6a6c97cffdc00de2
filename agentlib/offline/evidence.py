"""What the values in a text say for or against a tool."""

from __future__ import annotations

from agentlib.offline.schemas import resolve
from agentlib.offline.toolview import ToolView
from agentlib.offline.typed import matching
from agentlib.offline.values import Found
from agentlib.offline.words import words


def evidence(found: Found, tool: ToolView) -> float:
    """Values a parameter waits for speak for the tool; values it can't take speak against it."""
    kinds = {k for _, k, _ in tool.kinds}
    required = {k for _, k, needed in tool.kinds if needed}
    total = _looks(found, tool, kinds)
    total += 0.9 if found.of("expression") and "expression" in kinds else 0.0
    total += 0.3 if found.of("quote") and kinds & {"content", "title", "query", "string"} else 0.0
    total += 0.6 if {"old", "new"} <= kinds and len(found.of("quote")) > 1 else 0.0
    total += 0.5 if found.of("name") and {"place", "person"} & required else 0.0
    for name, kind, needed in tool.kinds:
        if kind in ("url", "path", "email") and needed and not found.of(kind, "quote"):
            total -= 0.4
        elif kind == "pattern":
            total += 1.2 if _pattern_hit(found.text, tool, name) else -0.8 * needed
        elif kind == "enum" and _enum_hit(found.text, tool, name):
            total += 0.5
    return total


def _looks(found: Found, tool: ToolView, kinds: set[str]) -> float:
    """URLs, addresses and paths against what the tool takes."""
    total = 0.0
    kinds = kinds | ({"email"} if kinds & {"person"} else set())
    for kind in ("url", "email", "path"):
        if found.of(kind) and kind in kinds:
            total += 0.9
        elif found.of(kind) and not kinds & {"array", "object"}:
            total -= 0.0 if kind == "path" and kinds & {"content", "command"} else 1.2
    paths = [v.value for v in found.of("path") if v.value != "."]
    if "path" in kinds and "directory" in tool.named and paths:
        total -= 0.8 if all("." in p.rsplit("/", 1)[-1] for p in paths) else 0.0
    return total


def _pattern_hit(text: str, tool: ToolView, name: str) -> bool:
    return bool(matching(resolve(tool.parameters["properties"][name], tool.parameters), text))


def _enum_hit(text: str, tool: ToolView, name: str) -> bool:
    schema = resolve(tool.parameters["properties"][name], tool.parameters)
    low = set(words(text))
    return any(str(c).lower() in low or str(c) in text for c in schema.get("enum") or [])
