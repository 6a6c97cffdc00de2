"""What the planner says when it may not call, or when a part of an order finds no place."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from agentlib.offline.drafting import draft_reply
from agentlib.offline.planner import plan
from agentlib.offline.relative import now_of

TODAY = dt.date(2026, 12, 1)


def tool(called, description, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    function = {"name": called, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


TEXT = {"type": "string"}
PAY = tool("pay", "Pay somebody.", name=TEXT, amount={"type": "number"}, currency=TEXT)
REMIND = tool("remind", "Remind the user.", what=TEXT, when={"type": "string", "description": "YYYY-MM-DD HH:MM"})


def test_a_barred_call_is_named_as_barred():
    asked = [{"role": "user", "content": "Pay Ana 50 EUR"}]
    draft = draft_reply({"messages": asked, "tools": [PAY], "tool_choice": "none"}, plan)
    assert not draft.calls and "tool_choice is none" in draft.content


def done(messages, name, arguments, result):
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"c{len(messages)}", "type": "function", "function": function}
    return [
        *messages,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": result},
    ]


def test_a_part_that_no_call_took_is_named():
    messages = [{"role": "user", "content": "Pay Ana 50 EUR and the rest to Ben."}]
    first = plan({"messages": messages, "tools": [PAY]}, today=TODAY)
    messages = done(messages, *first.calls[0], "paid")
    reply = plan({"messages": messages, "tools": [PAY]}, today=TODAY)
    assert not reply.calls and 'I left out "the rest to Ben"' in reply.content


@pytest.mark.parametrize(
    ("system", "now"),
    [
        ("It is 2026-11-30 09:15.", "2026-11-30 09:15"),
        ("Today is 2026-11-30, the time is 3 pm.", "2026-11-30 15:00"),
        ("现在是2026-11-30 18:05。", "2026-11-30 18:05"),
        ("Now: 2026-11-30T18:05:30", "2026-11-30 18:05"),
    ],
)
def test_the_system_message_tells_what_time_it_is(system, now):
    assert now_of(system, TODAY) == dt.datetime.fromisoformat(now)


def test_a_call_made_a_minute_ago_is_not_made_again():
    messages = [{"role": "user", "content": "Remind me in two hours to call Ana"}]
    (_, given), = plan({"messages": messages, "tools": [REMIND]}, today=TODAY).calls
    earlier = dt.datetime.fromisoformat(given["when"]) - dt.timedelta(minutes=1)
    given = {**given, "when": earlier.strftime("%Y-%m-%d %H:%M")}
    reply = plan({"messages": done(messages, "remind", given, "set"), "tools": [REMIND]}, today=TODAY)
    assert not reply.calls and "set" in reply.content
