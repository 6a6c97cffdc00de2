"""Random histories: what comes out passes the referee, and nothing that was valid is lost."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentlib.messages import (
    PROFILES,
    batch_tool_messages,
    is_well_formed,
    normalize_messages,
    trim_messages,
    unbatch_tool_messages,
)
from agentlib.offline.protocol import judge

MANY = settings(max_examples=500, deadline=None)
SOME = settings(max_examples=200, deadline=None)


def refused(messages):
    """The referee's answer to a request with these messages; None when it takes them."""
    if not messages:
        return None  # nothing left to send is for the caller to see
    refusal = judge({"model": "scripted-1", "messages": messages})
    return refusal and refusal.body


# ---- histories that are fine

texts = st.sampled_from(["", "hi", "北京", "a\nb", "😀"])
arguments = st.sampled_from(["{}", '{"a": 1}', '{"城市": "北京"}', '{"x": [1, {"y": null}]}'])
names = st.sampled_from(["read_file", "f", "x" * 64, "a-b"])
spoken = st.one_of(
    st.builds(lambda t: {"role": "user", "content": t}, texts),
    st.builds(lambda t: {"role": "assistant", "content": t}, texts),
    st.builds(lambda t: {"role": "user", "content": [{"type": "text", "text": t}]}, texts),
    st.builds(lambda t: {"role": "user", "content": t, "name": "Ann"}, texts),
)


def call_of(call_id, name, text):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}


@st.composite
def turns(draw):
    """A turn of one to three calls and all its results, ids still to be numbered."""
    calls = draw(st.lists(st.tuples(names, arguments), min_size=1, max_size=3))
    order = draw(st.permutations(range(len(calls))))
    content = draw(st.one_of(st.none(), texts))
    results = [(place, draw(texts)) for place in order]
    return calls, content, results


@st.composite
def valid_histories(draw):
    out = [{"role": "system", "content": "s"}] if draw(st.booleans()) else []
    used = 0
    for piece in draw(st.lists(st.one_of(spoken, turns()), max_size=6)):
        if isinstance(piece, dict):
            out.append(piece)
            continue
        calls, content, results = piece
        ids = [f"call_{used + n}" for n in range(len(calls))]
        used += len(calls)
        made = [call_of(i, name, text) for i, (name, text) in zip(ids, calls, strict=True)]
        out.append({"role": "assistant", "content": content, "tool_calls": made})
        out += [{"role": "tool", "tool_call_id": ids[p], "content": t} for p, t in results]
    return out


# ---- histories where anything may be wrong

junk = st.one_of(st.none(), st.integers(), st.booleans(), st.text(max_size=3), st.just([]),
                 st.just({}), st.just({"type": "text"}))  # fmt: skip
