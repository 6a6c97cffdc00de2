"""Files of a git repository that make git outside run a program: put back as they were.

bubblewrap keeps the existing ones read-only; Landlock can't, and a file that isn't there yet can't
be protected by either. So what a run changed in them is undone after it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path

_FILES = ("config", "config.worktree", "commondir")
_HOOKS = "hooks"
_LARGEST = 1_000_000  # bytes of a file that is remembered


class Traps:
    """What git would obey in `workspace`, remembered when this is made."""

    def __init__(self, workspace: Path) -> None:
        self.git = workspace / ".git"
        self.pointer = _content(self.git)  # a worktree's `.git` is a file
        self.existed = self.git.is_dir()
        self.before = self._look() if self.existed else {}

    def _look(self) -> dict[str, tuple[bytes, int] | None]:
        names = [n for n in _FILES if os.path.lexists(self.git / n)]
        with contextlib.suppress(OSError):
            names += [f"{_HOOKS}/{n}" for n in os.listdir(self.git / _HOOKS)]
        return {name: _content(self.git / name) for name in names}

    def undo(self) -> list[str]:
        """Put back what changed; its names. A repository the run itself made is left alone."""
        if self.pointer is not None and _content(self.git) != self.pointer:
            _put(self.git, self.pointer)
            return [".git"]
        if not self.existed or self.git.is_symlink() or not self.git.is_dir():
            return []
        changed = []
        if (self.git / _HOOKS).is_symlink():
            (self.git / _HOOKS).unlink()
            changed.append(_HOOKS)
        now = self._look()
        for name in sorted({*now, *self.before}):
            if now.get(name) != self.before.get(name) or (name in now) != (name in self.before):
                _put(self.git / name, self.before.get(name))
                changed.append(name)
        return changed


def _content(path: Path) -> tuple[bytes, int] | None:
    """A plain file's bytes and mode; None for anything else."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode):
            return None
        with os.fdopen(fd, "rb", closefd=False) as file:
            return file.read(_LARGEST), info.st_mode & 0o777
    finally:
        os.close(fd)


def _put(path: Path, content: tuple[bytes, int] | None) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif os.path.lexists(path):
        path.unlink()
    if content is not None:
        path.parent.mkdir(exist_ok=True)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, content[1])
        with os.fdopen(fd, "wb") as file:
            file.write(content[0])
