"""A pytest plugin for the process `verify` starts: tells what nbval found, one line a cell."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from agentlib.course.notebooks import readable, texts

MARK = "@agentlib "  # begins each line that is meant for `verify`


def pytest_collection_finish(session: pytest.Session) -> None:
    _tell({"cells": len(session.items)})


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: pytest.CallInfo) -> Iterator[None]:
    result = yield
    report = result.get_result()
    if report.when != "call" and report.outcome != "failed":
        return
    event = {"cell": getattr(item, "cell_num", -1), "outcome": report.outcome}
    if report.outcome == "failed" and call.excinfo:
        error = call.excinfo.value
        message = str(error) or type(error).__name__
        event |= {"message": message, "source": item.cell.source}
        stored, now = item.cell, {"outputs": item.test_outputs or []}
        # As a reader sees them; with their tags only where nothing else differs.
        read = texts if readable(stored) == readable(now) else readable
        event |= {"expected": "\n".join(read(stored)), "got": "\n".join(read(now))}
    _tell(event)


def _tell(event: dict[str, Any]) -> None:
    print(f"\n{MARK}{json.dumps(event)}", file=sys.__stdout__, flush=True)
