"""The conversation as the planner sees it: what is asked now, and what was done about it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Record:
    """One call and its result; result None while it is unanswered."""

    name: str
    arguments: dict[str, Any]
    result: str | None = None
    used: bool = False


@dataclass
class Turn:
    """The task under way. before: earlier records; answers: what the user said when asked."""

    text: str = ""
    records: list[Record] = field(default_factory=list)
    before: list[Record] = field(default_factory=list)
    earlier: list[str] = field(default_factory=list)
    answers: list[tuple[str, str]] = field(default_factory=list)
    confirmed: bool = False
    declined: bool = False
    system: str = ""


def text_of(content: Any) -> str:
    """A message's content as text: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [p.get("text", "") if isinstance(p, dict) else str(p) for p in content]
        return re.sub(r"(?<![.!?。！？\n])\n(?=\S)", " ", "\n".join(str(p) for p in parts if p))
    return "" if content is None else str(content)


def read_history(messages: list[dict[str, Any]]) -> Turn:
    """The latest task with its calls; a reply to the planner's own question belongs to it."""
    turn, open_calls, question = Turn(), {}, ""
    for message in messages:
        role, content = message.get("role"), text_of(message.get("content"))
        if role in ("system", "developer"):
            turn.system += content
        elif role == "user":
            _take_user(turn, content, question)
            question = ""
        elif role == "assistant":
            question = content
            open_calls = _take_calls(turn, message) or open_calls
        elif role == "tool":
            record = open_calls.get(message.get("tool_call_id"))
            if record is not None:
                record.result = content
    return turn


def _take_user(turn: Turn, content: str, question: str) -> None:
    asked = re.findall(r"`(\w[\w.-]*)`", question) if is_question(question) else []
    if asked and turn.text and len(content) < 200:
        declined = re.match(
            r"\W*(?:no|nope|not|don't|do not|never|cancel|stop|leave it)\b|\W*(?:不|别|算了|取消)",
            content,
            re.I,
        )
        turn.declined = bool(declined)
        if not declined and re.search(
            r"\b(?:yes|yep|sure|ok|okay|confirm\w*|go ahead|do it)\b|确认|是的|可以|好的",
            content,
            re.I,
        ):
            turn.confirmed = True
        turn.answers.append((asked[0], content))
        return
    if turn.text:
        turn.earlier.append(turn.text)
    turn.before += turn.records
    turn.text, turn.records, turn.answers = content, [], []
    turn.confirmed = turn.declined = False


def is_question(text: str) -> bool:
    """True for a text in which the planner asked for something it lacked."""
    return bool(re.search(r"\bI need `|Shall I go ahead|我还需要 `|要我继续吗", text))


def _take_calls(turn: Turn, message: dict[str, Any]) -> dict[Any, Record]:
    made = {}
    for call in message.get("tool_calls") or []:
        function = call.get("function") or {}
        record = Record(str(function.get("name")), _arguments(function.get("arguments")))
        turn.records.append(record)
        made[call.get("id")] = record
    return made


def _arguments(text: Any) -> dict[str, Any]:
    if isinstance(text, str):
        try:
            text = json.loads(text or "{}")
        except ValueError:
            return {"": text}
    return text if isinstance(text, dict) else {"": text}
