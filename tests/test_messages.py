"""A history before it is sent: each fault that people met, as a small input and its outcome."""

import copy
import json

import pytest

from agentlib.messages import (
    PROFILES,
    batch_tool_messages,
    normalize_messages,
    trim_messages,
    unbatch_tool_messages,
)
from agentlib.messages.pairing import PLACEHOLDER


def user(text="go"):
    return {"role": "user", "content": text}


def call(call_id="c1", name="read_file", arguments="{}"):
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def calling(*calls, content=None, **rest):
    calls = [call(c) if isinstance(c, str) else c for c in calls]
    return {"role": "assistant", "content": content, "tool_calls": calls, **rest}


def result(call_id="c1", content="ok", **rest):
    return {"role": "tool", "tool_call_id": call_id, "content": content, **rest}


SYSTEM = {"role": "system", "content": "be brief"}
ANSWER = {"role": "assistant", "content": "done"}
LONG_ID = "x" * 65

UNCHANGED = {
    "empty": [],
    "talk": [SYSTEM, user(), ANSWER, user("and?")],
    "a call and its result": [user(), calling("c1"), result("c1"), ANSWER],
    "results in another order": [user(), calling("a", "b"), result("b"), result("a")],
    "content beside a call": [user(), calling("c1", content="let me look"), result("c1")],
    "empty content beside a call": [user(), calling("c1", content=""), result("c1")],
    "the longest id": [user(), calling("y" * 64), result("y" * 64)],
    "arguments that are JSON but no object": [calling(call(arguments="[1]")), result()],
    "an image": [
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": {"url": "https://a/b.png"}}],
        }
    ],
    "an image as a result": [
        calling("c1"),
        result(content=[{"type": "image_url", "image_url": {"url": "https://a/b.png"}}]),
    ],
    "text parts": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
    "a name": [{"role": "user", "content": "hi", "name": "Ann"}, calling("c1"), result(name="x")],
    "a custom tool's call": [
        calling({"id": "k", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}),
        result("k"),
    ],
    "Chinese": [
        user("北京天气"),
        calling(call(arguments='{"城市": "北京"}')),
        result(content="晴"),
    ],
}

