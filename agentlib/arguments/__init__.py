"""From what the model wrote to what the function gets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from agentlib.arguments import faults
from agentlib.arguments.coercion import check_json, coerce, read_json
from agentlib.errors import ErrorCategory, ToolCallError, describe

if TYPE_CHECKING:
    from agentlib.results import ToolCall
    from agentlib.tools import Tool


def parse_arguments(call: ToolCall, tool: Tool) -> tuple[list[Any], dict[str, Any]]:
    """(positional, keyword) arguments for `tool.function`, as instances of its hinted types.

    ToolCallError: INVALID_ARGUMENT, or MISSING_ARGUMENT when nothing else is wrong, with a line
    for each fault; SYSTEM_ERROR when the tool's own schema or validators are broken.
    """
    given = _decode(call, tool)
    try:
        given = coerce(given, tool.parameters, tool.parameters, drop_nulls=tool.strict_sent)
        if tool.from_hints:
            from agentlib.arguments.by_hints import check_and_bind
        else:
            from agentlib.arguments.by_schema import check_and_bind
        return check_and_bind(given, tool)
    except ToolCallError:
        raise
    except Exception as error:  # a broken schema, a validator of the tool that raises: any class
        raise ToolCallError(
            f"{tool.name}: its arguments can't be checked, the fault is the tool's own. "
            f"{describe(error)}",
            category=ErrorCategory.SYSTEM_ERROR,
            code="broken_schema",
        ) from error


def _decode(call: ToolCall, tool: Tool) -> dict[str, Any]:
    """The JSON object the model wrote.

    A cut-off call runs only when its text is a whole object: JSON can't end its last brace early.
    Quotes are never closed by guessing, and nothing at all might have been the start of something.
    """
    raw = call.arguments
    empty = raw is None or isinstance(raw, str) and raw.strip() in ("", "null")
    if call.cut_off and (empty or not isinstance(raw, str)):
        _refuse_cut_off(tool)
    try:
        value = {} if empty else read_json(raw) if isinstance(raw, str) else check_json(raw)
    except ValueError as error:
        if call.cut_off and isinstance(error, json.JSONDecodeError):
            _refuse_cut_off(tool)
        _refuse_text(tool, _reason(error), raw)
    if not isinstance(value, dict):
        _refuse_text(tool, f"this is {faults.kind(value)}", raw)
    return value


def _reason(error: ValueError) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return str(error)
    if error.msg == "Extra data":
        return f"something follows the JSON from character {error.pos} on"
    return f"the JSON breaks at character {error.pos} ({error.msg})"


def _refuse_text(tool: Tool, reason: str, raw: Any) -> NoReturn:
    names = faults.show_names(tool.parameters.get("properties", {})) or "none"
    shown = faults.shorten(raw) if isinstance(raw, str) else faults.show(raw)
    raise ToolCallError(
        f"{tool.name}: the arguments must be one JSON object, but {reason}. "
        f"Parameters: {names}. You sent: {shown}",
        category=ErrorCategory.INVALID_ARGUMENT,
        code="invalid_json",
    )


def _refuse_cut_off(tool: Tool) -> NoReturn:
    raise ToolCallError(
        f"{tool.name}: the arguments were cut off at the length limit, so nothing was run. "
        "Send the call again with shorter arguments, or in several calls.",
        category=ErrorCategory.INVALID_ARGUMENT,
        code="cut_off",
    )
