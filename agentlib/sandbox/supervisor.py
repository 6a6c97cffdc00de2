"""Watch one sandboxed command: read its output, poll what it uses, end it and all it started."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from agentlib.sandbox import disk
from agentlib.sandbox.output import Stream
from agentlib.sandbox.tree import Usage, kill_descendants, unlinked_files
from agentlib.sandbox.view import Settings

POLL = 0.02  # seconds between two looks at CPU, memory and processes
DISK_POLL = 0.05  # at least, and ten times what the last walk took
KEPT_OUTPUT = 200_000  # bytes of each stream
_BY_SIGNAL = {128 + 24: "cpu", 128 + 25: "disk"}  # SIGXCPU, SIGXFSZ


@dataclass
class Outcome:
    """exit_code: 137 when it was killed. killed_by: a limit's name, "cancelled" or None."""

    exit_code: int
    killed_by: str | None
    stdout: Stream
    stderr: Stream
    usage: Usage


class Watch:
    """What is looked at from time to time, and which limit it is past."""

    def __init__(self, settings: Settings, root: int, folders: list[str], before: disk.Measure):
        self.settings, self.folders, self.before = settings, folders, before
        self.usage = Usage(root)
        self.began = time.monotonic()
        self.next_look = self.began + POLL
        self.next_walk = self.began + DISK_POLL

    def over(self) -> str | None:
        """The name of the limit that is passed."""
        now = time.monotonic()
        if now - self.began >= self.settings.timeout:
            return "timeout"
        if now < self.next_look:
            return None
        allowed = self.settings.processes + 3  # the sandbox's own
        self.usage.look(self.settings.memory, allowed)
        spent = time.monotonic() - now
        self.next_look = now + max(POLL, 4 * spent)
        if self.usage.processes > allowed:
            return "processes"
        if self.usage.cpu > self.settings.cpu_seconds:
            return "cpu"
        if self.usage.memory > self.settings.memory:
            return "memory"
        return self.disk_over(now) if now >= self.next_walk else None

    def disk_over(self, now: float) -> str | None:
        used = disk.measure(self.folders)
        for info in unlinked_files(self.usage.pids):
            used.add(info)
        spent = time.monotonic() - now
        self.next_walk = now + max(DISK_POLL, 10 * spent)
        grown = used.bytes - self.before.bytes
        return "disk" if grown > self.settings.disk or used.hidden - self.before.hidden else None


def supervise(process: subprocess.Popen, watch: Watch, stop: threading.Event) -> Outcome:
    """Until the command ends, a limit is passed or `stop` is set; then nothing of it is left."""
    out, err = Stream(KEPT_OUTPUT), Stream(KEPT_OUTPUT)
    killed_by: str | None = None
    with _urgent(), _selector(process, out, err) as selector:
        try:
            while killed_by is None and not _ready(selector, POLL) and process.poll() is None:
                killed_by = "cancelled" if stop.is_set() else watch.over()
        finally:
            end(process)
            _drain(selector)
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    if killed_by is None:
        killed_by = _BY_SIGNAL.get(code) or _late(watch, code)
    return Outcome(137 if killed_by else code, killed_by, out, err, watch.usage)


@contextlib.contextmanager
def _urgent() -> Iterator[None]:
    """This thread before all others, where that is allowed (as root).

    Among thousands of processes that fork, an ordinary thread gets no turn to stop them; for an
    ordinary user the kernel limits their number instead.
    """
    thread = threading.get_native_id()
    try:
        before = os.sched_getscheduler(thread), os.sched_getparam(thread)
        policy = os.SCHED_RR | os.SCHED_RESET_ON_FORK
        os.sched_setscheduler(thread, policy, os.sched_param(1))
    except OSError:
        yield
        return
    try:
        yield
    finally:
        os.sched_setscheduler(thread, *before)


def _late(watch: Watch, code: int) -> str | None:
    """A limit that was passed between the last poll and the end."""
    if code == 137 and watch.usage.cpu > 0.9 * watch.settings.cpu_seconds:
        return "cpu"
    return watch.disk_over(time.monotonic())


@contextlib.contextmanager
def _selector(
    process: subprocess.Popen, out: Stream, err: Stream
) -> Iterator[selectors.BaseSelector]:
    selector = selectors.DefaultSelector()
    pidfd = -1
    with contextlib.suppress(OSError, AttributeError):  # an old kernel: polled instead
        pidfd = os.pidfd_open(process.pid)
        selector.register(pidfd, selectors.EVENT_READ, None)
    for pipe, stream in ((process.stdout, out), (process.stderr, err)):
        os.set_blocking(pipe.fileno(), False)
        selector.register(pipe, selectors.EVENT_READ, stream)
    try:
        yield selector
    finally:
        selector.close()
        process.stdout.close()
        process.stderr.close()
        if pidfd >= 0:
            os.close(pidfd)


def _ready(selector: selectors.BaseSelector, timeout: float) -> bool:
    """Read what there is. True when the process itself has ended."""
    ended = False
    for key, _ in selector.select(timeout):
        if key.data is None:
            ended = True
            continue
        try:
            data = os.read(key.fd, 65_536)
        except BlockingIOError:
            continue
        if data:
            key.data.feed(data)
        else:
            selector.unregister(key.fileobj)
    return ended


def _drain(selector: selectors.BaseSelector) -> None:
    """What is still in the pipes. Nobody is left to hold them open, but for 1 s at most."""
    for key in [k for k in selector.get_map().values() if k.data is None]:
        selector.unregister(key.fileobj)  # an ended process would always be ready
    deadline = time.monotonic() + 1
    while selector.get_map() and time.monotonic() < deadline:
        _ready(selector, 0.05)


def end(process: subprocess.Popen) -> None:
    """Kill everything below `process`, which then ends by itself; when it doesn't, kill it."""
    alone, deadline = 0, time.monotonic() + 3
    while process.poll() is None:
        alone = 0 if kill_descendants(process.pid) else alone + 1
        if alone > 20 or time.monotonic() > deadline:
            process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.005)
