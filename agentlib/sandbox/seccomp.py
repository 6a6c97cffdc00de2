"""System calls a sandboxed process may not make, as a seccomp filter (a BPF program).

A namespace or Landlock doesn't cover everything: AF_VSOCK leaves a network namespace, a memory file
is on no disk, io_uring opens sockets behind a filter's back. Standard library only.
Source: linux/seccomp.h, linux/filter.h, the kernel's system call tables.
"""

from __future__ import annotations

import errno
import functools
import platform
import struct

# name: number on x86_64, on aarch64 (None: aarch64 hasn't got it)
_NUMBERS: dict[str, tuple[int, int | None]] = {
    "socket": (41, 198), "socketpair": (53, 199), "clone": (56, 220), "clone3": (435, 435),
    "unshare": (272, 97), "setns": (308, 268), "ioctl": (16, 29), "prlimit64": (302, 261),
    "setpriority": (141, 140), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "msgget": (68, 186),
    "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "semget": (64, 190),
    "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192), "mq_open": (240, 180),
    "mq_unlink": (241, 181), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "open_by_handle_at": (304, 265), "syslog": (103, 116),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438), "kcmp": (312, 272), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142), "acct": (163, 89),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "quotactl": (179, 60),
    "quotactl_fd": (443, 443), "fanotify_init": (300, 262), "inotify_add_watch": (254, 27),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "ioprio_set": (251, 30),
    "move_pages": (279, 239), "migrate_pages": (256, 238), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "chmod": (90, None), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None), "fchown": (93, 55),
    "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5),
    "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16), "setxattrat": (463, 463),
    "removexattrat": (466, 466), "open_tree_attr": (467, 467), "file_setattr": (469, 469),
}  # fmt: skip


def _names(text: str) -> list[str]:
    return text.split()


_MISSING = ("clone3", "memfd_create", "memfd_secret", "io_uring_setup", "io_uring_enter")
_MISSING += ("io_uring_register",)  # answered "no such call", so that programs fall back
_DENIED = _names(
    "setns add_key request_key keyctl bpf perf_event_open userfaultfd open_by_handle_at syslog "
    "pidfd_getfd mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount "
    "fspick mount_setattr open_tree_attr swapon swapoff reboot acct init_module finit_module "
    "delete_module kexec_load kexec_file_load quotactl quotactl_fd shmget msgget settimeofday "
    "clock_settime"
)
_LANDLOCK_DENIED = _names(
    "shmat shmctl msgsnd msgrcv msgctl semget semop semctl semtimedop mq_open mq_unlink ptrace "
    "process_vm_readv process_vm_writev kcmp fanotify_init inotify_add_watch sched_setaffinity "
    "sched_setscheduler sched_setparam sched_setattr ioprio_set move_pages migrate_pages "
    "file_setattr"
)
_LANDLOCK_UNSUPPORTED = _names(
    "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr setxattrat removexattrat"
)
# Landlock doesn't cover these; refusing breaks git, tar and `cp -p`, so they succeed and do nothing
_LANDLOCK_NO_OP = _names(
    "chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat"
)
_NAMESPACES = 0x7E020080  # every CLONE_NEW* flag
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _ATLEAST, _ANYBIT = 0x15, 0x35, 0x45
AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def supported() -> bool:
    """True on the processors whose call numbers stand here."""
    return platform.machine() in _ARCHITECTURES


def _op(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value & 0xFFFFFFFF)


def _argument(number: int) -> bytes:
    return _op(_LOAD, 16 + 8 * number)  # the low 32 bits, little endian


@functools.cache
def build_filter(families: tuple[int, ...], *, landlock: bool = False) -> bytes:
    """The filter's bytes. families: socket families that may be opened; landlock: also close
    what Landlock leaves open (metadata, IPC, other processes' limits)."""
    column, architecture = _ARCHITECTURES[platform.machine()]
    program = [_op(_LOAD, 4), _op(_EQUAL, architecture, 1), _op(_RETURN, _KILL), _op(_LOAD, 0)]
    if column == 0:  # the x32 numbers on x86_64
        program += [_op(_ATLEAST, 0x40000000, 0, 1), _op(_RETURN, _ERRNO | errno.ENOSYS)]

    def rule(name: str, *body: bytes) -> None:
        number = _NUMBERS[name][column]
        if number is not None:
            program.extend((_op(_EQUAL, number, 0, len(body)), *body))

    for name in _MISSING:
        rule(name, _op(_RETURN, _ERRNO | errno.ENOSYS))
    for name in _DENIED + (_LANDLOCK_DENIED if landlock else []):
        rule(name, _op(_RETURN, _ERRNO | errno.EPERM))
    for name in _LANDLOCK_UNSUPPORTED if landlock else []:
        rule(name, _op(_RETURN, _ERRNO | errno.EOPNOTSUPP))
    for name in _LANDLOCK_NO_OP if landlock else []:
        rule(name, _op(_RETURN, _ERRNO))
    allow, refuse = _op(_RETURN, _ALLOW), _op(_RETURN, _ERRNO | errno.EPERM)
    for name in ("clone", "unshare"):
        rule(name, _argument(0), _op(_ANYBIT, _NAMESPACES, 0, 1), refuse, allow)
    # a connected pair reaches nobody else; a datagram pair could still send to a path
    pair = [_argument(1), _op(_AND, 0xF), _op(_EQUAL, 1, 1), _op(_EQUAL, 5, 0, 1), allow, refuse]
    rule("socketpair", _argument(0), _op(_EQUAL, AF_UNIX, 1), refuse, *pair)
    known = [op for family in families for op in (_op(_EQUAL, family, 0, 1), allow)]
    rule("socket", _argument(0), *known, _op(_RETURN, _ERRNO | errno.EAFNOSUPPORT))
    # TIOCSTI and TIOCLINUX type into a terminal
    rule("ioctl", _argument(1), _op(_EQUAL, 0x5412, 1), _op(_EQUAL, 0x541C, 0, 1), refuse, allow)
    if not landlock:  # a setuid file made here as root would be one outside, too
        for name, at in (("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("fchmodat2", 2)):
            rule(name, _argument(at), _op(_ANYBIT, 0o6000, 0, 1), refuse, allow)
    if landlock:  # only the process's own limits and priority
        rule("prlimit64", _argument(0), _op(_EQUAL, 0, 0, 1), allow, refuse)
        own = [_argument(1), _op(_EQUAL, 0, 0, 1), allow, refuse]
        rule("setpriority", _argument(0), _op(_EQUAL, 0, 1), refuse, *own)
    return b"".join([*program, allow])
