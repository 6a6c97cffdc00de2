"""Results of one turn as one message, and back; trimming that keeps calls and results together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from agentlib.messages.blocks import from_blocks, is_block, result_of

Message = dict[str, Any]


def plain_dicts(messages: Iterable[Any]) -> list[Message]:
    """After it: every message is a dict. The client's reply objects are turned into one.

    TypeError: something in the list is no message; says where.
    """
    if isinstance(messages, (str, bytes, dict)):
        raise TypeError(f"messages: a list of messages is wanted, not {type(messages).__name__}.")
    return [_as_dict(message, index) for index, message in enumerate(messages)]


def _as_dict(message: Any, index: int) -> Message:
    if isinstance(message, dict):
        calls = message.get("tool_calls")
        if not isinstance(calls, list) or not any(hasattr(c, "model_dump") for c in calls):
            return message
        return {**message, "tool_calls": [_dumped(call) for call in calls]}
    if hasattr(message, "model_dump"):
        return _dumped(message)
    raise TypeError(
        f"messages[{index}]: a message is a dict with a role, not {type(message).__name__}."
    )


def _dumped(value: Any) -> Any:
    dumps = hasattr(value, "model_dump")
    return value.model_dump(mode="json", exclude_unset=True) if dumps else value


def batch_tool_messages(messages: Iterable[Any]) -> list[Message]:
    """After it: no two tool messages stand side by side; each run of them became one batch.

    A batch is `{"role": "tool", "content": [{"type": "tool_result", "tool_call_id": …,
    "content": …}, …]}`: for display, counting and trimming. No OpenAI server takes it.
    """
    out: list[Message] = []
    for is_tool, group in groupby(plain_dicts(messages), lambda m: m.get("role") == "tool"):
        run = list(group)
        if is_tool and len(run) > 1:
            parts = [_part_of(result) for message in run for result in _results_in(message)]
            run = [{"role": "tool", "content": parts}]
        out += run
    return out


def unbatch_tool_messages(batched: Iterable[Any]) -> list[Message]:
    """After it: one tool message per result. Undoes `batch_tool_messages`.

    Takes Anthropic's `tool_use` and `tool_result` blocks apart as well.
    """
    out: list[Message] = []
    for message in plain_dicts(batched):
        out += _results_in(message) if message.get("role") == "tool" else from_blocks(message)
    return out


def _part_of(result: Message) -> Message:
    return {"type": "tool_result", **{k: v for k, v in result.items() if k != "role"}}


def _results_in(message: Message) -> list[Message]:
    content = message.get("content")
    if not isinstance(content, list) or not any(is_block(p, "tool_result") for p in content):
        return [message]
    return [result_of(part) for part in content if is_block(part, "tool_result")]


def trim_messages(messages: Iterable[Any], *, max_messages: int) -> list[Message]:
    """The system messages at the start and as many of the newest messages as fit, in order.

    max_messages counts the whole result, one per wire message. A turn's calls and results stay
    together: a turn that doesn't fit whole is left out. ValueError: max_messages below 1.
    """
    if max_messages < 1:
        raise ValueError(f"max_messages: at least 1, not {max_messages}.")
    all_messages = plain_dicts(messages)
    head = 0
    while head < len(all_messages) and all_messages[head].get("role") in ("system", "developer"):
        head += 1
    start = max(head, len(all_messages) - max(max_messages - head, 0))
    whole = _whole_turn_starts(all_messages)
    while start < len(all_messages) and not whole[start]:
        start += 1
    return all_messages[:head] + all_messages[start:]


def _whole_turn_starts(messages: list[Message]) -> list[bool]:
    """For each place, whether a cut before it parts no call from its result."""
    calls: dict[Any, int] = {}
    deepest = [0] * (len(messages) + 1)  # +1 where a pair opens, -1 where it has closed
    for index, message in enumerate(messages):
        for call_id in _call_ids(message):
            calls[call_id] = index
        for call_id in _result_ids(message):
            if call_id in calls:
                deepest[calls[call_id] + 1] += 1
                deepest[index + 1] -= 1
    out, open_pairs = [], 0
    for change in deepest[:-1]:
        open_pairs += change
        out.append(open_pairs == 0)
    return out


def _call_ids(message: Message) -> list[str]:
    calls = message.get("tool_calls")
    ids = [c.get("id") for c in calls if isinstance(c, dict)] if isinstance(calls, list) else []
    if isinstance(content := message.get("content"), list):
        ids += [part.get("id") for part in content if is_block(part, "tool_use")]
    legacy = ["function_call"] if message.get("function_call") else []
    return [str(i) for i in ids] + legacy


def _result_ids(message: Message) -> list[str]:
    if message.get("role") == "function":
        return ["function_call"]
    results = [m for m in unbatch_tool_messages([message]) if m.get("role") == "tool"]
    return [str(result.get("tool_call_id")) for result in results]