MENDED = {
    "H3 a result before its call": ([result(), calling("c1"), user()], [user()]),
    "H4 a user message between": (
        [calling("c1"), user(), result("c1")],
        [calling("c1"), result("c1"), user()],
    ),
    "H4 two calls, results after the next turn": (
        [calling("a", "b"), result("b"), user(), result("a")],
        [calling("a", "b"), result("b"), result("a"), user()],
    ),
    "H5 an id again in a later turn": (
        [calling("c"), result("c", "1"), user(), calling("c"), result("c", "2")],
        [calling("c"), result("c", "1"), user(), calling("c_2"), result("c_2", "2")],
    ),
    "H5 the new id is taken later on": (
        [calling("c"), result("c"), calling("c"), result("c"), calling("c_2"), result("c_2")],
        [calling("c"), result("c"), calling("c_2"), result("c_2"), calling("c_2_2"),
         result("c_2_2")],
    ),
    "H6 an id twice, one result": ([user(), calling("c", "c"), result("c")], [user()]),
    "H7 an id twice, two results": (
        [calling("c", "c"), result("c", "1"), result("c", "2")],
        [calling("c", "c_2"), result("c", "1"), result("c_2", "2")],
    ),
    "H7 in two turns": (
        [calling("c"), calling("c"), result("c", "new"), result("c", "old")],
        [calling("c"), result("c", "old"), calling("c_2"), result("c_2", "new")],
    ),
    "H8 cut-off arguments": (
        [calling(call(arguments='{"a":')), result()],
        [calling(call(arguments='{"invalid_json": "{\\"a\\":"}')), result()],
    ),
    "H8 a tail": (
        [calling(call(arguments='{"x":3} extra')), result()],
        [calling(call(arguments='{"invalid_json": "{\\"x\\":3} extra"}')), result()],
    ),
    "H8 NaN is no JSON": (
        [calling(call(arguments='{"x": NaN}')), result()],
        [calling(call(arguments='{"invalid_json": "{\\"x\\": NaN}"}')), result()],
    ),
    "arguments absent": ([calling(call(arguments=None)), result()], [calling("c1"), result()]),
    "arguments empty": ([calling(call(arguments="")), result()], [calling("c1"), result()]),
    "arguments a dict": (
        [calling(call(arguments={"a": "ä"})), result()],
        [calling(call(arguments='{"a":"ä"}')), result()],
    ),
    "H9 reasoning of another provider": (
        [{**ANSWER, "reasoning_content": "hm", "reasoning": "hm"}],
        [ANSWER],
    ),
    "H10 fields of a reply": (
        [{**ANSWER, "refusal": None, "annotations": [], "function_call": None, "audio": None,
          "tool_calls": None}],
        [ANSWER],
    ),
    "H10 a refusal is what was said": (
        [{"role": "assistant", "content": None, "refusal": "I can't."}],
        [{"role": "assistant", "content": "I can't."}],
    ),
    "an audio reply is echoed by its id": (
        [{"role": "assistant", "content": "hm", "audio": {"id": "a1", "data": "UklG"}}],
        [{"role": "assistant", "content": "hm", "audio": {"id": "a1"}}],
    ),
    "H11 tool content []": (
        [calling("c1"), result(content=[])],
        [calling("c1"), result(content="")],
    ),
    "H11 tool content null": (
        [calling("c1"), result(content=None)],
        [calling("c1"), result(content="")],
    ),
    "tool content absent": (
        [calling("c1"), {"role": "tool", "tool_call_id": "c1"}],
        [calling("c1"), result(content="")],
    ),
    "tool content a dict": (
        [calling("c1"), result(content={"t": 21})],
        [calling("c1"), result(content='{"t":21}')],
    ),
    "tool content zero": ([calling("c1"), result(content=0)], [calling("c1"), result(content="0")]),
    "H12 content null without calls": (
        [{"role": "assistant", "content": None}, {"role": "user", "content": None}],
        [{"role": "assistant", "content": ""}, user("")],
    ),
    "H12 content absent beside calls": (
        [{"role": "assistant", "tool_calls": [call()]}, result()],
        [calling("c1"), result()],
    ),
    "H14 two of three answered": (
        [user(), calling("a", "b", "c"), result("a"), result("b"), user("again")],
        [user(), user("again")],
    ),
    "a result without a call": ([user(), result("gone")], [user()]),
    "a second result": ([calling("c1"), result(content="1"), result(content="2")],
                        [calling("c1"), result(content="1")]),
    "tool_calls []": ([{**ANSWER, "tool_calls": []}], [ANSWER]),
    "tool_calls of a user": ([{**user(), "tool_calls": [call()]}], [user()]),
    "type left out": (
        [calling({"id": "c1", "function": {"name": "read_file", "arguments": "{}"}}), result()],
        [calling("c1"), result()],
    ),
    "a stream's index": ([calling({**call(), "index": 0}), result()], [calling("c1"), result()]),
    "a flat call": (
        [calling({"id": "c1", "name": "read_file", "arguments": "{}"}), result()],
        [calling("c1"), result()],
    ),
    "name with a dot": (
        [calling(call(name="functions.read_file")), result()],
        [calling(call(name="functions_read_file")), result()],
    ),
    "name with blanks around": (
        [calling(call(name=" read_file ")), result()],
        [calling("c1"), result()],
    ),
    "name too long": (
        [calling(call(name="n" * 65)), result()],
        [calling(call(name="n" * 64)), result()],
    ),
    "name empty": (
        [calling(call(name="")), result()],
        [calling(call(name="unknown")), result()],
    ),
    "id empty": (
        [calling(call("")), result("")],
        [calling("call_1"), result("call_1")],
    ),
    "id absent, result has one": (
        [calling({"type": "function", "function": call()["function"]}), result("made-up")],
        [calling("made-up"), result("made-up")],
    ),
    "id absent on the result": (
        [calling("c1"), {"role": "tool", "content": "ok"}],
        [calling("c1"), result("c1")],
    ),
    "a merged message": (
        [calling("a", "b"), {"role": "tool", "content": [
            {"type": "tool_result", "tool_call_id": "a", "content": "1"},
            {"type": "tool_result", "tool_call_id": "b", "content": "2"}]}],
        [calling("a", "b"), result("a", "1"), result("b", "2")],
    ),
    "Anthropic's blocks": (
        [{"role": "assistant", "content": [
            {"type": "text", "text": "look"},
            {"type": "tool_use", "id": "c1", "name": "read_file", "input": {"p": 1}}]},
         {"role": "user", "content": [
             {"type": "tool_result", "tool_use_id": "c1", "content": "ok"},
             {"type": "text", "text": "go on"}]}],
        [calling(call(arguments='{"p":1}'), content=[{"type": "text", "text": "look"}]),
         result(), {"role": "user", "content": [{"type": "text", "text": "go on"}]}],
    ),
    "legacy function_call": (
        [{"role": "assistant", "content": None,
          "function_call": {"name": "read_file", "arguments": "{}"}},
         {"role": "function", "name": "read_file", "content": "ok"}],
        [calling("call_1"), result("call_1", name="read_file")],
    ),
    "name with a space": ([{**user(), "name": "Ann Lee"}], [{**user(), "name": "Ann_Lee"}]),
    "strings among the parts": (
        [{"role": "user", "content": ["hi", None, {"type": "thinking", "thinking": "hm"}]}],
        [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
    ),
    "half a character": ([user("a\ud83d")], [user("a?")]),
}  # fmt: skip


@pytest.mark.parametrize("name", UNCHANGED)
def test_a_valid_history_comes_out_as_the_same_messages(name):
    messages = UNCHANGED[name]
    out = normalize_messages(messages)
    assert out == messages
    assert all(a is b for a, b in zip(out, messages, strict=True))
    assert out is not messages


@pytest.mark.parametrize("name", MENDED)
def test_a_faulty_history_is_mended_once_and_the_input_is_left_alone(name):
    messages, expected = MENDED[name]
    before = copy.deepcopy(messages)
    out = normalize_messages(messages)
    assert out == expected
    assert normalize_messages(out) == expected
    assert messages == before


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (
            [calling("a", "b", "c"), result("a"), result("b")],
            [calling("a", "b", "c"), result("a"), result("b"), result("c", PLACEHOLDER)],
        ),
        ([calling("c", "c"), result("c")], [calling("c", "c_2"), result("c"),
                                            result("c_2", PLACEHOLDER)]),
        ([result(), calling("c1")], [calling("c1"), result("c1", PLACEHOLDER)]),
    ],
    ids=["H14", "H6", "H3"],
)  # fmt: skip
def test_placeholders_fill_missing_results_in(messages, expected):
    out = normalize_messages(messages, orphans="placeholder")
    assert out == expected
    assert normalize_messages(out, orphans="placeholder") == expected


