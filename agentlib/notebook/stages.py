"""Where a session stands, in words: what has just come, what the next step does, what may change.

Plain functions over a session; the stepper shows them, and they work without a widget too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from agentlib.session import Session
from agentlib.trace import Event


@dataclass(frozen=True)
class Stage:
    """title: what has come. next: what a step will do now. text: what has come, as text.

    label: what a reader may change in that text, or "" where it is only to be read.
    """

    title: str
    next: str
    text: str = ""
    label: str = ""


def last_event(session: Session) -> Event | None:
    """The event that was handed out last; editing it changes what the session goes on with."""
    place = len(session.current) - len(session.ready) - 1
    return session.current[place] if place >= 0 else None


def stage_of(session: Session) -> Stage:
    """The stage that the session is at."""
    event = last_event(session)
    if session.phase == "begin" or event is None:
        task = session.run.task or "the conversation goes on"
        return Stage("Nothing has happened yet", f"put the task into the history: {task}")
    return _STAGES[event.kind](session, event)


def _task(session: Session, event: Event) -> Stage:
    return Stage("Your task is in the history", "make the request: the history and the tools")


def _request(session: Session, event: Event) -> Stage:
    request = event.request or {}
    names = [t["function"]["name"] for t in request.get("tools", ())]
    count, step = len(request.get("messages", ())), session.run.steps
    return Stage(
        f"Request {step} is ready: {_count(count, 'message')}, {_count(len(names), 'tool')}",
        f"send it to the model. Tools described in it: {', '.join(names) or 'none'}",
        json.dumps(request, ensure_ascii=False, indent=2, default=str),
    )


def _reply(session: Session, event: Event) -> Stage:
    calls = (event.message or {}).get("tool_calls") or []
    title = f"The model wants {_count(len(calls), 'call')}" if calls else "The model answers"
    after = "look at each call" if calls else "end, because it calls no tool"
    text = json.dumps(event.message, ensure_ascii=False, indent=2)
    return Stage(title, f"put this message into the history, then {after}", text, "message")


def _call(session: Session, event: Event) -> Stage:
    calls = session.current
    if session.ready:
        after = "show the next call of this turn"
    elif len(calls) == 1:
        after = "run the call"
    else:
        after = f"run the {len(calls)} calls, side by side"
    title = f"Call {_place(session)}: {event.call.name}"
    return Stage(title, after, _arguments(event), f"arguments of {event.call.name}")


def _result(session: Session, event: Event) -> Stage:
    result = event.result
    after = (
        "show the next result" if session.ready else "put the results into the history, ask again"
    )
    title = f"Result {_place(session)} of {result.name}: {result.status}"
    return Stage(title, after, result.content, f"result of {result.name}")


def _end(session: Session, event: Event) -> Stage:
    run = session.run
    count = f"{_count(run.steps, 'step')}, {_count(len(run.calls), 'call')}"
    return Stage(f"The run has ended ({run.stopped}): {count}", f"nothing. Text: {run.text}")


_STAGES = {
    "task": _task,
    "request": _request,
    "reply": _reply,
    "call": _call,
    "result": _result,
    "end": _end,
}


def edit(session: Session, text: str) -> None:
    """Put `text` in place of what the stage shows. ValueError: it is no message (or no JSON).

    Arguments and results may be any text: how the run takes a broken one is worth a look.
    """
    event, stage = last_event(session), stage_of(session)
    if event is None or not stage.label or text == stage.text:
        return
    if event.kind == "reply":
        event.message = _message(text)
    elif event.kind == "call":
        event.call = event.call.with_arguments(text)
        _rewrite_call(session.messages, event.call.id, text)
    elif event.kind == "result":
        event.result = replace(event.result, content=text)


def _message(text: str) -> dict[str, Any]:
    message = json.loads(text)
    if not isinstance(message, dict) or message.get("role") != "assistant":
        raise ValueError('a message is a JSON object with "role": "assistant".')
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list) or not all(_is_call(c) for c in calls):
        raise ValueError('each of "tool_calls" needs a "function" with a "name".')
    return message


def _is_call(call: Any) -> bool:
    function = call.get("function") if isinstance(call, dict) else None
    return isinstance(function, dict) and isinstance(function.get("name"), str)


def _rewrite_call(messages: list[dict[str, Any]], call_id: str, arguments: str) -> None:
    """The history says what is run: in the last turn, the call's arguments are changed too."""
    message = messages[-1]
    calls = [
        {**c, "function": {**c["function"], "arguments": arguments}} if c["id"] == call_id else c
        for c in message.get("tool_calls") or []
    ]
    messages[-1] = {**message, "tool_calls": calls}


def _arguments(event: Event) -> str:
    raw = event.call.arguments
    try:
        raw = json.loads(raw) if isinstance(raw, str) else raw
    except ValueError:
        return str(raw)
    return json.dumps(raw, ensure_ascii=False, indent=2)


def _place(session: Session) -> str:
    number, total = len(session.current) - len(session.ready), len(session.current)
    return str(number) if total == 1 else f"{number} of {total}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
