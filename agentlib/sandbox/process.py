"""Run a command apart: own files, no network, no secrets, limits, and nothing left over.

Backends, strongest first: bubblewrap (namespaces), Landlock with seccomp, and `rlimits`, which is
no boundary and is used only when asked for by name. Linux only; elsewhere `run` refuses.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentlib.sandbox.guarantees import BACKENDS, Guarantees, SandboxUnavailable, levels_of
from agentlib.sandbox.paths import check_workspace
from agentlib.sandbox.snippets import MODULES, check_snippet

if TYPE_CHECKING:
    from agentlib.sandbox.supervisor import Outcome

__all__ = ["Guarantees", "Sandbox", "SandboxResult", "SandboxUnavailable"]
MEBIBYTE = 2**20


@dataclass(frozen=True)
class SandboxResult:
    """What came of one command.

    exit_code: 137 when it was killed, 128 + n after signal n. killed_by: "timeout", "cpu",
    "memory", "disk", "processes" or None. truncated: the middle of an output was left out.
    not_enforced: the guarantees that its backend does not give. undone: changes to git's hooks
    and settings that were put back. duration: seconds.
    """

    exit_code: int
    stdout: str
    stderr: str
    timed_out: bool
    killed_by: str | None
    truncated: bool
    backend: str = ""
    not_enforced: tuple[str, ...] = ()
    undone: tuple[str, ...] = field(default=())
    duration: float = 0.0


class Sandbox:
    """A place to run commands in. It is chosen and tested at the first run, then remembered.

    workspace: the only folder that can be changed; never `/` or a home folder. cpu_seconds,
    memory_mb, processes: for the whole process tree. disk_mb: how much the workspace may grow.
    network: True shares this computer's network. timeout: seconds. environment: variables to
    set. backend: None for the strongest that holds, or one by name.
    """

    def __init__(
        self,
        workspace: str | os.PathLike[str],
        cpu_seconds: float = 5,
        memory_mb: int = 256,
        disk_mb: int = 100,
        network: bool = False,
        timeout: float = 30,
        backend: str | None = None,
        *,
        processes: int = 64,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        from agentlib.sandbox.view import Settings

        for name, value in (
            ("cpu_seconds", cpu_seconds),
            ("memory_mb", memory_mb),
            ("disk_mb", disk_mb),
            ("timeout", timeout),
            ("processes", processes),
        ):
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not value > 0:
                raise ValueError(f"Sandbox: {name} must be a number above 0, got {value!r}.")
        if backend is not None and backend not in BACKENDS:
            raise ValueError(f"Sandbox: no backend {backend!r}; there are {', '.join(BACKENDS)}.")
        self.backend = backend
        self.settings = Settings(
            check_workspace(workspace),
            cpu_seconds=cpu_seconds,
            memory=int(memory_mb * MEBIBYTE),
            disk=int(disk_mb * MEBIBYTE),
            processes=int(processes),
            network=bool(network),
            timeout=timeout,
            environment=dict(environment or {}),
        )

    def run(self, command: str | Sequence[str]) -> SandboxResult:
        """Run a shell command, or a program with its arguments, and wait for its end.

        SandboxUnavailable: a guarantee can't be kept here; nothing was run.
        """
        return self._run(_argv(command), threading.Event())

    async def arun(self, command: str | Sequence[str]) -> SandboxResult:
        """`run` without blocking the event loop; cancelling it kills everything it started."""
        import anyio

        argv, stop = _argv(command), threading.Event()
        begun, ended = threading.Event(), threading.Event()

        def work() -> SandboxResult:
            begun.set()
            try:
                return self._run(argv, stop)
            finally:
                ended.set()

        try:
            return await anyio.to_thread.run_sync(
                work, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1)
            )
        except anyio.get_cancelled_exc_class():
            stop.set()
            with anyio.CancelScope(shield=True):
                while begun.is_set() and not ended.is_set():
                    await anyio.sleep(0.005)
            raise

    def run_python(self, code: str, allowed_modules: Iterable[str] = MODULES) -> SandboxResult:
        """Run a Python snippet. ValueError: it imports or names what is not allowed.

        That check only teaches; what holds is the sandbox around the process.
        """
        check_snippet(code, allowed_modules)
        return self.run([sys.executable, "-I", "-c", code])

    async def arun_python(
        self, code: str, allowed_modules: Iterable[str] = MODULES
    ) -> SandboxResult:
        """`run_python` without blocking the event loop."""
        check_snippet(code, allowed_modules)
        return await self.arun([sys.executable, "-I", "-c", code])

    @staticmethod
    def guarantees(backend: str | None = None, *, network: bool = False) -> Guarantees:
        """What is enforced on this machine: by `backend`, or by the one that would be chosen."""
        from agentlib.sandbox.probe import choose

        root = hasattr(os, "geteuid") and os.geteuid() == 0

        try:
            chosen, notes = choose(backend, network)
        except SandboxUnavailable as error:
            chosen, notes = None, (error.message,)
        return Guarantees(chosen, levels_of(chosen, root=root, network=network), notes)

    def _run(self, argv: list[str], stop: threading.Event) -> SandboxResult:
        from agentlib.sandbox.probe import choose

        backend, _ = choose(self.backend, self.settings.network)
        began = time.monotonic()
        outcome, undone = self._supervised(backend, argv, stop)
        levels = levels_of(backend, root=os.geteuid() == 0, network=self.settings.network)
        return SandboxResult(
            exit_code=outcome.exit_code,
            stdout=outcome.stdout.text(),
            stderr=outcome.stderr.text(),
            timed_out=outcome.killed_by == "timeout",
            killed_by=outcome.killed_by,
            truncated=outcome.stdout.truncated or outcome.stderr.truncated,
            backend=backend,
            not_enforced=Guarantees(backend, levels).missing,
            undone=tuple(undone),
            duration=time.monotonic() - began,
        )

    def _supervised(
        self, backend: str, argv: list[str], stop: threading.Event
    ) -> tuple[Outcome, list[str]]:
        from agentlib.sandbox import disk
        from agentlib.sandbox.start import started
        from agentlib.sandbox.supervisor import Watch, supervise
        from agentlib.sandbox.traps import Traps

        traps = Traps(self.settings.workspace)
        before = disk.measure([str(self.settings.workspace)])
        try:
            with started(backend, self.settings, argv) as (process, folders):
                watch = Watch(self.settings, process.pid, folders, before)
                outcome = supervise(process, watch, stop)
        finally:
            undone = traps.undo()
        return outcome, undone


def _argv(command: str | Sequence[str]) -> list[str]:
    argv = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
    if not argv or not all(isinstance(part, str) for part in argv):
        raise TypeError("Sandbox.run: give a command line, or a list of strings.")
    if any("\0" in part for part in argv):
        raise ValueError("Sandbox.run: the command contains a NUL byte.")
    return argv
