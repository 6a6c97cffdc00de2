"""Fallback: an old good result, marked; or a person."""

import asyncio
from pathlib import Path

import pytest

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.executor import Context, Executor
from agentlib.layers.fallback import Fallback, HandoverQueue, canonical_arguments, may_reuse
from agentlib.layers.retry import Retry
from agentlib.registry import ToolRegistry
from agentlib.results import ExecutionStatus, ToolCall, ToolResult
from agentlib.tools import Tool


class Service:
    """A tool that works until `error` is set, and a clock; `call` runs it through the layer."""

    def __init__(self, layer=None, **options):
        self.error, self.now, self.count = None, 1000.0, 0
        self.layer = layer or Fallback(clock=lambda: self.now)
        registry = ToolRegistry()

        @registry.tool(**{"repeatable": True, **options})
        def rate(base: str, to: str = "EUR") -> dict:
            """An exchange rate."""
            if self.error is not None:
                raise self.error
            self.count += 1
            return {"rate": self.count, "base": base}

        self.executor = Executor(registry, layers=(self.layer,))

    def fail(self, category):
        self.error = ToolCallError("service down", category=category)

    def call(self, arguments='{"base": "USD"}', **context):
        call = ToolCall("rate", arguments)
        return asyncio.run(self.executor.execute(call, context=Context(**context)))


CACHED = (ErrorCategory.RATE_LIMIT, ErrorCategory.TIMEOUT, ErrorCategory.EXTERNAL_SERVICE)


@pytest.mark.parametrize("category", list(ErrorCategory))
def test_cached_only_for_categories_that_say_so(category):
    service = Service()
    service.call()
    service.fail(category)
    service.now += 75
    result = service.call()
    if category in CACHED:
        assert result.status is ExecutionStatus.SUCCESS and result.error is None
        assert result.value == {"rate": 1, "base": "USD"}
        assert result.content.startswith("[cached") and "75 s old" in result.content
        assert category.value in result.content and '"rate":1' in result.content
    else:
        assert not result.ok and "cached" not in result.content
        assert result.error.category is category


def test_the_cached_result_answers_the_new_call():
    service = Service()
    first = service.call()
    service.fail(ErrorCategory.TIMEOUT)
    second = service.call()
    assert second.call_id == second.message()["tool_call_id"] != first.call_id


def test_it_is_the_last_good_one():
    service = Service()
    service.call()
    service.call()
    service.fail(ErrorCategory.TIMEOUT)
    assert service.call().value["rate"] == 2


def test_a_cached_answer_does_not_make_itself_younger():
    service = Service()
    service.call()
    service.fail(ErrorCategory.TIMEOUT)
    service.now += 10
    service.call()
    service.now += 10
    assert "20 s old" in service.call().content


@pytest.mark.parametrize(
    "arguments, same",
    [
        ('{ "base" : "USD" }', True),
        ({"base": "USD"}, True),
        ('{"base": "usd"}', False),
        ('{"base": "USD", "to": "CNY"}', False),
    ],
)
def test_only_for_the_same_arguments(arguments, same):
    service = Service()
    service.call()
    service.fail(ErrorCategory.TIMEOUT)
    assert service.call(arguments).ok is same


def test_key_order_does_not_matter():
    assert canonical_arguments('{"a":1,"b":[2]}') == canonical_arguments({"b": [2], "a": 1})
    assert canonical_arguments("{") != canonical_arguments("[")
    assert canonical_arguments(None) == canonical_arguments("") == canonical_arguments("{}")


def test_never_another_users_or_another_workspaces():
    service = Service()
    service.call(user="ann", workspace=Path("a"))
    service.fail(ErrorCategory.TIMEOUT)
    assert service.call(user="ann", workspace=Path("a")).ok
    assert not service.call(user="bob", workspace=Path("a")).ok
    assert not service.call(user="ann", workspace=Path("b")).ok


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"repeatable": True}, True),
        ({"repeatable": True, "category": "search"}, True),
        ({"repeatable": False}, False),
        ({"repeatable": True, "category": "action"}, False),
        ({"repeatable": True, "confirm": True}, False),
    ],
)
def test_only_results_of_tools_that_look_things_up_are_reused(options, expected):
    assert may_reuse(Tool("t", "", {"type": "object"}, print, **options)) is expected
    service = Service(**options)
    service.executor.layers = (service.layer,)
    service.call()
    service.fail(ErrorCategory.TIMEOUT)
    assert service.call().ok is expected


def test_max_age():
    service = Service()
    service.layer.max_age = 60
    service.call()
    service.fail(ErrorCategory.TIMEOUT)
    service.now += 60
    assert service.call().ok
    service.now += 1
    assert not service.call().ok


def test_a_system_error_is_handed_over_to_a_person():
    shown = []
    queue = HandoverQueue(shown.append)
    service = Service(Fallback(queue, clock=lambda: 5.0))
    service.error = RuntimeError("disk gone")
    result = service.call()
    assert result.status is ExecutionStatus.FAILED
    assert result.error.category is ErrorCategory.SYSTEM_ERROR
    assert "disk gone" in result.content and "A person" in result.content
    assert len(queue) == 1 and list(queue) == shown
    item = queue.take()
    assert (item.call.name, item.error, item.time) == ("rate", result.error, 5.0)
    assert len(queue) == 0 and queue.take() is None


@pytest.mark.parametrize("inner", [(), (Retry(),)], ids=["alone", "around Retry"])
@pytest.mark.parametrize(
    ("options", "in_doubt"),
    [({"category": "action"}, True), ({"confirm": True}, True), ({"category": "data"}, False)],
)
def test_a_hand_over_says_whether_it_may_have_worked(inner, options, in_doubt):
    service = Service(**options)
    service.executor.layers = (service.layer, *inner)
    service.error = RuntimeError("disk gone")
    text = service.call().content
    (item,) = service.layer.queue
    assert item.in_doubt is in_doubt and "A person" in text
    assert text.count("may have taken effect") == in_doubt  # once, for the model


def test_a_hand_over_of_what_never_ran_is_in_no_doubt():
    async def refuses(call, proceed):
        return ToolResult.failure(call, ToolCallError("no disk", category="system_error"))

    service = Service(category="action")
    service.executor.layers = (service.layer, refuses)
    assert "may have taken effect" not in service.call().content
    assert not service.layer.queue.take().in_doubt


def test_one_of_the_queue_is_taken():
    queue = HandoverQueue()
    service = Service(Fallback(queue, clock=lambda: 5.0))
    service.error = RuntimeError("disk gone")
    service.call(), service.call('{"base": "CHF"}')
    first, second = queue
    queue.remove(second)
    assert list(queue) == [first]
    with pytest.raises(ValueError):
        queue.remove(second)


def test_no_good_result_leaves_the_error_alone():
    service = Service()
    service.fail(ErrorCategory.EXTERNAL_SERVICE)
    result = service.call()
    assert result.content == "Error: service down" and len(service.layer.queue) == 0


def test_unknown_tool_and_empty_queue_argument():
    queue = HandoverQueue()
    layer = Fallback(queue)
    assert layer.queue is queue  # an empty queue is a queue
    result = Executor(ToolRegistry(), layers=(layer,)).execute_sync(ToolCall("nothing"))
    assert result.error.category is ErrorCategory.TOOL_NOT_FOUND
