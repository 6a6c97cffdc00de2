"""What each quirk does to a request or to the model's draft of an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from agentlib.offline import spoiling
from agentlib.offline.drafts import Draft, DraftCall
from agentlib.offline.refusals import Refusal
from agentlib.offline.replies import prompt_tokens
from agentlib.offline.samples import sample

Request = dict[str, Any]
_CLOCK = re.compile("time|clock|now|date|random", re.IGNORECASE)


class Dropped(Exception):
    """The connection ends without an answer."""


def calls_since_user(request: Request) -> list[list[dict[str, Any]]]:
    """The turns of calls after the last user message: each a list of {name, arguments}."""
    turns: list[list[dict[str, Any]]] = []
    for message in reversed(request["messages"]):
        if message["role"] == "user":
            break
        calls = message.get("tool_calls") or ()
        turns.append([call["function"] for call in calls if call["type"] == "function"])
    return [turn for turn in reversed(turns) if turn]


def first_attempt(change: Callable[[Draft, Request], None]) -> Callable[..., None]:
    def spoil(draft: Draft, request: Request, value: str) -> None:
        if draft.calls and not calls_since_user(request):
            change(draft, request)

    return spoil


def _parameters(request: Request, name: str) -> Any:
    for tool in request.get("tools") or ():
        if tool.get("function", {}).get("name") == name:
            return tool["function"].get("parameters")
    return None


def spoil_first(kind: str) -> Callable[..., None]:
    def change(draft: Draft, request: Request) -> None:
        for call in draft.calls:
            text = spoiling.spoil(kind, call.arguments, _parameters(request, call.name))
            if text is not None:
                call.arguments = text
                return

    return first_attempt(change)


def bad_arguments(draft: Draft, request: Request, value: str) -> None:
    if value != "all":
        spoil_first(value)(draft, request, "")
    elif draft.calls:
        call = draft.calls[0]
        made = [earlier["name"] for turn in calls_since_user(request) for earlier in turn]
        attempt = made.count(call.name)
        parameters = _parameters(request, call.name)
        texts = (spoiling.spoil(kind, call.arguments, parameters) for kind in spoiling.KINDS)
        spoiled = [text for text in texts if text is not None]
        if attempt < len(spoiled):
            call.arguments = spoiled[attempt]


def cut_off(draft: Draft, request: Request) -> None:
    call = draft.calls[-1]
    call.arguments = call.arguments[: max(1, len(call.arguments) * 2 // 3)]
    draft.finish_reason = "length"


def made_up_tool(draft: Draft, request: Request) -> None:
    names = {tool.get("function", {}).get("name") for tool in request.get("tools") or ()}
    name = f"auto_{draft.calls[0].name}"[:64]
    draft.calls[0].name = name if name not in names else f"{name[:62]}_2"


def _only(draft: Draft, name: str, arguments: str) -> None:
    draft.content, draft.finish_reason = None, "tool_calls"
    draft.calls = [DraftCall(name, arguments)]


def repeat_call(draft: Draft, request: Request, value: str) -> None:
    turns = calls_since_user(request)
    if turns and _may_call(request):
        first = turns[0][0]
        _only(draft, first["name"], first["arguments"])
    draft.calls = draft.calls[:1]


def _may_call(request: Request) -> bool:
    return bool(request.get("tools")) and request.get("tool_choice") != "none"


def repeat_until_warned(draft: Draft, request: Request, value: str) -> None:
    if not _read_a_warning(request):
        repeat_call(draft, request, value)


def _read_a_warning(request: Request) -> bool:
    for message in reversed(request["messages"]):
        if message["role"] == "user":
            return False
        if message["role"] == "tool" and "Error: Loop: " in str(message.get("content")):
            return True
    return False


def ping_pong(draft: Draft, request: Request, value: str) -> None:
    turns = calls_since_user(request)
    if not _may_call(request) or not (turns or draft.calls):
        return
    if len(turns) >= 2:
        again = turns[-2][0]
        _only(draft, again["name"], again["arguments"])
    elif turns:
        first = turns[0][0]
        planned = [(call.name, call.arguments) for call in draft.calls]
        other = next((p for p in planned if p != (first["name"], first["arguments"])), None)
        _only(draft, *(other or _counterpart(request, first["name"])))
    draft.calls = draft.calls[:1]


def _counterpart(request: Request, name: str) -> tuple[str, str]:
    """Another tool with arguments that do: the one that needs the fewest.

    A clock comes last: its results change, and a loop detector rightly leaves those alone.
    """
    functions = [tool["function"] for tool in request["tools"] if tool["type"] == "function"]
    others = [function for function in functions if function["name"] != name] or functions

    def needs(function: dict[str, Any]) -> tuple[bool, int]:
        required = (function.get("parameters") or {}).get("required") or ()
        return bool(_CLOCK.search(function["name"])), len(required)

    chosen = min(others, key=needs)
    arguments = sample(chosen.get("parameters") or {}) or {}
    return chosen["name"], json.dumps(arguments, ensure_ascii=False)


def duplicate_ids(draft: Draft, request: Request, value: str) -> None:
    for call in draft.calls:
        call.id = "call_same"


def rate_limited(request: Request, value: str, count: int) -> None:
    if count <= float(value):
        raise Refusal(
            "Rate limit reached for scripted-1. Please try again in 1s.",
            None,
            "rate_limit_exceeded",
            status=429,
            kind="requests",
            headers={"retry-after": "1"},
        )


def server_error(request: Request, value: str, count: int) -> None:
    if count <= float(value):
        text = "The server had an error while processing your request. Please try again."
        raise Refusal(text, status=500, kind="server_error")


def dropped(request: Request, value: str, count: int) -> None:
    if count <= float(value):
        raise Dropped("the connection was closed before an answer came")


def wrong_key(request: Request, value: str, count: int) -> None:
    raise Refusal("Incorrect API key provided: ***.", None, "invalid_api_key", status=401)


def context_length(request: Request, value: str, count: int) -> None:
    limit, tokens = int(float(value)), prompt_tokens(request)
    if tokens > limit:
        text = (
            f"This model's maximum context length is {limit} tokens. However, your messages "
            f"resulted in {tokens} tokens. Please reduce the length of the messages."
        )
        raise Refusal(text, "messages", "context_length_exceeded")
