"""Audit: what a line says, and that it is there whatever happens."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.executor import Context, Executor
from agentlib.layers.audit import AuditLog, read_audit
from agentlib.layers.audit_file import DailyLines, read_lines
from agentlib.layers.permissions import Permissions
from agentlib.layers.rate_limit import RateLimit
from agentlib.registry import ToolRegistry
from agentlib.results import ToolCall

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()
DAY = 86_400


class Clock:
    now = NOON

    def __call__(self) -> float:
        return self.now


def _executor(log, context=None):
    registry = ToolRegistry()

    @registry.tool
    def say(text: str, password: str = "") -> str:
        """Say it."""
        return f"said {text}"

    @registry.tool
    def fail() -> str:
        """Fail."""
        raise ValueError("no good")

    @registry.tool(permissions="order:write", tags="critical")
    def delete_order(order: str, token: str = "") -> str:
        """Delete it."""
        return "deleted"

    @registry.tool
    async def stop(kind: str) -> str:
        """End by an exception that is no tool fault."""
        raise KeyboardInterrupt if kind == "interrupt" else asyncio.CancelledError

    context = context or Context(user="ann", session="s1", run="r1")
    return Executor(registry, layers=(log, Permissions(), RateLimit()), context=context)


def _call(log, name="say", arguments='{"text": "hi"}', **context):
    context = {"user": "ann", "session": "s1", "run": "r1", **context}
    call = ToolCall(name, arguments)
    return asyncio.run(_executor(log).execute(call, context=Context(**context)))


def test_a_line_says_who_what_and_what_came_of_it(tmp_path):
    log = AuditLog(tmp_path / "audit.jsonl", clock=Clock())
    result = _call(log)
    lines = (tmp_path / "audit.jsonl").read_text().splitlines()
    assert len(lines) == 1
    entry = json.loads(lines[0])
    assert entry.pop("duration") == pytest.approx(result.duration, abs=1e-4)
    assert entry == {
        "time": "2026-03-01T12:00:00.000+00:00",
        "order": 1,
        "user": "ann",
        "session": "s1",
        "run": "r1",
        "call_id": result.call_id,
        "tool": "say",
        "arguments": {"text": "hi"},
        "decision": "allowed",
        "status": "success",
        "attempts": 1,
        "error": None,
        "result": "said hi",
        "events": [],
    }


@pytest.mark.parametrize(
    "name, arguments, decision, status, error",
    [
        ("fail", "{}", "allowed", "failed", "business_error"),
        ("delete_order", '{"order": "1"}', "denied", "denied", "permission_denied"),
        ("nothing", "{}", "refused", "failed", "tool_not_found"),
        ("say", "{}", "refused", "failed", "missing_argument"),
        ("say", '{"text": "ha', "refused", "failed", "invalid_argument"),
    ],
)
def test_decision_status_and_error(tmp_path, name, arguments, decision, status, error):
    log = AuditLog(tmp_path / "audit.jsonl")
    _call(log, name, arguments)
    (entry,) = read_audit(log.path)
    assert (entry["decision"], entry["status"], entry["error"]) == (decision, status, error)


@pytest.mark.parametrize(
    "arguments", ['{"text": "x", "password": "hunter2"}', '{"password": "hunter2']
)
def test_secrets_are_not_written_and_the_line_is_json(tmp_path, arguments):
    log = AuditLog(tmp_path / "audit.jsonl")
    _call(log, "say", arguments)
    raw = log.path.read_text()
    assert "hunter2" not in raw and "[redacted]" in raw
    assert json.loads(raw)["tool"] == "say"


def test_the_tool_itself_gets_the_secret(tmp_path):
    result = _call(AuditLog(tmp_path / "a.jsonl"), "say", '{"text": "password=hunter2"}')
    assert result.content == "said password=hunter2"


@pytest.mark.parametrize("text", ["a\nb", "\ud800", "\u2028", "x\x00y", "北京", '"}', "NaN"])
def test_one_line_of_json_whatever_the_text(tmp_path, text):
    log = AuditLog(tmp_path / "audit.jsonl")
    _call(log, "say", {"text": text})
    _call(log, "say", {"text": text})
    raw = log.path.read_bytes()
    assert raw.count(b"\n") == 2
    assert [json.loads(line)["arguments"]["text"] for line in raw.splitlines()] == [text] * 2


def test_long_texts_are_shortened_and_say_so(tmp_path):
    log = AuditLog(tmp_path / "audit.jsonl")
    _call(log, "say", {"text": "x" * 5000})
    (entry,) = read_audit(log.path)
    assert entry["arguments"]["text"].startswith("x" * 2000 + "\n[truncated: first 2,000 of 5,000")
    assert "truncated" in entry["result"] and len(entry["result"]) < 2100


def test_security_events_stand_apart_too(tmp_path):
    log = AuditLog(tmp_path / "audit.jsonl")
    _call(log)
    _call(log, "delete_order", '{"order": "1"}')
    _call(log, "delete_order", '{"order": "2", "token": "t-99"}', permissions={"*"})
    assert log.security_path == tmp_path / "audit.security.jsonl"
    events = [e["events"] for e in read_audit(log.security_path)]
    assert events == [["denied", "critical"], ["critical", "redacted"]]
    assert [e["events"] for e in read_audit(log.path)] == [[], *events]


def test_arguments_changed_before_the_call_ran_are_both_kept(tmp_path):
    log = AuditLog(tmp_path / "audit.jsonl")

    async def edits(call, proceed):
        return await proceed(call.with_arguments({"text": "softer"}))

    executor = _executor(log)
    executor.layers = (log, edits)
    executor.execute_sync(ToolCall("say", {"text": "LOUD"}))
    (entry,) = read_audit(log.path)
    assert entry["arguments"] == {"text": "LOUD"} and entry["arguments_run"] == {"text": "softer"}


def test_a_run_is_rebuilt_in_call_order(tmp_path):
    log, registry = AuditLog(tmp_path / "audit.jsonl", clock=Clock()), ToolRegistry()

    @registry.tool
    async def wait(n: int) -> str:
        """The first waits for the last."""
        if n == 3:
            done.set()
        await done.wait()
        return f"result {n}"

    async def turn(run):
        executor = Executor(registry, layers=(log,), context=Context(run=run))
        calls = [ToolCall("wait", {"n": n}, id=f"{run}-{n}") for n in (1, 2, 3)]
        await executor.execute_all(calls)

    for run in ("a", "b"):
        done = asyncio.Event()
        asyncio.run(turn(run))
    rebuilt = [(e["call_id"], e["status"], e["result"]) for e in read_audit(log.path, run="a")]
    assert rebuilt == [(f"a-{n}", "success", f"result {n}") for n in (1, 2, 3)]


@pytest.mark.parametrize(
    "kind, raised", [("interrupt", KeyboardInterrupt), ("cancel", asyncio.CancelledError)]
)
def test_an_interrupted_call_leaves_its_line(tmp_path, kind, raised):
    log = AuditLog(tmp_path / "audit.jsonl")
    with pytest.raises(raised):
        _call(log, "stop", {"kind": kind})
    (entry,) = read_audit(log.path)
    assert (entry["tool"], entry["status"]) == ("stop", "failed")
    assert "interrupted" in entry["result"]


def test_a_layer_that_refuses_by_raising_is_audited(tmp_path):
    log = AuditLog(tmp_path / "audit.jsonl")

    async def refuses(call, proceed):
        raise ToolCallError("not today", category=ErrorCategory.PERMISSION_DENIED)

    executor = _executor(log)
    executor.layers = (log, refuses)
    assert executor.execute_sync(ToolCall("say", {"text": "x"})).content == "Error: not today"
    (entry,) = read_audit(log.path)
    assert entry["decision"] == "denied"


# Whole or absent


def test_a_torn_tail_is_skipped_and_the_next_line_stands_alone(tmp_path):
    path = tmp_path / "audit.jsonl"
    log = AuditLog(path, clock=Clock())
    _call(log, "say", {"text": "one"})
    whole = path.read_bytes()
    for torn in range(1, len(whole)):
        path.write_bytes(whole + whole[:torn])
        assert len(list(read_audit(path))) == 1, "a tail without its line end is no entry"
    _call(log, "say", {"text": "two"})
    texts = [entry["arguments"]["text"] for entry in read_audit(path)]
    assert texts in (["one", "two"], ["one", "one", "two"])  # the tail lacked only its line end
    assert texts[-1] == "two"


def test_a_writer_killed_at_any_moment_leaves_only_whole_lines(tmp_path):
    path = tmp_path / "audit.jsonl"
    program = (
        "import sys, time\n"
        "from agentlib.layers.audit_file import DailyLines\n"
        "lines, n = DailyLines(sys.argv[1]), 0\n"
        "while True:\n"
        "    n += 1\n"
        "    lines.append([{'time': '2026-03-01', 'n': n, 'pad': 'x' * 200_000}], 1772366400)\n"
    )
    counts = []
    for round_ in range(4):
        child = subprocess.Popen([sys.executable, "-c", program, str(path)])
        try:
            size = path.stat().st_size if path.exists() else 0
            deadline = time.monotonic() + 30
            while not path.exists() or path.stat().st_size < size + 400_000 * (round_ + 1):
                assert time.monotonic() < deadline
        finally:
            os.kill(child.pid, signal.SIGKILL)
            child.wait(timeout=10)
        entries = list(read_lines(path))
        assert all(set(e) == {"time", "n", "pad"} and len(e["pad"]) == 200_000 for e in entries)
        new = [e["n"] for e in entries[sum(counts) :]]
        assert new == list(range(1, len(new) + 1)) and new
        counts.append(len(new))
    _call(AuditLog(path, clock=Clock()))
    assert list(read_lines(path))[-1]["tool"] == "say"


def test_threads_do_not_mix_their_lines(tmp_path):
    path = tmp_path / "audit.jsonl"
    logs = [DailyLines(path) for _ in range(4)]

    def write(k):
        for n in range(25):
            logs[k].append([{"time": "2026-03-01", "k": k, "n": n, "pad": "x" * 9000}], NOON)

    threads = [threading.Thread(target=write, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = list(read_lines(path))
    for k in range(4):
        assert [e["n"] for e in entries if e["k"] == k] == list(range(25))


def test_a_short_write_is_taken_back_and_the_line_written_later(tmp_path, monkeypatch):
    path, real = tmp_path / "audit.jsonl", os.write
    lines = DailyLines(path)
    lines.append([{"time": "2026-03-01", "n": 1}], NOON)
    before = path.read_bytes()
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[: len(data) // 2]))
    with pytest.raises(OSError, match="bytes could be written"):
        lines.append([{"time": "2026-03-01", "n": 2}], NOON)
    assert path.read_bytes() == before
    monkeypatch.setattr(os, "write", real)
    lines.append([{"time": "2026-03-01", "n": 3}], NOON)
    assert [e["n"] for e in read_lines(path)] == [1, 2, 3]


# No audit, no call


def test_what_cannot_be_audited_does_not_run(tmp_path):
    (tmp_path / "taken").write_text("a file where the folder should be")
    ran = []
    registry = ToolRegistry()
    registry.tool(name="act", description="Act.")(lambda: ran.append(1))
    log = AuditLog(tmp_path / "taken" / "audit.jsonl")
    executor = Executor(registry, layers=(log,))
    result = executor.execute_sync(ToolCall("act"))
    assert ran == [] and result.error.code == "audit_unavailable"
    assert "audit.jsonl" in result.content and "was not run" in result.content
    (tmp_path / "taken").unlink()
    assert executor.execute_sync(ToolCall("act")).ok and ran == [1]


def test_a_log_that_breaks_during_a_call_keeps_the_result_and_stops_the_next(tmp_path, monkeypatch):
    log, real, broken = AuditLog(tmp_path / "audit.jsonl"), os.write, True

    def full(handle, data):
        if broken:
            raise OSError(28, "No space left on device")
        return real(handle, data)

    monkeypatch.setattr(os, "write", full)
    executor = _executor(log)
    assert executor.execute_sync(ToolCall("say", {"text": "one"})).content == "said one"
    second = executor.execute_sync(ToolCall("say", {"text": "two"}))
    assert second.error.code == "audit_unavailable" and "No space left" in second.content
    broken = False
    assert executor.execute_sync(ToolCall("say", {"text": "three"})).ok
    assert [e["arguments"]["text"] for e in read_audit(log.path)] == ["one", "three"]


# Days


def test_a_new_day_begins_a_new_file(tmp_path):
    clock = Clock()
    log = AuditLog(tmp_path / "audit.jsonl", clock=clock)
    for text, later in (("one", 0), ("two", 3600), ("three", DAY), ("four", 3 * DAY)):
        clock.now = NOON + later
        _call(log, "say", {"text": text})
    names = sorted(p.name for p in tmp_path.glob("audit*.jsonl") if "security" not in p.name)
    assert names == ["audit-2026-03-01.jsonl", "audit-2026-03-02.jsonl", "audit.jsonl"]
    texts = [entry["arguments"]["text"] for entry in read_audit(log.path)]
    assert texts == ["one", "two", "three", "four"]
    assert len((tmp_path / "audit-2026-03-01.jsonl").read_text().splitlines()) == 2


def test_ninety_days_are_kept(tmp_path):
    lines = DailyLines(tmp_path / "audit.jsonl")
    other = tmp_path / "audit-notes.jsonl"
    other.write_text("not one of ours")
    for day in range(101):
        moment = NOON + day * DAY
        lines.append([{"time": datetime.fromtimestamp(moment, UTC).isoformat(), "n": day}], moment)
    assert [entry["n"] for entry in read_lines(lines.path)] == list(range(10, 101))
    oldest = (datetime(2026, 3, 1) + timedelta(days=10)).date()
    assert min(tmp_path.glob("audit-2*.jsonl")).name == f"audit-{oldest}.jsonl"
    assert other.exists()


def test_two_writers_share_the_turn_of_the_day(tmp_path):
    a, b = DailyLines(tmp_path / "audit.jsonl"), DailyLines(tmp_path / "audit.jsonl")
    for n, lines in enumerate([a, b]):
        lines.append([{"time": "2026-03-01T12", "n": n}], NOON)
    for n, lines in enumerate([a, b], start=2):
        lines.append([{"time": "2026-03-02T12", "n": n}], NOON + DAY)
    assert [entry["n"] for entry in read_lines(a.path)] == [0, 1, 2, 3]
    assert len((tmp_path / "audit-2026-03-01.jsonl").read_text().splitlines()) == 2


def test_a_name_that_is_taken_is_not_overwritten(tmp_path):
    (tmp_path / "audit-2026-03-01.jsonl").write_text('{"time": "2026-03-01", "n": 0}\n')
    lines = DailyLines(tmp_path / "audit.jsonl")
    for n in (1, 2):
        lines.append([{"time": f"2026-03-0{n}", "n": n}], NOON + (n - 1) * DAY)
    assert [entry["n"] for entry in read_lines(lines.path)] == [0, 1, 2]


def test_only_the_owner_may_read_it(tmp_path):
    log = AuditLog(tmp_path / "audit.jsonl")
    _call(log)
    if os.name == "posix":
        assert log.path.stat().st_mode & 0o077 == 0


def test_reading_what_is_not_there_yields_nothing(tmp_path):
    assert list(read_audit(tmp_path / "no" / "audit.jsonl")) == []


# Alerts


def _burst(tmp_path, name, times, user="ann", burst=3):
    clock, alerts = Clock(), []
    log = AuditLog(tmp_path / "a.jsonl", on_alert=alerts.append, burst=burst, clock=clock)
    for later in times:
        clock.now = NOON + later
        _call(log, name, {"order": "1"} if name == "delete_order" else {}, user=user)
    return log, alerts


@pytest.mark.parametrize(
    "times, expected",
    [
        ([0, 1, 2], 1),
        ([0, 59, 61], 0),  # the first has left the window of 60 s
        ([0, 30, 60], 0),
        ([0, 60, 119], 0),
        ([0, 30, 59.9], 1),
        ([0, 1, 2, 3, 4], 1),  # one alert for one burst
        ([0, 1, 2, 3, 4, 5], 2),
        ([0, 1], 0),
    ],
)
@pytest.mark.parametrize("name, kind", [("delete_order", "denied"), ("fail", "failed")])
def test_a_burst_raises_one_alert(tmp_path, name, kind, times, expected):
    log, alerts = _burst(tmp_path, name, times)
    assert [alert.kind for alert in alerts] == [kind] * expected
    assert log.alerts == alerts
    written = [e for e in read_audit(log.security_path) if e["events"] == ["alert"]]
    assert [(e["kind"], e["user"], e["count"]) for e in written] == [(kind, "ann", 3)] * expected


def test_success_is_no_anomaly_and_users_are_counted_apart(tmp_path):
    alerts = []
    log = AuditLog(tmp_path / "a.jsonl", on_alert=alerts.append, burst=3, clock=Clock())
    for user in ("ann", "bob", "ann", "bob"):
        _call(log, "fail", {}, user=user)
    for _ in range(10):
        _call(log)
    assert alerts == []
    _call(log, "fail", {}, user="bob")
    assert [alert.user for alert in alerts] == ["bob"]
