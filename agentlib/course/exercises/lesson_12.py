"""Exercises of lesson 12: a trace that is counted, rules about an order, calls with a limit."""

import asyncio
from collections.abc import AsyncIterator, Iterator

from agentlib.course.exercise import Case, Exercise, Seen


def _event(kind: str, text: str) -> dict:
    return {"at": 0, "kind": kind, "text": text}


def _judge_pairs(broken_pairs) -> Iterator[Seen]:
    rules = [("audit", "retry"), ("approval", "retry"), ("fallback", "retry")]
    for order, expected in [
        (["audit", "approval", "fallback", "retry"], []),
        (["retry", "audit", "approval"], rules[:2]),
        (["approval", "retry", "audit", "fallback"], [rules[0], rules[2]]),
        (["retry"], []),
        ([], []),
    ]:
        got = broken_pairs(list(order), list(rules))
        yield f"broken_pairs({order}, {rules})", expected, got


class _Desk:
    """Calls that end when they are told to; notes how many run at once."""

    def __init__(self) -> None:
        self.running, self.most, self.begun = 0, 0, []
        self.ended: dict[str, asyncio.Event] = {}

    async def execute(self, call: tuple[str, str]) -> str:
        """Run `name`; it ends once the call named `after` has ended ("": at once)."""
        name, after = call
        self.begun.append(name)
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            for _ in range(3):
                await asyncio.sleep(0)
            if after:
                await self.ended.setdefault(after, asyncio.Event()).wait()
        finally:
            self.running -= 1
        self.ended.setdefault(name, asyncio.Event()).set()
        return name.upper()


async def _judge_at_most(at_most) -> AsyncIterator[Seen]:
    plain = [(name, "") for name in "abcdef"]
    for limit in (1, 2, 4, 9):
        desk = _Desk()
        results = await at_most(limit, desk.execute, list(plain))
        what = f"6 calls, limit {limit}"
        yield f"{what}: the results", list("ABCDEF"), list(results)
        yield f"{what}: most at once", min(limit, 6), desk.most
    desk = _Desk()
    calls = [("a", "d"), ("b", ""), ("c", ""), ("d", "")]
    try:
        results = await asyncio.wait_for(at_most(2, desk.execute, calls), 1)
    except TimeoutError:
        results = f"nothing in 1 s; begun: {desk.begun}"
    yield "limit 2, the first call ends only after the fourth", list("ABCD"), results
    yield "no calls", [], list(await at_most(2, _Desk().execute, []))


EXERCISES = [
    Exercise(
        id="12.1",
        title="Count the errors in a trace",
        stub="""
def count_errors(trace):
    ...
""",
        cases=[
            Case(args=([],), expected=0),
            Case(args=([_event("result", "Chengdu: 95 EUR")],), expected=0),
            Case(
                args=(
                    [
                        _event("task", "Error: what does this mean?"),
                        _event("result", "Error: forecast failed: lost"),
                        _event("result", "No Error: all is well"),
                        _event("result", "Error: book_train was refused"),
                    ],
                ),
                expected=2,
            ),
        ],
        hints=[
            "Go through the events; two things must be true of one that counts.",
            '`text.startswith("Error:")` looks at the beginning only.',
        ],
        solution="""
def count_errors(trace):
    return sum(event["kind"] == "result" and
               event["text"].startswith("Error:") for event in trace)
""",
        wrong=[
            "def count_errors(trace):\n    return sum('Error:' in e['text'] for e in trace)",
            "def count_errors(trace):\n    return sum(e['text'].startswith('Error:') for e in trace)",
            "def count_errors(trace):\n    return len(trace)",
        ],
    ),
    Exercise(
        id="12.2",
        title="Which rules does an order break?",
        stub='''
def broken_pairs(order, pairs):
    """broken_pairs(["a", "b"], [("b", "a")]) == [("b", "a")]"""
    ...
''',
        judge=_judge_pairs,
        hints=[
            "`order.index(name)` is a layer's place. A pair is broken when the one that should "
            "be outside has the higher place.",
            "Look first whether both are in the order: `index` raises where one is not.",
        ],
        solution="""
def broken_pairs(order, pairs):
    return [(outer, inner) for outer, inner in pairs
            if outer in order and inner in order
            and order.index(outer) > order.index(inner)]
""",
        wrong=[
            "def broken_pairs(order, pairs):\n"
            "    return [(a, b) for a, b in pairs if order.index(a) > order.index(b)]",
            "def broken_pairs(order, pairs):\n"
            "    return [(a, b) for a, b in pairs if a in order and b in order\n"
            "            and order.index(a) < order.index(b)]",
            "def broken_pairs(order, pairs):\n    return []",
        ],
    ),
    Exercise(
        id="12.3",
        title="Side by side, but not all at once",
        setup="import asyncio",
        stub="""
async def at_most(limit, execute, calls):
    ...
""",
        judge=_judge_at_most,
        hints=[
            "An `asyncio.Semaphore(limit)` is a row of that many chairs: `async with chairs:` "
            "waits until one is free.",
            "Wrap `execute` in an async function that takes a chair first, and gather those.",
        ],
        solution="""
async def at_most(limit, execute, calls):
    chairs = asyncio.Semaphore(limit)

    async def seated(call):
        async with chairs:
            return await execute(call)
    return await asyncio.gather(*[seated(call) for call in calls])
""",
        wrong=[
            "async def at_most(limit, execute, calls):\n"
            "    return await asyncio.gather(*[execute(c) for c in calls])",
            "async def at_most(limit, execute, calls):\n    return [await execute(c) for c in calls]",
            "async def at_most(limit, execute, calls):\n"
            "    results = []\n"
            "    for i in range(0, len(calls), limit):\n"
            "        part = calls[i:i + limit]\n"
            "        results += await asyncio.gather(*[execute(c) for c in part])\n"
            "    return results",
            "async def at_most(limit, execute, calls):\n"
            "    chairs, results = asyncio.Semaphore(limit), []\n"
            "    async def seated(call):\n"
            "        async with chairs:\n"
            "            await asyncio.sleep(0.01 if call[0] == 'a' else 0)\n"
            "            results.append(await execute(call))\n"
            "    await asyncio.gather(*[seated(c) for c in calls])\n"
            "    return results",
        ],
    ),
]
