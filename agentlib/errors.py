"""Errors as data: what went wrong with a call, whether trying again can help, what to tell whom."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MAX_MESSAGE = 4_000  # characters of an exception's message that the model gets to read


class ErrorCategory(StrEnum):
    """The kinds of failure a tool call can meet; each has one row in `STRATEGIES`."""

    INVALID_ARGUMENT = "invalid_argument"
    MISSING_ARGUMENT = "missing_argument"
    TOOL_NOT_FOUND = "tool_not_found"
    PERMISSION_DENIED = "permission_denied"
    RATE_LIMIT = "rate_limit"
    TIMEOUT = "timeout"
    BUSINESS_ERROR = "business_error"
    EXTERNAL_SERVICE = "external_service_error"
    EXTERNAL_SERVICE_ERROR = "external_service_error"  # the same one, under its whole name
    LOOP = "loop"
    SYSTEM_ERROR = "system_error"


@dataclass(frozen=True)
class Strategy:
    """What to do about one category.

    retryable: the same call may succeed later. recoverable: the model can mend it by itself.
    fallback: "none", "cached" (the last good result) or "handover" (a person takes over).
    """

    retryable: bool
    recoverable: bool
    fallback: str
    user_message: str


_C = ErrorCategory
STRATEGIES: dict[ErrorCategory, Strategy] = {
    _C.INVALID_ARGUMENT: Strategy(False, True, "none", "A tool was called with a wrong value."),
    _C.MISSING_ARGUMENT: Strategy(False, True, "none", "A tool call lacked a value."),
    _C.TOOL_NOT_FOUND: Strategy(False, True, "none", "The agent asked for an unknown tool."),
    _C.PERMISSION_DENIED: Strategy(False, False, "none", "That action is not allowed."),
    _C.RATE_LIMIT: Strategy(True, True, "cached", "Too many calls; try again shortly."),
    _C.TIMEOUT: Strategy(True, True, "cached", "A tool took too long."),
    _C.BUSINESS_ERROR: Strategy(False, True, "none", "The action could not be done."),
    _C.EXTERNAL_SERVICE: Strategy(True, True, "cached", "A service is not answering."),
    _C.LOOP: Strategy(False, True, "none", "The agent was repeating itself."),
    _C.SYSTEM_ERROR: Strategy(False, False, "handover", "Something broke; a person will look."),
}


class ToolCallError(Exception):
    """A tool call's failure, as the model will read it. Tools may raise it to choose the category.

    message: what happened, the rule, the mend. code: a short stable word for programs.
    recoverable: overrides the category's strategy. retry_after: seconds.
    """

    def __init__(
        self,
        message: str,
        *,
        category: ErrorCategory | str = ErrorCategory.BUSINESS_ERROR,
        code: str | None = None,
        recoverable: bool | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = str(message) or type(self).__name__
        self.category = ErrorCategory(category)
        self.code = code or self.category.value
        strategy = STRATEGIES[self.category]
        self.recoverable = strategy.recoverable if recoverable is None else recoverable
        self.retry_after = retry_after


_BUSINESS = (ValueError, TypeError, LookupError, ArithmeticError, AssertionError, OSError)
# httpx, requests, aiohttp and urllib are not imported here: their classes are known by name
_LATE = {"TimeoutException", "Timeout"}
_LOST = {"TransportError", "StreamError", "ConnectionError", "ClientConnectionError"}
_LOST |= {"URLError", "gaierror"}


def classify(error: Exception) -> ErrorCategory:
    """The category of an exception that a tool raised."""
    if isinstance(error, ToolCallError):
        return error.category
    names = {cls.__name__ for cls in type(error).__mro__}
    if isinstance(error, TimeoutError) or names & _LATE:
        return ErrorCategory.TIMEOUT
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is None and "HTTPError" in names:
        status = getattr(error, "code", None)  # urllib's
    if isinstance(status, int) and status >= 400:
        return _of_status(status)
    if names & _LOST:
        return ErrorCategory.EXTERNAL_SERVICE
    if isinstance(error, _BUSINESS):
        return ErrorCategory.BUSINESS_ERROR
    return ErrorCategory.SYSTEM_ERROR


def _of_status(status: int) -> ErrorCategory:
    """The category of an HTTP answer: what may pass, and what will be refused again."""
    if status == 429:
        return ErrorCategory.RATE_LIMIT
    passes = status >= 500 or status in (408, 425)
    return ErrorCategory.EXTERNAL_SERVICE if passes else ErrorCategory.BUSINESS_ERROR


def describe(error: BaseException) -> str:
    """`ClassName: message`, or the class name alone when there is no message; 4,000 characters."""
    try:
        message = str(error)
    except Exception:  # an exception whose __str__ raises is still worth its name
        message = ""
    name = type(error).__name__
    if len(message) > MAX_MESSAGE:
        message = f"{message[:MAX_MESSAGE]} [cut, {len(message)} characters]"
    return f"{name}: {message}" if message else name


def from_exception(tool_name: str, error: Exception) -> ToolCallError:
    """The error result's content for an exception raised inside the tool `tool_name`."""
    if isinstance(error, ToolCallError):
        return error
    wrapped = ToolCallError(f"{tool_name} failed: {describe(error)}", category=classify(error))
    wrapped.__cause__ = error
    return wrapped
