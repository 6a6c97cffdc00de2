"""One request to the model and its reply, whole or as a stream, as plain dicts."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary, ref

from agentlib.assembly import Reply, StreamAssembler, stream_error
from agentlib.blocking import in_background
from agentlib.waiting import wakeful


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
    except json.JSONDecodeError as error:
        raise stream_error(f"a piece is no JSON ({error})") from error
    except _transport_errors() as error:  # the client wraps these for plain replies only
        raise APIConnectionError(message=f"the stream broke off: {error}", request=None) from error
    return assembler.reply()


def _transport_errors() -> tuple[type[Exception], ...]:
    """The HTTP library's errors: version 3 of the client uses httpx2, and still takes httpx.

    One that isn't loaded can't have raised.
    """
    loaded = [sys.modules.get(name) for name in ("httpx", "httpx2")]
    return tuple(module.HTTPError for module in loaded if hasattr(module, "HTTPError"))


_homes: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # client -> its event loop, weakly
_copies: WeakKeyDictionary[Any, WeakKeyDictionary[Any, Any]] = WeakKeyDictionary()


def _of_this_loop(client: Any) -> Any:
    """The async client, or a copy of it with connections of its own, as they belong to one loop.

    So `run_sync`, which works in a thread with a loop, and `await run` can be mixed, and
    `asyncio.run` be called twice. A client with an http_client of the caller's is never copied.
    """
    from openai import DefaultAsyncHttpxClient

    here = asyncio.get_running_loop()
    own = type(getattr(client, "_client", None)).__name__ == "AsyncHttpxClientWrapper"
    if not own or not in_background() and _homes.setdefault(client, ref(here))() is here:
        return client
    copies = _copies.setdefault(here, WeakKeyDictionary())
    if client not in copies:
        copies[client] = client.with_options(http_client=DefaultAsyncHttpxClient())
    return copies[client]


async def _post(client: Any, request: dict[str, Any]) -> Any:
    import anyio
    from openai import AsyncOpenAI

    async with wakeful():
        if isinstance(client, AsyncOpenAI):
            client = _of_this_loop(client)
            return await client.post("/chat/completions", cast_to=object, body=request)
        return await anyio.to_thread.run_sync(
            lambda: client.post("/chat/completions", cast_to=object, body=request),
            abandon_on_cancel=True,
        )


async def _chunks(client: Any, request: dict[str, Any]) -> Any:
    from openai import AsyncOpenAI, AsyncStream, Stream

    where, body = "/chat/completions", request
    if isinstance(client, AsyncOpenAI):
        stream = await _of_this_loop(client).post(
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
    try:
        choice = body["choices"][0]
        message = {k: v for k, v in choice["message"].items() if v is not None or k == "content"}
        calls = message.get("tool_calls") or []
        if not all(isinstance(call, dict) for call in calls):
            raise TypeError
    except (TypeError, KeyError, IndexError, AttributeError):
        raise _no_completion(body) from None
    message.setdefault("content", None)
    return Reply(message, choice.get("finish_reason") or "", body.get("usage") or {})


def _no_completion(body: Any) -> Exception:
    from openai import APIError

    said = body.get("error") if isinstance(body, dict) else None
    if said:  # some servers send their errors with status 200
        said = said.get("message", said) if isinstance(said, dict) else said
        text = f"the endpoint answered with an error: {said}"
    else:
        text = (
            "the endpoint answered with something that is no chat completion: is OPENAI_BASE_URL "
            "the address of a Chat Completions server (often ending in /v1)?"
        )
    return APIError(text, request=None, body=body)  # type: ignore[arg-type]
