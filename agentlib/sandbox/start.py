"""Start a command under one backend: the process to supervise, and what it leaves behind."""

from __future__ import annotations

import contextlib
import marshal
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from agentlib.sandbox import bubblewrap, landlock, seccomp
from agentlib.sandbox.tree import threads_of_user
from agentlib.sandbox.view import DEVICES, Settings, environment, readable

_LAUNCHER = str(Path(__file__).with_name("launcher.py"))


@contextlib.contextmanager
def started(
    backend: str, settings: Settings, argv: Sequence[str]
) -> Iterator[tuple[subprocess.Popen, list[str]]]:
    """The running process, and the folders whose size counts. Both are gone afterwards."""
    give: list[int] = []
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: [os.close(fd) for fd in give])
        if backend == "bubblewrap":
            line, variables = bubblewrap.command(settings, list(argv), give)
            folders = [str(settings.workspace)]
        else:
            temporary = tempfile.mkdtemp(prefix="agentlib-")
            stack.callback(shutil.rmtree, temporary, ignore_errors=True)
            line, variables = _launcher(backend, settings, list(argv), temporary, give)
            folders = [str(settings.workspace), temporary]
        process = subprocess.Popen(
            line,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=give,
            start_new_session=True,
            cwd="/",
        )
        yield process, folders


def _launcher(
    backend: str, settings: Settings, argv: list[str], temporary: str, give: list[int]
) -> tuple[list[str], dict[str, str]]:
    confined = None
    if backend == "landlock":
        families = (seccomp.AF_INET, seccomp.AF_INET6) if settings.network else ()
        devices = [f"/dev/{name}" for name in DEVICES]
        names = ["/etc/passwd", "/etc/group", "/etc/hosts"]
        names += ["/etc/resolv.conf"] if settings.network else []
        confined = {
            "read": [os.path.realpath(p) for p in [*readable(), *names]],
            "write": [str(settings.workspace), temporary],
            "devices": devices,
            "network": settings.network,
            "filter": seccomp.build_filter(families, landlock=True),
        }
    job = {
        "parent": os.getpid(),
        "command": argv,
        "folder": str(settings.workspace),
        "limits": settings.rlimits(),
        "landlock": confined,
    }
    if os.getuid() != 0:  # counted over all of the user's processes: a backstop of the polling
        job["limits"]["RLIMIT_NPROC"] = threads_of_user() + 2 * settings.processes
    fd = os.memfd_create("settings")
    give.append(fd)
    os.write(fd, marshal.dumps(job))
    os.lseek(fd, 0, os.SEEK_SET)
    line = [sys.executable, "-I", "-S", _LAUNCHER, str(fd)]
    return line, environment(settings, temporary)


def landlock_why_not() -> tuple[str, str] | None:
    """What Landlock lacks here, and the mend; None when nothing is missing."""
    if not seccomp.supported():
        return f"the processor {os.uname().machine} is not known.", "use x86_64 or aarch64."
    found = landlock.abi()
    if found >= landlock.NEEDED_ABI:
        return None
    have = f"the kernel has version {found} of it" if found else "the kernel has it switched off"
    return (
        f"Landlock {landlock.NEEDED_ABI} is needed, {have}.",
        "use Linux 6.12 or newer, with `landlock` in the boot option lsm=.",
    )
