"""Runs as they were recorded, labelled: is it a loop, or honest work? For lesson 09's sliders.

With the default limits four of them are judged wrongly, each for a reason that its note gives:
a limit that catches more also stops more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from agentlib.errors import ToolCallError
from agentlib.loops import LoopDetectionConfig, LoopDetector, LoopVerdict
from agentlib.results import ToolCall, ToolResult


@dataclass(frozen=True)
class RecordedCall:
    """at: seconds since the run began. result: what the model read; "Error: …" for a failure."""

    tool: str
    arguments: dict[str, Any]
    result: str
    at: float


@dataclass(frozen=True)
class RecordedRun:
    """looping: what a person who read the whole run said of it."""

    name: str
    looping: bool
    note: str
    calls: tuple[RecordedCall, ...]


def _run(
    name: str, looping: bool, note: str, calls: Iterable[tuple[str, dict, str]], every: float = 2
) -> RecordedRun:
    made = tuple(RecordedCall(*call, at=n * every) for n, call in enumerate(calls))
    return RecordedRun(name, looping, note, made)


_GONE = "Error: read_file failed: FileNotFoundError: notes.txt"
_ROUND = [
    ("list_dir", {"path": "."}, "data/\nREADME.md"),
    ("read_file", {"path": "README.md"}, "See notes.txt."),
    ("read_file", {"path": "notes.txt"}, _GONE),
]
_QUESTIONS = ("weather beijing", "weather  beijing", "Weather Beijing", "weather beijing?",
              "weather, beijing", "weather: beijing", "weather beijing!")  # fmt: skip
_CITIES = ("Beijing", "Shanghai", "Guangzhou", "Shenzhen", "Chengdu", "Hangzhou", "Wuhan", "Xi'an")
_LETTERS = "abcdefghijklmnopqrstuvwx"

RECORDED_RUNS: tuple[RecordedRun, ...] = (
    _run("same file", True, "The same missing file, again and again.", [_ROUND[2]] * 9),
    _run("A-B-A-B", True, "Lists the folder, reads what isn't there, lists.", _ROUND[::2] * 5),
    _run("circle of three", True, "A longer way round to the same place.", _ROUND * 4),
    _run(
        "rephrased",
        True,
        "One question in slightly other words; the answer stays empty.",
        [("search", {"query": q}, "nothing found") for q in _QUESTIONS],
    ),
    _run(
        "guessed names",
        True,
        "Guesses file names instead of listing the folder.",
        [
            ("read_file", {"path": f"notes{n}.txt"}, _GONE.replace("notes", f"notes{n}"))
            for n in range(1, 9)
        ],
    ),
    _run(
        "ticking clock",
        True,
        "Missed: each result carries the time, so each looks new. Only the total ends it.",
        [("queue_status", {}, f"12:00:{2 * n:02} 0 jobs") for n in range(14)],
    ),
    _run(
        "slow loop",
        True,
        "Missed: the calls are too far apart for a window of 60 s.",
        [("fetch_url", {"url": "http://127.0.0.1/feed"}, "[]")] * 12,
        every=20,
    ),
    _run(
        "progress",
        False,
        "A poll whose result changes.",
        [("build_status", {}, f"{10 * n} %") for n in range(11)],
    ),
    _run(
        "patient poll",
        False,
        "The result stays the same, but it looks only every 15 s.",
        [("build_status", {}, "pending")] * 9 + [("build_status", {}, "done")],
        every=15,
    ),
    _run(
        "hasty poll",
        False,
        "False alarm: the build was on its way, and it asked every 5 s.",
        [("build_status", {}, "pending")] * 9 + [("build_status", {}, "done")],
        every=5,
    ),
    _run(
        "chapters",
        False,
        "One tool, names that differ by a digit, different texts.",
        [("read_file", {"path": f"chapter{n}.txt"}, f"Chapter {n}. It …") for n in range(1, 10)],
    ),
    _run(
        "edit and test",
        False,
        "The test fails the same way each time, but something was changed before.",
        [
            call
            for n in range(7)
            for call in (
                ("edit_file", {"path": "a.py", "new_text": f"x = {n}"}, "1 replacement"),
                ("run_shell", {"command": "pytest -q"}, "1 failed"),
            )
        ],
    ),
    _run(
        "eight cities",
        False,
        "One tool eight times, each time for another city.",
        [("get_weather", {"city": city}, f"{city}: 21 °C") for city in _CITIES],
    ),
    _run(
        "a large job",
        False,
        "False alarm: 24 files to read, and 20 calls are the limit.",
        [("read_file", {"path": f"{x}.md"}, f"text {x}") for x in _LETTERS],
    ),
)


def replay(run: RecordedRun, **limits: Any) -> list[LoopVerdict]:
    """The verdict before each of the run's calls, up to the first "stop". limits: as in the config.

    A call that is warned about counts as refused; the recording goes on as it was.
    """
    now = 0.0
    config = replace(LoopDetectionConfig(**limits), clock=lambda: now)
    detector, verdicts = LoopDetector(config), []
    for recorded in run.calls:
        now = recorded.at
        call = ToolCall(recorded.tool, recorded.arguments)
        verdicts.append(detector.check(call))
        if verdicts[-1].kind == "stop":
            break
        failed = recorded.result.removeprefix("Error: ")
        failure = ToolResult.failure(call, ToolCallError(failed))
        detector.record(call, recorded.result if failed == recorded.result else failure)
    return verdicts


def rating(run: RecordedRun, **limits: Any) -> str:
    """ "caught", "missed", "left alone" or "false alarm"; a run counts as tripped by a stop."""
    tripped = replay(run, **limits)[-1].kind == "stop"
    if run.looping:
        return "caught" if tripped else "missed"
    return "false alarm" if tripped else "left alone"
