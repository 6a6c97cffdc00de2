"""Exercises of lesson 04: any value as text, and statistics of results."""

from collections.abc import Iterator

from agentlib.course.exercise import Case, Exercise, Seen


class _Plain:
    def __repr__(self) -> str:
        return "a plain thing"


class _Rude:
    def __repr__(self) -> str:
        raise RuntimeError("no repr today")


def _loop() -> list:
    loop: list = []
    loop.append(loop)
    return loop


def _judge_text(safe_text) -> Iterator[Seen]:
    yield "a string", "tea", safe_text("tea")
    yield "a dict", '{"city": "北京"}', safe_text({"city": "北京"})
    yield "zero", "0", safe_text(0)
    yield "an object", "a plain thing", str(safe_text(_Plain())).strip('"')
    yield "an object whose repr raises: its class is named", True, "_Rude" in safe_text(_Rude())
    yield "a key that JSON cannot have", "{(1, 2): 3}", safe_text({(1, 2): 3})
    yield "a list that holds itself", "[[...]]", safe_text(_loop())


EXERCISES = [
    Exercise(
        id="4.1",
        title="Text that never fails",
        setup="import json",
        stub="""
def safe_text(value):
    ...
""",
        judge=_judge_text,
        hints=[
            "json.dumps has a parameter `default`: a function for what JSON cannot express.",
            "Write a small function that tries repr(value), and in `except Exception` returns "
            "type(value).__name__. Hand it over as `default`.",
            "json.dumps itself may raise, too: try it, and fall back on the same small function.",
        ],
        solution="""
def safe_text(value):
    def shown(item):
        try:
            return repr(item)
        except Exception:
            return type(item).__name__
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=shown)
    except Exception:
        return shown(value)
""",
        wrong=[
            "def safe_text(value):\n    return str(value)",
            "def safe_text(value):\n    if isinstance(value, str):\n        return value\n"
            "    return json.dumps(value, ensure_ascii=False, default=str)",
            "def safe_text(value):\n    return json.dumps(value or '', default=lambda v: 'thing')",
            "def safe_text(value):\n    if isinstance(value, str):\n        return value\n"
            "    return json.dumps(value, ensure_ascii=False, default=lambda v: type(v).__name__)",
        ],
    ),
    Exercise(
        id="4.2",
        title="Statistics of results",
        stub="""
def stats(results):
    ...
""",
        cases=[
            Case(args=([],), expected={"total": 0, "by_status": {}, "average": 0.0}),
            Case(
                args=([("success", 1.0), ("failed", 3.0)],),
                expected={"total": 2, "by_status": {"success": 1, "failed": 1}, "average": 2.0},
            ),
            Case(
                args=([("success", 0.5), ("success", 0.5)],),
                expected={"total": 2, "by_status": {"success": 2}, "average": 0.5},
            ),
        ],
        hints=[
            "collections.Counter counts; dict(Counter(...)) is a plain dict.",
            "An empty list has no average: test for it before you divide.",
        ],
        solution="""
def stats(results):
    by_status = {}
    for status, seconds in results:
        by_status[status] = by_status.get(status, 0) + 1
    total = len(results)
    average = sum(s for _, s in results) / total if total else 0.0
    return {"total": total, "by_status": by_status, "average": average}
""",
        wrong=[
            "def stats(results):\n    return {'total': len(results), 'by_status': {}, 'average': 0.0}",
            "def stats(results):\n    return {'total': len(results), 'by_status': {}, "
            "'average': sum(s for _, s in results) / len(results)}",
        ],
    ),
]
