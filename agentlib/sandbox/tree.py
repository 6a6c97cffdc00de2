"""The processes below one process, what they use, and how to end them all. Standard library only.

Linux, by reading /proc. It works by looking again and again, so what is gone between two looks
was seen only through its parent's total.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field

_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True)
class Process:
    """One line of /proc/PID/stat. own, waited: CPU seconds of it, and of its ended children."""

    pid: int
    parent: int
    group: int
    state: str
    own: float
    waited: float
    threads: int
    started: int
    memory: int  # resident bytes


def _read(pid: str) -> Process | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            line = file.read()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return None
    f = line[line.rindex(b")") + 2 :].split()
    own, waited = int(f[11]) + int(f[12]), int(f[13]) + int(f[14])
    return Process(
        int(pid), int(f[1]), int(f[2]), f[0].decode(), own / _TICK, waited / _TICK,
        int(f[17]), int(f[19]), int(f[21]) * _PAGE,
    )  # fmt: skip


def descendants(root: int) -> list[Process]:
    """Every process below `root` (without it), as /proc shows them now."""
    children: dict[int, list[Process]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (process := _read(name)) is not None:
            children.setdefault(process.parent, []).append(process)
    found, todo = [], [root]
    while todo:
        below = children.pop(todo.pop(), [])
        found += below
        todo += [p.pid for p in below]
    return found


def kill_descendants(root: int) -> int:
    """SIGKILL to everything below `root`; how many there were.

    By process group first, which the kernel does in one go: nothing forks its way out of it.
    Their groups are their own, because the command began a session.
    """
    below = [p for p in descendants(root) if p.state != "Z"]
    with contextlib.suppress(ProcessLookupError):
        for group in {p.group for p in below} - {os.getpgid(root), os.getpgrp(), 0}:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
    for process in below:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, signal.SIGKILL)
    return len(below)


def threads_of_user() -> int:
    """How many threads this user has, which is what RLIMIT_NPROC counts."""
    user, count = os.getuid(), 0
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                process = _read(name)
                count += process.threads if process else 0
    return count


@dataclass
class Usage:
    """What a tree has used up to now; `look` once per poll."""

    root: int
    cpu: float = 0.0
    memory: int = 0
    processes: int = 0
    pids: list[int] = field(default_factory=list)
    _seen: dict[tuple[int, int], float] = field(default_factory=dict)

    def look(self, memory_limit: int, process_limit: int) -> None:
        """Bring the figures up to date.

        Counting shared pages once is slow: only past the limit, and not for too many processes.
        """
        below = descendants(self.root)
        for p in below:
            self._seen[p.pid, p.started] = p.own
        reaped = sum(p.own + p.waited for p in below)
        self.cpu = max(self.cpu, reaped, sum(self._seen.values()))
        self.processes = sum(p.threads for p in below if p.state != "Z")
        self.pids = [p.pid for p in below]
        self.memory = sum(p.memory for p in below)
        if self.memory > memory_limit and self.processes <= process_limit:
            self.memory = sum(_fair_share(p) for p in below)


def _fair_share(process: Process) -> int:
    """Bytes with each shared page divided by its users; the resident size where that is hidden."""
    try:
        with open(f"/proc/{process.pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return process.memory


def unlinked_files(pids: list[int]) -> Iterator[os.stat_result]:
    """Files that these processes hold open though they have no name any more."""
    for pid in pids:
        with contextlib.suppress(OSError):
            for fd in os.listdir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    link = f"/proc/{pid}/fd/{fd}"
                    if os.readlink(link).endswith(" (deleted)"):
                        yield os.stat(link)