ids = st.sampled_from(["a", "b", "a_2", "", None, 3, "x" * 65, "x" * 64, "日"])
parts = st.lists(
    st.one_of(
        junk,
        st.builds(lambda t: {"type": "text", "text": t}, st.one_of(texts, junk)),
        st.builds(lambda u: {"type": "image_url", "image_url": u}, junk),
        st.builds(
            lambda i: {"type": "tool_result", "tool_use_id": i, "content": "r"},
            st.one_of(ids, junk),
        ),
        st.builds(lambda i: {"type": "tool_use", "id": i, "name": "f", "input": {}}, ids),
        st.just({"type": "thinking", "thinking": "hm"}),
    ),
    max_size=3,
)
contents = st.one_of(texts, st.none(), junk, parts, st.just("half \ud83d"))
broken_arguments = st.one_of(
    arguments, junk, st.sampled_from(['{"a":', "NaN", "[1]", "null", '"x"', '{"a":1} x', "\ud83d"])
)
broken_names = st.one_of(names, junk, st.sampled_from(["a b", "", "functions.f", "n" * 70]))
calls = st.one_of(
    st.builds(call_of, ids, broken_names, broken_arguments),
    st.builds(lambda i, n: {"id": i, "name": n, "arguments": {}}, ids, broken_names),
    st.builds(lambda i: {"id": i, "type": "custom", "custom": {"name": "q", "input": "x"}}, ids),
    st.builds(lambda i: {"function": i}, junk),
    junk,
)
extras = st.dictionaries(
    st.sampled_from(["name", "refusal", "audio", "annotations", "reasoning_content", "index"]),
    st.one_of(junk, texts, st.just("A B"), st.just({"id": "aud"})),
    max_size=2,
)
messages_of_any_kind = st.one_of(
    spoken,
    st.builds(
        lambda role, content, rest: {**rest, "role": role, "content": content},
        st.sampled_from(["system", "developer", "user", "assistant"]),
        contents,
        extras,
    ),
    st.builds(
        lambda calls, content, rest: {
            **rest, "role": "assistant", "content": content, "tool_calls": calls},
        st.one_of(junk, st.lists(calls, max_size=3)), contents, extras,
    ),
    st.builds(lambda cs: {"role": "assistant", "tool_calls": cs}, st.lists(calls, max_size=2)),
    st.builds(
        lambda i, content, rest: {**rest, "role": "tool", "tool_call_id": i, "content": content},
        st.one_of(ids, junk), contents, extras,
    ),
    st.builds(lambda content: {"role": "tool", "content": content}, contents),
    st.builds(
        lambda f: {"role": "assistant", "content": None, "function_call": f},
        st.one_of(junk, st.just({"name": "f", "arguments": "{}"})),
    ),
    st.builds(lambda c: {"role": "function", "name": "f", "content": c}, contents),
)  # fmt: skip
broken_histories = st.lists(messages_of_any_kind, max_size=9)
wire_profiles = st.sampled_from([name for name, p in PROFILES.items() if not p.blocks])
policies = st.sampled_from(["drop", "placeholder"])


@MANY
@given(broken_histories, policies, wire_profiles)
def test_whatever_goes_in_the_referee_takes_what_comes_out(history, orphans, profile):
    out = normalize_messages(history, orphans=orphans, profile=profile)
    assert refused(out) is None
    for message in out:
        for call in message.get("tool_calls", ()):
            assert PROFILES[profile].id_pattern.fullmatch(call["id"])
            if call["type"] == "function":
                json.loads(call["function"]["arguments"], parse_constant=pytest.fail)
    json.dumps(out, ensure_ascii=False, allow_nan=False).encode()


@MANY
@given(broken_histories, policies, st.sampled_from(list(PROFILES)))
def test_twice_is_once_and_the_input_is_untouched(history, orphans, profile):
    before = copy.deepcopy(history)
    out = normalize_messages(history, orphans=orphans, profile=profile)
    assert history == before
    assert normalize_messages(out, orphans=orphans, profile=profile) == out


@MANY
@given(broken_histories)
def test_no_id_is_used_twice(history):
    out = normalize_messages(history)
    issued = [call["id"] for message in out for call in message.get("tool_calls", ())]
    assert len(issued) == len(set(issued))


@MANY
@given(broken_histories, wire_profiles)
def test_the_quick_look_agrees_with_the_passes(history, profile):
    rules = PROFILES[profile]
    if is_well_formed(history, rules):
        assert refused(history) is None
        beside = [{"role": "tool", "tool_call_id": "gone", "content": ""}]
        assert normalize_messages(history + beside, profile=profile) == history


@MANY
@given(valid_histories())
def test_what_is_valid_comes_out_as_the_same_objects(history):
    assert refused(history) is None
    out = normalize_messages(history)
    assert out == history
    assert all(a is b for a, b in zip(out, history, strict=True))


