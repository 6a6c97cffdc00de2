"""What each provider wants of a history, as data; every row says where the fact is from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

_TALK = frozenset({"role", "content", "name"})
FIELDS: dict[str, frozenset[str]] = {  # from the published request schema of Chat Completions
    "system": _TALK,
    "developer": _TALK,
    "user": _TALK,
    "assistant": _TALK | {"tool_calls", "audio"},
    "tool": _TALK | {"tool_call_id"},  # `name` isn't in the schema, but OpenAI's cookbook sends it
}


@dataclass(frozen=True)
class Profile:
    """One provider's rules for messages.

    fields: the keys a message may have, by role. id_pattern: what a call id must match in full;
    id_form: how an id that doesn't is written, from a hexadecimal digest. empty_content: the
    content of an assistant message that holds only calls. flat_content: text parts are joined to
    one string. object_arguments: arguments must be a JSON object, not just any JSON. bridge: the
    text of an assistant message put between a result and a user message. blocks: results travel
    together as `tool_result` blocks of one user message.
    """

    name: str
    fields: dict[str, frozenset[str]] = field(default_factory=lambda: FIELDS)
    id_pattern: re.Pattern[str] = re.compile(r".{1,64}", re.DOTALL)
    id_form: str = "call_{:.24}"
    empty_content: str | None = None
    flat_content: bool = False
    object_arguments: bool = False
    bridge: str | None = None
    blocks: bool = False


# id length: 40, later 64 characters: vercel/ai#5171, BerriAI/litellm#17343.
OPENAI = Profile("openai")

PROFILES: dict[str, Profile] = {
    "openai": OPENAI,
    # Thinking turns must come back with their reasoning_content: api-docs.deepseek.com,
    # guides/thinking_mode; abhigyanpatwari/GitNexus#43, earendil-works/pi#3636.
    "deepseek": replace(
        OPENAI,
        name="deepseek",
        fields={**FIELDS, "assistant": FIELDS["assistant"] | {"reasoning_content"}},
    ),
    # Ids of exactly nine letters or digits: langchain-ai/langchain#24668, anomalyco/opencode#1680.
    # "Unexpected role 'user' after role 'tool'": zed-industries/zed#37021; an assistant message
    # between them mends it: avante-corp/avante.nvim#2695.
    "mistral": replace(
        OPENAI,
        name="mistral",
        id_pattern=re.compile(r"[a-zA-Z0-9]{9}"),
        id_form="{:.9}",
        bridge="(no answer was given)",
    ),
    # Refuses every field it doesn't know: tashfeenahmed/freellmapi#1070 (reasoning_content),
    # ed-donner/llm_engineering#1130 (metadata).
    "groq": replace(OPENAI, name="groq"),
    # "invalid message content type: <nil>" for null: pydantic/pydantic-ai#5206.
    "ollama": replace(OPENAI, name="ollama", empty_content="", object_arguments=True),
    # Every tool_use has its tool_result in the next message, all in one:
    # anthropics/anthropic-sdk-typescript#653, OpenHands/OpenHands#7512.
    "anthropic": replace(
        OPENAI,
        name="anthropic",
        id_pattern=re.compile(r"[a-zA-Z0-9_-]{1,64}"),
        object_arguments=True,
        blocks=True,
    ),
}


def find_profile(profile: str | Profile) -> Profile:
    """The profile of this name. ValueError: there is none; the message lists them."""
    if isinstance(profile, Profile):
        return profile
    if profile not in PROFILES:
        raise ValueError(f"profile {profile!r} is unknown. There are: {', '.join(PROFILES)}.")
    return PROFILES[profile]
