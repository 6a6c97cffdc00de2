"""The planner, driven to the end over invented tools: every call and the heart of the answer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from planner_cases import CASES
from planner_heldout_cases import HELDOUT
from planner_learner_cases import LEARNERS
from planner_toolbox import BOX, verdict


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_task(case):
    assert verdict(case) == []


@pytest.mark.parametrize("case", LEARNERS, ids=lambda c: c.name)
def test_task_as_learners_type_it(case):
    assert verdict(case) == []


def test_most_of_the_held_out_tasks_come_out_right():
    wrong = {case.name: found for case in HELDOUT if (found := verdict(case))}
    assert len(wrong) <= len(HELDOUT) // 10, wrong


def test_the_tasks_are_as_many_and_as_varied_as_promised():
    assert len(CASES) + len(HELDOUT) >= 45 and len(BOX) >= 20
