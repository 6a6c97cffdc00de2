"""The `tools` list of 1,000 functions, as a ratio to the same list written by hand.

    python tests/benchmarks/bench_schema.py

Both end in the JSON text of the request; CPU time, each kind run fresh several times, medians.
"""

import inspect
import json
import statistics
import time
from typing import Literal

from agentlib import ToolRegistry

COUNT = 1_000
SOURCE = '''
def forecast_{n}(
    city: str, days: int = 3, unit: Literal["c", "f"] = "c", tags: list[str] | None = None
) -> dict:
    """Weather of a city for the next days, by station {n}.

    Use it for forecasts only; it knows nothing of the past.

    Args:
        city: name of the city, such as Beijing
        days: how many days, 1 to 7
        unit: c for Celsius, f for Fahrenheit
        tags: words to filter the warnings by
    """
    return {{}}
'''


def functions():
    """So many functions that nobody has looked at yet."""
    space = {"Literal": Literal}
    exec("".join(SOURCE.format(n=n) for n in range(COUNT)), space)
    return [each for each in space.values() if inspect.isfunction(each)]


def by_hand(n):
    return {
        "type": "function",
        "function": {
            "name": f"forecast_{n}",
            "description": f"Weather of a city for the next days, by station {n}.\n\n"
            "Use it for forecasts only; it knows nothing of the past.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "name of the city, such as Beijing"},
                    "days": {
                        "type": "integer",
                        "default": 3,
                        "description": "how many days, 1 to 7",
                    },
                    "unit": {
                        "type": "string",
                        "enum": ["c", "f"],
                        "default": "c",
                        "description": "c for Celsius, f for Fahrenheit",
                    },
                    "tags": {
                        "anyOf": [
                            {"type": "array", "items": {"type": "string"}},
                            {"type": "null"},
                        ],
                        "default": None,
                        "description": "words to filter the warnings by",
                    },
                },
                "required": ["city"],
                "additionalProperties": False,
            },
        },
    }


def seconds(work):
    began = time.process_time()
    value = work()
    return time.process_time() - began, value


def measure(rounds=7):
    """(first time, again) over hand-written, each in one run."""
    written, first, again = [], [], []
    for _ in range(rounds):
        fresh = functions()
        took, expected = seconds(lambda: json.dumps([by_hand(n) for n in range(COUNT)]))
        written.append(took)
        registry = ToolRegistry()

        def make(registry=registry, fresh=fresh):
            for each in fresh:
                registry.register(each)
            return json.dumps(registry.schemas())

        took, text = seconds(make)
        first.append(took)
        again.append(seconds(registry.schemas)[0])
        assert text == expected
    hand = statistics.median(written)
    return statistics.median(first) / hand, statistics.median(again) / hand


def test_a_thousand_schemas():
    first, again = measure()
    print(f"\nschemas of {COUNT:,} tools: {first:.1f} times hand-written, then {again:.3f}")
    assert first < 20  # the aim is 10; a busy machine may not hold it
    assert again < 0.2


if __name__ == "__main__":
    test_a_thousand_schemas()
