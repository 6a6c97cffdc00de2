"""Error answers as the hosted API words them: status, message, type, param, code."""

from __future__ import annotations

from typing import Any

_KINDS = {bool: "a boolean", int: "an integer", float: "a number", str: "a string"}


class Refusal(Exception):
    """A request that is answered with an error object instead of a completion.

    param: dotted or bracketed place of the fault. code: short word for programs, or None.
    """

    def __init__(
        self,
        message: str,
        param: str | None = None,
        code: str | None = None,
        *,
        status: int = 400,
        kind: str = "invalid_request_error",
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.message, self.param, self.code = message, param, code
        self.status, self.kind, self.headers = status, kind, headers or {}

    @property
    def body(self) -> dict[str, Any]:
        """The JSON body: `{"error": {message, type, param, code}}`."""
        error = {
            "message": self.message,
            "type": self.kind,
            "param": self.param,
            "code": self.code,
        }
        return {"error": error}


def kind_of(value: Any) -> str:
    """A JSON value's type with its article, as error messages say it."""
    if value is None:
        return "null"
    if isinstance(value, list):
        return "an array"
    return _KINDS.get(type(value), "an object")


def missing(path: str) -> Refusal:
    return Refusal(f"Missing required parameter: '{path}'.", path, "missing_required_parameter")


def wrong_type(path: str, wanted: str, value: Any) -> Refusal:
    text = f"Invalid type for '{path}': expected {wanted}, but got {kind_of(value)} instead."
    return Refusal(text, path, "invalid_type")


def empty_array(path: str) -> Refusal:
    text = f"Invalid '{path}': empty array. Expected at least 1 item, but got an empty array."
    return Refusal(text, path, "empty_array")


def long_array(path: str, limit: int, length: int) -> Refusal:
    text = (
        f"Invalid '{path}': array too long. Expected an array with at most {limit} items, "
        f"but got {length} items instead."
    )
    return Refusal(text, path, "array_above_max_length")


def long_string(path: str, limit: int, length: int) -> Refusal:
    text = (
        f"Invalid '{path}': string too long. Expected at most {limit} characters, "
        f"but got {length} instead."
    )
    return Refusal(text, path, "string_above_max_length")


def empty_string(path: str) -> Refusal:
    text = f"Invalid '{path}': empty string. Expected at least 1 character."
    return Refusal(text, path, "empty_string")


def pattern_miss(path: str, pattern: str) -> Refusal:
    text = (
        f"Invalid '{path}': string does not match pattern. "
        f"Expected a string that matches the pattern '{pattern}'."
    )
    return Refusal(text, path, "invalid_value")


def bad_value(path: str, value: Any, allowed: tuple[str, ...]) -> Refusal:
    listed = ", ".join(f"'{name}'" for name in allowed)
    return Refusal(
        f"Invalid value: {value!r}. Supported values are: {listed}.", path, "invalid_value"
    )


def only_with(name: str, condition: str) -> Refusal:
    """`name` was sent although `condition` does not hold (the older form: code null)."""
    return Refusal(f"Invalid value for '{name}': '{name}' is only allowed {condition}.", name)
