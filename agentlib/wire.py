"""One request to the model and its reply, whole or as a stream, as plain dicts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agentlib.waiting import wakeful


@dataclass
class Reply:
    """What the model answered: a message as a plain dict, why it ended, the tokens used."""

    message: dict[str, Any]
    finish_reason: str = ""
    usage: dict[str, Any] = field(default_factory=dict)


async def send(
    client: Any, request: dict[str, Any], on_text: Callable[[str], None] | None
) -> Reply:
    """One model turn; `on_text` (if given) gets the text in pieces while it streams.

    The request goes through the client's raw `post`, as plain dicts: `create()` checks the whole
    history again on every call, so that its cost grows with the history.
    """
    from openai import APIConnectionError

    if on_text is None:
        return _read(await _post(client, request))
    streamed = {**request, "stream": True, "stream_options": {"include_usage": True}}
    assembler = StreamAssembler()
    try:
        async with wakeful():
            async for chunk in _chunks(client, streamed):
                text = assembler.add(chunk)
                if text:
                    on_text(text)
    except _transport_errors() as error:  # the client wraps these for plain replies only
        raise APIConnectionError(message=f"the stream broke off: {error}", request=None) from error
    return assembler.reply()


def _transport_errors() -> tuple[type[Exception], ...]:
    """The HTTP library's errors: version 3 of the client uses httpx2, and still takes httpx."""
    import httpx

    try:
        import httpx2
    except ImportError:
        return (httpx.HTTPError,)
    return httpx.HTTPError, httpx2.HTTPError


async def _post(client: Any, request: dict[str, Any]) -> Any:
    import anyio
    from openai import AsyncOpenAI

    async with wakeful():
        if isinstance(client, AsyncOpenAI):
            return await client.post("/chat/completions", cast_to=object, body=request)
        return await anyio.to_thread.run_sync(
            lambda: client.post("/chat/completions", cast_to=object, body=request),
            abandon_on_cancel=True,
        )


async def _chunks(client: Any, request: dict[str, Any]) -> Any:
    from openai import AsyncOpenAI, AsyncStream, Stream

    where, body = "/chat/completions", request
    if isinstance(client, AsyncOpenAI):
        stream = await client.post(
            where, cast_to=object, body=body, stream=True, stream_cls=AsyncStream[object]
        )
        async for chunk in stream:
            yield chunk
        return
    queue: asyncio.Queue[Any] = asyncio.Queue()
    loop, gone = asyncio.get_running_loop(), []

    def work() -> None:
        put = lambda item: loop.call_soon_threadsafe(queue.put_nowait, item)  # noqa: E731
        try:
            with client.post(
                where, cast_to=object, body=body, stream=True, stream_cls=Stream[object]
            ) as stream:
                for chunk in stream:
                    if gone:
                        return
                    put(chunk)
            put(None)
        except Exception as error:  # carried over to the waiting side, and raised there
            put(error)

    loop.run_in_executor(None, work)
    try:
        while (item := await queue.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        gone.append(True)


def _read(body: Any) -> Reply:
    from openai import APIError

    try:
        choice = body["choices"][0]
        message = {k: v for k, v in choice["message"].items() if v is not None or k == "content"}
    except (TypeError, KeyError, IndexError, AttributeError):
        raise APIError(
            "the endpoint answered with something that is no chat completion: is OPENAI_BASE_URL "
            "the address of a Chat Completions server (often ending in /v1)?",
            request=None,  # type: ignore[arg-type]
            body=body,
        ) from None
    message.setdefault("content", None)
    return Reply(message, choice.get("finish_reason") or "", body.get("usage") or {})


class StreamAssembler:
    """Joins stream chunks into one message; tool calls are joined by their index."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {"role": "assistant", "content": None}
        self.calls: dict[int, dict[str, Any]] = {}
        self.finish_reason, self.usage = "", {}

    def add(self, chunk: dict[str, Any]) -> str:
        """Take one chunk in; returns the piece of text it carried, or ""."""
        self.usage = chunk.get("usage") or self.usage
        text = ""
        for choice in (chunk.get("choices") or [])[:1]:
            delta = choice.get("delta") or {}
            text = delta.get("content") or ""
            for key in ("content", "refusal", "reasoning_content"):
                if delta.get(key):
                    self.message[key] = (self.message.get(key) or "") + delta[key]
            pieces = delta.get("tool_calls") or []
            for piece in pieces:
                self._add_call(piece, len(pieces))
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
        return text

    def _add_call(self, piece: dict[str, Any], together: int) -> None:
        function = piece.get("function") or {}
        index = self._index(piece, together)
        call = self.calls.setdefault(
            index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
        )
        call["id"] = call["id"] or piece.get("id") or ""
        call["function"]["name"] += function.get("name") or ""
        call["function"]["arguments"] += function.get("arguments") or ""

    def _index(self, piece: dict[str, Any], together: int) -> int:
        """The piece's index; where a server leaves it out, what it can only be, or an error."""
        index = piece.get("index")
        if isinstance(index, int):
            return index
        call_id = piece.get("id")
        for known, call in self.calls.items():
            if call_id and call["id"] == call_id:
                return known
        if call_id:
            return max(self.calls, default=-1) + 1
        if len(self.calls) == 1 and together == 1:
            return next(iter(self.calls))
        if not self.calls and together == 1:
            return 0
        raise _stream_error("a piece of a tool call has neither index nor id: which call is it of?")

    def reply(self) -> Reply:
        """The whole message, once the stream has ended; APIError if it ended too early."""
        if not self.finish_reason:
            raise _stream_error("it ended without a finish_reason; ask again.")
        if self.calls:
            self.message["tool_calls"] = [self.calls[i] for i in sorted(self.calls)]
        return Reply(self.message, self.finish_reason, self.usage)


def _stream_error(message: str) -> Exception:
    from openai import APIError

    return APIError(f"broken stream: {message}", request=None, body=None)  # type: ignore[arg-type]
