"""Exercises of lesson 10: waits of a back-off, a server's Retry-After, a circuit breaker."""

from collections.abc import AsyncIterator

from agentlib.course.exercise import Case, Exercise, Seen

_DOWN, _REFUSED = ("timeout", "asked"), ("external_service_error", "not asked")
_GOOD = ("success", "asked")
# (limit, seconds): what happens, at which second, what the service does, what must come of it
_BREAKER = {
    (2, 30): [
        ("a failure", 0, "fails", _DOWN),
        ("a success in between", 1, "works", _GOOD),
        ("the first failure again", 2, "fails", _DOWN),
        ("the second in a row", 3, "fails", _DOWN),
        ("refused at once", 4, "works", _REFUSED),
        ("still refused after 29 s", 32, "works", _REFUSED),
        ("let through after 30 s", 33, "works", _GOOD),
        ("one failure is not two", 34, "fails", _DOWN),
        ("so the next is asked", 35, "works", _GOOD),
    ],
    (1, 10): [
        ("limit 1: a failure", 100, "fails", _DOWN),
        ("refused", 109, "fails", _REFUSED),
        ("let through, and it fails again", 110, "fails", _DOWN),
        ("refused again", 119, "works", _REFUSED),
        ("let through", 120, "works", _GOOD),
    ],
}


async def _judge_breaker(breaker) -> AsyncIterator[Seen]:
    from agentlib import Tool, ToolCall, ToolCallError, ToolResult

    now, ran = [0.0], []
    call = ToolCall("rate", "{}", "c1", tool=Tool("rate", "A rate.", {"type": "object"}, print))

    async def works(call):
        ran.append("works")
        return ToolResult.success(call, "0.92")

    async def fails(call):
        ran.append("fails")
        return ToolResult.failure(call, ToolCallError("down", category="timeout"))

    async def at(layer, seconds, proceed) -> tuple[str, str]:
        """What came of a call at that time, and whether the service was asked."""
        now[0] = seconds
        ran.clear()
        try:
            result = await layer(call, proceed)
        except ToolCallError as error:  # a layer may refuse by raising
            result = ToolResult.failure(call, error)
        kind = result.error.category.value if result.error else "success"
        return kind, "asked" if ran else "not asked"

    for (limit, rest), steps in _BREAKER.items():
        layer = breaker(limit, rest, lambda: now[0])
        for what, seconds, service, expected in steps:
            got = await at(layer, seconds, {"works": works, "fails": fails}[service])
            yield f"at {seconds} s, {what}", expected, got


