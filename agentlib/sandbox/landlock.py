"""Landlock by its three system calls: which files, ports and processes this process may reach.

Landlock only takes rights away, from the calling process and all it starts, for good. Standard
library only. Source: linux/landlock.h, Documentation/userspace-api/landlock.rst.
"""

from __future__ import annotations

import ctypes
import os
import struct

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHAR, MAKE_BLOCK, TRUNCATE, IOCTL_DEV = 1 << 6, 1 << 11, 1 << 14, 1 << 15
EVERYTHING = (1 << 16) - 1
READ = EXECUTE | READ_FILE | READ_DIR
CHANGE = EVERYTHING & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV)
_FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_TCP = 3  # bind and connect
_SCOPED = 3  # abstract Unix sockets and signals
_CREATE, _ADD, _RESTRICT = 444, 445, 446
NEEDED_ABI = 6  # signals are scoped from here on
_PR_SET_NO_NEW_PRIVS, _PR_CAPBSET_DROP, _PR_SET_SECCOMP, _FILTER = 38, 24, 22, 2


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(number: int, *args: object) -> int:
    result = _libc().syscall(ctypes.c_long(number), *args)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"system call {number}: {os.strerror(code)}")
    return result


def abi() -> int:
    """The kernel's Landlock version, 0 where there is none."""
    try:
        return _call(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def restrict(
    readable: list[str], writable: list[str], devices: list[str], *, network: bool
) -> None:
    """Confine this process to these paths, and to no TCP unless `network`. OSError: refused."""
    ruleset = struct.pack("=QQQ", EVERYTHING, 0 if network else _TCP, _SCOPED)
    fd = _call(_CREATE, ruleset, ctypes.c_size_t(len(ruleset)), ctypes.c_uint32(0))
    for path in readable:
        _allow(fd, path, READ)
    for path in writable:
        _allow(fd, path, CHANGE)
    for path in devices:
        _allow(fd, path, READ_FILE | WRITE_FILE)
    no_new_privileges()
    _call(_RESTRICT, ctypes.c_int(fd), ctypes.c_uint32(0))
    os.close(fd)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if os.fstat(fd).st_mode & 0o170000 != 0o040000:  # no folder
        rights &= _FILE_RIGHTS
    rule = struct.pack("=Qi", rights, fd)
    _call(_ADD, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint32(0))
    os.close(fd)


def no_new_privileges() -> None:
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def _prctl(option: int, *args: object) -> None:
    values = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in (*args, 0, 0, 0, 0)][:4]
    if _libc().prctl(ctypes.c_int(option), *values) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl {option}: {os.strerror(code)}")


def drop_capabilities() -> None:
    """Give up every privilege of root; after this, starting a program as root brings none back."""
    no_new_privileges()
    for capability in range(64):
        try:
            _prctl(_PR_CAPBSET_DROP, capability)
        except OSError:  # past the last one, or not allowed: capset does it
            break
    header, nothing = struct.pack("=Ii", 0x20080522, 0), bytes(24)
    if _libc().capset(header, nothing) != 0:
        raise OSError(ctypes.get_errno(), "capset: privileges can't be dropped")


def load_filter(program: bytes) -> None:
    """Put a seccomp filter (`seccomp.build_filter`) on this process for good."""

    class _Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("ops", ctypes.c_char_p)]

    no_new_privileges()
    _prctl(_PR_SET_SECCOMP, _FILTER, ctypes.byref(_Program(len(program) // 8, program)))
