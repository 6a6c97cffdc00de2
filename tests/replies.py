"""A client whose model answers from a list: the real client, over an in-process transport."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx
from openai import AsyncOpenAI, OpenAI


def text(content: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **more}


def calls(*pairs: tuple[str, Any], ids: Sequence[str] | None = None) -> dict[str, Any]:
    """An assistant message with one call for each (name, arguments)."""
    made = []
    for i, (name, arguments) in enumerate(pairs):
        raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
        call_id = ids[i] if ids else f"c{i}"
        function = {"name": name, "arguments": raw}
        made.append({"id": call_id, "type": "function", "function": function})
    return {"role": "assistant", "content": None, "tool_calls": made}


def body(message: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    finish = finish or ("tool_calls" if message.get("tool_calls") else "stop")
    choice = {"index": 0, "message": {"refusal": None, **message}, "finish_reason": finish}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return {
        "id": "r", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [choice], "usage": usage,
    }  # fmt: skip


class Script:
    """The replies, in order, and the requests that were made. A reply may be a Response."""

    def __init__(self, *replies: Any) -> None:
        self.replies, self.requests = list(replies), []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(json.loads(request.content))
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, httpx.Response) else httpx.Response(200, json=body(reply))

    def client(self, retries: int = 0) -> OpenAI:
        http = httpx.Client(transport=httpx.MockTransport(self))
        return OpenAI(
            api_key="k", base_url="http://m.invalid/v1", http_client=http, max_retries=retries
        )

    def async_client(self) -> AsyncOpenAI:
        http = httpx.AsyncClient(transport=httpx.MockTransport(self))
        return AsyncOpenAI(
            api_key="k", base_url="http://m.invalid/v1", http_client=http, max_retries=0
        )


def sse(*chunks: dict[str, Any], done: bool = True) -> httpx.Response:
    """A streamed reply: one event per chunk, then [DONE]."""
    lines = [f"data: {json.dumps(c)}\n\n" for c in chunks] + ["data: [DONE]\n\n"] * done
    head = {"content-type": "text/event-stream"}
    return httpx.Response(200, headers=head, content="".join(lines).encode())


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "r", "object": "chat.completion.chunk", "created": 0, "model": "m",
            "choices": [choice]}  # fmt: skip
