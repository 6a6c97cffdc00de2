"""Lesson 08's passes and the library's, held to one table of histories; and what the API says."""

import copy
import inspect

import pytest
from lesson_code import definitions, lines_of
from openai import BadRequestError

from agentlib import connect, normalize_messages
from agentlib.course import places
from agentlib.course.exercises.lesson_08 import EXERCISES
from agentlib.messages import batch_tool_messages, trim_messages, unbatch_tool_messages
from agentlib.messages.pairing import PLACEHOLDER

LESSON = definitions("08")
user, calling, result = LESSON.user, LESSON.calling, LESSON.result
SYSTEM = {"role": "system", "content": "be brief"}
ANSWER = {"role": "assistant", "content": "Done."}
GONE = LESSON.PLACEHOLDER


def by_the_lesson(messages, orphans="drop"):
    passes = {"drop": LESSON.drop_orphans, "placeholder": LESSON.fill_orphans}
    return LESSON.normalize(messages, passes[orphans])


def by_the_library(messages, orphans="drop"):
    return normalize_messages(messages, orphans=orphans)


def test_a_placeholder_does_not_invite_a_second_call():
    """The call may have acted: an email is not sent again on our word."""
    assert GONE == PLACEHOLDER
    assert "may or may not have taken effect" in GONE and "Find out before" in GONE


both = pytest.mark.parametrize("normalize", [by_the_lesson, by_the_library])
VALID = {
    "talk": [SYSTEM, user("hi"), ANSWER, user("and?")],
    "a call and its result": [user("go"), calling("a"), result("a"), ANSWER],
    "results in another order": [user("go"), calling("a", "b"), result("b"), result("a")],
    "two turns": [calling("a"), result("a"), calling("b"), result("b"), ANSWER],
    "an empty result": [calling("a"), result("a", "")],
    "text beside a call": [{**calling("a"), "content": "let me look"}, result("a")],
}
MENDED = {  # name: (kept, sent)
    "H1 a result whose call was cut off": ([result("a"), user("go on")], [user("go on")]),
    "H3 a result before its call": ([result("a"), calling("a"), user("go")], [user("go")]),
    "H4 a user message between": (
        [calling("a"), user("hurry"), result("a")],
        [calling("a"), result("a"), user("hurry")],
    ),
    "H4 between two results": (
        [calling("a", "b"), result("b"), user("hurry"), result("a"), ANSWER],
        [calling("a", "b"), result("b"), result("a"), user("hurry"), ANSWER],
    ),
    "H4 after the next turn": (
        [calling("a"), calling("b"), result("b"), result("a")],
        [calling("a"), result("a"), calling("b"), result("b")],
    ),
    "a result too many": ([calling("a"), result("a"), result("a")], [calling("a"), result("a")]),
    "H8 half of the arguments": (
        [calling("a", arguments='{"a":'), result("a")],
        [calling("a", arguments='{"invalid_json": "{\\"a\\":"}'), result("a")],
    ),
    "no JSON to others than Python": (
        [calling("a", arguments='{"n": NaN}'), result("a")],
        [calling("a", arguments='{"invalid_json": "{\\"n\\": NaN}"}'), result("a")],
    ),
    "H9 reasoning of another provider": ([{**ANSWER, "reasoning_content": "hm"}], [ANSWER]),
    "H10 fields of a reply": (
        [{**ANSWER, "refusal": None, "annotations": [], "function_call": None, "audio": None,
          "tool_calls": None}],
        [ANSWER],
    ),
    "an empty list of calls": ([{**ANSWER, "tool_calls": []}], [ANSWER]),
    "H11 a null result": ([calling("a"), result("a", None)], [calling("a"), result("a", "")]),
    "H11 an empty list": ([calling("a"), result("a", [])], [calling("a"), result("a", "")]),
    "a null question": ([user(None)], [user("")]),
}  # fmt: skip
ORPHANS = {  # name: (kept, sent with "drop", sent with "placeholder")
    "H14 the third of three": (
        [user("go"), calling("a", "b", "c"), result("a"), result("b"), user("on")],
        [user("go"), user("on")],
        [user("go"), calling("a", "b", "c"), result("a"), result("b"), result("c", GONE),
         user("on")],
    ),
    "all of two": (
        [calling("a", "b"), user("on")],
        [user("on")],
        [calling("a", "b"), result("a", GONE), result("b", GONE), user("on")],
    ),
    "only the older turn": (
        [calling("a"), user("on"), calling("b"), result("b")],
        [user("on"), calling("b"), result("b")],
        [calling("a"), result("a", GONE), user("on"), calling("b"), result("b")],
    ),
    "no orphan": ([calling("a"), result("a")],) * 3,
}  # fmt: skip


