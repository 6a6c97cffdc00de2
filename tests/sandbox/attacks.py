# ruff: noqa: E501 - the attacks are one line each
"""Attacks on the sandbox, each aimed only at things made for it; `python attacks.py` shows a table.

An attack is Python code run inside; it must print GOT when it reached what it wanted and NO when
it was stopped. What it did to the outside is looked at from the outside afterwards.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import secrets
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from agentlib.sandbox.process import Sandbox, SandboxResult, SandboxUnavailable

PRELUDE = """
import ctypes, json, os, signal, socket, subprocess, sys, threading, time
A = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def t(act):
    try:
        print("GOT", repr(act())[:60], flush=True)
    except Exception as error:
        print("NO", type(error).__name__, error, flush=True)
def call(number, *args):
    fixed = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    result = libc.syscall(ctypes.c_long(number[os.uname().machine]), *fixed)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def n(x86, arm):
    return {"x86_64": x86, "aarch64": arm}
def send(family, kind, address, data=b"x"):
    with socket.socket(family, kind) as s:
        s.settimeout(1)
        if kind == socket.SOCK_STREAM:
            s.connect(address)
            s.send(data)
        else:
            s.sendto(data, address)
def spin(seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        pass
"""


@dataclass
class Arena:
    """Everything an attack may aim at, and the sandbox it starts from."""

    backend: str
    made: Path
    workspace: Path
    outside: Path
    aims: dict
    victim: subprocess.Popen
    received: list

    def sandbox(self, **options: object) -> Sandbox:
        return Sandbox(self.workspace, backend=self.backend, **{"timeout": 10, **options})

    def run(self, code: str, **options: object) -> SandboxResult:
        argv = [sys.executable, "-I", "-S", "-c", PRELUDE + code, json.dumps(self.aims)]
        return self.sandbox(**options).run(argv)


Check = Callable[["Arena", SandboxResult], bool]


@dataclass(frozen=True)
class Attack:
    """control: without a boundary it gets through, which shows that it is a real attack."""

    group: str
    name: str
    act: Callable[[Arena], tuple[bool, str]]
    control: bool = False
    code: str = ""  # of one that can run beside others, in a folder of its own
    check: Check | None = None


ATTACKS: list[Attack] = []
KEY = f"sk-{secrets.token_hex(8)}"


def stopped(result: SandboxResult) -> bool:
    """The code said that it was stopped, and never that it got through."""
    return "GOT" not in result.stdout and "NO " in result.stdout


def probe(group: str, name: str, code: str, check: Check | None = None, **options: object) -> None:
    """An attack that tries something; `check` looks from outside (both must hold)."""
    control = bool(options.pop("control", False))
    said = bool(options.pop("said", True))  # the code itself reports whether it got through

    def act(arena: Arena) -> tuple[bool, str]:
        result = arena.run(code, **options)
        held = (not said or stopped(result)) and (check is None or check(arena, result))
        shown = (result.stdout + result.stderr).strip().replace("\n", "; ")
        return held, f"{result.killed_by or ''} {shown}"[:160].strip()

    alone = options or not said or group == "resources" or "../" in code or "inner" in code
    ATTACKS.append(Attack(group, name, act, control, "" if alone else code, check))


def outside_is_whole(arena: Arena, _: SandboxResult) -> bool:
    secret = arena.outside / "secret"
    info = secret.stat()
    return (
        secret.read_text() == arena.aims["token"]
        and sorted(os.listdir(arena.outside)) == ["fifo", "secret"]
        and info.st_mode & 0o7777 == 0o640
        and int(info.st_mtime) == 1_000_000_000
        and "user.x" not in _attributes(secret)
    )


def _attributes(path: Path) -> list[str]:
    with contextlib.suppress(OSError):
        return os.listxattr(path)
    return []


F = "files"
probe(F, "read a file by its full path", "t(lambda: open(A['secret']).read())", control=True)
probe(F, "read by ..", "t(lambda: open('../outside/secret').read())", control=True)
probe(F, "list a folder outside", "t(lambda: os.listdir(A['outside']))", control=True)
probe(F, "list the home folder", "t(lambda: os.listdir(A['home']))", control=True)
probe(F, "read by /proc/self/root", "t(lambda: open('/proc/self/root' + A['secret']).read())")
probe(F, "read by /proc/1/root", "t(lambda: open('/proc/1/root' + A['secret']).read())")
probe(
    F,
    "read by another process's root",
    "t(lambda: open(f\"/proc/{A['victim']}/root{A['secret']}\").read())",
    control=True,
)
probe(F, "read by a leaked descriptor", "t(lambda: os.pread(A['fd'], 9, 0))")
probe(
    F,
    "use any leaked descriptor",
    "left = [f for f in range(3, 512) if not libc.fcntl(f, 1) < 0]\n"
    "print('GOT' if left else 'NO none', left)",
)
probe(
    F,
    "open by a file handle",
    "h = ctypes.create_string_buffer((8).to_bytes(4, 'little') + (1).to_bytes(4, 'little')"
    " + b'\\x02\\0\\0\\0\\0\\0\\0\\0')\n"
    "t(lambda: call(n(304, 265), os.open('/', os.O_RDONLY), h, 0))",
)
for verb, code in {
    "append to a file": "open(A['secret'], 'a').write('x')",
    "replace a file": "open(A['secret'], 'w').write('x')",
    "create a file": "open(A['outside'] + '/new', 'w').write('x')",
    "delete a file": "os.unlink(A['secret'])",
    "rename a file": "os.rename(A['secret'], A['outside'] + '/other')",
    "move a file into the workspace": "os.rename(A['secret'], 'mine')",
    "make a folder": "os.mkdir(A['outside'] + '/d')",
    "truncate a file": "os.truncate(A['secret'], 0)",
    "write into a pipe with a name": "os.open(A['outside'] + '/fifo', os.O_RDWR)",
}.items():
    probe(F, f"{verb} outside", f"t(lambda: {code})", outside_is_whole)
for verb, code in {
    "chmod": "os.chmod(A['secret'], 0o666)",
    "chmod by descriptor": "os.fchmod(os.open(A['secret'], os.O_RDONLY), 0o666)",
    "change the times of": "os.utime(A['secret'], (1, 1))",
    "set an attribute of": "os.setxattr(A['secret'], 'user.x', b'x')",
}.items():
    probe(F, f"{verb} a file outside", f"t(lambda: {code})", outside_is_whole, said=False)


def nothing_new(arena: Arena, _: SandboxResult) -> bool:
    """No file of this attack's name has appeared; one that has is removed again."""
    places = ["/", "/usr", "/usr/local", "/etc", "/dev", "/tmp", "/var/tmp", sys.base_prefix]
    found = [Path(p) / arena.aims["mark"] for p in places]
    found = [p for p in found if p.exists()]
    for path in found:
        path.unlink()
    return not found


for place in ("/", "/usr", "/usr/local", "/etc", "/dev"):
    code = f"t(lambda: open({place!r} + '/' + A['mark'], 'x'))"
    probe(F, f"create a file in {place}", code, nothing_new)
probe(
    F, "create a file in /tmp", "t(lambda: open('/tmp/' + A['mark'], 'x'))", nothing_new, said=False
)
probe(
    F,
    "create a file in Python's folder",
    "t(lambda: open(A['python'] + A['mark'], 'x'))",
    nothing_new,
)
probe(
    F,
    "open the kernel's core_pattern for writing",
    "t(lambda: os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY))",
)
probe(F, "make a device file", "t(lambda: os.mknod('null', 0o020666, os.makedev(1, 3)))")


def hook_is_whole(arena: Arena, _: SandboxResult) -> bool:
    git = arena.workspace / ".git"
    return (
        (git / "hooks" / "pre-commit").read_text() == "#!/bin/sh\n"
        and os.listdir(git / "hooks") == ["pre-commit"]
        and (git / "config").read_text() == "[core]\n"
        and not (git / "commondir").exists()
    )


for name, code in {
    "change a git hook": "open('.git/hooks/pre-commit', 'w').write('x')",
    "add a git hook": "open('.git/hooks/post-merge', 'w').write('x')",
    "delete a git hook": "os.unlink('.git/hooks/pre-commit')",
    "change git's settings": "open('.git/config', 'a').write('x')",
    "give git other settings": "open('.git/commondir', 'w').write('..')",
    "swap the hooks folder for a link": "os.rename('.git/hooks', '.git/h'); os.symlink('/tmp', '.git/hooks')",
    "swap the .git folder": "os.rename('.git', 'g'); os.makedirs('.git/hooks')",
}.items():
    wrapped = f"try:\n    {code}\nexcept OSError as error:\n    print(error)\n"
    probe(F, name, wrapped, hook_is_whole, said=False)

L = "links"
probe(
    L,
    "read through a link",
    "os.symlink(A['secret'], 'l'); t(lambda: open('l').read())",
    control=True,
)
probe(
    L,
    "write through a link",
    "os.symlink(A['secret'], 'l'); t(lambda: open('l', 'a'))",
    outside_is_whole,
)
probe(
    L,
    "create through a dangling link",
    "os.symlink(A['outside'] + '/new', 'l'); t(lambda: open('l', 'w'))",
    outside_is_whole,
)
probe(
    L,
    "walk through a link to a folder",
    "os.symlink(A['outside'], 'l'); t(lambda: os.listdir('l'))",
    control=True,
)
probe(
    L, "hard-link a file into the workspace", "t(lambda: os.link(A['secret'], 'l'))", control=True
)
probe(
    L,
    "mount a folder into the workspace",
    "os.mkdir('m'); t(lambda: call(n(165, 40), A['outside'].encode(), b'm', 0, 4096, 0))",
    outside_is_whole,
)


def planted(name: str, plant: str, use: Callable[[Path], object]) -> None:
    """The command leaves a link behind; the file tools outside must not follow it."""

    def act(arena: Arena) -> tuple[bool, str]:
        arena.run(plant)
        try:
            got = use(arena.workspace)
        except (ValueError, OSError) as error:
            return outside_is_whole(arena, None), f"NO {error}"  # type: ignore[arg-type]
        return False, f"GOT {got!r}"

    ATTACKS.append(Attack(L, name, act))


def _read(path: str) -> Callable[[Path], object]:
    from agentlib.sandbox.opening import safe_open

    return lambda workspace: safe_open(path, workspace).read()


def _write(path: str) -> Callable[[Path], object]:
    from agentlib.sandbox.opening import safe_open

    return lambda workspace: safe_open(path, workspace, "wb").write(b"x")


planted("leave a link for read_file", "os.symlink(A['secret'], 'l')", _read("l"))
planted("leave a link for write_file", "os.symlink(A['secret'], 'l')", _write("l"))
planted("leave a dangling link for write_file", "os.symlink(A['outside'] + '/n', 'l')", _write("l"))
planted("leave a linked folder for write_file", "os.symlink(A['outside'], 'l')", _write("l/n"))
planted("leave a pipe for read_file", "os.mkfifo('l')", _read("l"))


def _race(arena: Arena) -> tuple[bool, str]:
    """The command swaps a folder for a link, again and again, while a file in it is read."""
    from agentlib.sandbox.opening import safe_open

    code = (
        "os.makedirs('d'); open('d/secret', 'w').write('mine')\n"
        "end = time.time() + 1\n"
        "while time.time() < end:\n"
        "    os.rename('d', 'e'); os.symlink(A['outside'], 'd'); os.unlink('d'); os.rename('e', 'd')\n"
    )
    runner = threading.Thread(target=lambda: arena.run(code))
    runner.start()
    tries = got = 0
    while runner.is_alive():
        tries += 1
        with contextlib.suppress(OSError, ValueError), safe_open("d/secret", arena.workspace) as f:
            got += f.read().decode() == arena.aims["token"]
    return got == 0 and tries > 50, f"{tries} reads, {got} of the secret"


ATTACKS.append(Attack(L, "swap a folder for a link in the middle of a read", _race))

E = "environment"
probe(E, "read the key from os.environ", "t(lambda: os.environ['AGENTLIB_ATTACK_KEY'])")
for who in ("self", "1", "thread-self"):
    probe(
        E,
        f"read the key from /proc/{who}/environ",
        f"t(lambda: open('/proc/{who}/environ').read().index(A['key']))",
    )
scan = """
found = []
try:
    pids = os.listdir('/proc')
except OSError:
    pids = []
for pid in pids:
    try:
        found += [pid] if A['key'] in open(f'/proc/{pid}/%s', errors='replace').read() else []
    except OSError:
        pass
found = [p for p in found if p.isdigit() and int(p) != os.getpid()]
print('GOT' if found else 'NO none', found)
"""
probe(E, "find the key in any process's environment", scan.replace("%s", "environ"), control=True)
probe(
    E,
    "find the key in any command line",
    scan.replace("%s", "cmdline").replace("A['key'] in", "'sleep\\x00' + A['nap'] in"),
    control=True,
)
probe(E, "reach the kernel's keyring", "t(lambda: call(n(250, 219), 0, -3, 0))")

N = "network"


def quiet(arena: Arena, _: SandboxResult) -> bool:
    time.sleep(0.05)
    return not arena.received


probe(
    N,
    "connect to a local port",
    "t(lambda: send(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', A['tcp'])))",
    quiet,
    control=True,
)
probe(
    N,
    "send a datagram to a local port",
    "t(lambda: send(socket.AF_INET, socket.SOCK_DGRAM, ('127.0.0.1', A['udp'])))",
    quiet,
    said=False,
    control=True,
)
probe(
    N,
    "connect from a shell",
    "r = subprocess.run(['bash', '-c', f\"echo x > /dev/tcp/127.0.0.1/{A['tcp']}\"], capture_output=True)\nprint('GOT' if r.returncode == 0 else 'NO ', r.stderr[:40])",
    quiet,
    control=True,
)
probe(
    N,
    "connect to a Unix socket",
    "t(lambda: send(socket.AF_UNIX, socket.SOCK_STREAM, A['unix']))",
    quiet,
    control=True,
)
probe(
    N,
    "connect to a Unix socket in the workspace",
    "t(lambda: send(socket.AF_UNIX, socket.SOCK_STREAM, A['inner']))",
    quiet,
    control=True,
)
probe(
    N,
    "connect to an abstract Unix socket",
    "t(lambda: send(socket.AF_UNIX, socket.SOCK_STREAM, chr(0) + A['abstract']))",
    quiet,
    control=True,
)
probe(
    N,
    "send from a socket pair to a path",
    "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)\nt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', A['datagram']))",
    quiet,
    control=True,
)
probe(N, "open a virtual machine socket", "t(lambda: socket.socket(40, socket.SOCK_STREAM))")
probe(N, "open a raw socket", "t(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))")
probe(N, "open a packet socket", "t(lambda: socket.socket(17, socket.SOCK_RAW))")
probe(N, "open a netlink socket", "t(lambda: socket.socket(16, socket.SOCK_RAW))", control=True)
probe(
    N,
    "open sockets through io_uring",
    "t(lambda: call(n(425, 425), 4, ctypes.create_string_buffer(256)))",
)


def _serve(arena: Arena) -> tuple[bool, str]:
    """The command opens a port; nobody outside may reach it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = (
        f"s = socket.socket(); s.bind(('127.0.0.1', {port})); s.listen(); s.settimeout(0.6)\n"
        "t(lambda: s.accept())"
    )
    out: list[SandboxResult] = []
    runner = threading.Thread(target=lambda: out.append(arena.run(code)))
    runner.start()
    reached = False
    while runner.is_alive():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.1):
            reached = True
        time.sleep(0.02)
    return not reached and "GOT" not in out[0].stdout, out[0].stdout[:80]


ATTACKS.append(Attack(N, "open a port to the outside", _serve, control=True))

P = "processes"


def victim_is_whole(arena: Arena, _: SandboxResult) -> bool:
    import resource

    pid = arena.victim.pid
    return (
        arena.victim.poll() is None
        and resource.prlimit(pid, resource.RLIMIT_NOFILE) == arena.aims["nofile"]
        and os.getpriority(os.PRIO_PROCESS, pid) == 0
        and sorted(os.sched_getaffinity(pid)) == arena.aims["cpus"]
    )


for name, code in {
    "ask whether a process is there": "os.kill(A['victim'], 0)",
    "end a process": "os.kill(A['victim'], signal.SIGTERM)",
    "stop a process group": "os.killpg(A['victim'], signal.SIGSTOP)",
    "signal by a process descriptor": "signal.pidfd_send_signal(os.pidfd_open(A['victim']), signal.SIGTERM)",
    "signal one thread": "call(n(234, 131), A['victim'], A['victim'], 15)",
    "attach a debugger": "call(n(101, 117), 16, A['victim'], 0, 0)",
    "change a process's limits": "__import__('resource').prlimit(A['victim'], 7, (10, 10))",
    "change a process's processors": "os.sched_setaffinity(A['victim'], [0])",
    "change a process's priority": "os.setpriority(os.PRIO_PROCESS, A['victim'], 5)",
    "read a process's memory": "open(f\"/proc/{A['victim']}/mem\", 'rb').fileno()",
}.items():
    probe(P, name, f"t(lambda: {code})", victim_is_whole)
probe(P, "attach shared memory", "t(lambda: call(n(30, 196), A['shm'], 0, 0))", control=True)
probe(
    P, "open shared memory by name", "t(lambda: open('/dev/shm/' + A['mark']).read())", control=True
)
probe(
    P,
    "read a message queue",
    "t(lambda: call(n(70, 188), A['queue'], ctypes.create_string_buffer(64), 8, 0, 0o4000))",
    control=True,
)


def beats_stop(arena: Arena, _: SandboxResult) -> bool:
    time.sleep(0.1)
    beat = arena.workspace / "beat"
    before = beat.stat().st_size if beat.exists() else 0
    time.sleep(0.25)
    return before > 0 and beat.stat().st_size == before


BEAT = """
def beat():
    signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGHUP, signal.SIG_IGN)
    for i in range(200):
        open('beat', 'a').write('x'); time.sleep(0.05)
    os._exit(0)
