"""Every exercise of every lesson: its stub, each wrong answer, its solution."""

import pytest

from agentlib.course import exercises
from agentlib.course.checking import judge

ALL = exercises.all_exercises()
each = pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.id)


def outcome(exercise, source):
    """What the check says of an answer written in place of the stub."""
    namespace = {"__name__": "lesson"}
    exec(compile(exercise.setup, "<setup>", "exec"), namespace)
    exec(compile(source, "<answer>", "exec"), namespace)
    return judge(exercise, namespace[exercise.answer_name])


@each
def test_untouched_stub_is_not_started(exercise):
    assert outcome(exercise, exercise.stub).status == "not started"


@each
def test_solution_passes(exercise):
    found = outcome(exercise, exercise.solution)
    assert found.status == "passed", found


@each
def test_wrong_answers_do_not_pass(exercise):
    assert exercise.wrong, "give at least one answer that a learner might well write"
    found = {source: outcome(exercise, source).status for source in exercise.wrong}
    assert set(found.values()) <= {"wrong", "raised"}, found


@each
def test_it_has_hints_and_keeps_to_the_form(exercise):
    assert exercise.hints
    number, _, place = exercise.id.partition(".")
    assert exercise.id == f"{int(number)}.{int(place)}"
    assert exercise in exercises.of_lesson(exercise.lesson)
    assert all(len(line) <= 80 for line in exercise.stub.split("\n"))


def test_ids_are_in_order_and_unique():
    keys = [tuple(map(int, exercise.id.split("."))) for exercise in ALL]
    assert keys == sorted(set(keys))


def test_an_unknown_id_names_the_known_ones():
    with pytest.raises(ValueError, match=r"no exercise '99\.1'.*Known: none in that lesson"):
        exercises.find("99.1")
    with pytest.raises(ValueError, match="Ids look like"):
        exercises.find("three")
