"""Permissions: who may call what."""

import asyncio

import pytest

from agentlib.errors import ErrorCategory
from agentlib.executor import Context, Executor
from agentlib.layers.permissions import Permissions, covers, missing_permissions
from agentlib.registry import ToolRegistry
from agentlib.results import ExecutionStatus, ToolCall


@pytest.mark.parametrize(
    "held, needed, expected",
    [
        ("read", "read", True),
        ("read", "write", False),
        ("admin", "write", False),  # nothing is implied by a word
        ("*", "read", True),
        ("*", "order:read:own", True),
        ("order:*", "order:read", True),
        ("order:*", "order:read:own", True),
        ("order:*", "order", False),
        ("order:*", "orders:read", False),
        ("order:read", "order:read:own", False),
        ("order:read:own", "order:read", False),
        ("*:read", "order:read", True),
        ("*:read", "order:write", False),
        ("*:read", "order:read:own", False),
        ("order:*:own", "order:read:own", True),
        ("order:*:own", "order:read:all", False),
        ("add", "addition", False),
        ("addition", "add", False),
        ("ord*", "order", False),  # a star is a whole segment
        ("Read", "read", False),
        ("", "read", False),
        ("read", "", False),
    ],
)
def test_covers(held, needed, expected):
    assert covers(held, needed) is expected


def test_missing_are_named_in_order():
    assert missing_permissions({"order:*"}, {"write", "order:read", "admin"}) == ["admin", "write"]


@pytest.mark.parametrize(
    ("given", "held"),
    [("order:read", {"order:read"}), (["a", "b"], {"a", "b"}), (None, set()), ("", set())],
)
def test_one_word_is_one_permission(given, held):
    assert Context(permissions=given).permissions == held


def _run(granted, **options):
    registry, ran = ToolRegistry(), []

    @registry.tool(**options)
    def refund(order: str) -> str:
        """Pay an order back."""
        ran.append(order)
        return "paid back"

    context = Context(user="ann", permissions=frozenset(granted))
    executor = Executor(registry, layers=(Permissions(),), context=context)
    return asyncio.run(executor.execute(ToolCall("refund", {"order": "7"}))), ran


def test_denial_is_a_result_that_names_what_lacks():
    result, ran = _run({"order:read"}, permissions=("order:write", "order:read"))
    assert result.status is ExecutionStatus.DENIED
    assert result.error.category is ErrorCategory.PERMISSION_DENIED
    assert "order:write" in result.content and "refund" in result.content
    assert "order:read" not in result.content
    assert ran == []


def test_every_permission_held_runs():
    result, ran = _run({"order:*"}, permissions=("order:write", "order:read"))
    assert result.ok and ran == ["7"]


def test_a_tool_that_needs_nothing_runs_for_anybody():
    result, ran = _run(set())
    assert result.ok and ran == ["7"]


def test_an_unknown_tool_stays_unknown():
    executor = Executor(ToolRegistry(), layers=(Permissions(),))
    result = asyncio.run(executor.execute(ToolCall("nothing")))
    assert result.error.category is ErrorCategory.TOOL_NOT_FOUND
