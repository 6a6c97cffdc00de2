"""A draft written down as the protocol has it: one completion, or the chunks of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from agentlib.offline.drafts import Draft, digest, pieces
from agentlib.offline.protocol_parameters import MODEL

CREATED = 1_767_225_600  # 2026-01-01T00:00:00Z, always: the same request gets the same bytes
FINGERPRINT = "fp_scripted_1"
DONE = b"data: [DONE]\n\n"


def completion(request: dict[str, Any], draft: Draft) -> dict[str, Any]:
    """The `chat.completion` object; `n` choices are equal, as temperature 0 would have it."""
    message: dict[str, Any] = {
        "role": "assistant",
        "content": draft.content,
        "refusal": None,
        "annotations": [],
    }
    if draft.calls:
        message["tool_calls"] = [_call(call) for call in draft.calls]
    logprobs = _logprobs(pieces(draft.content)) if _wants_logprobs(request, draft) else None
    choices = [
        {
            "index": index,
            "message": message,
            "logprobs": logprobs,
            "finish_reason": draft.finish_reason,
        }
        for index in range(request.get("n") or 1)
    ]
    head = _head(request, draft, "chat.completion")
    return {**head, "choices": choices, "usage": usage(request, draft)}


def chunks(request: dict[str, Any], draft: Draft) -> Iterator[dict[str, Any]]:
    """The `chat.completion.chunk` objects, in the order in which the hosted API sends them."""
    head = _head(request, draft, "chat.completion.chunk")
    with_usage = bool((request.get("stream_options") or {}).get("include_usage"))
    if with_usage:
        head["usage"] = None
    for index in range(request.get("n") or 1):
        for delta, logprobs in _deltas(request, draft):
            choice = {"index": index, "delta": delta, "logprobs": logprobs, "finish_reason": None}
            yield {**head, "choices": [choice]}
        last = {"index": index, "delta": {}, "logprobs": None}
        yield {**head, "choices": [{**last, "finish_reason": draft.finish_reason}]}
    if with_usage:
        yield {**head, "choices": [], "usage": usage(request, draft)}


def sse(events: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Server-sent events, closed by `[DONE]`."""
    for event in events:
        yield b"data: " + to_bytes(event) + b"\n\n"
    yield DONE


def to_bytes(value: Any) -> bytes:
    """Compact JSON in UTF-8; half a surrogate pair becomes `?`."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def usage(request: dict[str, Any], draft: Draft) -> dict[str, Any]:
    """Token counts: the prompt's by its length, the completion's by its pieces."""
    prompt, completed = prompt_tokens(request), draft.tokens * (request.get("n") or 1)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completed,
        "total_tokens": prompt + completed,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


def prompt_tokens(request: dict[str, Any]) -> int:
    """Four bytes are one token; every message costs four on top, as its frame does."""
    total = len(json.dumps(request["tools"])) // 4 if request.get("tools") else 0
    for message in request["messages"]:
        content = message.get("content") or ""
        total += 4 + _bytes(content if isinstance(content, str) else json.dumps(content)) // 4
        for call in message.get("tool_calls") or ():
            function = call.get("function") or call["custom"]
            text = function.get("arguments") or function.get("input") or ""
            total += 4 + (len(function["name"]) + _bytes(text)) // 4
    return total


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _head(request: dict[str, Any], draft: Draft, kind: str) -> dict[str, Any]:
    messages = request["messages"]
    calls = [(call.id, call.name, call.arguments) for call in draft.calls]
    mark = digest(len(messages), messages[-1], draft.content, calls)
    return {
        "id": f"chatcmpl-{mark[:29]}",
        "object": kind,
        "created": CREATED,
        "model": MODEL,
        "service_tier": "default",
        "system_fingerprint": FINGERPRINT,
    }


def _call(call: Any) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _deltas(request: dict[str, Any], draft: Draft) -> Iterator[tuple[dict[str, Any], Any]]:
    text = draft.content
    yield {"role": "assistant", "content": None if text is None else "", "refusal": None}, None
    scored = _wants_logprobs(request, draft)
    for piece in pieces(text or ""):
        yield {"content": piece}, _logprobs([piece]) if scored else None
    for index, call in enumerate(draft.calls):
        opening = {**_call(call), "index": index}
        opening["function"] = {"name": call.name, "arguments": ""}
        yield {"tool_calls": [opening]}, None
        for piece in pieces(call.arguments):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}, None


def _wants_logprobs(request: dict[str, Any], draft: Draft) -> bool:
    return bool(request.get("logprobs")) and bool(draft.content)


def _logprobs(parts: list[str]) -> dict[str, Any]:
    """The scripted model is always certain: probability 1, logarithm 0."""
    content = [
        {
            "token": part,
            "logprob": 0.0,
            "bytes": list(part.encode("utf-8", "replace")),
            "top_logprobs": [],
        }
        for part in parts
    ]
    return {"content": content, "refusal": None}
