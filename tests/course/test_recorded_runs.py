"""The recorded runs of lesson 09: what the default limits make of them, and what others would."""

import pytest

from agentlib.course.recorded_runs import RECORDED_RUNS, rating, replay

BY_NAME = {run.name: run for run in RECORDED_RUNS}
WRONG = {"ticking clock": "missed", "slow loop": "missed", "hasty poll": "false alarm",
         "a large job": "false alarm"}  # fmt: skip


@pytest.mark.parametrize("name", BY_NAME)
def test_the_default_limits_judge_as_the_note_says(name):
    run = BY_NAME[name]
    right = "caught" if run.looping else "left alone"
    assert rating(run) == WRONG.get(name, right)
    assert (name in WRONG) == run.note.startswith(("Missed", "False alarm"))


@pytest.mark.parametrize(
    ("name", "limits", "expected"),
    [
        ("slow loop", {"window_seconds": 300}, "caught"),
        ("patient poll", {"window_seconds": 300}, "false alarm"),  # the price
        ("hasty poll", {"window_seconds": 20}, "left alone"),
        ("ticking clock", {"max_total_calls": 10}, "caught"),
        ("edit and test", {"max_total_calls": 10}, "false alarm"),  # the price
        ("a large job", {"max_total_calls": 30}, "left alone"),
        ("same file", {"max_consecutive_calls": 9}, "missed"),
        ("rephrased", {"similarity": 1.0}, "missed"),
    ],
)
def test_other_limits_catch_more_or_stop_more(name, limits, expected):
    assert rating(BY_NAME[name], **limits) == expected


def test_every_recording_has_a_name_of_its_own_and_goes_forward_in_time():
    assert len(BY_NAME) == len(RECORDED_RUNS) >= 12
    for run in RECORDED_RUNS:
        times = [call.at for call in run.calls]
        assert times == sorted(times) and times[0] == 0


def test_a_replay_ends_at_the_stop():
    verdicts = [v.kind for v in replay(BY_NAME["same file"])]
    assert verdicts == ["ok"] * 5 + ["warn", "stop"]


def test_no_setting_gets_all_of_them_right():
    """Lesson 09 says so: only the total ends the ticking clock, and it would end the large job."""
    for total in range(1, 40):
        caught = rating(BY_NAME["ticking clock"], max_total_calls=total) == "caught"
        alone = rating(BY_NAME["a large job"], max_total_calls=total) == "left alone"
        assert not (caught and alone)
