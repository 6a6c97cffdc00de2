"""Reminders: kept on disk, rung once, moved on when they repeat."""

import asyncio
import datetime as dt
import subprocess
import sys

import pytest

from agentlib import Executor, ToolCall
from agentlib.builtin_tools.reminders import ReminderStore, reminder_tools

NOON = dt.datetime(2026, 11, 30, 12, 0)


class Clock:
    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    return ReminderStore(tmp_path / "reminders.db", clock=clock)


def after(hours):
    return NOON + dt.timedelta(hours=hours)


def test_a_reminder_survives_a_restart(store):
    store.add("gym", after(21), "none", "bring a towel")
    code = "import sys; from agentlib.builtin_tools.reminders import ReminderStore as S; "
    code += "print([(r.title, str(r.when), r.notes) for r in S(sys.argv[1]).all()])"
    done = subprocess.run([sys.executable, "-c", code, store.path], capture_output=True, text=True)
    assert done.stdout.strip() == "[('gym', '2026-12-01 09:00:00', 'bring a towel')]"


def test_it_rings_once_and_not_before_its_time(store, clock):
    store.add("tea", after(1), "none", "")
    assert store.take_due() == []
    clock.now = after(1)
    assert [r.title for r in store.take_due()] == ["tea"]
    assert store.take_due() == [] and store.all()[0].fired


@pytest.mark.parametrize(
    ("repeat", "slept", "next_time"),
    [("daily", 1, 25), ("daily", 50, 73), ("weekly", 1, 169), ("weekly", 24 * 8, 24 * 14 + 1)],
)
def test_a_repeating_one_moves_on_past_what_was_slept_through(
    store, clock, repeat, slept, next_time
):
    store.add("stand up", after(1), repeat, "")
    clock.now = after(slept)
    assert len(store.take_due()) == 1
    assert (store.all()[0].when, store.all()[0].fired) == (after(next_time), False)


def test_two_watchers_of_one_file_ring_it_once(store, clock, tmp_path):
    other = ReminderStore(store.path, clock=clock)
    store.add("tea", after(1), "none", "")
    clock.now = after(2)
    assert len(store.take_due()) + len(other.take_due()) == 1


def test_watch_rings_while_it_runs(store, clock):
    rung = []

    async def main():
        store.add("tea", after(1), "none", "")
        task = asyncio.create_task(store.watch(lambda r: rung.append(r.title), every=0.01))
        await asyncio.sleep(0.05)
        assert rung == []
        clock.now = after(1)
        for _ in range(200):
            if rung:
                break
            await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(main())
    assert rung == ["tea"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"title": "x", "when": "2026-11-30T11:00:00"}, "has passed"),
        ({"title": " ", "when": "2026-12-01T09:00:00"}, "needs a title"),
        ({"title": "x", "when": "tomorrow"}, "when"),
        ({"title": "x", "when": "2026-12-01T09:00:00", "repeat": "hourly"}, "repeat"),
        ({"title": "x"}, "when"),
    ],
)
def test_what_the_tool_refuses(store, arguments, said):
    result = Executor(reminder_tools(store)).execute_sync(ToolCall("set_reminder", arguments))
    assert not result.ok and said in result.content and store.all() == []


def test_the_tools_set_and_list(store):
    executor = Executor(reminder_tools(store))
    arguments = {"title": "gym", "when": "2026-12-01T09:00:00", "repeat": "weekly"}
    made = executor.execute_sync(ToolCall("set_reminder", arguments))
    wanted = {"id": 1, "title": "gym", "when": "2026-12-01T09:00:00", "repeat": "weekly"}
    assert made.value == wanted
    assert executor.execute_sync(ToolCall("list_reminders")).value == [wanted]


def test_a_time_with_a_zone_is_kept_as_local_time(store):
    zoned = (NOON + dt.timedelta(hours=3)).astimezone(dt.UTC)
    assert store.add("call", zoned, "none", "").when == after(3)


def test_delete(store):
    made = store.add("tea", after(1), "none", "")
    assert store.delete(made.id) and not store.delete(made.id) and store.all() == []


@pytest.mark.parametrize(
    ("repeat", "hours", "first"),
    [("daily", -5, 19), ("daily", 0, 24), ("daily", -30, 18), ("weekly", -1, 167), ("daily", 5, 5)],
)
def test_a_repeating_one_whose_time_has_passed_begins_at_its_next(store, repeat, hours, first):
    assert store.add("water", after(hours), repeat, "").when == after(first)
    assert store.take_due() == []
