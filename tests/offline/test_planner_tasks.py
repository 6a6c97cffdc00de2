"""The planner, driven to the end over invented tools: every call and the heart of the answer."""

from __future__ import annotations

import importlib
import json
import random
import sys
from pathlib import Path

import jsonschema
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from planner_careful_cases import CAREFUL
from planner_carried_cases import CARRIED
from planner_cases import CASES
from planner_faults_cases import FAULTS
from planner_fresh_cases import FRESH
from planner_heldout_cases import HELDOUT
from planner_learner_cases import LEARNERS
from planner_toolbox import BOX, TODAY, verdict

from agentlib.offline.planner import plan

ROUNDS = [
    getattr(importlib.import_module(f"planner_round{n}_cases"), f"ROUND{n}") for n in range(1, 18)
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_task(case):
    assert verdict(case) == []


@pytest.mark.parametrize("case", LEARNERS, ids=lambda c: c.name)
def test_task_as_learners_type_it(case):
    assert verdict(case) == []


@pytest.mark.parametrize("case", [*FAULTS, *FRESH, *CARRIED, *CAREFUL], ids=lambda c: c.name)
def test_task_that_a_lesson_or_a_reader_found_wrong(case):
    assert verdict(case) == []


@pytest.mark.parametrize("cases", [*ROUNDS, HELDOUT], ids=[*map(str, range(1, 18)), "held out"])
def test_nine_of_ten_tasks_over_other_tools_come_out_right(cases):
    wrong = {case.name: found for case in cases if (found := verdict(case))}
    assert len(wrong) <= len(cases) // 10, wrong


def test_the_tasks_are_as_many_and_as_varied_as_promised():
    assert len(CASES) + len(HELDOUT) >= 45 and len(BOX) >= 20


RESULTS = [
    "", "ok", "[]", "{}", '{"a": 1}', "a.txt\nb.txt", "12", "null", "denied", "Error: x",
    "Error: city must be one of: A, B", "Error: No such file or directory: 'x'",
    "Error: there is no tool named 'q'. The tools there are: a, b.", '{"error": {"message": "gone"}}',
    "Error: n must be an integer", "Error: unknown parameter 'q'.", "Error: TimeoutError",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_asked_the_reply_is_text_or_calls_that_fit_the_schemas(seed):
    dice = random.Random(seed)
    texts = [ask for cases in (CASES, LEARNERS, *ROUNDS) for case in cases for ask in case.asks]
    words = " ".join(dice.choice(texts) for _ in range(3)).split()
    text = " ".join(w for w in words if dice.random() < 0.7)
    tools = [BOX[name][0] for name in dice.sample(sorted(BOX), 10)]
    schemas = {t["function"]["name"]: t["function"]["parameters"] for t in tools}
    messages = [{"role": "user", "content": text}]
    for turn in range(8):
        reply = plan({"messages": messages, "tools": tools}, today=TODAY)
        assert (reply.content is None) == bool(reply.calls)
        calls = []
        for number, (name, arguments) in enumerate(reply.calls):
            if name in schemas:
                jsonschema.validate(arguments, schemas[name])
            function = {"name": name, "arguments": json.dumps(arguments)}
            calls.append({"id": f"{turn}-{number}", "type": "function", "function": function})
        if not calls:
            break
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        for call in calls:
            result = {"role": "tool", "tool_call_id": call["id"], "content": dice.choice(RESULTS)}
            messages.append(result)