@MANY
@given(valid_histories(), st.data())
def test_faults_put_into_a_valid_history_go_and_nothing_else_does(history, data):
    """Unanswered turns and stray results, put between the turns, leave no trace."""
    stray = st.builds(lambda t: [{"role": "tool", "tool_call_id": "stray", "content": t}], texts)
    unanswered = st.builds(
        lambda c, r: [
            {"role": "assistant", "content": c,
             "tool_calls": [call_of("lost", "f", "{}"), call_of("lost2", "f", "{}")]},
            *[{"role": "tool", "tool_call_id": "lost", "content": "half"}] * r,
        ],
        texts, st.integers(0, 1),
    )  # fmt: skip
    places = [i for i in range(len(history) + 1)
              if i == len(history) or history[i]["role"] != "tool"]  # fmt: skip
    place = data.draw(st.sampled_from(places))
    fault = data.draw(st.one_of(stray, unanswered))
    assert normalize_messages(history[:place] + fault + history[place:]) == history


@MANY
@given(valid_histories(), st.data())
def test_results_that_wandered_off_are_brought_back(history, data):
    results = [i for i, message in enumerate(history) if message["role"] == "tool"]
    if not results:
        return
    moved = history[:]
    wanderer = moved.pop(data.draw(st.sampled_from(results)))
    at = data.draw(st.integers(history.index(wanderer), len(moved)))
    out = normalize_messages([*moved[:at], wanderer, *moved[at:]])
    assert refused(out) is None
    assert sorted(map(str, out)) == sorted(map(str, history))
    others = [m for m in history if m["role"] != "tool"]
    assert [m for m in out if m["role"] != "tool"] == others


@MANY
@given(broken_histories)
def test_what_people_said_stays_in_order(history):
    """Every text a user or a system message held is still there."""
    plain = [m for m in history if m["role"] in ("user", "system") and type(m["content"]) is str]
    kept = iter(m["content"] for m in normalize_messages(history) if m["role"] != "tool")
    for message in plain:
        wanted = message["content"].encode("utf-8", "replace").decode()
        assert wanted in kept  # `in` moves the iterator on, so the order counts


@SOME
@given(broken_histories)
def test_every_use_block_has_its_result_in_the_next_message(history):
    out = normalize_messages(history, profile="anthropic")
    for message, following in zip(out, [*out, {"content": ""}][1:], strict=True):
        assert message["role"] != "tool" and "tool_calls" not in message
        if not isinstance(message["content"], list):
            continue
        uses = [p["id"] for p in message["content"] if p["type"] == "tool_use"]
        after = following["content"] if isinstance(following["content"], list) else []
        results = [p["tool_use_id"] for p in after if p["type"] == "tool_result"]
        assert sorted(uses) == sorted(results) or not uses


@SOME
@given(valid_histories(), st.integers(1, 12))
def test_a_trim_fits_starts_whole_and_keeps_the_newest(history, most):
    out = trim_messages(history, max_messages=most)
    assert refused(out) is None
    head = 1 if history and history[0]["role"] == "system" else 0
    assert out[:head] == history[:head]
    assert len(out) <= max(most, head)
    kept = len(out) - head
    assert out[head:] == history[len(history) - kept :]
    # it is the longest that fits: whatever longer end of the history fits is no whole one
    for longer in range(kept + 1, min(most - head, len(history) - head) + 1):
        assert refused(history[:head] + history[len(history) - longer :]) is not None


@SOME
@given(valid_histories())
def test_batches_come_apart_again(history):
    batched = batch_tool_messages(history)
    assert unbatch_tool_messages(batched) == history
    assert normalize_messages(batched) == history
    roles = [message["role"] for message in batched]
    assert not any(a == b == "tool" for a, b in zip(roles, roles[1:], strict=False))


@pytest.mark.parametrize("orphans", ["drop", "placeholder"])
def test_a_history_of_ten_thousand_calls_of_one_id_is_settled(orphans):
    turn = [
        {"role": "assistant", "content": None, "tool_calls": [call_of("c", "f", "{}")]},
        {"role": "tool", "tool_call_id": "c", "content": "ok"},
    ]
    out = normalize_messages(turn * 10_000, orphans=orphans)
    assert len({m["tool_call_id"] for m in out if m["role"] == "tool"}) == 10_000
