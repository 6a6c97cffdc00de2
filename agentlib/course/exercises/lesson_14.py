"""Exercises of lesson 14: the day in words, the next of repeated times, a tool of one's own."""

from collections.abc import AsyncIterator, Iterator
from datetime import date, datetime, timedelta

from agentlib.course.exercise import Case, Exercise, Seen


def _judge_next_time(next_time) -> Iterator[Seen]:
    nine = datetime(2026, 12, 1, 9, 0)
    for name, every in [("daily", timedelta(days=1)), ("weekly", timedelta(weeks=1))]:
        for passed, steps in [
            (timedelta(0), 1),
            (timedelta(minutes=1), 1),
            (every - timedelta(seconds=1), 1),
            (every, 2),
            (3 * every + timedelta(hours=2), 4),
        ]:
            what = f"{name} since {nine:%d %b %H:%M}, asked {passed} later"
            yield what, str(nine + steps * every), str(next_time(nine, every, nine + passed))
    for ahead in (timedelta(hours=5), timedelta(days=4)):  # less than a step, and several
        what = f"daily from {nine:%d %b %H:%M}, asked {ahead} before that"
        yield what, str(nine), str(next_time(nine, timedelta(days=1), nine - ahead))


async def _judge_tool(days_until) -> AsyncIterator[Seen]:
    from agentlib import Executor, Tool, ToolCall

    yield "days_until(date(2026, 12, 24))", 24, days_until(date(2026, 12, 24))
    yield "days_until(date(2026, 11, 30))", 0, days_until(date(2026, 11, 30))
    tool = Tool.from_function(days_until)
    yield "the tool has a description", True, len(tool.description.strip()) > 10
    day = tool.parameters.get("properties", {}).get("day", {})
    yield "`day` in the schema is a date", "date", day.get("format")
    call = ToolCall("days_until", {"day": "2027-01-01"})
    yield "called by a model, with 2027-01-01", "32", (await Executor([tool]).execute(call)).content


EXERCISES = [
    Exercise(
        id="14.1",
        title="What day is it?",
        stub="""
def today_text(day):
    ...
""",
        cases=[
            Case(args=(date(2026, 11, 30),), expected="Today is Monday, 30 November 2026."),
            Case(args=(date(2026, 12, 1),), expected="Today is Tuesday, 1 December 2026."),
            Case(args=(date(2027, 2, 7),), expected="Today is Sunday, 7 February 2027."),
        ],
        hints=[
            "In an f-string, `{day:%A}` is the weekday, `{day:%B}` the month, `{day:%Y}` the year.",
            "`%d` writes 01 for the first day. `day.day` is the plain number.",
        ],
        solution="""
def today_text(day):
    return f"Today is {day:%A}, {day.day} {day:%B %Y}."
""",
        wrong=[
            'def today_text(day):\n    return f"Today is {day:%A, %d %B %Y}."',
            'def today_text(day):\n    return f"Today is {day}."',
        ],
    ),
    Exercise(
        id="14.2",
        title="The next time",
        stub='''
def next_time(when, every, now):
    """when, now: datetimes; every: a timedelta."""
    ...
''',
        judge=_judge_next_time,
        hints=[
            "A loop does it: while `when` is not after `now`, add `every`.",
            "Without a loop: a `when` that is after `now` is the answer itself. Otherwise "
            "`(now - when) // every` is how many whole steps have passed, and it takes one more.",
        ],
        solution="""
def next_time(when, every, now):
    while when <= now:
        when = when + every
    return when
""",
        wrong=[
            "def next_time(when, every, now):\n    return when + every",
            "def next_time(when, every, now):\n    return now + every",
            "def next_time(when, every, now):\n"
            "    while when < now:\n        when = when + every\n    return when",
            "def next_time(when, every, now):\n"
            "    return when + every * ((now - when) // every + 1) + every",
            "def next_time(when, every, now):\n"
            "    return when + ((now - when) // every + 1) * every",
        ],
    ),
    Exercise(
        id="14.3",
        title="A tool of your own",
        setup="from datetime import date",
        stub="""
TODAY = date(2026, 11, 30)

def days_until(day):
    ...
""",
        judge=_judge_tool,
        hints=[
            "Two dates, one minus the other, give a timedelta. Its `.days` is a number.",
            "A model needs two things more: `day: date` in the first line of the function, and "
            "a docstring under it.",
        ],
        solution='''
TODAY = date(2026, 11, 30)

def days_until(day: date) -> int:
    """Tell how many days there are from today until a day."""
    return (day - TODAY).days
''',
        wrong=[
            "TODAY = date(2026, 11, 30)\n\ndef days_until(day):\n    return (day - TODAY).days",
            "TODAY = date(2026, 11, 30)\n\ndef days_until(day: date) -> int:\n"
            "    return (day - TODAY).days",
            "TODAY = date(2026, 11, 30)\n\ndef days_until(day: date):\n"
            '    """Tell how many days there are until a day."""\n    return day - TODAY',
            "TODAY = date(2026, 11, 30)\n\ndef days_until(day: str) -> int:\n"
            '    """Tell how many days there are until a day."""\n'
            "    return (date.fromisoformat(day) - TODAY).days",
        ],
    ),
]
