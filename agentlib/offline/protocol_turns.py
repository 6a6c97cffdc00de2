"""The referee's second look at `messages`: does every call have its result, in its place?

These are the older checks of the hosted API: they spell `messages.[1].role` and leave `code` null.
"""

from __future__ import annotations

from typing import Any

from agentlib.offline.refusals import Refusal


def check_turns(messages: list[dict[str, Any]]) -> None:
    """Calls and results pair up; content is null only where it may be. Raises `Refusal`.

    One pass; expects messages that `check_messages` has let through.
    """
    open_ids: dict[str, int | None] | None = None  # id -> place of its result, in the open turn
    for i, message in enumerate(messages):
        role = message["role"]
        if message.get("content") is None:
            _check_null_content(i, role, message)
        if role == "tool":
            _check_result(i, message, open_ids)
            continue
        if open_ids:
            _check_all_answered(i, open_ids)
            open_ids = None
        if role == "assistant" and message.get("tool_calls"):
            open_ids = {call["id"]: None for call in message["tool_calls"]}
        elif role == "function" and message.get("name") is None:
            text = "Missing parameter 'name': messages with role 'function' must have a 'name'."
            raise Refusal(text, f"messages.[{i}].name")
    if open_ids:
        _check_all_answered(len(messages) - 1, open_ids)


def _check_null_content(i: int, role: str, message: dict[str, Any]) -> None:
    if role == "function":
        return
    if role == "assistant" and any(
        message.get(key) for key in ("tool_calls", "function_call", "refusal", "audio")
    ):
        return
    text = "Invalid value for 'content': expected a string, got null."
    raise Refusal(text, f"messages.[{i}].content")


def _check_result(i: int, message: dict[str, Any], open_ids: dict[str, int | None] | None) -> None:
    place, call_id = f"messages.[{i}].tool_call_id", message.get("tool_call_id")
    if call_id is None:
        text = "Missing parameter 'tool_call_id': messages with role 'tool' must have one."
        raise Refusal(text, place)
    if open_ids is None:
        text = (
            "Invalid parameter: messages with role 'tool' must be a response to a "
            "preceding message with 'tool_calls'."
        )
        raise Refusal(text, f"messages.[{i}].role")
    if call_id not in open_ids:
        text = (
            f"Invalid parameter: 'tool_call_id' of '{call_id}' not found in the 'tool_calls' "
            "of the previous message."
        )
        raise Refusal(text, place)
    first = open_ids[call_id]
    if first is not None:
        text = (
            f"Duplicate value for 'tool_call_id' of '{call_id}' in messages[{first}] "
            f"and messages[{i}]."
        )
        raise Refusal(text, place)
    open_ids[call_id] = i


def _check_all_answered(i: int, open_ids: dict[str, int | None]) -> None:
    if None not in open_ids.values():
        return
    unanswered = [call_id for call_id, place in open_ids.items() if place is None]
    text = (
        "An assistant message with 'tool_calls' must be followed by tool messages responding "
        "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
        + ", ".join(unanswered)
    )
    raise Refusal(text, f"messages.[{i}].role")
