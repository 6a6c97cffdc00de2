"""What makes one simple command dangerous: tables, and a rule each for the commands with options.

A rule gets the arguments (as `Word`s) and returns the reason, or None. Lists like these are never
complete: the process sandbox is the boundary, this is the first look.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from agentlib.sandbox.shell_words import Word

Args = list[Word]
_SYSTEM = r"/(?:etc|usr|bin|sbin|lib\w*|boot|sys|proc|root|var|opt|dev|System|Library|Windows)"
SYSTEM_PATH = re.compile(rf"(?:{_SYSTEM}(?:/.*)?|/\*?|/home/?\*?|/Users/?|[A-Za-z]:[\\/].*)")
HOME_PATH = re.compile(r"~(?:[\w-]*)(?:/.*)?|\$\{?HOME\}?(?:/.*)?")
SAFE_DEVICE = re.compile(r"/dev/(?:null|stdin|stdout|stderr|tty|zero|full|u?random|fd/\d+)")
SECRET = re.compile(
    r"(?:^|[/~@=])(?:\.ssh|\.aws|\.gnupg|\.netrc|\.kube|\.git-credentials|\.pgpass|\.bash_history"
    r"|\.docker/config\.json|etc/g?shadow|etc/sudoers(?:\.d)?|id_(?:rsa|dsa|ecdsa|ed25519)"
    r"|proc/[\w*]+/environ)(?:$|/)"
)

ALWAYS: dict[str, str] = {
    **dict.fromkeys(("sudo", "doas", "su", "pkexec", "runuser", "runas"), "becomes another user"),
    **dict.fromkeys(
        ("shred", "srm", "wipe", "wipefs", "mkswap", "fdisk", "sfdisk", "cfdisk", "gdisk"),
        "destroys data for good",
    ),
    **dict.fromkeys(
        ("parted", "blkdiscard", "hdparm", "cryptsetup", "diskpart", "format", "newfs"),
        "changes a whole disk",
    ),
    **dict.fromkeys(
        ("shutdown", "reboot", "halt", "poweroff", "init", "telinit", "kexec"), "stops the computer"
    ),
    **dict.fromkeys(("killall", "pkill", "skill", "taskkill"), "ends processes by a broad name"),
    **dict.fromkeys(
        ("passwd", "chpasswd", "useradd", "userdel", "usermod", "groupdel", "visudo", "adduser"),
        "changes accounts",
    ),
    **dict.fromkeys(
        ("mount", "umount", "chroot", "insmod", "rmmod", "modprobe", "swapoff", "swapon", "sysctl"),
        "changes the running system",
    ),
    **dict.fromkeys(("iptables", "nft", "ufw", "setenforce", "setcap"), "changes protections"),
    **dict.fromkeys(("at", "batch", "schtasks", "launchctl"), "starts something later"),
    **dict.fromkeys(("nc", "ncat", "netcat", "socat", "telnet"), "opens a raw connection"),
    **dict.fromkeys(("remove-item", "rd", "del", "erase"), "removes files (Windows)"),
}


def options(args: Args) -> tuple[set[str], list[str], list[Word]]:
    """Short option letters, long option names, and the other words; `--` ends the options."""
    short: set[str] = set()
    long: list[str] = []
    rest: list[Word] = []
    for at, word in enumerate(args):
        if word.text == "--":
            return short, long, rest + args[at + 1 :]
        if word.text.startswith("--"):
            long.append(word.text[2:].split("=")[0])
        elif re.fullmatch(r"-[A-Za-z0-9]+", word.text):
            short |= set(word.text[1:])
        else:
            rest.append(word)
    return short, long, rest


def means(long: list[str], option: str) -> bool:
    """True when one of the long options is `option` or a beginning of it, as GNU allows."""
    return any(name and option.startswith(name) for name in long)


def outside(word: Word) -> str | None:
    """Why writing to this path is dangerous; None for a path that may lie in the workspace."""
    if SAFE_DEVICE.fullmatch(word.text):
        return None
    path = re.sub(r"/+(\./+)*", "/", word.text) if word.text.startswith("/") else word.text
    if path.startswith("/dev/"):
        return "writes to a device"
    if SYSTEM_PATH.fullmatch(path) or path.startswith("/../"):
        return "writes to a system path"
    if HOME_PATH.fullmatch(word.raw.strip("\"'")):
        return "writes to the home folder"
    if re.search(r"(?:^|/)\.git/", path):
        return "writes into git's own folder"
    return None


def _first(reasons: object) -> str | None:
    return next((r for r in reasons if r), None)  # type: ignore[attr-defined]


def writes_any(args: Args) -> str | None:
    return _first(outside(w) for w in options(args)[2])


def writes_last(args: Args) -> str | None:
    rest = options(args)[2]
    return outside(rest[-1]) if rest else None


def _rm(args: Args) -> str | None:
    short, long, rest = options(args)
    if short & set("rR") or means(long, "recursive") or means(long, "no-preserve-root"):
        return "removes whole folders"
    if any(w.glob and re.search(r"(?:^|/)(?:\*|\.\*|\*\.\*)$", w.text) for w in rest):
        return "removes every file of a folder"
    return "removes a file outside the workspace" if writes_any(args) else None


def _mv(args: Args) -> str | None:
    rest = options(args)[2]
    if rest and rest[-1].text == "/dev/null":
        return "moves files into nothing"
    return writes_any(args)


def _dd(args: Args) -> str | None:
    targets = [Word(w.raw[3:], w.text[3:]) for w in args if w.text.startswith("of=")]
    return _first(outside(w) for w in targets)


def _mode(args: Args) -> str | None:
    """chmod, chown, chgrp."""
    short, long, rest = options(args)
    deep = "R" in short or means(long, "recursive")
    if rest and re.search(r"\+[rwx]*s|^0?[2-7][0-7]{3}$", rest[0].text):
        return "lets everybody run a program as its owner"
    if deep and rest and re.fullmatch(r"0?777|a\+rwx|a=rwx|\+rwx|0{1,4}|a-rwx|-rwx", rest[0].text):
        return "opens or locks a whole folder for everybody"
    if deep and any(w.text in (".", "..") or w.text.startswith("/") for w in rest[1:]):
        return "changes the rights of a whole folder"
    return _first(outside(w) for w in rest[1:])


def _kill(args: Args) -> str | None:
    ids = [w.text for w in args if not re.fullmatch(r"-(?:\d{1,2}|[A-Z]+|s|n)", w.text)]
    everyone = [w.text for w in args[1:] if w.text == "-1"] or (len(args) == 1 and not ids)
    return "ends every process" if everyone or "1" in ids or "-1" in ids[:1] else None


def _sized(args: Args) -> str | None:
    if any(re.search(r"\d\s*[GTPE]i?B?$", w.text, re.IGNORECASE) for w in args):
        return "fills the disk"
    return writes_any(args)


def _reader(args: Args) -> str | None:
    endless = any(w.text in ("/dev/zero", "/dev/urandom", "/dev/random") for w in args)
    return "reads without an end" if endless else None


def _head(args: Args) -> str | None:
    big = any(re.search(r"\d[GTP]i?B?$", w.text) for w in args)
    return "fills the disk" if big and _reader(args) else None


def _sed(args: Args) -> str | None:
    short, long, _ = options(args)
    inplace = any(w.text.startswith("-i") for w in args) or means(long, "in-place") or "i" in short
    return writes_any(args) if inplace else None


def _tar(args: Args) -> str | None:
    short, long, rest = options(args)
    if any(name.startswith(("to-c", "checkpoint-a", "use-c")) for name in long) or "I" in short:
        return "runs a program for each file"
    if "P" in short or means(long, "absolute-names") or means(long, "remove-files"):
        return "writes or removes files anywhere"
    unpacks = "x" in short or means(long, "extract") or (args and "x" in args[0].text[:6])
    return _first(outside(w) for w in rest[1:]) if unpacks else None


def _rsync(args: Args) -> str | None:
    gone = any(name.startswith(("delete", "remove-source")) for name in options(args)[1])
    return "deletes what the other side lacks" if gone else writes_last(args)


RULES: dict[str, Callable[[Args], str | None]] = {
    "rm": _rm,
    "mv": _mv,
    "dd": _dd,
    "kill": _kill,
    "sed": _sed,
    "tar": _tar,
    "rsync": _rsync,
    "head": _head,
    **dict.fromkeys(("chmod", "chown", "chgrp", "chattr", "setfacl"), _mode),
    **dict.fromkeys(("tee", "touch", "unlink", "rmdir", "mkdir"), writes_any),
    **dict.fromkeys(("cp", "ln", "install"), writes_last),
    **dict.fromkeys(("truncate", "fallocate"), _sized),
    **dict.fromkeys(("cat", "tac", "od", "xxd", "sort"), _reader),
}
