"""What a sandboxed process sees: system folders, the interpreter, the workspace, an environment."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
)
ETC = (
    "alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone",
    "mime.types", "nsswitch.conf", "protocols", "services", "gai.conf", "fonts", "ssl/certs",
    "ssl/openssl.cnf", "pki/tls/certs", "pki/ca-trust", "ca-certificates.conf", "debian_version",
    "os-release", "inputrc", "magic", "perl", "python3", "python3.11", "terminfo",
)  # fmt: skip
DEVICES = ("null", "zero", "full", "random", "urandom")
# inside a workspace: what a program outside would run by itself, later
PROTECTED = (".git/hooks", ".git/config", ".vscode", ".idea", ".husky", ".envrc")


@dataclass(frozen=True)
class Settings:
    """One sandbox's settings, checked. Sizes in bytes, times in seconds."""

    workspace: Path
    cpu_seconds: float = 5.0
    memory: int = 256 * 2**20
    disk: int = 100 * 2**20
    processes: int = 64
    network: bool = False
    timeout: float = 30.0
    environment: dict[str, str] = field(default_factory=dict)

    def rlimits(self) -> dict[str, int]:
        """Limits of each single process: behind the polling, for what is faster than a poll."""
        return {
            "RLIMIT_CPU": int(self.cpu_seconds) + 1,
            "RLIMIT_FSIZE": self.disk,
            "RLIMIT_DATA": 2 * self.memory + 64 * 2**20,
            "RLIMIT_NOFILE": 512,
            "RLIMIT_CORE": 0,
        }


def interpreter_folders() -> list[str]:
    """The folders of the running Python: its own, and the environment's it was started in."""
    found = {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    found.add(str(Path(os.path.realpath(sys.executable)).parent.parent))
    return sorted(p for p in found if p not in ("/", "/usr"))


def readable() -> list[str]:
    """Paths outside the workspace that may be read."""
    paths = [*SYSTEM, *(f"/etc/{name}" for name in ETC), *interpreter_folders()]
    return [p for p in paths if os.path.exists(p)]


def protected(workspace: Path) -> list[str]:
    """Existing paths inside the workspace that stay as they are."""
    inside = [str(workspace / name) for name in PROTECTED if (workspace / name).exists()]
    own = [*interpreter_folders(), str(Path(__file__).resolve().parents[1])]
    return inside + [p for p in own if Path(p).is_relative_to(workspace) and p != str(workspace)]


def environment(settings: Settings, temporary: str) -> dict[str, str]:
    """The whole environment of the command; nothing of the caller's is in it."""
    programs = [str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]
    return {
        "PATH": ":".join(dict.fromkeys(programs)),
        "HOME": temporary,
        "TMPDIR": temporary,
        "USER": "sandbox",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "GIT_CONFIG_NOSYSTEM": "1",
        "OMP_NUM_THREADS": "2",
        "OPENBLAS_NUM_THREADS": "2",
        **settings.environment,
    }
