"""The whole offline model behind the real agent: each quirk's fault is read and mended."""

from typing import Annotated, Literal

import pytest
from published import call, calling, holds, request, result, user
from pydantic import Field

from agentlib import Agent, connect
from agentlib.offline.protocol import judge
from agentlib.offline.protocol_messages import _check_message, _is_usual
from agentlib.offline.refusals import Refusal
from agentlib.offline.spoiling import KINDS

TASK = "Query order 123456789012345678 with type detail, limit 3."
ASKED = ("123456789012345678", "detail", 3)
SPOILED = ["malformed_json", "cut_off", "made_up_tool", "wrong_type", "extra_key", "missing_key"]
SPOILED += [f"bad_arguments:{kind}" for kind in KINDS if kind != "string_for_integer"]


def ask(*quirks, retries=0, task=TASK, **options):
    """The run, the requests' messages afterwards, and what the tool was really given."""
    given = []

    def query_order(
        order_id: Annotated[str, Field(pattern=r"^\d{18}$")],
        query_type: Literal["basic", "detail", "all"] = "all",
        limit: int = 5,
    ) -> dict:
        """Query an order by its 18-digit order number.

        Args:
            order_id: The order number, 18 digits.
            query_type: What to query.
            limit: How many lines at most.
        """
        given.append((order_id, query_type, limit))
        return {"order": order_id, "status": "shipped"}

    client, model = connect(offline=True, quirks=quirks)
    client = client.with_options(max_retries=retries)
    agent = Agent(client, model, tools=[query_order], layers=(), max_steps=14, options=options)
    return agent.run_sync(task), agent.messages, given


@pytest.mark.parametrize("quirk", SPOILED)
def test_one_error_then_the_right_call(quirk):
    run, messages, given = ask(quirk)
    assert run.stopped == "answer" and "shipped" in run.text
    assert given == [ASKED]
    results = [m["content"] for m in messages if m["role"] == "tool"]
    assert [text.startswith("Error") for text in results] == [True, False]


def test_every_kind_in_one_run():
    run, _, given = ask("bad_arguments")
    assert run.stopped == "answer"
    assert run.steps == len(KINDS) + 1  # every kind, the last one pardoned ("3"), the answer
    assert set(given) == {ASKED}


def test_loops_run_out_of_steps():
    for quirk in ("repeat_call", "ping_pong"):
        run, messages, _ = ask(quirk)
        assert run.stopped == "max_steps"
        assert judge(request(*messages)) is None


def test_without_quirks_the_history_holds_to_the_protocol():
    plain, messages, given = ask()
    assert given == [ASKED]
    assert judge(request(*messages)) is None
    final = messages[-1]
    holds("ChatCompletionRequestMessage", final)
    assert final["content"] == plain.text


@pytest.mark.parametrize("quirk", ["rate_limited", "server_error", "dropped"])
def test_a_run_goes_on_after_the_service_failed(quirk):
    run, messages, given = ask(quirk)
    assert run.stopped == "error" and given == []
    assert messages[-1]["role"] == "user"


def junk():
    from hypothesis import strategies as st

    odd = [None, "", "x", " a b", "c" * 65, 3, True, [], {}, ["x"], {"type": "text"}]
    return st.sampled_from(odd)


def test_the_quick_look_agrees_with_the_full_one():
    from hypothesis import given, settings
    from hypothesis import strategies as st

    whole = [user(), calling(call()), result(), {"role": "assistant", "content": "ok"}]
    whole += [{"role": "system", "content": "x"}, {"role": "function", "name": "f", "content": ""}]

    @settings(max_examples=600, deadline=None)
    @given(st.sampled_from(whole), st.data())
    def check(message, data):
        message = spoil(message, data.draw)
        try:
            _check_message(0, message)
        except Refusal:
            assert not _is_usual(message)

    def spoil(value, draw):
        """A copy with some values replaced or left out, at any depth."""
        if isinstance(value, dict):
            kept = [key for key in value if draw(st.integers(0, 7))]
            made = {key: spoil(value[key], draw) for key in kept}
            return made | ({"name": draw(junk())} if not draw(st.integers(0, 7)) else {})
        if isinstance(value, list):
            return [spoil(item, draw) for item in value] * draw(st.integers(0, 2))
        return value if draw(st.integers(0, 7)) else draw(junk())

    check()
