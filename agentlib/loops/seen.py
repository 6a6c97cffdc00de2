"""What the loop detector remembers of a call, and what it says about several of them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from agentlib.results import ToolCall, ToolResult, to_text


@dataclass(eq=False)
class Seen:
    """A call that was made. key: the same for the same tool and arguments.

    result: a digest, None while it runs. failed: its error's category.
    """

    tool: str
    arguments: Any
    key: str
    at: float
    result: str | None = None
    failed: str | None = None
    no_news: bool = False
    kind: str = ""  # the key of the first call that this one repeats or varies
    before: Seen | None = None  # the call right before, until this one is done

    @classmethod
    def of(cls, call: ToolCall, at: float) -> Seen:
        """What there is to remember of a call. at: seconds on the detector's clock."""
        tool = call.tool.name if call.tool else call.name
        arguments = plain_arguments(call.arguments)
        text = json.dumps([tool, arguments], sort_keys=True, default=repr)
        return cls(tool, arguments, digest(text), at)


def plain_arguments(arguments: Any) -> Any:
    """Arguments as a dict where they are one; text that is no JSON object stays text."""
    if not isinstance(arguments, str):
        return {} if arguments is None else arguments
    try:
        parsed = json.loads(arguments or "{}")
    except (ValueError, RecursionError):  # no JSON, or too deep
        return arguments
    if parsed is None:
        return {}
    return parsed if isinstance(parsed, dict) else arguments


def outcome(result: Any) -> tuple[str, str | None]:
    """A digest of the result's text, and the category of its error."""
    if isinstance(result, ToolResult):
        failed = result.error.category.value if result.error else None
        return digest(result.content), failed
    return digest(to_text(result)), None


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def describe(new: Seen, streak: list[Seen], kinds: int) -> tuple[str, str]:
    """The rule that tripped, and what the model reads about it.

    streak: the calls without news before `new`, newest first. kinds: how many different ones.
    """
    calls = [new, *streak]
    times = len(streak) + kinds  # the first round, which did bring news, included
    if kinds > 1:
        tools = ", ".join(dict.fromkeys(seen.tool for seen in reversed(calls)))
        return "cycle", (
            f"the last {times} calls went round in a circle ({tools}), "
            "and the results stayed the same."
        )
    if all(seen.key == new.key for seen in streak):
        return "repeat", (
            f"{new.tool} was called {times} times with the same arguments and the same result."
        )
    return "similar", (
        f"{new.tool} was called {times} times with nearly the same arguments, "
        "and the result stayed the same."
    )