"""
probe(
    P,
    "leave a daemon behind",
    BEAT
    + "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        beat()\n    os._exit(0)\nos.wait(); time.sleep(0.2)",
    beats_stop,
    said=False,
)
probe(
    P,
    "leave a child that holds the pipe",
    BEAT + "if os.fork() == 0:\n    beat()\ntime.sleep(0.2); os._exit(0)",
    lambda a, r: r.duration < 9 and beats_stop(a, r),
    said=False,
)
probe(
    P,
    "outlive the time limit",
    BEAT + "if os.fork() == 0:\n    os.setsid(); beat()\nbeat()",
    lambda a, r: r.timed_out and r.duration < 9 and beats_stop(a, r),
    said=False,
    timeout=0.7,
)
probe(
    P,
    "kill what watches it",
    "try:\n    os.kill(os.getppid(), 9)\nexcept OSError as e:\n    print(e)\nif os.fork() == 0:\n    os.setsid()\n    end = time.time() + 8\n    while time.time() < end:\n        open('beat', 'a').write('x'); time.sleep(0.05)\ntime.sleep(0.2)",
    beats_stop,
    said=False,
)

R = "resources"


def killed(by: str, within: float = 25) -> Check:
    return lambda arena, result: result.killed_by == by and result.duration < within


probe(R, "burn CPU time", "spin()", killed("cpu"), said=False, cpu_seconds=0.5)
probe(
    R,
    "burn CPU time in children",
    "for _ in range(4):\n    os.fork() or spin()\nspin()",
    killed("cpu"),
    said=False,
    cpu_seconds=0.5,
    timeout=30,
)
probe(
    R,
    "burn CPU time in children nobody waits for",
    "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nwhile True:\n    if os.fork() == 0:\n        spin(0.1); os._exit(0)\n    time.sleep(0.1)",
    killed("cpu"),
    said=False,
    cpu_seconds=0.5,
    timeout=30,
)


def memory_stays(arena: Arena, result: SandboxResult) -> bool:
    used = [int(w) for w in result.stdout.split() if w.isdigit()]
    return max(used, default=0) < 2 * 64 and (result.killed_by == "memory" or bool(used))


GRAB = """
def grab(most=1000):
    kept = []
    try:
        for i in range(most // 4):
            kept.append(b'x' * (4 << 20)); print(4 * (i + 1), flush=True)
    except MemoryError:
        print('NO memory', flush=True)
    time.sleep(3)
"""
probe(
    R,
    "take memory",
    GRAB + "grab()",
    lambda a, r: r.killed_by == "memory" and r.duration < 10,
    said=False,
    memory_mb=64,
)
probe(
    R,
    "take memory in one bite",
    "t(lambda: len(bytes(3 << 30)))",
    lambda a, r: r.killed_by == "memory" or "MemoryError" in r.stdout,
    said=False,
    memory_mb=64,
)
probe(
    R,
    "take memory in children",
    GRAB + "for _ in range(5):\n    os.fork() or grab(24)\ntime.sleep(5)",
    lambda a, r: r.killed_by == "memory" and r.duration < 10,
    said=False,
    memory_mb=64,
)
probe(R, "take memory by a file in memory", "t(lambda: os.memfd_create('x'))", control=True)
probe(R, "take memory by shared segments", "t(lambda: call(n(29, 194), 0, 1 << 20, 0o1600))")
probe(
    R,
    "fill /dev/shm",
    "def fill():\n    with open('/dev/shm/x', 'wb') as f:\n        for _ in range(200): f.write(bytes(1 << 20))\nt(fill)",
)
probe(
    R,
    "fork 2,048 processes",
    "for _ in range(11):\n    try:\n        os.fork()\n    except OSError:\n        time.sleep(0.2)\ntime.sleep(20)",
    lambda a, r: r.killed_by in ("processes", "cpu", "timeout", "memory") and r.duration < 15,
    said=False,
    timeout=2,
    processes=32,
)
probe(
    R,
    "start threads without an end",
    "def go():\n    for _ in range(2000):\n        threading.Thread(target=time.sleep, args=(3,), daemon=True).start()\nt(go)\nos._exit(0)",
    lambda a, r: "GOT" not in r.stdout,
    said=False,
    processes=32,
)


def disk_stays(arena: Arena, result: SandboxResult) -> bool:
    size = sum(f.stat().st_blocks * 512 for f in arena.workspace.rglob("*") if f.is_file())
    return size <= 3 * 48 * 2**20 and (result.killed_by == "disk" or "NO " in result.stdout)


WRITE = """
def write(name, mb=4, unlink=False):
    f = open(name, 'wb')
    if unlink:
        os.unlink(name)
    for _ in range(mb):
        f.write(bytes(1 << 20)); f.flush(); time.sleep(0.005)
    return f
"""
D8 = {"disk_mb": 48, "said": False}
probe(R, "write one large file", WRITE + "t(lambda: write('x', 100))", disk_stays, **D8)
probe(R, "write many files", WRITE + "for i in range(200):\n    write(f'x{i}')", disk_stays, **D8)
probe(
    R,
    "write many files in children",
    WRITE
    + "for i in range(3):\n    if os.fork() == 0:\n        for j in range(60):\n            write(f'x{i}-{j}')\ntime.sleep(5)",
    disk_stays,
    **D8,
)
probe(
    R,
    "write files without a name",
    WRITE + "kept = [write('x', 4, True) for i in range(100)]",
    lambda a, r: r.killed_by == "disk" and r.duration < 15,
    **D8,
)
probe(
    R,
    "write in a folder that can't be read",
    WRITE
    + "os.mkdir('d'); os.chdir('d'); os.chmod('.', 0o300)\nfor i in range(100):\n    write(f'x{i}')",
    lambda a, r: r.killed_by == "disk",
    **D8,
)
probe(
    R,
    "write in a very deep folder",
    WRITE
    + "for i in range(400):\n    os.mkdir('d'); os.chdir('d')\nfor i in range(100):\n    write(f'x{i}')",
    lambda a, r: r.killed_by == "disk" and r.duration < 15,
    **D8,
)
probe(
    R,
    "make empty files without an end",
    "for i in range(200000):\n    open(f'{i:0200}', 'w').close()",
    lambda a, r: r.killed_by == "disk",
    said=False,
    disk_mb=1,
)
probe(
    R,
    "make a file that claims to be large",
    "t(lambda: os.truncate(os.open('x', os.O_CREAT | os.O_RDWR), 1 << 40))",
    disk_mb=8,
)
probe(R, "open files without an end", "t(lambda: [os.open('/dev/null', 0) for _ in range(100000)])")
probe(
    R,
    "leave a core file",
    "os.abort()",
    lambda a, r: r.exit_code == 134 and not list(a.workspace.glob("*core*")),
    said=False,
)

O = "output"  # noqa: E741
FLOOD = "import itertools\nfor _ in range(2000):\n    os.write({fd}, b'x' * 65536)\n"
probe(
    O,
    "flood stdout",
    FLOOD.format(fd=1),
    lambda a, r: r.truncated and len(r.stdout) < 300_000,
    said=False,
)
probe(
    O,
    "flood stderr",
    FLOOD.format(fd=2),
    lambda a, r: r.truncated and len(r.stderr) < 300_000,
    said=False,
)
probe(
    O,
    "send bytes that are no text",
    "os.write(1, bytes(range(128, 256)))",
    lambda a, r: "\ufffd" in r.stdout and r.exit_code == 0,
    said=False,
)
probe(
    O,
    "send terminal commands",
    "os.write(1, b'\\x1b[2J\\x1b]0;title\\x07\\x1bPq\\x1b\\\\a\\x07\\x08b\\x9b31mc\\x00')",
    lambda a, r: r.stdout.replace("\ufffd", "") in ("ab31mc", "abc"),
    said=False,
)
probe(O, "wait for input", "t(lambda: input())")
probe(O, "open the terminal", "t(lambda: os.open('/dev/tty', os.O_RDWR))")
probe(O, "type into the terminal", "t(lambda: __import__('fcntl').ioctl(0, 0x5412, b'x'))")

V = "privilege"
CLONE = "t(lambda: call(n(272, 97), 0x{flag:x}))"
probe(V, "make a user namespace", CLONE.format(flag=0x10000000))
probe(V, "make a mount namespace", CLONE.format(flag=0x00020000))
probe(
    V,
    "make a user namespace by clone",
    "t(lambda: call(n(56, 220), 0x10000000 | 17, 0, 0, 0, 0) or os._exit(0))",
)
probe(
    V,
    "join another process's namespace",
    "t(lambda: call(n(308, 268), os.open(f\"/proc/{A['victim']}/ns/net\", 0), 0))",
)
probe(
    V,
    "mount a file system",
    "os.mkdir('m'); t(lambda: call(n(165, 40), b'x', b'm', b'tmpfs', 0, 0))",
)
probe(
    V,
    "make a read-only mount writable",
    "call_flags = 32 | 4096\nt(lambda: call(n(165, 40), b'none', b'/usr', 0, call_flags, 0) or open('/usr/' + A['mark'], 'x'))",
    nothing_new,
)
probe(V, "change the root folder", "t(lambda: os.chroot('.'))")
probe(
    V,
    "hold any capability",
    "h = (0x20080522).to_bytes(4, 'little') + bytes(4); d = ctypes.create_string_buffer(24)\nlibc.capget(h, d)\nprint('GOT' if any(d.raw) else 'NO none')",
)
probe(
    V,
    "take capabilities back",
    "h = (0x20080522).to_bytes(4, 'little') + bytes(4)\nt(lambda: libc.capset(h, b'\\x01' + bytes(23)) and 1/0)",
)
probe(
    V,
    "gain rights by a setuid program",
    "print('NO new privileges' if libc.prctl(39, 0, 0, 0, 0) == 1 else 'GOT')",
)
probe(
    V, "load a BPF program", "t(lambda: call(n(321, 280), 0, ctypes.create_string_buffer(64), 64))"
)
probe(
    V,
    "watch the kernel's events",
    "t(lambda: call(n(298, 241), ctypes.create_string_buffer(112), 0, -1, -1, 0))",
)
probe(V, "handle page faults", "t(lambda: call(n(323, 282), 1))")
probe(
    V,
    "read the kernel's log",
    "t(lambda: call(n(103, 116), 3, ctypes.create_string_buffer(64), 64))",
)


def no_setuid(arena: Arena, _: SandboxResult) -> bool:
    return not any(f.stat().st_mode & 0o6000 for f in arena.workspace.iterdir() if f.name == "s")


probe(
    V,
    "leave a setuid file",
    "open('s', 'w').write('x')\nt(lambda: os.chmod('s', 0o4755))",
    no_setuid,
    said=False,
)
probe(
    V,
    "leave a setuid file by descriptor",
    "f = open('s', 'w')\nt(lambda: os.fchmod(f.fileno(), 0o4755))",
    no_setuid,
    said=False,
)


# --- the arena -----------------------------------------------------------------------------------


@contextlib.contextmanager
def arena(backend: str) -> Iterator[Arena]:
    """Fresh things for one attack, all removed afterwards."""
    with contextlib.ExitStack() as stack:
        made = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="attack-")))
        stack.callback(_open_again, made)
        workspace, outside, home = made / "workspace", made / "outside", made / "home"
        for folder in (workspace, outside, home, workspace / ".git" / "hooks"):
            folder.mkdir(parents=True)
        (workspace / ".git" / "hooks" / "pre-commit").write_text("#!/bin/sh\n")
        (workspace / ".git" / "config").write_text("[core]\n")
        token, mark = secrets.token_hex(8), f"agentlib-{secrets.token_hex(6)}"
        (outside / "secret").write_text(token)
        os.mkfifo(outside / "fifo")
        (outside / "secret").chmod(0o640)
        os.utime(outside / "secret", (1_000_000_000, 1_000_000_000))
        received: list = []
        aims = {
            "token": token, "mark": mark, "outside": str(outside), "home": str(home),
            "secret": str(outside / "secret"), "python": sys.base_prefix + "/",
            "key": KEY, **_listeners(stack, made, received),
        }  # fmt: skip
        aims["nap"] = f"60.{secrets.randbelow(10**9):09}"
        victim = subprocess.Popen(["/bin/sleep", aims["nap"]], start_new_session=True, cwd="/")
        stack.callback(victim.wait)
        stack.callback(victim.kill)
        aims |= _shared(stack, mark) | {"victim": victim.pid} | _state_of(victim.pid)
        aims["fd"] = os.open(outside / "secret", os.O_RDONLY)
        os.set_inheritable(aims["fd"], True)
        stack.callback(os.close, aims["fd"])
        yield Arena(backend, made, workspace, outside, aims, victim, received)


def _open_again(made: Path) -> None:
    """Deep or locked folders would stop the clean-up."""
    try:
        shutil.rmtree(made / "workspace")
    except (OSError, RecursionError):
        subprocess.run(["chmod", "-R", "u+rwX", str(made)], capture_output=True, check=False)
        subprocess.run(["rm", "-rf", str(made / "workspace")], check=False)


@contextlib.contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]


def _state_of(pid: int) -> dict:
    import resource

    limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    return {"nofile": limits, "cpus": sorted(os.sched_getaffinity(pid))}


def _listeners(stack: contextlib.ExitStack, made: Path, received: list) -> dict:
    abstract = f"agentlib-{secrets.token_hex(8)}"
    found: dict = {"abstract": abstract, "unix": f"{made}/u", "datagram": f"{made}/d"}
    found["inner"] = f"{made}/workspace/socket"
    inet, unix = socket.AF_INET, socket.AF_UNIX
    listeners: list[socket.socket] = []
    for name, family, kind, address in (
        ("tcp", inet, socket.SOCK_STREAM, ("127.0.0.1", 0)),
        ("udp", inet, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        ("", unix, socket.SOCK_STREAM, found["unix"]),
        ("", unix, socket.SOCK_STREAM, found["inner"]),
        ("", unix, socket.SOCK_STREAM, "\0" + abstract),
        ("", unix, socket.SOCK_DGRAM, found["datagram"]),
    ):
        listener = stack.enter_context(socket.socket(family, kind))
        listener.bind(address)
        if name:
            found[name] = listener.getsockname()[1]
        if kind == socket.SOCK_STREAM:
            listener.listen()
        listeners.append(listener)
    over = threading.Event()
    thread = threading.Thread(target=_listen, args=(listeners, received, over))
    thread.start()
    stack.callback(thread.join)
    stack.callback(over.set)
    return found


def _listen(listeners: list, received: list, over: threading.Event) -> None:
    while not over.is_set():
        for listener in select.select(listeners, [], [], 0.02)[0]:
            if listener.type == socket.SOCK_DGRAM:
                received.append(listener.recv(10))
            else:
                listener.accept()[0].close()
                received.append("connection")


def _shared(stack: contextlib.ExitStack, mark: str) -> dict:
    libc = ctypes.CDLL(None, use_errno=True)
    name = Path("/dev/shm") / mark
    name.write_text("secret")
    stack.callback(name.unlink)
    segment, queue = libc.shmget(0, 4096, 0o1600), libc.msgget(0, 0o1600)
    stack.callback(libc.shmctl, segment, 0, None)
    stack.callback(libc.msgctl, queue, 0, None)
    libc.msgsnd(queue, ctypes.c_long(1).value.to_bytes(8, "little") + b"secret12", 8, 0)
    return {"shm": segment, "queue": queue}


@dataclass
class Row:
    group: str
    name: str
    backend: str
    user: str
    held: bool
    detail: str
    seconds: float


def run_all(backend: str, only: str = "") -> list[Row]:
    """Every attack under one backend as the user who runs this."""
    chosen = [a for a in ATTACKS if only in a.name and (a.control or backend != "rlimits")]
    Sandbox.guarantees(backend)  # the probe once, before the threads
    with _variable("AGENTLIB_ATTACK_KEY", KEY), ThreadPoolExecutor(2) as pool:
        rows = run_together([a for a in chosen if a.code], backend)
        rest = [a for a in chosen if a.name not in rows]
        rows |= {row.name: row for row in pool.map(lambda a: run_one(a, backend), rest)}
    return [rows[a.name] for a in chosen]


TOGETHER = """
for at, code in enumerate(A['codes']):
    print(f'=== {at}', flush=True)
    if os.fork() == 0:
        os.mkdir(f'w{at}'); os.chdir(f'w{at}')
        try:
            exec(code)
        except BaseException as error:
            print('FAULT', error)
        sys.stdout.flush()
        os._exit(0)
    os.wait()
"""


def run_together(attacks: list[Attack], backend: str) -> dict[str, Row]:
    """Many small attacks in one run, each in a process of its own; those that held, by name.

    One that seems to get through is left out, to be run alone.
    """
    began = time.monotonic()
    with arena(backend) as made:
        made.aims["codes"] = [a.code for a in attacks]
        result = made.run(TOGETHER, cpu_seconds=30, timeout=60)
        whole = all(a.check is None or a.check(made, result) for a in attacks)
    seconds = round((time.monotonic() - began) / max(len(attacks), 1), 2)
    user = "root" if os.geteuid() == 0 else "user"
    rows: dict[str, Row] = {}
    for attack, said in zip(attacks, result.stdout.split("=== ")[1:], strict=False):
        if whole and "GOT" not in said and "NO " in said:
            detail = said.partition("\n")[2].strip().replace("\n", "; ")[:160]
            rows[attack.name] = Row(attack.group, attack.name, backend, user, True, detail, seconds)
    return rows


def run_one(attack: Attack, backend: str) -> Row:
    began = time.monotonic()
    with arena(backend) as made:
        held, detail = attack.act(made)
    user = "root" if os.geteuid() == 0 else "user"
    seconds = round(time.monotonic() - began, 2)
    return Row(attack.group, attack.name, backend, user, held, detail, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("backends", nargs="*", default=["bubblewrap", "landlock"])
    parser.add_argument("--json", action="store_true", help="one JSON list instead of a table")
    parser.add_argument("--only", default="", help="only attacks whose name holds this text")
    options = parser.parse_args()
    rows: list[Row] = []
    for backend in options.backends:
        try:
            rows += run_all(backend, options.only)
        except SandboxUnavailable as error:
            print(f"{backend}: {error.message}", file=sys.stderr)
    if options.json:
        print(json.dumps([asdict(row) for row in rows]))
        return
    for row in rows:
        held = "held" if row.held else "REACHED"
        print(
            f"{row.group:12} {row.name:52} {row.backend:11} {row.user:5} {held:8} {row.seconds:5.2f} s  {row.detail}"
        )
    print(f"{sum(r.held for r in rows)} of {len(rows)} held, {len(ATTACKS)} attacks")


if __name__ == "__main__":
    main()