@both
@pytest.mark.parametrize("name", VALID)
def test_what_is_valid_stays(normalize, name):
    assert normalize(VALID[name]) == VALID[name]
    assert normalize(VALID[name], "placeholder") == VALID[name]


@both
@pytest.mark.parametrize("name", MENDED)
def test_what_is_not_is_mended(normalize, name):
    kept, sent = MENDED[name]
    before = copy.deepcopy(kept)
    assert normalize(kept) == sent
    assert normalize(normalize(kept)) == sent
    assert kept == before


@both
@pytest.mark.parametrize("name", ORPHANS)
def test_orphans_are_dropped_or_filled(normalize, name):
    kept, dropped, filled = ORPHANS[name]
    assert normalize(kept) == dropped
    assert normalize(kept, "placeholder") == filled


@both
def test_a_wrecked_history_is_accepted(normalize):
    histories = [LESSON.wrecked(seed) for seed in range(60)]
    assert not all(map(accepted, histories))
    for history in histories:
        for orphans in ("drop", "placeholder"):
            assert accepted(normalize(history, orphans)), history


def test_results_of_other_calls_complete_no_turn():
    assert LESSON.drop_orphans([calling("a"), result("b"), user("on")]) == [user("on")]


@pytest.mark.parametrize("one_pass", [*LESSON.PASSES, LESSON.drop_orphans, LESSON.fill_orphans])
def test_each_pass_states_its_invariant_and_is_pure_and_idempotent(one_pass):
    assert inspect.getdoc(one_pass).startswith("After it: ")
    for seed in range(60):
        history = LESSON.wrecked(seed)
        if one_pass not in LESSON.PASSES[:4]:
            history = LESSON.drop_strays(history)  # what these expect
        before = copy.deepcopy(history)
        once = one_pass(history)
        assert one_pass(once) == once
        assert history == before


SEVERAL = [user("go"), calling("a", "b"), result("a", "1"), result("b", "2"), user("on"),
           calling("c"), result("c"), ANSWER]  # fmt: skip


def test_batches_and_trims_are_the_librarys():
    for history in [*VALID.values(), SEVERAL]:
        assert LESSON.batch(history) == batch_tool_messages(history)
        assert LESSON.unbatch(LESSON.batch(history)) == history
        assert unbatch_tool_messages(LESSON.batch(history)) == history
    keeping = {"trim": LESSON.trim}
    exec(EXERCISES[1].solution, keeping)
    for most in range(1, 10):
        assert LESSON.trim(SEVERAL, most) == trim_messages(SEVERAL, max_messages=most)
        with_system = [SYSTEM, *SEVERAL]
        ours = keeping["trim_keeping_system"](with_system, most)
        assert ours == trim_messages(with_system, max_messages=most)


def test_ids_of_the_exercise_are_the_librarys():
    space = {"call_ids": LESSON.call_ids, "turns_of": LESSON.turns_of}
    exec(EXERCISES[2].solution, space)
    again = [calling("a", "b"), result("b"), result("a")]
    history = [calling("a"), result("a"), *again, ANSWER, *again]
    assert space["unique_ids"](history) == normalize_messages(history)


def accepted(history):
    return said_of(history) == "accepted"


def said_of(history):
    client, model = connect(offline=True)
    try:
        client.chat.completions.create(model=model, messages=history)
    except BadRequestError as error:
        return error.body["message"]
    return "accepted"


@pytest.mark.parametrize(
    ("history", "said"),
    [
        ([user("go"), calling("a", "b"), result("a")], "did not have response messages: b"),
        ([result("a"), user("go")], "must be a response to a preceding message"),
        ([calling("a"), user("hurry"), result("a")], "did not have response messages: a"),
        ([{**ANSWER, "tool_calls": None}], "tool_calls"),
        ([calling("a"), result("a", None)], "expected a string, got null"),
        (LESSON.batch(SEVERAL), "tool_result"),
        ([calling("a", "b"), result("a", "1\n2")], "did not have response messages: b"),
        ([calling("a", arguments='{"a":'), result("a")], "accepted"),
    ],
)
def test_what_the_lesson_says_of_the_api(history, said):
    assert said in said_of(history)


def test_the_count_of_lines_is_true():
    names = """
        call_ids turns_of PLACEHOLDER drop_orphans fill_orphans drop_strays place_results
        FIELDS known_fields text_content as_json with_json json_arguments PASSES normalize
    """
    path = places.find_lesson("08", places.CHECKOUT / "lessons")
    assert f"{lines_of('08', *names.split())} lines more" in path.read_text(encoding="utf-8")
