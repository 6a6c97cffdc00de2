"""What each provider wants of a history, as data; every row says where the fact is from."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

_TALK = frozenset({"role", "content", "name"})
FIELDS: dict[str, frozenset[str]] = {  # from the published request schema of Chat Completions
    "system": _TALK,
    "developer": _TALK,
    "user": _TALK,
    "assistant": _TALK | {"tool_calls", "audio"},
    "tool": _TALK | {"tool_call_id"},  # `name` isn't in the schema, but OpenAI's cookbook sends it
}
_RARE = {"name", "audio"}


@dataclass(frozen=True)
class Profile:
    """One provider's rules for messages.

    fields: the keys a message may have, by role. id_pattern: what a call id must match in full;
    id_form: how another id is rewritten, from a hexadecimal digest. empty_content: the content of
    an assistant message that holds only calls. flat_content: text parts are joined to one string.
    object_arguments: arguments must be a JSON object. no_empty: an assistant message must say
    something. bridge: the text of an assistant message put between a result and a user message.
    blocks: results travel together, as `tool_result` blocks of one user message.
    """

    name: str
    fields: dict[str, frozenset[str]]
    id_pattern: re.Pattern[str] = re.compile("[^\ud800-\udfff]{1,64}")
    id_form: str = "call_{:.24}"
    empty_content: str | None = None
    flat_content: bool = False
    object_arguments: bool = False
    no_empty: bool = False
    bridge: str | None = None
    blocks: bool = False

    @cached_property
    def plain_fields(self) -> dict[str, frozenset[str]]:
        """The fields that nearly every message does with, which is what the quick look expects."""
        return {role: fields - _RARE for role, fields in self.fields.items()}


# Ids of 40, later 64 characters at most: vercel/ai#5171, BerriAI/litellm#17343.
OPENAI = Profile("openai", FIELDS)

_ALL = (
    OPENAI,
    # Thinking turns must come back with their reasoning_content: DeepSeek's guide "Thinking Mode";
    # abhigyanpatwari/GitNexus#43, earendil-works/pi#3636. Content must be a string:
    # QwenLM/qwen-code#2320, Gitlawb/openclaude#806.
    replace(
        OPENAI,
        name="deepseek",
        fields={**FIELDS, "assistant": FIELDS["assistant"] | {"reasoning_content"}},
        flat_content=True,
    ),
    # Ids of nine letters or digits: langchain-ai/langchain#24668, anomalyco/opencode#1680.
    # No user message behind a result: zed-industries/zed#37021, avante-corp/avante.nvim#2695.
    # "either content or tool_calls, but not none": OpenHands/OpenHands#8685.
    replace(
        OPENAI,
        name="mistral",
        id_pattern=re.compile(r"[a-zA-Z0-9]{9}"),
        id_form="{:.9}",
        no_empty=True,
        bridge="(no answer was given)",
    ),
    # Refuses fields it doesn't know: tashfeenahmed/freellmapi#1070, ed-donner/llm_engineering#1130.
    # Content must be a string: OpenHands/OpenHands#4643, CherryHQ/cherry-studio#3307.
    replace(OPENAI, name="groq", flat_content=True),
    # Refuses null content: pydantic/pydantic-ai#5206. Arguments are read into a map, and each part
    # of a content list becomes a message of its own: ollama/ollama, openai/openai.go.
    replace(OPENAI, name="ollama", empty_content="", flat_content=True, object_arguments=True),
    # Every tool_use has its tool_result in the next message, all in one:
    # anthropics/anthropic-sdk-typescript#653, OpenHands/OpenHands#7512.
    replace(
        OPENAI,
        name="anthropic",
        fields={role: fields - _RARE for role, fields in FIELDS.items()},
        id_pattern=re.compile(r"[a-zA-Z0-9_-]{1,64}"),
        object_arguments=True,
        no_empty=True,
        blocks=True,
    ),
)
PROFILES: dict[str, Profile] = {profile.name: profile for profile in _ALL}


def find_profile(profile: str | Profile) -> Profile:
    """The profile of this name. ValueError: there is none; the message lists them."""
    if isinstance(profile, Profile):
        return profile
    if profile not in PROFILES:
        raise ValueError(f"profile {profile!r} is unknown. There are: {', '.join(PROFILES)}.")
    return PROFILES[profile]
