"""What a sandbox promises, by backend, and the error for a promise that can't be kept here."""

from __future__ import annotations

from dataclasses import dataclass, field

from agentlib.errors import ErrorCategory, ToolCallError

KERNEL, POLLED, NONE = "kernel", "polled, may overshoot", "not enforced"
# guarantee: (what it means, the level by bubblewrap, by Landlock, by limits alone)
GUARANTEES: dict[str, tuple[str, str, str, str]] = {
    "environment": ("no variable of the caller is seen", KERNEL, KERNEL, KERNEL),
    "read": ("no file is read but the workspace's and the system's", KERNEL, KERNEL, NONE),
    "write": ("no file is changed outside the workspace", KERNEL, KERNEL, NONE),
    "network": ("no connection, not even to this computer", KERNEL, KERNEL, NONE),
    "processes apart": ("no signal or message to a process outside", KERNEL, KERNEL, NONE),
    "cpu": ("CPU seconds of all its processes together", POLLED, POLLED, POLLED),
    "memory": ("memory of all its processes together", POLLED, POLLED, POLLED),
    "disk": ("growth of the workspace", POLLED, POLLED, POLLED),
    "process count": ("how many processes and threads", KERNEL, POLLED, POLLED),
    "tree killed": ("nothing it started outlives it", KERNEL, POLLED, NONE),
}
BACKENDS = ("bubblewrap", "landlock", "rlimits")
BOUNDARY = ("environment", "read", "write", "network", "processes apart")


class SandboxUnavailable(ToolCallError):
    """A guarantee can't be kept on this machine, so nothing was run.

    guarantee: which one. mend: what to do about it.
    """

    def __init__(self, guarantee: str, why: str, mend: str) -> None:
        super().__init__(
            f"sandbox: the guarantee {guarantee!r} can't be kept here, so nothing was run: {why} "
            f"To mend it: {mend}",
            category=ErrorCategory.PERMISSION_DENIED,
            code="sandbox_unavailable",
        )
        self.guarantee = guarantee
        self.mend = mend


@dataclass(frozen=True)
class Guarantees:
    """What one backend enforces here: `levels` by name; `backend` None where nothing can run.

    notes: what was tried before, and why it did not hold.
    """

    backend: str | None
    levels: dict[str, str]
    notes: tuple[str, ...] = field(default=())

    @property
    def missing(self) -> tuple[str, ...]:
        """The guarantees that are not enforced."""
        return tuple(name for name, level in self.levels.items() if level == NONE)

    def rows(self) -> list[tuple[str, str, str]]:
        """(guarantee, level, meaning), in the order of the table."""
        return [(name, level, GUARANTEES[name][0]) for name, level in self.levels.items()]

    def __str__(self) -> str:
        head = f"backend: {self.backend or 'none, commands are refused'}"
        lines = [f"{name:16} {level:22} {meaning}" for name, level, meaning in self.rows()]
        return "\n".join([head, *lines, *(f"note: {note}" for note in self.notes)])

    def _repr_markdown_(self) -> str:
        head = f"Backend: **{self.backend or 'none, commands are refused'}**\n\n"
        rows = [f"| {name} | {level} | {meaning} |" for name, level, meaning in self.rows()]
        notes = [f"\nNote: {note}" for note in self.notes]
        return head + "\n".join(["| guarantee | level | meaning |", "|---|---|---|", *rows, *notes])


def levels_of(backend: str | None, *, root: bool, network: bool) -> dict[str, str]:
    """The level of each guarantee. As root the kernel ignores the limit on processes."""
    levels = {}
    for name, (_, *by_backend) in GUARANTEES.items():
        levels[name] = by_backend[BACKENDS.index(backend)] if backend in BACKENDS else NONE
    if root and levels["process count"] == KERNEL:
        levels["process count"] = POLLED
    if network:
        levels["network"] = NONE
    return levels
