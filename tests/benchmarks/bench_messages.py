"""Normalization: linear in the history's length, and nearly free for a history that is fine.

Run by hand: `pytest tests/benchmarks/bench_messages.py -s`. Ratios of one run, never seconds.
"""

import json
import time

import pytest

from agentlib.messages import normalize_messages


def history(messages, *, faulty):
    """About so many messages in turns of one call; a faulty one has an orphan at its end."""
    out = [{"role": "system", "content": "s"}]
    for n in range(messages // 3):
        call_id = f"call_{n:024d}"
        function = {"name": "read_file", "arguments": f'{{"path": "notes/{n}.txt"}}'}
        calls = [{"id": call_id, "type": "function", "function": function}]
        out.append({"role": "user", "content": f"read file {n}"})
        out.append({"role": "assistant", "content": None, "tool_calls": calls})
        out.append({"role": "tool", "tool_call_id": call_id, "content": "some text " * 10})
    return out + [{"role": "tool", "tool_call_id": "gone", "content": ""}] * faulty


def fastest(function, *args, rounds=15):
    def once():
        start = time.process_time()
        function(*args)
        return time.process_time() - start

    return min(once() for _ in range(rounds))


@pytest.mark.parametrize("faulty", [False, True], ids=["fine", "with an orphan"])
def test_ten_times_the_messages_take_about_ten_times_as_long(faulty):
    short, long = (history(n, faulty=faulty) for n in (1_000, 10_000))
    ratio = fastest(normalize_messages, long) / fastest(normalize_messages, short)
    print(f"\n10,000 to 1,000 messages, {'orphan' if faulty else 'fine'}: {ratio:.1f} times")
    assert ratio < 25  # quadratic would be 100


def test_a_fine_history_costs_less_than_writing_it_as_json():
    """The request is written as JSON anyway: normalizing must not be what takes the time."""
    messages = history(1_200, faulty=False)
    ratio = fastest(normalize_messages, messages) / fastest(json.dumps, messages)
    print(f"\n1,200 messages: {ratio:.2f} of json.dumps")
    assert ratio < 1