EXERCISES = [
    Exercise(
        id="10.1",
        title="The waits of a back-off",
        stub="""
def waits_of(times, first=1, longest=60):
    ...
""",
        cases=[
            Case(args=(3,), expected=[1, 2, 4]),
            Case(args=(0,), expected=[]),
            Case(args=(4, 0.5), expected=[0.5, 1.0, 2.0, 4.0]),
            Case(args=(8,), expected=[1, 2, 4, 8, 16, 32, 60, 60]),
            Case(args=(3, 2), kwargs={"longest": 3}, expected=[2, 3, 3]),
            Case(args=(2, 100), expected=[60, 60]),
        ],
        hints=[
            "The n-th wait is first * 2 ** n, with n from 0.",
            "min(a, b) is the smaller one. A list comprehension over range(times) does the rest.",
        ],
        solution="""
def waits_of(times, first=1, longest=60):
    return [min(first * 2 ** n, longest) for n in range(times)]
""",
        wrong=[
            "def waits_of(times, first=1, longest=60):\n"
            "    return [first * 2 ** n for n in range(times)]",
            "def waits_of(times, first=1, longest=60):\n"
            "    return [min(first * 2 * n, longest) for n in range(times)]",
            "def waits_of(times, first=1, longest=60):\n"
            "    return [min(2 ** n, longest) for n in range(times)]",
            "def waits_of(times, first=1, longest=60):\n"
            "    return [first * 2 ** n for n in range(times) if first * 2 ** n <= longest]",
        ],
    ),
    Exercise(
        id="10.2",
        title="Wait, or give up",
        stub="""
def wait_or_give_up(headers, attempt):
    ...
""",
        cases=[
            Case(args=({"retry-after": "7"}, 0), expected=7),
            Case(args=({"retry-after": "0.5"}, 3), expected=0.5),
            Case(args=({"retry-after": "60"}, 0), expected=60),
            Case(args=({"retry-after": "61"}, 0), expected=None),
            Case(args=({"retry-after": "600"}, 0), expected=None),
            Case(args=({"retry-after": "0"}, 2), expected=0),
            Case(args=({}, 0), expected=1),
            Case(args=({"server": "x"}, 5), expected=32),
            Case(args=({}, 6), expected=None),
        ],
        hints=[
            'headers.get("retry-after", something) gives `something` where there is no such header.',
            "A header is text: float(...) makes a number of it. Then one comparison with 60. A "
            '"0" is an answer, too: come back at once.',
        ],
        solution="""
def wait_or_give_up(headers, attempt):
    seconds = float(headers.get("retry-after", 2 ** attempt))
    return seconds if seconds <= 60 else None
""",
        wrong=[
            "def wait_or_give_up(headers, attempt):\n"
            "    return float(headers.get('retry-after', 2 ** attempt))",
            "def wait_or_give_up(headers, attempt):\n"
            "    return min(float(headers.get('retry-after', 2 ** attempt)), 60)",
            "def wait_or_give_up(headers, attempt):\n"
            "    seconds = float(headers.get('retry-after', 0)) or 2 ** attempt\n"
            "    return seconds if seconds <= 60 else None",
            "def wait_or_give_up(headers, attempt):\n"
            "    seconds = headers.get('retry-after', 2 ** attempt)\n"
            "    return seconds if seconds <= 60 else None",
            "def wait_or_give_up(headers, attempt):\n"
            "    seconds = float(headers.get('retry-after', 2 ** attempt))\n"
            "    return seconds if seconds < 60 else None",
        ],
    ),
    Exercise(
        id="10.3",
        title="A circuit breaker",
        setup="from agentlib import ToolCallError, ToolResult",
        stub="""
def breaker(limit, pause, clock):
    async def layer(call, proceed):
        ...
    return layer
""",
        judge=_judge_breaker,
        hints=[
            "Two things are kept between the calls: how many failures there were in a row, and "
            "until when calls are refused. A dict outside `layer` can hold both.",
            "Before: if clock() is earlier than `until`, raise the ToolCallError. After `result = "
            "await proceed(call)`: a success sets the count to 0, a failure adds 1, and at `limit` "
            "the count goes back to 0 and `until` becomes clock() + pause.",
        ],
        solution="""
def breaker(limit, pause, clock):
    state = {"failures": 0, "until": 0}

    async def layer(call, proceed):
        if clock() < state["until"]:
            text = f"{call.name} is out of order; try again later."
            raise ToolCallError(text, category="external_service_error")
        result = await proceed(call)
        state["failures"] = 0 if result.ok else state["failures"] + 1
        if state["failures"] >= limit:
            state.update(failures=0, until=clock() + pause)
        return result
    return layer
""",
        wrong=[
            "def breaker(limit, pause, clock):\n"
            "    async def layer(call, proceed):\n"
            "        return await proceed(call)\n"
            "    return layer",
            # never closed again
            "def breaker(limit, pause, clock):\n"
            "    failures = []\n"
            "    async def layer(call, proceed):\n"
            "        if len(failures) >= limit:\n"
            "            raise ToolCallError('off', category='external_service_error')\n"
            "        result = await proceed(call)\n"
            "        failures.append(1) if not result.ok else failures.clear()\n"
            "        return result\n"
            "    return layer",
            # counts all failures, not those in a row
            "def breaker(limit, pause, clock):\n"
            "    state = {'failures': 0, 'until': 0}\n"
            "    async def layer(call, proceed):\n"
            "        if clock() < state['until']:\n"
            "            raise ToolCallError('off', category='external_service_error')\n"
            "        result = await proceed(call)\n"
            "        state['failures'] += not result.ok\n"
            "        if state['failures'] >= limit:\n"
            "            state.update(failures=0, until=clock() + pause)\n"
            "        return result\n"
            "    return layer",
            # asks the service, then refuses
            "def breaker(limit, pause, clock):\n"
            "    state = {'failures': 0, 'until': 0}\n"
            "    async def layer(call, proceed):\n"
            "        result = await proceed(call)\n"
            "        if clock() < state['until']:\n"
            "            raise ToolCallError('off', category='external_service_error')\n"
            "        state['failures'] = 0 if result.ok else state['failures'] + 1\n"
            "        if state['failures'] >= limit:\n"
            "            state.update(failures=0, until=clock() + pause)\n"
            "        return result\n"
            "    return layer",
            # the default category
            "def breaker(limit, pause, clock):\n"
            "    state = {'failures': 0, 'until': 0}\n"
            "    async def layer(call, proceed):\n"
            "        if clock() < state['until']:\n"
            "            raise ToolCallError('off')\n"
            "        result = await proceed(call)\n"
            "        state['failures'] = 0 if result.ok else state['failures'] + 1\n"
            "        if state['failures'] >= limit:\n"
            "            state.update(failures=0, until=clock() + pause)\n"
            "        return result\n"
            "    return layer",
        ],
    ),
]
