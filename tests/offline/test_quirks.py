"""Each quirk: what it spoils, when, and that it lets the model mend it afterwards."""

import json

import jsonschema
import pytest
from published import call, calling, holds, request, result, tool, user
from stubs import post, saying

from agentlib.offline.endpoint import Endpoint
from agentlib.offline.quirk_effects import Dropped
from agentlib.offline.quirks import QUIRKS, switch_on
from agentlib.offline.spoiling import KINDS

ORDER = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string", "pattern": "^[0-9]{18}$"},
        "kind": {"type": "string", "enum": ["basic", "all"]},
        "limit": {"type": "integer"},
    },
    "required": ["order_id"],
    "additionalProperties": False,
}
GOOD = {"order_id": "1" * 18, "kind": "all", "limit": 3}
PLAN = saying("Done.", ("query_order", GOOD))
TWICE = saying("Done.", ("query_order", GOOD), ("query_order", {"order_id": "2" * 18}))
NOW = {"type": "object", "properties": {}}
TOOLS = {
    "tools": [
        tool("query_order", ORDER),
        tool("write", ORDER),
        tool("get_time", NOW),
        tool("ping", NOW),
    ]
}


def choice(*messages, quirks, plan=PLAN, **more):
    made = post(request(*messages, **{**TOOLS, **more}), plan=plan, quirks=quirks)
    holds("CreateChatCompletionResponse", made)
    return made["choices"][0]


def calls(*messages, **more):
    found = choice(*messages, **more)["message"].get("tool_calls", [])
    return [(each["function"]["name"], each["function"]["arguments"]) for each in found]


def planned(name, arguments=GOOD):
    return name, json.dumps(arguments)


def is_good(text):
    def refuse(name):
        raise ValueError(name)

    try:
        arguments = json.loads(text, parse_constant=refuse)
        jsonschema.validate(arguments, ORDER)
    except (ValueError, jsonschema.ValidationError):
        return False
    return True


SPOILED_ONCE = ["malformed_json", "wrong_type", "extra_key", "missing_key", "cut_off"]
SPOILED_ONCE += [f"bad_arguments:{kind}" for kind in KINDS]


@pytest.mark.parametrize("quirk", SPOILED_ONCE)
def test_the_first_attempt_is_spoiled_and_only_that(quirk):
    plan = saying("Done.", ("query_order", GOOD))
    ((name, first),) = calls(user(), quirks=[quirk], plan=plan)
    assert name == "query_order"
    assert not is_good(first)
    spoiled = [user(), calling(call("c1", "query_order", first)), result("c1", "Error: bad")]

    def again(request):
        return plan({**request, "messages": [user()]})

    ((_, second),) = calls(*spoiled, quirks=[quirk], plan=again)
    assert json.loads(second) == GOOD
    ((_, third),) = calls(*spoiled, user("another task"), quirks=[quirk], plan=plan)
    assert third == first  # a new task is a new first attempt


def test_each_kind_is_wrong_in_its_own_way():
    found = {
        kind: calls(user(), quirks=[f"bad_arguments:{kind}"])[0][1] for kind in KINDS
    }  # fmt: skip
    with pytest.raises(ValueError):
        json.loads(found["not_json"])
    assert isinstance(json.loads(found["array"]), list)
    assert "NaN" in found["not_a_number"]
    values = {kind: json.loads(text) for kind, text in found.items() if kind != "not_json"}
    assert "order_id" not in values["missing"]
    assert set(values["extra"]) - set(GOOD) == {"verbose"}
    assert values["wrong_type"]["order_id"] == [GOOD["order_id"]]
    assert values["bool_for_integer"]["limit"] is True
    assert values["string_for_integer"]["limit"] == "3"
    assert values["out_of_enum"]["kind"] not in ("basic", "all")
    assert len(values["pattern_miss"]["order_id"]) != 18


def test_bad_arguments_go_through_every_kind_then_come_right():
    messages, seen = [user()], []

    def again(request):
        return PLAN({**request, "messages": [user()]})

    for turn in range(len(KINDS)):
        ((_, text),) = calls(*messages, quirks=["bad_arguments"], plan=again)
        seen.append(text)
        call_id = f"c{turn}"
        messages += [calling(call(call_id, "query_order", text)), result(call_id, "Error: bad")]
    assert len(set(seen)) == len(KINDS)
    assert not any(map(is_good, seen))
    ((_, text),) = calls(*messages, quirks=["bad_arguments"], plan=again)
    assert json.loads(text) == GOOD


def test_a_kind_that_cannot_be_is_left_out():
    plan = saying("Done.", ("ping", {}))
    for quirk in ("wrong_type", "missing_key", "bad_arguments:not_a_number"):
        assert calls(user(), quirks=[quirk], plan=plan) == [("ping", "{}")]
    assert calls(user(), quirks=["extra_key"], plan=plan) == [("ping", '{"verbose": true}')]


def test_cut_off():
    made = choice(user(), quirks="cut_off")
    text = made["message"]["tool_calls"][0]["function"]["arguments"]
    assert made["finish_reason"] == "length"
    assert json.dumps(GOOD).startswith(text) and text != json.dumps(GOOD)


def test_made_up_tool():
    ((name, text),) = calls(user(), quirks="made_up_tool")
    assert name not in [each["function"]["name"] for each in TOOLS["tools"]]
    assert json.loads(text) == GOOD
    after = [user(), calling(call("c1", name, text)), result("c1", "Error: no such tool")]
    assert choice(*after, quirks="made_up_tool")["message"]["content"] == "Done."


