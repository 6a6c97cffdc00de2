"""A second factor: besides the yes, a code that only the person can have."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from agentlib.approvers import ApproverError
from agentlib.context import Context
from agentlib.errors import ErrorCategory, ToolCallError, describe
from agentlib.results import ToolCall, ToolResult

if TYPE_CHECKING:
    from agentlib.executor import Proceed
    from agentlib.tools import Tool

Ask = Callable[[ToolCall, "Tool", Context], Awaitable[str | None]]


class SecondFactor:
    """For tools tagged `tag`: `ask` the person for a code; without a right one the call is denied.

    ask: `async (call, tool, context) -> str | None`. check: True for a right code, as
    `OneTimeCodes(secret)` is. Put it inside Approval: the code is the second question.
    """

    def __init__(
        self, ask: Ask, check: Callable[[str], bool], *, tag: str = "second-factor"
    ) -> None:
        self.ask, self.check, self.tag = ask, check, tag

    async def __call__(self, call: ToolCall, proceed: Proceed) -> ToolResult:
        if call.tool is None or self.tag not in call.tool.tags:
            return await proceed(call)
        try:
            code = await self.ask(call, call.tool, call.context or Context())
            why = "no code was given" if not code else ""
            if code and self.check(code) is not True:
                why = "the code was wrong, too old, or used before"
        except ApproverError:
            raise
        except Exception as error:  # whatever goes wrong in asking, it is not a right code
            why = describe(error)
        if not why:
            return await proceed(call)
        error = ToolCallError(
            f"{call.name} needs a second factor, and was not run: {why}. Do not try again; "
            "tell the user.",
            category=ErrorCategory.PERMISSION_DENIED,
            code="second_factor",
        )
        return ToolResult.failure(call, error)


def one_time_code(secret: str, at: float, step: int = 30) -> str:
    """The six digits that an authenticator app shows at `at` (epoch seconds), by RFC 6238.

    secret: base32, as the app takes it.
    """
    key = base64.b32decode(secret.replace(" ", "").upper() + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(at // step)), hashlib.sha1).digest()
    place = digest[-1] & 0xF
    number = struct.unpack(">I", digest[place : place + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


class OneTimeCodes:
    """Checks codes of an authenticator app: this half minute's or the one before, each once."""

    def __init__(self, secret: str, clock: Callable[[], float] = time.time) -> None:
        self._secret, self._clock = secret, clock
        self._used = -1  # the newest half minute whose code was taken

    def __call__(self, code: str) -> bool:
        now = int(self._clock() // 30)
        for step in (now, now - 1):
            right = one_time_code(self._secret, step * 30.0)
            if step > self._used and hmac.compare_digest(code.strip().encode(), right.encode()):
                self._used = step
                return True
        return False
