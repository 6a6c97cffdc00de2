"""What a good request gets: a completion or a stream that the published schema takes."""

import json

import pytest
from jsonschema import Draft202012Validator
from published import call, calling, holds, request, result, tool, user
from stubs import WEATHER, post, saying

from agentlib.offline.drafts import pieces
from agentlib.offline.samples import sample

TEXT = "It is sunny in Paris; 明天 it rains."
TWO = saying(TEXT, WEATHER, ("get_weather", {"city": "Rome"}))
TOOLS = {"tools": [tool(), tool("set_reminder")]}
NAMED = {"type": "function", "function": {"name": "set_reminder"}}


def completed(body, plan=TWO):
    made = post(body, plan=plan)
    holds("CreateChatCompletionResponse", made)
    return made


def streamed(body, plan=TWO):
    events = post({**body, "stream": True}, plan=plan)
    for event in events:
        holds("CreateChatCompletionStreamResponse", event)
    return events


def joined(events, index=0):
    """The chunks of one choice put together, and its finish_reason."""
    message, calls, reason = {"content": None}, {}, None
    for event in events:
        for choice in event["choices"]:
            if choice["index"] != index:
                continue
            delta, reason = choice["delta"], choice["finish_reason"] or reason
            if delta.get("content") is not None:
                message["content"] = (message["content"] or "") + delta["content"]
            for piece in delta.get("tool_calls", ()):
                made = calls.setdefault(piece["index"], {"function": {"arguments": ""}})
                made["function"]["arguments"] += piece["function"]["arguments"]
                if "id" in piece:
                    made |= {"id": piece["id"], "type": piece["type"]}
                    made["function"]["name"] = piece["function"]["name"]
    return message["content"], [calls[i] for i in sorted(calls)], reason


BODIES = {
    "text": request(),
    "calls": request(**TOOLS),
    "after results": request(user(), calling(call()), result(), **TOOLS),
    "three choices": request(**TOOLS, n=3),
    "cut text": request(max_tokens=3),
    "cut calls": request(**TOOLS, max_completion_tokens=20),
    "stop": request(stop=["明天"]),
    "logprobs": request(logprobs=True),
    "none": request(**TOOLS, tool_choice="none"),
    "json": request(user("in json"), response_format={"type": "json_object"}),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_stream_says_what_the_completion_says(name):
    body = BODIES[name]
    made, events = completed(body), streamed(body)
    for choice in made["choices"]:
        message = choice["message"]
        expected = (message["content"], message.get("tool_calls", []), choice["finish_reason"])
        assert joined(events, choice["index"]) == expected
    assert {(event["id"], event["created"]) for event in events} == {(made["id"], made["created"])}


def test_the_order_of_a_stream():
    events = streamed(request(**TOOLS, stream_options={"include_usage": True}))
    assert [event["usage"] for event in events[:-1]] == [None] * (len(events) - 1)
    assert events[-1]["choices"] == []
    assert events[-1]["usage"] == completed(request(**TOOLS))["usage"]
    deltas = [event["choices"][0]["delta"] for event in events[:-1]]
    assert deltas[0] == {"role": "assistant", "content": None, "refusal": None}
    assert deltas[-1] == {}
    calls = [delta["tool_calls"][0] for delta in deltas[1:-1]]
    openings = [i for i, piece in enumerate(calls) if "id" in piece]
    assert [calls[i]["function"]["name"] for i in openings] == ["get_weather"] * 2
    assert [calls[i]["function"]["arguments"] for i in openings] == ["", ""]
    assert all("name" not in calls[i]["function"] for i in range(len(calls)) if i not in openings)
    assert openings[1] > 3  # the first call's arguments came in several pieces
    assert [piece["index"] for piece in calls] == sorted(piece["index"] for piece in calls)


def test_no_usage_unless_asked_for():
    assert all("usage" not in event for event in streamed(request()))


def test_text_comes_word_by_word():
    words = [event["choices"][0]["delta"].get("content") for event in streamed(request())]
    assert words[1:7] == ["It", " is", " sunny", " in", " Paris", ";"]


def test_the_same_request_gets_the_same_bytes():
    assert completed(request(**TOOLS)) == completed(request(**TOOLS))
    assert completed(request(**TOOLS))["id"] != completed(request(user("other"), **TOOLS))["id"]


def test_ids_are_new_in_the_whole_history():
    first = completed(request(**TOOLS))["choices"][0]["message"]
    ids = [each["id"] for each in first["tool_calls"]]
    history = [user(), first, *(result(call_id) for call_id in ids), user()]
    again = completed(request(*history, **TOOLS))["choices"][0]["message"]
    assert len({*ids, *(each["id"] for each in again["tool_calls"])}) == 4
    shorter = [
        user(),
        calling(again["tool_calls"][0]),
        result(again["tool_calls"][0]["id"]),
        user(),
    ]
    third = completed(request(*shorter, **TOOLS))["choices"][0]["message"]
    assert again["tool_calls"][0]["id"] not in [each["id"] for each in third["tool_calls"]]


def names(made):
    return [
        each["function"]["name"] for each in made["choices"][0]["message"].get("tool_calls", ())
    ]


def test_tool_choice():
    silent = saying(TEXT)
    assert names(completed(request(**TOOLS))) == ["get_weather"] * 2
    assert names(completed(request(**TOOLS, tool_choice="none"))) == []
    assert names(completed(request(**TOOLS), silent)) == []
    assert names(completed(request(**TOOLS, tool_choice="required"), silent)) == ["get_weather"]
    assert names(completed(request(**TOOLS, tool_choice=NAMED), silent)) == ["set_reminder"]
    allowed = {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [NAMED]}}
    assert names(completed(request(**TOOLS, tool_choice=allowed), silent)) == ["set_reminder"]
    allowed["allowed_tools"]["mode"] = "auto"
    assert names(completed(request(**TOOLS, tool_choice=allowed))) == []
    one = completed(request(**TOOLS, parallel_tool_calls=False))
    assert names(one) == ["get_weather"]


