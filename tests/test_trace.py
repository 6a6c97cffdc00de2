"""A run's events as text, diagram, timeline and JSON lines."""

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


def test_html_escapes_what_tools_said(trace):
    assert "<c>" not in trace.html().lower() and "&lt;C&gt;" in trace.html()


def test_json_lines_out_and_in(trace, tmp_path):
    path = tmp_path / "run.jsonl"
    lines = trace.to_jsonl(path).splitlines()
    assert len(lines) == len(trace) and all(json.loads(line)["kind"] for line in lines)
    for again in (Trace.from_jsonl(path), Trace.from_jsonl("\n".join(lines))):
        assert str(again) == str(trace) and again.mermaid() == trace.mermaid()
        assert again.to_jsonl() == trace.to_jsonl()


def test_an_event_of_an_edited_run_is_still_one_line():
    assert "\n" not in Event("task", text="a\n\nb " * 100).summary()
