"""Lesson 11's layers and the library's, held to one table: who may, how often, what is written."""

import ast
import asyncio
import json
import re

import pytest
from lesson_code import definitions

from agentlib import Context, Executor, ToolCall, ToolRegistry
from agentlib.course import places
from agentlib.course.notebooks import code_cells
from agentlib.layers.audit import AuditLog, read_audit
from agentlib.layers.audit_entry import Bursts
from agentlib.layers.permissions import Permissions, covers
from agentlib.layers.rate_limit import RateLimit, parse_rate
from agentlib.layers.redaction import redact

LESSON = definitions("11", client=None, model="scripted-1")


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


class Shop:
    """Tools with permissions and a rate, a record of what ran, and calls by several users."""

    def __init__(self, *layers, rate=None):
        self.ran, registry = [], ToolRegistry()

        @registry.tool(permissions="order:read", category="data")
        def look(order: int = 1) -> str:
            """Look."""
            self.ran.append("look")
            return "tea"

        @registry.tool(permissions=("order:refund", "order:read"), rate_limit=rate)
        def refund(order: int = 1, password: str = "") -> str:
            """Pay back."""
            self.ran.append("refund")
            return "paid"

        @registry.tool
        def fail() -> str:
            """Fail."""
            raise ValueError("no good")

        self.executor = Executor(registry, layers=layers)

    def call(self, name, user="ana", held=("*",), arguments="{}", run="r1"):
        context = Context(user=user, session="s1", permissions=held, run=run)
        call = ToolCall(name, arguments, id="c1")
        return asyncio.run(self.executor.execute(call, context=context))


# Permissions

CASES = [
    *LESSON.CASES,
    ("addition", "add", False),
    ("order:*", "order:read:own", True),
    ("order:*:own", "order:read:own", True),
    ("order:*:own", "order:read:all", False),
    ("order:read", "order:read:own", False),
    ("order:read:own", "order:read", False),
    ("*", "admin", True),
    ("read", "", False),
    ("", "read", False),
    ("Read", "read", False),
]


@pytest.mark.parametrize("way", [LESSON.covers, covers], ids=["lesson", "library"])
@pytest.mark.parametrize(("held", "needed", "enough"), CASES)
def test_covers(way, held, needed, enough):
    assert way(held, needed) is enough


@pytest.mark.parametrize("naive", [LESSON.by_start, LESSON.by_pattern], ids=["start", "pattern"])
def test_the_naive_ones_are_wrong_in_both_directions_or_open_too_much(naive):
    wrong = [case[:2] for case in LESSON.CASES if naive(*case[:2]) != case[2]]
    opened = [case for case in wrong if naive(*case)]
    assert wrong and opened, "they let somebody in who must stay out"


@pytest.mark.parametrize("layer", [LESSON.permissions, Permissions()], ids=["lesson", "library"])
@pytest.mark.parametrize(
    ("held", "tool", "status"),
    [
        ({"order:read"}, "look", "success"),
        ({"order:read"}, "refund", "denied"),
        ({"order:refund"}, "refund", "denied"),  # it needs both
        ({"order:read", "order:refund"}, "refund", "success"),
        ({"order:*"}, "refund", "success"),
        ({"*"}, "refund", "success"),
        (set(), "look", "denied"),
        (set(), "fail", "failed"),  # needs nothing, so it runs
        (set(), "nothing", "failed"),
    ],
)
def test_permissions(layer, held, tool, status):
    shop = Shop(layer)
    result = shop.call(tool, held=held)
    assert result.status == status
    assert shop.ran == ([tool] if status == "success" else [])
    if status == "denied":
        assert tool in result.content and "ana" in result.content
        assert "order:re" in result.content and result.error.category == "permission_denied"


# Rate limits


@pytest.mark.parametrize("text", ["100/minute", "5/second", "1/hour", "20/day"])
def test_the_notation(text):
    assert [LESSON.parse_rate(text)] == parse_rate(text)


# rate, times of calls -> which of them run
BURSTS = {
    "as many as it says": ("2/minute", [0, 1], [True, True]),
    "one too many": ("2/minute", [0, 1, 2], [True, True, False]),
    "the turn of the minute": ("2/minute", [59, 59.5, 60, 60.5], [True, True, False, False]),
    "room again after a minute": ("2/minute", [0, 1, 59.9, 60, 60.5], [True, True, False, True,
                                                                       False]),
    "what was refused is not counted": ("1/minute", [0, 30, 59, 60], [True, False, False, True]),
    "seconds": ("1/second", [0, 0.5, 1.0, 1.5, 2.0], [True, False, True, False, True]),
}  # fmt: skip