def test_an_id_over_64_characters_is_shortened_alike_on_both_sides():
    out = normalize_messages([calling(LONG_ID), result(LONG_ID)])
    new = out[0]["tool_calls"][0]["id"]
    assert len(new) <= 64
    assert out[1]["tool_call_id"] == new
    assert normalize_messages([calling(LONG_ID), result(LONG_ID)]) == out  # the same every time


def test_ids_already_sent_stay_when_the_history_grows():
    turn = [calling("c"), result("c")]
    sent = normalize_messages(turn * 3)
    assert normalize_messages(turn * 4)[: len(sent)] == sent


def test_more_than_128_calls_become_turns_of_128():
    ids = [f"c{n}" for n in range(300)]
    out = normalize_messages([calling(*ids, content="x"), *(result(i) for i in ids), user()])
    turns = [m for m in out if m["role"] == "assistant"]
    assert [len(m["tool_calls"]) for m in turns] == [128, 128, 44]
    assert [m["content"] for m in turns] == ["x", None, None]
    assert [m["tool_call_id"] for m in out if m["role"] == "tool"] == ids
    assert out[-1] == user()
    assert normalize_messages(out) == out


def test_reply_objects_of_the_client_are_taken_as_they_come():
    from openai.types.chat import ChatCompletionMessage

    reply = ChatCompletionMessage.model_validate(
        {"role": "assistant", "content": None, "refusal": None, "annotations": [],
         "tool_calls": [call()], "reasoning_content": "hm"}
    )  # fmt: skip
    expected = [calling("c1"), result("c1")]
    assert normalize_messages([reply, result()]) == expected
    assert normalize_messages([{**calling(), "tool_calls": reply.tool_calls}, result()]) == expected
    assert trim_messages([user(), reply, result()], max_messages=2) == [
        reply.model_dump(exclude_unset=True), result()
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        ({"orphans": "keep"}, ValueError, "placeholder"),
        ({"profile": "acme"}, ValueError, "mistral"),
        ({"messages": ["hi"]}, TypeError, r"messages\[0\]"),
    ],
)
def test_a_wrong_argument_is_named(wrong, error, says):
    with pytest.raises(error, match=says):
        normalize_messages(**{"messages": [], **wrong})


# ---- what single providers want


def test_deepseek_gets_its_reasoning_back():
    turn = [calling("c1", reasoning_content="hm"), result()]
    assert normalize_messages(turn, profile="deepseek") == turn
    assert normalize_messages(turn, profile="groq") == [calling("c1"), result()]


@pytest.mark.parametrize("profile", ["deepseek", "groq", "ollama"])
def test_text_parts_are_joined_where_content_must_be_a_string(profile):
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert normalize_messages([user(parts)], profile=profile) == [user("a\nb")]