def play(quirk, turns, plan=PLAN, **more):
    messages, seen = [user()], []
    for _ in range(turns):
        made = choice(*messages, quirks=quirk, plan=plan, **more)["message"]
        seen += calls(*messages, quirks=quirk, plan=plan, **more)
        messages.append(made)
        messages += [result(each["id"], "ok") for each in made["tool_calls"]]
    ids = [each["id"] for m in messages for each in m.get("tool_calls", ())]
    return seen, ids


def test_repeat_call_never_stops():
    seen, ids = play("repeat_call", 6, TWICE)
    assert seen == [planned("query_order")] * 6
    assert len(set(ids)) == 6


def test_repeat_until_warned_reads_the_warning():
    seen, _ = play("repeat_until_warned", 6)
    assert seen == [planned("query_order")] * 6
    turn = [calling(call("c1", "query_order", "{}")), result("c1", "Error: Loop: 5 times.")]
    later = [calling(call("c2", "ping", "{}")), result("c2")]
    told = {"quirks": "repeat_until_warned", "plan": saying("Done.", ("write", GOOD))}
    assert calls(user(), *turn, **told) == []
    assert calls(user(), *turn, *later, **told) == []
    again = [user(), calling(call("c3", "ping", "{}")), result("c3")]
    assert calls(user(), *turn, *again, **told) == [("ping", "{}")]  # a new task, told nothing yet


def test_ping_pong_never_stops():
    seen, _ = play("ping_pong", 6)
    assert seen == [planned("query_order"), ("ping", "{}")] * 3


def test_ping_pong_keeps_to_two_planned_calls():
    def plan(request):
        last = request["messages"][-1]["role"]
        return saying("Done.", ("query_order" if last == "user" else "write", GOOD))(
            {**request, "messages": [user()]}
        )

    seen, _ = play("ping_pong", 4, plan)
    assert seen == [planned("query_order"), planned("write")] * 2


@pytest.mark.parametrize("quirk", ["repeat_call", "ping_pong"])
def test_a_loop_ends_when_tools_are_taken_away(quirk):
    after = [user(), calling(call("c1", "query_order", "{}")), result("c1")]
    assert calls(*after, quirks=quirk, tool_choice="none") == []
    assert calls(*after, quirks=quirk, tools=None) == []
    assert calls(user(), quirks=quirk, plan=saying("Hi.")) == []


def test_duplicate_ids():
    made = choice(user(), quirks="duplicate_ids", plan=TWICE)["message"]["tool_calls"]
    assert len(made) == 2 and len({each["id"] for each in made}) == 1


def answers(quirks, *requests):
    endpoint = Endpoint(quirks, plan=PLAN)
    raw = json.dumps(request()).encode()
    return [endpoint.answer("POST", "/v1/chat/completions", {}, raw) for _ in range(4)]


def test_rate_limited():
    assert [each.status for each in answers("rate_limited")] == [429, 200, 200, 200]
    found = answers(["rate_limited:2", "server_error"])
    assert [each.status for each in found] == [429, 429, 500, 200]
    assert found[0].headers["retry-after"] == "1"
    for each in found[:3]:
        holds("ErrorResponse", json.loads(each.body))
    assert json.loads(found[0].body)["error"]["code"] == "rate_limit_exceeded"


def test_dropped():
    endpoint, raw = Endpoint("dropped:2", plan=PLAN), json.dumps(request()).encode()
    for _ in range(2):
        with pytest.raises(Dropped):
            endpoint.answer("POST", "/v1/chat/completions", {}, raw)
    assert endpoint.answer("POST", "/v1/chat/completions", {}, raw).status == 200


def test_wrong_key():
    found = answers("wrong_key")
    assert [each.status for each in found] == [401] * 4
    error = json.loads(found[0].body)
    holds("ErrorResponse", error)
    assert error["error"]["code"] == "invalid_api_key"


def test_context_length():
    endpoint = Endpoint("context_length:100", plan=PLAN)
    assert "choices" in post(request(user("short")), endpoint=endpoint)
    error = post(request(user("long " * 200)), endpoint=endpoint)["error"]
    assert (error["param"], error["code"]) == ("messages", "context_length_exceeded")
    assert "100 tokens" in error["message"]
    holds("ErrorResponse", {"error": error})


def test_slow():
    assert [each.delay for each in answers("slow:0.5")] == [0.5] * 4
    assert answers("slow")[0].delay == 2
    endpoint, raw = Endpoint("slow_stream"), json.dumps(request(stream=True)).encode()
    endpoint = Endpoint("slow_stream", plan=PLAN)
    assert endpoint.answer("POST", "/v1/chat/completions", {}, raw).pause == 0.1


@pytest.mark.parametrize(
    ("names", "gist"),
    [
        (["sloow"], "unknown quirk 'sloow'; there are: malformed_json, "),
        (["rate_limited:many"], "number above 0"),
        (["rate_limited:-1"], "number above 0"),
        (["slow:inf"], "number above 0"),
        (["cut_off:3"], "takes no value"),
        (["bad_arguments:odd"], "no kind 'odd'; there are: not_json, "),
    ],
)
def test_a_quirk_that_is_not_there(names, gist):
    with pytest.raises(ValueError, match=gist):
        switch_on(names)


def test_names_may_be_one_text():
    assert [each.name for each in switch_on("slow:3, cut_off")] == ["slow", "cut_off"]
    assert switch_on("") == switch_on(()) == ()


def test_every_quirk_does_something_and_says_what():
    for name, quirk in QUIRKS.items():
        assert quirk.description, name
        assert quirk.refuse or quirk.spoil or quirk.slows, name