@pytest.mark.parametrize("make", [LESSON.rate_limit, RateLimit], ids=["lesson", "library"])
@pytest.mark.parametrize("case", BURSTS)
def test_rate_limit(make, case):
    rate, times, runs = BURSTS[case]
    clock = Clock()
    shop, results = Shop(make(clock), rate=rate), []
    for seconds in times:
        clock.now = 6000 + seconds
        results.append(shop.call("refund"))
    assert [r.ok for r in results] == runs and len(shop.ran) == sum(runs)
    for at, result in zip(times, results, strict=True):
        if not result.ok:
            assert result.error.category == "rate_limit"
            length = LESSON.parse_rate(rate)[1]
            first = next(t for t, ran in zip(times, runs, strict=True) if ran and t > at - length)
            assert result.error.retry_after == pytest.approx(first + length - at, abs=0.002)


@pytest.mark.parametrize("make", [LESSON.rate_limit, RateLimit], ids=["lesson", "library"])
def test_each_user_and_each_tool_has_its_own_window(make):
    shop = Shop(make(Clock()), rate="1/minute")
    assert [shop.call("refund", user).ok for user in ("ana", "ana", "ben")] == [True, False, True]
    assert all(shop.call("look").ok for _ in range(20))  # no limit
    assert not shop.call("nothing").ok


def test_a_fixed_window_lets_double_through():
    clock = Clock()
    for window, total in [(LESSON.FixedWindow, 10), (LESSON.MovingWindow, 5)]:
        made = window("5/minute", clock)
        passed = 0
        for clock.now in [59] * 5 + [60] * 5:
            passed += made.take() == 0
        assert passed == total


def test_a_burst_of_threads():
    assert LESSON.burst(LESSON.MovingWindow("5/minute", LESSON.busy_clock)) > 5
    for _ in range(3):
        assert LESSON.burst(LESSON.SafeWindow("5/minute", LESSON.busy_clock)) == 5


# Audit


def audit_of_the_lesson(path, clock):
    return LESSON.audit(path, clock=clock, make_line=LESSON.safe_line)


def audit_of_the_library(path, clock):
    return AuditLog(path, clock=clock)


both_logs = pytest.mark.parametrize("make", [audit_of_the_lesson, audit_of_the_library],
                                    ids=["lesson", "library"])  # fmt: skip


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@both_logs
@pytest.mark.parametrize(
    ("tool", "held", "decision", "status", "error"),
    [
        ("look", {"*"}, "allowed", "success", None),
        ("look", set(), "denied", "denied", "permission_denied"),
        ("fail", set(), "allowed", "failed", "business_error"),
        ("nothing", set(), "refused", "failed", "tool_not_found"),
    ],
)
def test_a_line_says_who_what_and_what_came_of_it(
    make, tmp_path, tool, held, decision, status, error
):
    path = tmp_path / "audit.jsonl"
    Shop(make(path, Clock()), Permissions()).call(tool, held=held)
    (line,) = lines(path)
    assert (line["user"], line["session"], line["run"], line["tool"]) == ("ana", "s1", "r1", tool)
    assert (line["decision"], line["status"], line["error"]) == (decision, status, error)
    assert line["arguments"] == {} and line["duration"] >= 0 and line["order"] == 1


@both_logs
def test_what_comes_too_often_is_written_as_refused(make, tmp_path):
    path = tmp_path / "audit.jsonl"
    shop = Shop(make(path, Clock()), RateLimit(Clock()), rate="1/minute")
    shop.call("refund"), shop.call("refund")
    assert [line["decision"] for line in lines(path)] == ["allowed", "refused"]


@both_logs
@pytest.mark.parametrize(
    "arguments",
    [
        {"order": 7, "password": "hunter2"},
        '{"order": 7, "password": "hunter2"}',
        '{"order": 7, "password": "hunter2',
    ],
    ids=["dict", "text", "broken"],
)
def test_no_secret_is_written_and_the_line_is_json(make, tmp_path, arguments):
    path = tmp_path / "audit.jsonl"
    if make is audit_of_the_lesson and isinstance(arguments, dict):
        arguments = json.dumps(arguments)  # the lesson's calls come from a model: always text
    result = Shop(make(path, Clock())).call("refund", arguments=arguments)
    (line,) = lines(path)
    assert "hunter2" not in json.dumps(line["arguments"]) and line["tool"] == "refund"
    assert "hunter2" in json.dumps(result.call.arguments)  # the call itself keeps it


@both_logs
@pytest.mark.parametrize("outside", [True, False])
def test_audit_outside_sees_denials_inside_does_not(make, tmp_path, outside):
    path = tmp_path / "audit.jsonl"
    layers = [make(path, Clock()), Permissions()]
    shop = Shop(*(layers if outside else layers[::-1]))
    shop.call("look", held=set())
    shop.call("look")
    assert [line["status"] for line in lines(path)] == ["denied"] * outside + ["success"]


