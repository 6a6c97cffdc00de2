"""The history as a provider takes it, made afresh before each request; the stored one stays.

Each pass is a function of a list of messages that returns a new list: pure, linear in the history's
length, the same when applied twice. Its docstring states what holds after it. A message that needs
no mending is passed on as it is, the very same dict.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentlib.batches import (
    batch_tool_messages,
    plain_dicts,
    to_blocks,
    trim_messages,
    unbatch_tool_messages,
)
from agentlib.pairing import MAX_CALLS, paired_results, short_turns
from agentlib.providers import PROFILES, Profile, find_profile
from agentlib.shape import (
    encodable,
    has_valid_name,
    is_valid_call,
    known_fields,
    modern_calls,
    valid_calls,
    valid_content,
)

Message = dict[str, Any]

__all__ = [
    "PROFILES",
    "batch_tool_messages",
    "bridged",
    "is_well_formed",
    "known_fields",
    "modern_calls",
    "normalize_messages",
    "paired_results",
    "plain_dicts",
    "short_turns",
    "to_blocks",
    "trim_messages",
    "unbatch_tool_messages",
    "valid_calls",
    "valid_content",
]


def normalize_messages(
    messages: Iterable[Any], *, orphans: str = "drop", profile: str | Profile = "openai"
) -> list[Message]:
    """The messages as `profile`'s provider takes them: a new list; the old one is not changed.

    orphans: "drop" takes a turn whose calls were not all answered out, with its partial results;
    "placeholder" fills the missing results in. ValueError: an unknown profile or `orphans`.
    TypeError: an entry that is no message.
    """
    if orphans not in ("drop", "placeholder"):
        raise ValueError(f'orphans: "drop" or "placeholder", not {orphans!r}.')
    rules = find_profile(profile)
    history = plain_dicts(messages)
    if is_well_formed(history, rules):
        return history
    history = modern_calls(unbatch_tool_messages(history))
    history = known_fields(valid_calls(history, rules), rules)
    history = paired_results(valid_content(history, rules), orphans, rules)
    if rules.blocks:
        return to_blocks(history)
    return bridged(short_turns(history), rules.bridge)


def bridged(messages: list[Message], text: str | None) -> list[Message]:
    """After it: no user message stands right behind a result; an assistant's `text` is between.

    text None: the provider doesn't mind, nothing is done.
    """
    if text is None:
        return messages
    out: list[Message] = []
    for message in messages:
        if message.get("role") == "user" and out and out[-1].get("role") == "tool":
            out.append({"role": "assistant", "content": text})
        out.append(message)
    return out


def is_well_formed(messages: list[Message], profile: Profile) -> bool:
    """True only when every pass would leave every message as it is: one quick look, no copies.

    May be False for a history that is fine but unusual; then the passes find nothing to mend.
    """
    if profile.blocks or profile.bridge:
        return False
    seen: set[str] = set()
    waiting: set[str] = set()
    for message in messages:
        role = message.get("role")
        fields = profile.fields.get(role) if type(role) is str else None
        if fields is None or not message.keys() <= fields:
            return False
        if role == "tool":
            call_id = message.get("tool_call_id")
            if type(call_id) is not str or call_id not in waiting:
                return False
            waiting.remove(call_id)
        elif waiting:
            return False
        calls = message.get("tool_calls")
        if calls is not None:
            if not _are_fresh_calls(calls, seen, profile):
                return False
            waiting = {call["id"] for call in calls}
            seen |= waiting
        content = message.get("content", 0)
        if type(content) is str:
            if not content.isascii() and encodable(content) != content:
                return False
        elif content is not None or calls is None or profile.empty_content is not None:
            return False
        if len(message) > 2 and not _extras_are_plain(message, calls):
            return False
    return not waiting


def _are_fresh_calls(calls: Any, seen: set[str], profile: Profile) -> bool:
    if type(calls) is not list or not 0 < len(calls) <= MAX_CALLS:
        return False
    for call in calls:
        if not is_valid_call(call, profile):
            return False
        call_id = call["id"]
        if type(call_id) is not str or call_id in seen or not profile.id_pattern.fullmatch(call_id):
            return False
    return len(calls) == 1 or len({call["id"] for call in calls}) == len(calls)


def _extras_are_plain(message: Message, calls: Any) -> bool:
    if "name" in message and not has_valid_name(message):
        return False
    if "audio" in message or ("tool_calls" in message and calls is None):
        return False
    return calls is None or message["role"] == "assistant"
