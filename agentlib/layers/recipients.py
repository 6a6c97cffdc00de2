"""A tool that sends reaches listed recipients only, whatever a model writes or a person allows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.results import ToolCall, ToolResult

if TYPE_CHECKING:
    from agentlib.executor import Proceed

ADDRESS = re.compile(r"[^\s@<>(),;:\"\\*]+@[^\s@<>(),;:\"\\*]+")  # a plain one, without a name


class RecipientList:
    """Deny calls of `tools` that name anyone who is not in `allowed`.

    allowed: addresses; "*@school.example" stands for a whole domain, exactly that one.
    fields: the parameters that hold addresses, as text or as a list of texts.
    """

    def __init__(
        self,
        allowed: Iterable[str],
        *,
        tools: Iterable[str] = ("send_email",),
        fields: Iterable[str] = ("to", "cc", "bcc"),
    ) -> None:
        if isinstance(allowed, str):
            raise TypeError(f"allowed must be a list of addresses: [{allowed!r}]")
        self.allowed = frozenset(address.strip().casefold() for address in allowed)
        self.tools, self.fields = frozenset(tools), tuple(fields)

    async def __call__(self, call: ToolCall, proceed: Proceed) -> ToolResult:
        if call.tool is None or call.tool.name not in self.tools:
            return await proceed(call)
        from agentlib.executor import check_arguments

        try:
            arguments = check_arguments(call.tool, call)
            self._check([arguments[field] for field in self.fields if field in arguments])
        except ToolCallError as error:
            return ToolResult.failure(call, error)
        return await proceed(call)

    def _check(self, values: list[Any]) -> None:
        named = [a.strip() for value in values for text in _texts(value) for a in text.split(",")]
        if not named:  # nothing to check is not the same as nothing to fear
            raise _denied("no recipient was named", self.allowed)
        for address in named:
            if not ADDRESS.fullmatch(address):
                raise _denied(f"{address!r} is no plain address like ann@example.org", self.allowed)
            plain = address.casefold()
            if plain not in self.allowed and f"*@{plain.partition('@')[2]}" not in self.allowed:
                raise _denied(f"{address} is not a listed recipient", self.allowed)


def _texts(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(v) for v in value] if isinstance(value, (list, tuple, set)) else [str(value)]


def _denied(why: str, allowed: frozenset[str]) -> ToolCallError:
    listed = ", ".join(sorted(allowed)) or "nobody"
    return ToolCallError(
        f"nothing was sent: {why}. Listed: {listed}. Do not send it to another address instead; "
        "tell the user.",
        category=ErrorCategory.PERMISSION_DENIED,
        code="recipient_not_listed",
    )