@pytest.mark.parametrize(("profile", "content"), [("openai", None), ("ollama", "")])
def test_content_beside_calls_is_null_or_empty_by_profile(profile, content):
    out = normalize_messages([calling("c1"), result()], profile=profile)
    assert out == [calling("c1", content=content), result()]


def test_ollama_gets_arguments_that_are_an_object():
    out = normalize_messages([calling(call(arguments="[1]")), result()], profile="ollama")
    assert json.loads(out[0]["tool_calls"][0]["function"]["arguments"]) == {"value": [1]}


def test_mistral_gets_ids_of_nine_and_an_answer_before_the_next_question():
    history = [calling("call_1", "abc123XYZ"), result("call_1"), result("abc123XYZ"),
               {"role": "assistant", "content": ""}, user()]  # fmt: skip
    out = normalize_messages(history, profile="mistral")
    new = out[0]["tool_calls"][0]["id"]
    assert len(new) == 9 and new.isalnum()
    assert out[0]["tool_calls"][1]["id"] == "abc123XYZ"
    assert [m["role"] for m in out] == ["assistant", "tool", "tool", "assistant", "user"]
    assert out[1]["tool_call_id"] == new
    assert out[3]["content"] == PROFILES["mistral"].bridge


def test_anthropic_gets_all_results_of_a_turn_in_one_message():
    history = [user(), calling(call("a", arguments='{"p": 1}'), "b", content="look"),
               result("b"), result("a"), ANSWER]  # fmt: skip
    use = {"type": "tool_use", "name": "read_file"}
    expected = [
        user(),
        {"role": "assistant", "content": [
            {"type": "text", "text": "look"},
            {**use, "id": "a", "input": {"p": 1}}, {**use, "id": "b", "input": {}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "b", "content": "ok"},
            {"type": "tool_result", "tool_use_id": "a", "content": "ok"}]},
        ANSWER,
    ]  # fmt: skip
    assert normalize_messages(history, profile="anthropic") == expected
    assert normalize_messages(expected, profile="anthropic") == expected


# ---- batches


def test_consecutive_results_become_one_batch_and_come_apart_again():
    history = [user(), calling("a", "b"), result("a", "1", name="n"), result("b", "2"), ANSWER,
               calling("c"), result("c")]  # fmt: skip
    batched = batch_tool_messages(history)
    assert [m["role"] for m in batched] == ["user", "assistant", "tool", "assistant", "assistant",
                                            "tool"]  # fmt: skip
    assert batched[2]["content"] == [
        {"type": "tool_result", "tool_call_id": "a", "content": "1", "name": "n"},
        {"type": "tool_result", "tool_call_id": "b", "content": "2"},
    ]
    assert batch_tool_messages(batched) == batched
    assert unbatch_tool_messages(batched) == history
    assert unbatch_tool_messages(history) == history
    assert normalize_messages(batched) == history


# ---- trimming

TWO_TURNS = [SYSTEM, user("1"), calling("a", "b"), result("a"), result("b"), ANSWER,
             user("2"), calling("c"), result("c"), ANSWER]  # fmt: skip


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (20, TWO_TURNS),
        (10, TWO_TURNS),
        (9, [SYSTEM, *TWO_TURNS[2:]]),
        (8, [SYSTEM, *TWO_TURNS[5:]]),  # H1: the results of a cut-off call go too
        (7, [SYSTEM, *TWO_TURNS[5:]]),  # H2: never between a call and its result
        (6, [SYSTEM, *TWO_TURNS[5:]]),
        (5, [SYSTEM, *TWO_TURNS[6:]]),
        (3, [SYSTEM, ANSWER]),
        (2, [SYSTEM, ANSWER]),
        (1, [SYSTEM]),
    ],
)
def test_a_trim_keeps_turns_whole_and_the_system_message(most, kept):
    assert trim_messages(TWO_TURNS, max_messages=most) == kept


def test_a_trim_keeps_a_late_result_with_its_call():
    history = [user("1"), calling("a"), user("2"), result("a"), user("3")]
    assert trim_messages(history, max_messages=3) == [user("3")]
    assert trim_messages(history, max_messages=4) == history[1:]


def test_a_trim_takes_batches_and_legacy_calls_for_what_they_are():
    batched = batch_tool_messages(TWO_TURNS)
    assert trim_messages(batched, max_messages=7) == [SYSTEM, *batched[4:]]
    legacy = [{"role": "assistant", "content": None, "function_call": {"name": "f"}},
              {"role": "function", "name": "f", "content": "1"}, user()]  # fmt: skip
    assert trim_messages(legacy, max_messages=2) == [user()]


def test_a_trim_to_nothing_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        trim_messages([user()], max_messages=0)
