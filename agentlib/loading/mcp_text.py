"""The contents of an MCP result as the text a model reads."""

from __future__ import annotations

from typing import Any

from agentlib.results import to_text


def to_plain_text(result: Any) -> str:
    """All contents of a CallToolResult, in order; the structured one where no text says it."""
    parts = [_part(content) for content in result.content]
    structured = result.structuredContent
    if structured is not None and not any(c.type == "text" for c in result.content):
        parts.insert(0, to_text(structured))
    return "\n".join(part for part in parts if part)


def _part(content: Any) -> str:
    if content.type == "text":
        return content.text
    if content.type in ("image", "audio"):
        return f"[{content.type}, {content.mimeType}, {_bytes(content.data)}]"
    if content.type == "resource_link":
        return f"[link to {content.name}: {content.uri}]"
    resource = content.resource
    if hasattr(resource, "text"):
        return f"[resource {resource.uri}]\n{resource.text}"
    kind = resource.mimeType or "unknown type"
    return f"[resource {resource.uri}, {kind}, {_bytes(resource.blob)}]"


def _bytes(base64: str) -> str:
    return f"{len(base64.rstrip('=')) * 3 // 4:,} bytes"
