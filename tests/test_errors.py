"""Errors as data: categories of exceptions, strategies, and the text a model reads."""

import socket
import urllib.error

import httpx
import pytest

from agentlib.errors import (
    MAX_MESSAGE,
    STRATEGIES,
    ErrorCategory,
    ToolCallError,
    classify,
    describe,
    from_exception,
)

REQUEST = httpx.Request("GET", "http://service.invalid")


def http(status):
    response = httpx.Response(status, request=REQUEST)
    return httpx.HTTPStatusError(str(status), request=REQUEST, response=response)


def urllib_error(status):
    return urllib.error.HTTPError("http://service.invalid", status, "no", {}, None)


def named(name, *bases):
    """An exception as another library has it, known by its class's name only."""
    return type(name, bases or (Exception,), {})("x")


CASES = {
    "TimeoutError": (TimeoutError(), "timeout"),
    "httpx timeout": (httpx.ReadTimeout("slow", request=REQUEST), "timeout"),
    "requests timeout": (named("ReadTimeout", type(named("Timeout", OSError))), "timeout"),
    "connection": (ConnectionResetError(), "external_service_error"),
    "httpx connection": (httpx.ConnectError("down", request=REQUEST), "external_service_error"),
    "requests connection": (named("ConnectionError", OSError), "external_service_error"),
    "aiohttp connection": (named("ClientConnectionError"), "external_service_error"),
    "urllib without an answer": (urllib.error.URLError("down"), "external_service_error"),
    "no such host": (socket.gaierror(-2, "unknown"), "external_service_error"),
    "HTTP 429": (http(429), "rate_limit"),
    "HTTP 500": (http(500), "external_service_error"),
    "HTTP 503": (http(503), "external_service_error"),
    "HTTP 408": (http(408), "external_service_error"),
    "HTTP 400": (http(400), "business_error"),
    "HTTP 404": (http(404), "business_error"),
    "HTTP 402": (http(402), "business_error"),
    "urllib 503": (urllib_error(503), "external_service_error"),
    "urllib 404": (urllib_error(404), "business_error"),
    "urllib 429": (urllib_error(429), "rate_limit"),
    "value": (ValueError("x"), "business_error"),
    "key": (KeyError("x"), "business_error"),
    "division": (ZeroDivisionError(), "business_error"),
    "assertion": (AssertionError(), "business_error"),
    "file": (FileNotFoundError(2, "no such file"), "business_error"),
    "bug": (RuntimeError("x"), "system_error"),
    "attribute": (AttributeError("x"), "system_error"),
    "own class": (named("Odd"), "system_error"),
    "chosen by the tool": (ToolCallError("x", category="loop"), "loop"),
}


@pytest.mark.parametrize("case", CASES)
def test_category(case):
    error, category = CASES[case]
    assert classify(error) is ErrorCategory(category)


def test_what_would_be_refused_again_is_not_retryable():
    for status in (400, 401, 403, 404, 409, 410, 422):
        assert not STRATEGIES[classify(http(status))].retryable, status
    for status in (408, 425, 429, 500, 502, 503, 504):
        assert STRATEGIES[classify(http(status))].retryable, status


def test_every_category_has_a_strategy_with_a_sentence_for_the_user():
    assert set(STRATEGIES) == set(ErrorCategory) and len(STRATEGIES) == 10
    for strategy in STRATEGIES.values():
        assert strategy.fallback in ("none", "cached", "handover")
        assert strategy.user_message.endswith(".")
        assert strategy.retryable or strategy.fallback != "cached"


class Rude(Exception):
    def __str__(self):
        raise RuntimeError("no text today")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no such city"), "ValueError: no such city"),
        (ValueError(), "ValueError"),  # R10
        (Rude(), "Rude"),
        (ValueError("x" * 5000), f"ValueError: {'x' * MAX_MESSAGE} [cut, 5000 characters]"),
    ],
    ids=["message", "none", "a message that raises", "long"],
)
def test_description(error, text):
    assert describe(error) == text


def test_an_exception_becomes_an_error_of_the_tool():
    cause = ConnectionResetError("reset")
    error = from_exception("rate", cause)
    assert error.message == "rate failed: ConnectionResetError: reset"
    assert (error.category, error.recoverable) == ("external_service_error", True)
    assert error.__cause__ is cause
    own = ToolCallError("sold out", code="sold_out")
    assert from_exception("rate", own) is own and own.code == "sold_out"


def test_an_error_without_a_message_shows_its_class():  # R10
    class SoldOut(ToolCallError):
        pass

    assert SoldOut("").message == "SoldOut"


@pytest.mark.parametrize("category", list(ErrorCategory))
def test_defaults_come_from_the_category(category):
    error = ToolCallError("x", category=category)
    assert (error.code, error.recoverable) == (category.value, STRATEGIES[category].recoverable)
    assert ToolCallError("x", category=category, recoverable=not error.recoverable).recoverable is (
        not error.recoverable
    )