@both_logs
def test_a_run_is_rebuilt_in_the_order_of_its_calls(make, tmp_path, capsys):
    path, registry = tmp_path / "audit.jsonl", ToolRegistry()

    @registry.tool
    async def wait(n: int) -> str:
        """The first waits for the last."""
        if n == 3:
            done.set()
        await done.wait()
        return "done"

    async def turn(run):
        context = Context(user="ana", run=run)
        calls = [ToolCall("wait", json.dumps({"n": n}), id=f"{run}{n}") for n in (1, 2, 3)]
        executor = Executor(registry, layers=[layer], context=context)
        await executor.execute_all(calls)

    layer = make(path, Clock())
    for run in ("a", "b"):
        done = asyncio.Event()
        asyncio.run(turn(run))
    assert [line["arguments"]["n"] for line in lines(path)[:3]] != [1, 2, 3]
    if make is audit_of_the_lesson:
        LESSON.rebuild(path, "b")
        found = re.findall(r"'n': (\d)", capsys.readouterr().out)
        assert found == ["1", "2", "3"]
    else:
        assert [e["arguments"]["n"] for e in read_audit(path, run="b")] == [1, 2, 3]


@pytest.mark.parametrize("way", [LESSON.redact, redact], ids=["lesson", "library"])
@pytest.mark.parametrize(
    ("value", "clean"),
    [
        ({"user": "ana", "password": "x"}, {"user": "ana", "password": "[redacted]"}),
        ({"api_key": "x", "apiKey": "y"}, {"api_key": "[redacted]", "apiKey": "[redacted]"}),
        ({"a": [{"token": "x"}]}, {"a": [{"token": "[redacted]"}]}),
        ({"note": "Bearer abc.def.ghi"}, {"note": "Bearer [redacted]"}),
        ({"note": "use sk-abcdef1234567890"}, {"note": "use [redacted]"}),
        ({"city": "北京", "n": 3, "ok": True, "no": None}, None),
        ({"keyboard": "black", "monkey": "brown"}, None),
        ({"X-Api-Key": "x"}, {"X-Api-Key": "[redacted]"}),
        ({"Authorization": "Basic x"}, {"Authorization": "[redacted]"}),
        ({"passwd": "x"}, {"passwd": "[redacted]"}),
        ({"max_tokens": 5}, None),
    ],
    ids=[
        "key",
        "spelling",
        "deep",
        "bearer",
        "look",
        "nothing",
        "words",
        "header",
        "basic",
        "passwd",
        "count",
    ],
)
def test_redaction(way, value, clean):
    assert way(value) == (value if clean is None else clean)


# Alarms


@pytest.mark.parametrize(
    ("times", "alerts"),
    [
        ([0, 1, 2], 1),
        ([0, 1], 0),
        ([0, 30, 59], 1),
        ([0, 30, 61], 0),  # the first has left the window
        ([0, 1, 2, 3, 4], 1),  # one for one burst
        ([0, 1, 2, 3, 4, 5], 2),
    ],
)
def test_a_burst_of_denials_raises_one_alert(times, alerts):
    clock, told, bursts = Clock(), [], Bursts(burst=3, window=60)
    shop = Shop(LESSON.watch(told.append, clock=clock, burst=3), Permissions())
    by_library = 0
    for seconds in times:
        clock.now = 1000 + seconds
        shop.call("look", held=set())
        shop.call("look")  # a success in between is no matter
        entry = {"status": "denied", "user": "ana", "time": "", "run": "", "session": ""}
        by_library += bursts.count(entry, clock.now) is not None
    assert len(told) == by_library == alerts
    assert all("ana" in text for text in told)


def test_users_are_watched_apart():
    told = []
    shop = Shop(LESSON.watch(told.append, clock=Clock(), burst=2), Permissions())
    for user in ("ana", "ben", "ana"):
        shop.call("look", user, held=set())
    assert told == ["ana turned away 2 times"]


def test_who_hammers_at_a_limit_is_watched_too():
    told = []
    watch = LESSON.watch(told.append, clock=Clock(), burst=3)
    shop = Shop(watch, LESSON.rate_limit(Clock()), rate="1/minute")
    for _ in range(4):
        shop.call("refund")
    assert told == ["ana turned away 3 times"]


def test_the_lines_are_counted_right():
    """ "… and N lines more": the last definition of what this lesson adds."""
    path = places.find_lesson("11", places.CHECKOUT / "lessons")
    new = {
        "covers", "refused", "permissions", "SECONDS", "parse_rate", "FixedWindow", "MovingWindow",
        "SafeWindow", "rate_limit", "too_often", "decision_of", "line_of",
        "audit", "SECRET_KEY", "SECRET_LOOK",
        "redact", "safe_line", "watch",
    }  # fmt: skip
    counts = {}
    for cell in code_cells(path):
        tree = compile(cell["source"], "c", "exec", ast.PyCF_ONLY_AST | 0x2000)
        for node in tree.body:
            name = getattr(node, "name", None)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
            if name in new:
                lines = cell["source"].split("\n")[node.lineno - 1 : node.end_lineno]
                counts[name] = sum(bool(line.strip()) for line in lines)
    said = re.search(r"and (\d+)\s+lines more", path.read_text(encoding="utf-8"))
    assert set(counts) == new and sum(counts.values()) == int(said[1])
