"""What the sandbox costs, as a ratio to a bare Python start: `python bench_sandbox.py`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from agentlib.sandbox.process import Sandbox, SandboxUnavailable

ROUNDS = 30


def best_of(jobs: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Seconds of each job: the lower quartile of `rounds`, taken in turns to share the load."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            began = time.perf_counter()
            job()
            times[name].append(time.perf_counter() - began)
    return {name: sorted(found)[len(found) // 4] for name, found in times.items()}


def ratios(rounds: int = ROUNDS) -> dict[str, float]:
    """Each backend's run, over a bare start of the same Python (1.0)."""
    python = [sys.executable, "-c", "pass"]
    jobs: dict[str, Callable[[], object]] = {
        "bare python": lambda: subprocess.run(python, capture_output=True, check=True),
        "bare sh": lambda: subprocess.run(["/bin/sh", "-c", "true"], check=True),
    }
    with tempfile.TemporaryDirectory() as workspace:
        for backend in ("bubblewrap", "landlock", "rlimits"):
            sandbox = Sandbox(workspace, backend=backend)
            try:
                sandbox.run("true")  # the probe, once per process
            except SandboxUnavailable as error:
                print(f"{backend}: {error.message}", file=sys.stderr)
                continue
            jobs[f"{backend}: true"] = lambda s=sandbox: s.run("true")
            jobs[f"{backend}: python"] = lambda s=sandbox: s.run(python)
        times = best_of(jobs, rounds)
    bare = times["bare python"]
    return {name: seconds / bare for name, seconds in times.items()}


def main() -> None:
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as workspace:
        Sandbox(workspace).run("true")
    print(f"first run with its probe: {time.perf_counter() - began:.3f} s")
    for name, ratio in ratios().items():
        print(f"{name:22} {ratio:5.2f} of a bare Python start")


if __name__ == "__main__":
    main()
