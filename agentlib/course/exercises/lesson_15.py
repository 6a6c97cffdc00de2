"""Exercises of lesson 15: what an evaluation cost, right each time, and what got worse."""

from agentlib.course.exercise import Case, Exercise


def _usage(sent: int, made: int) -> dict[str, int]:
    return {"prompt_tokens": sent, "completion_tokens": made, "total_tokens": sent + made}


EXERCISES = [
    Exercise(
        id="15.1",
        title="The bill",
        stub="""
def total_cost(usages, price_in, price_out):
    ...
""",
        cases=[
            Case(args=([_usage(1_000_000, 0)], 0.5, 2.0), expected=0.5),
            Case(args=([_usage(0, 500_000)], 0.5, 2.0), expected=1.0),
            Case(args=([_usage(2_000_000, 1_000_000)], 0.5, 2.0), expected=3.0),
            Case(args=([_usage(1_000_000, 0)] * 3, 0.25, 2.0), expected=0.75),
            Case(args=([_usage(1_000_000, 0), {}], 0.5, 2.0), expected=0.5),
            Case(args=([], 0.5, 2.0), expected=0.0),
        ],
        hints=[
            'Two sums: the "prompt_tokens" of all, and the "completion_tokens" of all. A usage may '
            'lack the key: usage.get("prompt_tokens", 0).',
            "(sent * price_in + made * price_out) / 1_000_000",
        ],
        solution="""
def total_cost(usages, price_in, price_out):
    sent = sum(usage.get("prompt_tokens", 0) for usage in usages)
    made = sum(usage.get("completion_tokens", 0) for usage in usages)
    return (sent * price_in + made * price_out) / 1_000_000
""",
        wrong=[
            "def total_cost(usages, price_in, price_out):\n"
            "    return sum(u.get('total_tokens', 0) for u in usages) * price_in / 1_000_000",
            "def total_cost(usages, price_in, price_out):\n"
            "    return sum(u['prompt_tokens'] * price_in + u['completion_tokens'] * price_out\n"
            "               for u in usages) / 1_000_000",
            "def total_cost(usages, price_in, price_out):\n"
            "    return sum(u.get('prompt_tokens', 0) * price_in\n"
            "               + u.get('completion_tokens', 0) * price_out for u in usages)",
        ],
    ),
    Exercise(
        id="15.2",
        title="Right each time",
        stub="""
def always_right(table):
    ...
""",
        cases=[
            Case(args=({"a": [True, True], "b": [True, False]},), expected=0.5),
            Case(args=({"a": [True], "b": [True]},), expected=1.0),
            Case(args=({"a": [False, False]},), expected=0.0),
            Case(
                args=({"a": [True] * 9 + [False], "b": [True], "c": [False, True], "d": [True]},),
                expected=0.5,
            ),
            Case(args=({},), expected=0.0),
        ],
        hints=[
            "all(rows) is True when every repeat was right. Count those, and divide by the number "
            "of tasks.",
            "An empty table has nothing to divide by: return 0.0 for it.",
        ],
        solution="""
def always_right(table):
    if not table:
        return 0.0
    return sum(all(rows) for rows in table.values()) / len(table)
""",
        wrong=[
            "def always_right(table):\n"
            "    return sum(all(rows) for rows in table.values()) / len(table)",
            "def always_right(table):\n"
            "    rows = [right for rows in table.values() for right in rows]\n"
            "    return sum(rows) / len(rows) if rows else 0.0",
            "def always_right(table):\n"
            "    return sum(any(rows) for rows in table.values()) / max(len(table), 1)",
        ],
    ),
    Exercise(
        id="15.3",
        title="What got worse",
        stub="""
def worse(before, after):
    ...
""",
        cases=[
            Case(args=({"a": [True], "b": [True]}, {"a": [True], "b": [False]}), expected=["b"]),
            Case(args=({"a": [True, False]}, {"a": [True, False, True, False]}), expected=[]),
            Case(args=({"a": [True, False]}, {"a": [True, False, False]}), expected=["a"]),
            Case(args=({"a": [False]}, {"a": [True]}), expected=[]),
            Case(args=({"a": [True], "b": [True]}, {"b": [True]}), expected=["a"]),
            Case(args=({"a": [False]}, {}), expected=["a"]),
            Case(
                args=({"z": [True], "a": [True]}, {"a": [False], "z": [False]}), expected=["z", "a"]
            ),
            Case(args=({"a": [True]}, {"a": [True], "new": [False]}), expected=[]),
        ],
        hints=[
            "A small function first: share(rows) is sum(rows) / len(rows). True counts as 1.",
            "Then one comprehension over before.items(): the task is worse when it is not in after, "
            "or its share there is smaller.",
        ],
        solution="""
def worse(before, after):
    def share(rows):
        return sum(rows) / len(rows)
    return [task for task, rows in before.items()
            if task not in after or share(after[task]) < share(rows)]
""",
        wrong=[
            "def worse(before, after):\n"
            "    return [t for t, rows in before.items() if sum(after[t]) < sum(rows)]",
            "def worse(before, after):\n"
            "    return [t for t, rows in before.items()\n"
            "            if t in after and sum(after[t]) / len(after[t]) < sum(rows) / len(rows)]",
            "def worse(before, after):\n"
            "    return [t for t, rows in before.items()\n"
            "            if t not in after or sum(after[t]) < sum(rows)]",
            "def worse(before, after):\n"
            "    return [t for t, rows in before.items() if not all(after.get(t, [False]))]",
        ],
    ),
]
