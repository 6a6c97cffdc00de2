"""Pictures of calls over time, of a run and of all recorded runs."""

import re
from collections import namedtuple

from agentlib.course.recorded_runs import RECORDED_RUNS
from agentlib.errors import ToolCallError
from agentlib.notebook import loop_limits
from agentlib.notebook.loop_limits import RunsPicture, move_limits
from agentlib.notebook.loop_picture import COLOURS, CallPicture, label, show_run
from agentlib.results import ToolCall, ToolResult

Made = namedtuple("Made", "tool arguments at")
A, B = ("read", {"path": "a.txt"}), ("list", {})


def made(*calls):
    return [Made(*call, at=2 * n) for n, call in enumerate(calls)]


def test_a_lane_for_each_call_and_a_sign_for_each_time():
    picture = CallPicture(made(A, B, A, B, A), ["ok", "ok", "warn", "stop"], "round and round")
    lines = repr(picture).splitlines()
    assert lines == ["read(a.txt)  . ! o", "list()        . X", "round and round"]


def test_without_verdicts_every_call_was_let_through():
    assert repr(CallPicture(made(A, A, A))) == "read(a.txt)  ..."
    assert repr(CallPicture([])) == ""


def test_the_marks_of_the_picture():
    markup = CallPicture(made(A, A, A, A), ["ok", "warn", "stop"], "<b>")._repr_html_()
    assert [markup.count(f'"{COLOURS[kind]}"') for kind in COLOURS] == [1, 1, 1, 1]
    assert markup.count("<circle") == 2 and "&lt;b&gt;" in markup
    places = [float(x) for x in re.findall(r'cx="(\d+)"', markup)]
    assert places == sorted(places) and 0 < places[0] < places[-1] < 660


def test_a_long_call_is_shortened():
    assert label("read_file", {"path": "a.txt", "lines": 3}) == "read_file(a.txt, 3)"
    assert label("search", {"query": "x" * 50}) == f"search({'x' * 19}…)"
    assert label("search", '{"half') == 'search({"half)'


def test_a_run_of_the_agent(capsys):
    call = ToolCall("read", '{"path": "a.txt"}')
    warning = ToolCallError("Loop: again.", category="loop")
    end = ToolCallError("Loop: still.", category="loop", recoverable=False)

    class Run:
        calls = [
            ToolResult.success(call, "text"),
            ToolResult.failure(call, ToolCallError("no such file")),
            ToolResult.failure(call, warning),
            ToolResult.failure(call, end),
        ]

    show_run(Run)
    assert capsys.readouterr().out.splitlines() == [
        "read(a.txt)  ..!X", "call 3: Error: Loop: again.", "call 4: Error: Loop: still.",
    ]  # fmt: skip


def test_a_row_for_each_recorded_run():
    picture = RunsPicture()
    rows = repr(picture).splitlines()
    assert len(rows) == len(RECORDED_RUNS) + 1
    assert rows[0].split() == ["same", "file", "loop", ".....!Xoo", "caught", "repeat"]
    assert picture.summary == "5 of 7 loops caught, 2 of 7 honest runs stopped."
    assert all(run.name in picture._repr_html_() for run in RECORDED_RUNS)


def test_other_limits_make_another_picture():
    assert RunsPicture(window_seconds=300).summary == (
        "6 of 7 loops caught, 3 of 7 honest runs stopped."
    )


def test_with_nobody_there_the_picture_is_shown_once(capsys):
    move_limits()
    assert capsys.readouterr().out == f"{RunsPicture()!r}\n"


def test_a_slider_redraws_the_picture(monkeypatch):
    import IPython.display

    shown = []
    monkeypatch.setattr(loop_limits, "human_attached", lambda: True)
    monkeypatch.setattr(IPython.display, "display", shown.append)
    move_limits()
    *sliders, picture = shown[0].children
    assert picture.value == RunsPicture()._repr_html_()
    assert [slider.value for slider in sliders] == [5, 20, 0.8, 60]
    sliders[3].value = 300
    assert picture.value == RunsPicture(window_seconds=300)._repr_html_()
    assert picture.value != RunsPicture()._repr_html_()
