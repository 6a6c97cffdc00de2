"""How much a folder holds, measured by walking it without following a link."""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass, field

MAX_DEPTH = 150
SMALLEST = 1024  # bytes that any entry counts, so that empty files count too


@dataclass
class Measure:
    """bytes on disk; hidden: folders that can't be looked into (by name, from the top)."""

    bytes: int = 0
    hidden: set[str] = field(default_factory=set)
    _linked: set[tuple[int, int]] = field(default_factory=set)

    def add(self, info: os.stat_result) -> None:
        """Count one entry; a file of several names once."""
        if info.st_nlink != 1 and not stat.S_ISDIR(info.st_mode):
            key = (info.st_dev, info.st_ino)
            if key in self._linked:
                return
            self._linked.add(key)
        self.bytes += max(info.st_blocks * 512, SMALLEST)


def measure(folders: list[str]) -> Measure:
    """The folders' use of the disk, together."""
    total = Measure()
    for folder in folders:
        _walk(folder, None, folder, 0, total)
    return total


def _walk(name: str, parent: int | None, shown: str, depth: int, total: Measure) -> None:
    if depth > MAX_DEPTH:
        total.hidden.add(shown[:200])
        return
    try:
        fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    except FileNotFoundError:
        return
    except OSError:
        total.hidden.add(shown)
        return
    try:
        with os.scandir(fd) as entries:
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):
                    info = entry.stat(follow_symlinks=False)
                    total.add(info)
                    if stat.S_ISDIR(info.st_mode):
                        _walk(entry.name, fd, f"{shown}/{entry.name}", depth + 1, total)
    finally:
        os.close(fd)
