"""Calls and their results: found, put side by side, given ids of their own."""

from __future__ import annotations

import hashlib
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from agentlib.messages.providers import OPENAI, Profile

Message = dict[str, Any]
PLACEHOLDER = (
    "Error: this call was interrupted and has no result. It may or may not have taken effect. "
    "Find out before calling it again."
)
MAX_CALLS = 128  # in one assistant message: gptscript-ai/gptscript#547


@dataclass
class _Turn:
    """An assistant message with calls, and the results that were found for it."""

    message: Message
    results: list[tuple[int, Message]] = field(default_factory=list)  # (place of its call, result)
    loose: list[Message] = field(default_factory=list)  # results behind it that name no open call

    @property
    def calls(self) -> list[Message]:
        return self.message["tool_calls"]

    def unanswered(self) -> list[int]:
        answered = {place for place, _ in self.results}
        return [place for place in range(len(self.calls)) if place not in answered]


def paired_results(
    messages: list[Message], orphans: str = "drop", profile: Profile = OPENAI
) -> list[Message]:
    """After it: right behind every call stands its one result, and no id is used twice.

    A result belongs to the nearest earlier unanswered call of its id. A turn with an unanswered
    call goes with all its results, or gets placeholders. A result without a call goes.
    """
    turns = _find_turns(messages)
    out: list[Message] = []
    taken: dict[str, int] = {}
    for index, message in enumerate(messages):
        if message.get("role") == "tool":
            continue
        turn = turns.get(index)
        if turn is None:
            out.append(message)
        elif orphans == "placeholder" or len(turn.results) == len(turn.calls):
            out += _written(turn, taken, profile)
    return out


def short_turns(messages: list[Message]) -> list[Message]:
    """After it: no assistant message holds more than 128 calls; the rest follow in turns
    of their own. Expects paired results.
    """
    out: list[Message] = []
    moved = 0  # results still ahead that were written already, behind their calls
    for index, message in enumerate(messages):
        calls = message.get("tool_calls") or ()
        if moved:
            moved -= 1
        elif len(calls) <= MAX_CALLS:
            out.append(message)
        else:
            moved = len(calls)
            results = {r["tool_call_id"]: r for r in messages[index + 1 : index + 1 + moved]}
            for start in range(0, moved, MAX_CALLS):
                chunk = calls[start : start + MAX_CALLS]
                rest = {"content": None} if start else {}
                out.append({**message, **rest, "tool_calls": chunk})
                out += [results[call["id"]] for call in chunk]
    return out


def _find_turns(messages: list[Message]) -> dict[int, _Turn]:
    turns: dict[int, _Turn] = {}
    waiting: dict[str, list[tuple[_Turn, deque[int]]]] = {}  # by id, the newest turn last
    last: _Turn | None = None
    for index, message in enumerate(messages):
        if message.get("role") == "assistant" and message.get("tool_calls"):
            last = turns[index] = _Turn(message)
            for place, call in enumerate(last.calls):
                stack = waiting.setdefault(_key(call.get("id")), [])
                if not stack or stack[-1][0] is not last:
                    stack.append((last, deque()))
                stack[-1][1].append(place)
        elif message.get("role") == "tool":
            if stack := waiting.get(_key(message.get("tool_call_id"))):
                turn, places = stack[-1]
                turn.results.append((places.popleft(), message))
                if not places:
                    stack.pop()
            elif last is not None:
                last.loose.append(message)
    for turn in turns.values():
        if turn.loose:
            _settle_loose(turn)
    return turns


def _settle_loose(turn: _Turn) -> None:
    """Pair results with calls in order where only a missing id keeps them apart."""
    places = turn.unanswered()
    pairs = list(zip(places, turn.loose, strict=False))
    if len(places) == len(turn.loose) and not any(
        _key(turn.calls[place].get("id")) and _key(result.get("tool_call_id"))
        for place, result in pairs
    ):
        turn.results += pairs


def _written(turn: _Turn, taken: dict[str, int], profile: Profile) -> list[Message]:
    """The turn's messages: the assistant's, then one result per call; ids not in `taken`."""
    named = {place: result.get("tool_call_id") for place, result in turn.results}
    ids = [
        _free_id(_key(call.get("id")) or _key(named.get(place)), taken, profile)
        for place, call in enumerate(turn.calls)
    ]
    message = turn.message
    if any(call.get("id") != id_ for call, id_ in zip(turn.calls, ids, strict=True)):
        calls = [{**call, "id": id_} for call, id_ in zip(turn.calls, ids, strict=True)]
        message = {**message, "tool_calls": calls}
    results = turn.results
    if len(results) < len(turn.calls):
        missing = {"role": "tool", "content": PLACEHOLDER}
        results = results + [(place, missing) for place in turn.unanswered()]
    return [message] + [
        result
        if result.get("tool_call_id") == ids[place]
        else {**result, "tool_call_id": ids[place]}
        for place, result in results
    ]


def _key(call_id: Any) -> str:
    return "" if call_id is None else str(call_id)


def _free_id(wanted: str, taken: dict[str, int], profile: Profile) -> str:
    """`wanted`, or the nearest id that the provider takes and no earlier call has.

    Only looks back, so a history that grows keeps the ids it was sent with.
    """
    wanted = fitting_id(wanted or f"call_{len(taken) + 1}", profile)
    free = wanted
    while free in taken:
        taken[wanted] += 1
        free = fitting_id(f"{wanted}_{taken[wanted]}", profile)
    taken[free] = 1
    return free


def fitting_id(call_id: str, profile: Profile) -> str:
    """The id itself where the provider takes it, else one made from it, the same every time."""
    if profile.id_pattern.fullmatch(call_id):
        return call_id
    digest = hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()
    return profile.id_form.format(digest)
