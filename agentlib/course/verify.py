"""Runs a lesson under strict nbval in a process of its own and says which cells differ."""

import difflib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from agentlib.course.unattended import CELL_SECONDS, lesson_copy, lesson_environment

PREFIX = "@agentlib "  # the same mark as in nbval_report, which imports pytest
SHOWN_LINES = 12


@dataclass(frozen=True)
class Difference:
    """A cell (counted from 1 over the code cells, as its prompt does) that isn't as stored."""

    cell: int
    message: str
    source: str
    expected: str
    got: str

    def __str__(self) -> str:
        first = self.source.strip().split("\n")[0]
        lines = list(
            difflib.unified_diff(
                self.expected.splitlines(), self.got.splitlines(), "expected", "got", "", n=0
            )
        )[:SHOWN_LINES]
        return "\n".join([f"cell [{self.cell}]: {self.message}", f"  {first}", *_cut(lines)])


@dataclass
class Verdict:
    """What came of one lesson; `problem` is set when it could not be run at all."""

    cells: int = 0
    done: int = 0
    differences: list[Difference] = field(default_factory=list)
    problem: str = ""

    @property
    def ok(self) -> bool:
        return not self.differences and not self.problem


def verify(path: Path, on_cell: Callable[[int, int], None] | None = None) -> Verdict:
    """Run a copy of the notebook as nbval does, comparing every output with the stored one.

    No key and no stored progress reach the lesson. `on_cell` is told (cells done, cells).
    """
    verdict, log = Verdict(), []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        with _pytest(lesson_copy(path, home), home) as process:
            for line in process.stdout or ():
                if not line.startswith(PREFIX):
                    log.append(line)
                    continue
                _take(verdict, json.loads(line[len(PREFIX) :]))
                if on_cell:
                    on_cell(verdict.done, verdict.cells)
    if process.returncode and not verdict.differences:
        verdict.problem = f"nbval ended with exit code {process.returncode}:\n" + _tail(log)
    elif verdict.done < verdict.cells:
        verdict.problem = f"only {verdict.done} of {verdict.cells} cells ran:\n" + _tail(log)
    return verdict


def _pytest(notebook: Path, home: Path) -> subprocess.Popen[str]:
    settings = home / "pytest.ini"
    settings.write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", settings, "--rootdir", notebook.parent]
    command += ["-p", "nbval.plugin", "-p", "agentlib.course.nbval_report", "-s", "--color=no"]
    command += ["-p", "no:cacheprovider", "--nbval", "--nbval-current-env"]
    command += [f"--nbval-cell-timeout={CELL_SECONDS}", notebook]
    environment = lesson_environment(home) | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.Popen(
        list(map(os.fspath, command)),
        env=environment | {"PYTHONIOENCODING": "utf-8"},
        cwd=notebook.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )


def _take(verdict: Verdict, event: dict) -> None:
    if "cells" in event:
        verdict.cells = event["cells"]
        return
    verdict.done += 1
    if event["outcome"] == "failed":
        keys = ("message", "source", "expected", "got")
        verdict.differences.append(
            Difference(event["cell"] + 1, *(event.get(key, "") for key in keys))
        )


def _cut(lines: list[str]) -> list[str]:
    return [f"  {line[:100]}" for line in lines if not line.startswith(("---", "+++", "@@"))]


def _tail(log: list[str]) -> str:
    return "".join(line for line in log if line.strip())[-2000:]
