"""The history as a provider takes it, made afresh before each request; the stored one stays.

Each pass is a function of a list of messages that returns a new list: pure, linear in the history's
length, the same when applied twice. Its docstring states what holds after it. A message that needs
no mending is passed on as it is, the very same dict.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentlib.messages.batches import (
    batch_tool_messages,
    plain_dicts,
    trim_messages,
    unbatch_tool_messages,
)
from agentlib.messages.blocks import to_blocks
from agentlib.messages.content import encodable, valid_content
from agentlib.messages.pairing import MAX_CALLS, paired_results, short_turns
from agentlib.messages.providers import PROFILES, Profile, find_profile
from agentlib.messages.shape import (
    is_valid_call,
    known_fields,
    modern_calls,
    valid_calls,
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
    history = list(messages)
    if is_well_formed(history, rules):
        return history
    history = modern_calls(unbatch_tool_messages(history))
    history = known_fields(valid_calls(history, rules), rules)
    history = paired_results(valid_content(history, rules), orphans, rules)
    if rules.no_empty:
        history = speaking(history)
    return to_blocks(history) if rules.blocks else bridged(short_turns(history), rules.bridge)


def speaking(messages: list[Message]) -> list[Message]:
    """After it: every assistant message has content or calls."""
    return [
        m for m in messages if m.get("role") != "assistant" or m["content"] or "tool_calls" in m
    ]


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


def is_well_formed(messages: list[Any], profile: Profile) -> bool:
    """True only when every pass would leave every message as it is: one quick look, no copies.

    May be False for a history that is fine but unusual; then the passes find nothing to mend.
    """
    if profile.blocks or profile.bridge:
        return False
    fields, seen, waiting = profile.plain_fields, set(), set()
    for message in messages:
        role = message.get("role") if type(message) is dict else None
        if type(role) is not str or role not in fields or not fields[role].issuperset(message):
            return False
        content = message.get("content")
        if role == "tool":
            call_id = message.get("tool_call_id")
            if type(call_id) is not str or call_id not in waiting:
                return False
            waiting.remove(call_id)
        elif waiting:
            return False
        elif "tool_calls" in message:
            waiting = _fresh_ids(message["tool_calls"], seen, profile)
            if not waiting:
                return False
            seen |= waiting
            if content is None and profile.empty_content is None and "content" in message:
                continue
        if type(content) is not str or not (content.isascii() or encodable(content) is content):
            return False
    return not waiting


def _fresh_ids(calls: Any, seen: set[str], profile: Profile) -> set[str]:
    """The ids of valid calls; empty when something is wrong with a call or an id was used."""
    if type(calls) is not list or len(calls) > MAX_CALLS:
        return set()
    ids = set()
    for call in calls:
        if not is_valid_call(call, profile):
            return set()
        call_id = call["id"]
        if type(call_id) is not str or not profile.id_pattern.fullmatch(call_id):
            return set()
        ids.add(call_id)
    return ids if len(ids) == len(calls) and seen.isdisjoint(ids) else set()
