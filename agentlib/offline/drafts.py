"""What the model is about to say, before it is written down as a response or a stream."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any

# A piece is what a stream delivers at once, and one token of the completion: a word with the
# space before it (12 letters at most), one sign, one Chinese character, or trailing space.
_PIECE = re.compile(r"\s*(?:[A-Za-z0-9_]{1,12}|\S)|\s+")


@dataclass
class DraftCall:
    """One planned call; `arguments` is its JSON text, good or spoiled."""

    name: str
    arguments: str
    id: str = ""


@dataclass
class Draft:
    """An assistant message in the making. tokens: the completion's, counted in pieces."""

    content: str | None
    calls: list[DraftCall] = field(default_factory=list)
    finish_reason: str = "stop"
    tokens: int = 0


def draft_of(content: str | None, calls: list[tuple[str, dict[str, Any]]]) -> Draft:
    """The draft for a plan's text and calls."""
    made = [DraftCall(name, json.dumps(args, ensure_ascii=False)) for name, args in calls]
    if content is None and not made:
        content = ""
    return Draft(content, made, "tool_calls" if made else "stop")


def give_ids(draft: Draft, messages: list[dict[str, Any]]) -> None:
    """An id for each call without one: the same every time, and not yet used in `messages`."""
    used = {
        call["id"]
        for message in messages
        if message["role"] == "assistant"
        for call in message.get("tool_calls") or ()
    }
    number = len(used)
    for call in (call for call in draft.calls if not call.id):
        while not call.id or call.id in used:
            number += 1
            call.id = f"call_{digest(number, call.name, call.arguments)[:24]}"
        used.add(call.id)


def digest(*parts: Any) -> str:
    """64 hexadecimal digits that depend on nothing but `parts` (JSON values)."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def pieces(text: str) -> list[str]:
    """`text` cut up as a stream delivers it; joined again they are `text`."""
    return _PIECE.findall(text)


def limit_tokens(draft: Draft, limit: int | None) -> None:
    """Count the draft's tokens; what goes beyond `limit` is cut off, finish_reason "length"."""
    left = limit if limit is not None else -1
    draft.content, used, cut = _fit(draft.content, left)
    kept: list[DraftCall] = []
    for call in draft.calls:
        if cut or used == left:
            cut = True
            break
        call.arguments, more, cut = _fit(call.arguments, left - used if left >= 0 else -1)
        used += more
        kept.append(call)
    draft.calls, draft.tokens = kept, used
    if cut:
        draft.finish_reason = "length"


def _fit(text: Any, left: int) -> tuple[Any, int, bool]:
    if not text:
        return text, 0, False
    parts = pieces(text)
    if left < 0 or len(parts) <= left:
        return text, len(parts), False
    return "".join(parts[:left]), left, True


def stop_at(draft: Draft, stop: str | list[str] | None) -> None:
    """The text ends before the first stop sequence."""
    for sequence in [stop] if isinstance(stop, str) else stop or ():
        if draft.content and sequence:
            draft.content = draft.content.partition(sequence)[0]
