"""The pieces of a streamed reply, joined into one message."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Reply:
    """What the model answered: a message as a plain dict, why it ended, the tokens used."""

    message: dict[str, Any]
    finish_reason: str = ""
    usage: dict[str, Any] = field(default_factory=dict)


class StreamAssembler:
    """Joins stream chunks into one message; tool calls are joined by their index."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {"role": "assistant", "content": None}
        self.calls: dict[int, dict[str, Any]] = {}
        self.finish_reason, self.usage = "", {}
        self._places: dict[int, int] = {}  # where a server gives two calls one index

    def add(self, chunk: dict[str, Any]) -> str:
        """Take one chunk in; returns the piece of text it carried, or "". APIError: it is none."""
        try:
            return self._take(chunk)
        except (AttributeError, TypeError, KeyError):
            raise stream_error(f"a piece is no chat completion chunk: {chunk!r:.100}") from None

    def _take(self, chunk: dict[str, Any]) -> str:
        self.usage = chunk.get("usage") or self.usage
        text = ""
        for choice in (chunk.get("choices") or [])[:1]:
            delta = choice.get("delta") or {}
            text = plain_text(delta.get("content"))
            for key in ("content", "refusal", "reasoning_content"):
                if piece := plain_text(delta.get(key)):
                    self.message[key] = (self.message.get(key) or "") + piece
            pieces = delta.get("tool_calls") or []
            for piece in pieces:
                self._add_call(piece, len(pieces))
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
        return text

    def _add_call(self, piece: dict[str, Any], together: int) -> None:
        function = piece.get("function") or {}
        place = self._place(piece, function.get("name") or "", together)
        call = self.calls.setdefault(
            place, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
        )
        call["id"] = call["id"] or piece.get("id") or ""
        name, arguments = function.get("name") or "", function.get("arguments") or ""
        if name != call["function"]["name"]:  # some servers say the name with every piece
            call["function"]["name"] += name
        call["function"]["arguments"] += (
            arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        )

    def _place(self, piece: dict[str, Any], name: str, together: int) -> int:
        """Which call the piece is of: by its index, else what it can only be, or an error."""
        index, call_id = piece.get("index"), piece.get("id")
        if isinstance(index, int):
            place = self._places.get(index, index)
            known = self.calls.get(place, {}).get("id")
            if name and call_id and known and call_id != known:  # another call under its index
                place = self._places[index] = max(self.calls) + 1
            return place
        for place, call in self.calls.items():
            if call_id and call["id"] == call_id:
                return place
        if call_id:
            return max(self.calls, default=-1) + 1
        if len(self.calls) == 1 and together == 1:
            (place,) = self.calls
            if name in ("", self.calls[place]["function"]["name"]):
                return place
        if not self.calls and together == 1:
            return 0
        raise stream_error("a piece of a tool call has neither index nor id: which call is it of?")

    def reply(self) -> Reply:
        """The whole message, once the stream has ended; APIError if it ended too early."""
        if not self.finish_reason:
            raise stream_error("it ended without a finish_reason; ask again.")
        if self.calls:
            self.message["tool_calls"] = [self.calls[i] for i in sorted(self.calls)]
        return Reply(self.message, self.finish_reason, self.usage)


def spoken(message: dict[str, Any]) -> str:
    """The text of an answer, or of a refusal."""
    return plain_text(message.get("content")) or plain_text(message.get("refusal"))


def plain_text(content: Any) -> str:
    """Content as text; some servers send it in parts, and notes of thinking among them."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return str(content or "")


def stream_error(message: str) -> Exception:
    from openai import APIError

    return APIError(f"broken stream: {message}", request=None, body=None)  # type: ignore[arg-type]
