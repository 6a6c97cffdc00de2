"""Does a backend hold here? Asked by trying: a canary inside it attacks things made for that.

What the kernel claims is not enough: a container may have namespaces and still no /proc, a
distribution may forbid by profile what its kernel can do.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from agentlib.sandbox import bubblewrap
from agentlib.sandbox.guarantees import BOUNDARY, SandboxUnavailable
from agentlib.sandbox.start import landlock_why_not, started
from agentlib.sandbox.supervisor import Watch, supervise
from agentlib.sandbox.view import Settings, environment

_CANARY = Path(__file__).with_name("canary.py")
_CHECKS: dict[str, Callable[[], tuple[str, str] | None]] = {
    "bubblewrap": bubblewrap.why_not,
    "landlock": landlock_why_not,
}
_MEND = {
    "bubblewrap": "allow user namespaces (Ubuntu: `sysctl kernel.apparmor_restrict_unprivileged_"
    "userns=0`; a container: run it with its seccomp profile open for them).",
    "landlock": "use Linux 6.12 or newer with Landlock switched on.",
}


def choose(backend: str | None, network: bool) -> tuple[str, tuple[str, ...]]:
    """The backend to use: the strongest that holds here, or the one asked for by name; and notes.

    SandboxUnavailable: what is promised doesn't hold. Nothing weaker is taken instead.
    """
    user = os.geteuid() if hasattr(os, "geteuid") else -1
    if backend == "rlimits" and sys.platform.startswith("linux"):
        return backend, ("no boundary: only limits on CPU, memory, disk and time.",)
    notes: list[str] = []
    problems: list[tuple[str, str, str]] = []
    for name in [backend] if backend in _CHECKS else _CHECKS:
        problem = test(name, network, user)
        if problem is None:
            return name, tuple(notes)
        problems.append(problem)
        notes.append(f"{name}: {problem[1]}")
    raise SandboxUnavailable(problems[0][0], " ".join(notes), problems[0][2])


@functools.cache
def test(backend: str, network: bool, user: int) -> tuple[str, str, str] | None:
    """(guarantee, why, mend) of the first one that doesn't hold; None when all do. Asked once."""
    if not sys.platform.startswith("linux"):
        where = {"win32": "Windows", "darwin": "macOS"}.get(sys.platform, sys.platform)
        mend = "use WSL2." if sys.platform == "win32" else "use Linux, in a virtual machine say."
        return "write", f"it needs Linux, this is {where}.", mend
    missing = _CHECKS[backend]()
    if missing is not None:
        return "write", *missing
    try:
        found = _run_canary(backend, network)
    except (OSError, ValueError, RuntimeError) as error:
        return "write", f"it doesn't start here ({error}).", _MEND[backend]
    for guarantee in BOUNDARY:
        if found.get(guarantee) is not True and not (network and guarantee == "network"):
            return guarantee, f"{found.get(guarantee)}.", _MEND[backend]
    return None


def _run_canary(backend: str, network: bool) -> dict:
    with _outside() as target:
        workspace = Path(target["made"]) / "workspace"
        workspace.mkdir()
        settings = Settings(workspace, network=network, timeout=20)
        extra = {"PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"}
        target["names"] = [*environment(settings, ""), *sorted(extra)]
        argv = [sys.executable, "-I", "-S", "-c", _CANARY.read_text("utf-8"), json.dumps(target)]
        with started(backend, settings, argv) as (process, folders):
            from agentlib.sandbox import disk

            watch = Watch(settings, process.pid, folders, disk.measure(folders))
            outcome = supervise(process, watch, threading.Event())
        if outcome.exit_code:
            last = outcome.stderr.text().strip().splitlines()[-1:] or [str(outcome.killed_by)]
            raise RuntimeError(last[0])
        return json.loads(outcome.stdout.text())


@contextlib.contextmanager
def _outside() -> Iterator[dict]:
    """Things to attack: a file, a port, two sockets and a process, made for this and removed."""
    with contextlib.ExitStack() as stack:
        made = stack.enter_context(tempfile.TemporaryDirectory(prefix="agentlib-probe-"))
        outside = Path(made) / "outside"
        outside.mkdir()
        (outside / "secret").write_text("secret")
        abstract = f"agentlib-{secrets.token_hex(8)}"
        ports = []
        for family, address in (
            (socket.AF_INET, ("127.0.0.1", 0)),
            (socket.AF_UNIX, f"{made}/socket"),
            (socket.AF_UNIX, "\0" + abstract),
        ):
            listener = stack.enter_context(socket.socket(family))
            listener.bind(address)
            listener.listen()
            ports.append(listener.getsockname())
        victim = subprocess.Popen(["/bin/sleep", "30"], stdin=subprocess.DEVNULL, cwd="/")
        stack.callback(victim.wait)
        stack.callback(victim.kill)
        yield {
            "made": made,
            "outside": str(outside),
            "secret": str(outside / "secret"),
            "port": ports[0][1],
            "socket": f"{made}/socket",
            "abstract": abstract,
            "victim": victim.pid,
            "python": sys.base_prefix,
            "home": _home(),
        }


def _home() -> str | None:
    """The home folder, where its listing is worth trying: not when the interpreter lies in it."""
    home = os.path.expanduser("~")
    lies_in_it = any(Path(p).is_relative_to(home) for p in (sys.prefix, sys.base_prefix))
    return home if os.path.isdir(home) and not lies_in_it else None
