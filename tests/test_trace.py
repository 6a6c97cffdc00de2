"""A run's events as text, diagram, timeline and JSON lines."""

import asyncio
import json

import pytest
from replies import Script, calls, text

from agentlib import Agent
from agentlib.trace import Event, Trace


def shout(words: str) -> str:
    """Shout."""
    return words.upper()


@pytest.fixture
def trace():
    script = Script(calls(("shout", {"words": "a; b # <c> 100%% 你"})), text("done"))
    return Agent(script.client(), "m", [shout], layers=()).run_sync("Shout; now #1").trace


def test_text_has_one_line_per_event(trace):
    kinds = [line.split()[1] for line in str(trace).splitlines()]
    assert kinds == ["task", "request", "reply", "call", "result", "request", "reply", "end"]


def test_mermaid_has_one_arrow_per_event_and_no_sign_that_breaks_it(trace):
    lines = trace.mermaid().splitlines()
    assert lines[0] == "sequenceDiagram" and len(lines) == 5 + len(trace)
    for line in lines[5:]:
        label = line.split(": ", 1)[1]
        assert not set(label) & set("<>%") and "\n" not in label
        assert label.replace("#35;", "").replace("#59;", "").replace("#lt;", "").replace(
            "#gt;", "").replace("#37;", "").count("#") == 0  # fmt: skip


def test_in_the_diagram_a_call_or_a_request_crosses_nobody_elses_line(trace):
    lines = trace.mermaid().splitlines()
    order = [line.split()[1] for line in lines if "participant" in line]
    assert sorted(order) == ["A", "M", "T", "U"]
    for one, other in ("AM", "AT"):
        assert abs(order.index(one) - order.index(other)) == 1


def test_html_escapes_what_tools_said(trace):
    assert "<c>" not in trace.html().lower() and "&lt;C&gt;" in trace.html()


def test_json_lines_out_and_in(trace, tmp_path):
    path = tmp_path / "run.jsonl"
    lines = trace.to_jsonl(path).splitlines()
    assert len(lines) == len(trace) and all(json.loads(line)["kind"] for line in lines)
    for again in (Trace.from_jsonl(path), Trace.from_jsonl("\n".join(lines))):
        assert str(again) == str(trace) and again.mermaid() == trace.mermaid()
        assert again.to_jsonl() == trace.to_jsonl()


def test_json_lines_of_no_event_and_of_one(trace):
    for some in (Trace(), Trace(trace[:1])):
        assert Trace.from_jsonl(some.to_jsonl()).to_jsonl() == some.to_jsonl()
        assert Trace.from_jsonl(some.to_jsonl().strip()).to_jsonl() == some.to_jsonl()


def test_a_result_stands_on_the_timeline_when_its_call_began():
    async def wait(n: int) -> int:
        """Wait."""
        await asyncio.sleep(0.1)
        return n

    script = Script(calls(("wait", {"n": 1}), ("wait", {"n": 2})), text("done"))
    trace = Agent(script.client(), "m", [wait], layers=()).run_sync("x").trace
    results = [e for e in trace if e.kind == "result"]
    called = [e for e in trace if e.kind == "call"]
    assert [e.result.value for e in results] == [1, 2]
    for event in results:
        assert called[-1].at <= event.at <= called[-1].at + 0.09  # and not 0.1 s later
        assert event.at + event.duration <= trace[-1].at


def test_an_event_of_an_edited_run_is_still_one_line():
    assert "\n" not in Event("task", text="a\n\nb " * 100).summary()


def test_a_run_is_rebuilt_from_its_audit_lines(tmp_path):
    from agentlib.layers.audit import AuditLog, read_audit

    now = iter([100.0, 100.0, 102.5, 102.5])

    def search(words: str, token: str = "") -> list:
        """Search."""
        if words == "bad":
            raise ValueError("no good")
        return [words]

    def client():
        first = {"words": "tea", "token": "t-99"}
        return Script(calls(("search", first)), calls(("search", {"words": "bad"})), text("done"))

    log = AuditLog(tmp_path / "audit.jsonl", clock=lambda: next(now))
    run = Agent(client().client(), "m", [search], layers=[log]).run_sync("Search tea.")
    rebuilt = Trace.from_audit(read_audit(log.path, run=run.id))
    assert [e.kind for e in rebuilt] == ["call", "result", "call", "result"]
    assert [e.at for e in rebuilt] == [0.0, 0.0, 2.5, 2.5]
    results = [e.result for e in rebuilt if e.result]
    assert [r.status for r in results] == [r.status for r in run.calls] == ["success", "failed"]
    assert [r.call_id for r in results] == [r.call_id for r in run.calls]
    assert results[0].content == '["tea"]' and "no good" in results[1].content
    assert rebuilt[0].call.arguments == {"words": "tea", "token": "[redacted]"}
    assert str(rebuilt) and rebuilt.mermaid().count("A->>T") == 2
    assert Trace.from_jsonl(rebuilt.to_jsonl()).to_jsonl() == rebuilt.to_jsonl()
    assert Trace.from_audit([]) == []


def test_arguments_that_were_changed_are_both_in_the_rebuilt_run():
    entry = {"time": "2026-03-01T12:00:00.000+00:00", "tool": "say", "call_id": "c1",
             "arguments": {"text": "LOUD"}, "arguments_run": {"text": "soft"}, "attempts": 1,
             "status": "success", "result": "said soft", "duration": 0.5}  # fmt: skip
    call, result = Trace.from_audit([entry])
    assert call.call.arguments == {"text": "LOUD"}
    assert result.result.call.arguments == {"text": "soft"} and result.duration == 0.5
