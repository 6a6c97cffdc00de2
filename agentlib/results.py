"""A call and its result, and how any value becomes the text a model reads."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from agentlib.errors import ErrorCategory, ToolCallError

if TYPE_CHECKING:
    from agentlib.context import Context
    from agentlib.tools import Tool

MAX_RESULT = 50_000  # characters of a result that go back to the model


class ExecutionStatus(StrEnum):
    """Where a call stands."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCESS = "success"
    FAILED = "failed"
    TIMEOUT = "timeout"
    DENIED = "denied"


def new_call_id() -> str:
    """A fresh id, unique across processes (`hash()` would not be)."""
    return f"call_{uuid.uuid4().hex[:24]}"


@dataclass(frozen=True)
class ToolCall:
    """One call as the model wrote it: `arguments` is its raw JSON text (a dict is accepted too).

    cut_off: the reply ended with finish_reason "length", so the arguments may be half.
    tool, context: filled in by the executor before any layer sees the call; tool is None for
    a name that is not registered.
    """

    name: str
    arguments: str | dict[str, Any] | None = "{}"
    id: str = field(default_factory=new_call_id)
    cut_off: bool = False
    tool: Tool | None = field(default=None, compare=False, repr=False)
    context: Context | None = field(default=None, compare=False, repr=False)

    @classmethod
    def from_wire(cls, call: dict[str, Any], *, cut_off: bool = False) -> ToolCall:
        """From one entry of an assistant message's `tool_calls`."""
        function = call.get("function") or {}
        name, call_id = str(function.get("name") or ""), call.get("id") or new_call_id()
        return cls(name, function.get("arguments"), call_id, cut_off)

    def with_arguments(self, arguments: str | dict[str, Any]) -> ToolCall:
        """The same call with other arguments, as an approver or a reader may want it."""
        return replace(self, arguments=arguments)


@dataclass
class ToolResult:
    """What came of one call.

    content: the text the model reads. value: what the function returned, untouched.
    error: None on success. duration: seconds inside the function. attempts: times it ran.
    """

    call: ToolCall
    status: ExecutionStatus = ExecutionStatus.PENDING
    content: str = ""
    value: Any = None
    error: ToolCallError | None = None
    duration: float = 0.0
    attempts: int = 0

    @property
    def call_id(self) -> str:
        return self.call.id

    @property
    def name(self) -> str:
        return self.call.name

    @property
    def ok(self) -> bool:
        return self.status is ExecutionStatus.SUCCESS

    @classmethod
    def success(cls, call: ToolCall, value: Any, **kept: Any) -> ToolResult:
        """A good result; `content` is the value as text, cut at 50,000 characters."""
        text = truncate_output(to_text(value), MAX_RESULT)
        return cls(call, ExecutionStatus.SUCCESS, text, value, **kept)

    @classmethod
    def failure(cls, call: ToolCall, error: ToolCallError, **kept: Any) -> ToolResult:
        """An error is also a result: the model reads `Error: …` and can act on it."""
        status = _STATUS_OF.get(error.category, ExecutionStatus.FAILED)
        text = truncate_output(to_text(f"Error: {error.message}"), MAX_RESULT)
        return cls(call, status, text, None, error, **kept)

    def message(self) -> dict[str, str]:
        """The `role: "tool"` message that answers this call."""
        return {"role": "tool", "tool_call_id": self.call_id, "content": self.content}


_STATUS_OF = {
    ErrorCategory.TIMEOUT: ExecutionStatus.TIMEOUT,
    ErrorCategory.PERMISSION_DENIED: ExecutionStatus.DENIED,
}


def truncate_output(text: str, limit: int) -> str:
    """`text`, or its first `limit` characters and a line that says how many there were."""
    if limit < 0:
        raise ValueError(f"truncate_output: limit must be at least 0, got {limit}.")
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[truncated: first {limit:,} of {len(text):,} characters]"


def to_text(value: Any) -> str:
    """Any value as text for the model: a string as it is, everything else as JSON.

    Never raises: what JSON cannot say becomes its `repr`, NaN and infinities become strings,
    bytes that are no text become base64.
    """
    if isinstance(value, str):
        text = str(value)
        return text if text.isascii() else text.encode("utf-8", "replace").decode()
    from pydantic_core import to_json, to_jsonable_python

    how: dict[str, Any] = {"fallback": _safe_repr, "inf_nan_mode": "strings"}
    try:
        return to_json(value, bytes_mode="utf8", **how).decode()
    except Exception:  # bytes that are no text, half characters: a slower way knows these
        pass
    try:
        plain = to_jsonable_python(value, bytes_mode="base64", **how)
        return (
            json.dumps(plain, ensure_ascii=False, allow_nan=False)
            .encode("utf-8", "replace")
            .decode()
        )
    except Exception:  # a circular list, a serializer that raises
        return _safe_repr(value)


def _safe_repr(value: Any) -> str:
    try:
        return repr(value).encode("utf-8", "replace").decode()
    except Exception:  # a __repr__ that raises must not turn a good result into a crash
        return f"<{type(value).__name__} object>"