def test_max_tokens_cuts():
    text = completed(request(max_tokens=3))
    assert text["choices"][0]["message"]["content"] == "It is sunny"
    assert text["choices"][0]["finish_reason"] == "length"
    assert text["usage"]["completion_tokens"] == 3
    whole = completed(request(**TOOLS))["choices"][0]["message"]["tool_calls"]
    size = len(pieces(whole[0]["function"]["arguments"]))
    cut = completed(request(**TOOLS, max_tokens=size - 1))["choices"][0]
    (half,) = cut["message"]["tool_calls"]
    assert whole[0]["function"]["arguments"].startswith(half["function"]["arguments"])
    with pytest.raises(ValueError):
        json.loads(half["function"]["arguments"])
    assert cut["finish_reason"] == "length"
    exact = completed(request(max_tokens=len(pieces(TEXT))))["choices"][0]
    assert (exact["message"]["content"], exact["finish_reason"]) == (TEXT, "stop")


def test_stop_sequences():
    made = completed(request(stop=["rains", "; "]))["choices"][0]
    assert (made["message"]["content"], made["finish_reason"]) == ("It is sunny in Paris", "stop")


def test_usage_grows_with_the_prompt():
    small = completed(request())["usage"]
    large = completed(request(user("word " * 400)))["usage"]
    assert 300 <= large["prompt_tokens"] - small["prompt_tokens"] <= 600
    assert small["total_tokens"] == small["prompt_tokens"] + small["completion_tokens"]
    assert completed(request(n=2))["usage"]["completion_tokens"] == 2 * small["completion_tokens"]


@pytest.mark.parametrize(
    "text", ["", " ", "a", "word " * 9, "\n\n x \n", "混合 text，ok!", "😀 a" * 5]
)
def test_pieces_join_to_the_text(text):
    assert "".join(pieces(text)) == text


def test_half_a_surrogate_pair_can_be_answered():
    assert completed(request(), saying("a\ud800b"))["choices"][0]["message"]["content"] == "a?b"


FORMS = {
    "text": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    "kinds": {
        "type": "object",
        "properties": {
            "kind": {"enum": ["x", "y"]},
            "when": {"type": "string", "format": "date"},
            "count": {"type": "integer", "minimum": 3},
            "ratio": {"type": "number", "exclusiveMaximum": 0},
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 2},
            "maybe": {"anyOf": [{"type": "null"}, {"type": "string"}]},
            "part": {"$ref": "#/$defs/Part"},
            "code": {"type": "string", "minLength": 9, "maxLength": 9},
        },
        "$defs": {
            "Part": {
                "type": "object",
                "properties": {"ok": {"type": "boolean"}},
                "required": ["ok"],
            }
        },
        "required": ["kind", "when", "count", "ratio", "tags", "maybe", "part", "code"],
    },
}


@pytest.mark.parametrize("name", FORMS)
def test_json_schema_gets_an_instance(name):
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": FORMS[name]}}
    made = completed(request(response_format=form), saying(TEXT))
    value = json.loads(made["choices"][0]["message"]["content"])
    Draft202012Validator(FORMS[name]).validate(value)
    assert name != "text" or value == {"a": TEXT}


def test_json_schema_takes_what_the_planner_reads_from_the_text():
    form = {"type": "json_schema", "json_schema": {"name": "get_weather", "schema": FORMS["text"]}}
    plan = saying(TEXT, ("get_weather", {"a": "Paris", "unknown": 1}))
    made = completed(request(response_format=form), plan)
    assert json.loads(made["choices"][0]["message"]["content"]) == {"a": "Paris"}


def test_json_schema_keeps_the_planners_form_only_if_it_fits():
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": FORMS["text"]}}
    for said, expected in (('{"a": "Paris"}', {"a": "Paris"}), ('{"b": 1}', {"a": '{"b": 1}'})):
        made = completed(request(response_format=form), saying(said))
        assert json.loads(made["choices"][0]["message"]["content"]) == expected


def test_json_object():
    body = request(user("in json"), response_format={"type": "json_object"})
    made = completed(body)["choices"][0]["message"]["content"]
    assert json.loads(made) == {"answer": TEXT}
    kept = completed(body, saying('{"b": 1}'))["choices"][0]["message"]["content"]
    assert kept == '{"b": 1}'


def test_a_schema_that_refers_to_itself_ends():
    node = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}
    assert "next" in sample(node)
    assert sample({"$ref": "#"}) is None
