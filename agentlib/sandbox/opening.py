"""Open what is inside the workspace without following a link, on the way or at the end.

From the workspace down, one folder at a time by descriptor (Linux, macOS). Windows has no such
call: there it is check-then-open, which leaves a moment for a swap.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from agentlib.sandbox.paths import check_workspace, parts_inside, safe_path

CAN_WALK = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_FILE_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FILE_FLAGS |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def _is_git_folder(parts: tuple[str, ...]) -> bool:
    return any(part.casefold().rstrip(". ") == ".git" for part in parts)


@contextlib.contextmanager
def open_folder(
    path: str | os.PathLike[str],
    workspace: str | os.PathLike[str],
    *,
    make: bool = False,
    shown: str = "",
) -> Iterator[int | Path]:
    """A folder inside the workspace, ready for `os.scandir`; `make` creates what is missing.

    shown: the path that errors name, when it is another one.
    Yields a file descriptor reached without following a link (on Windows: the checked path).
    ValueError as safe_path, or a link on the way; FileNotFoundError, NotADirectoryError.
    """
    root = check_workspace(workspace)
    parts = parts_inside(path, root)
    if not CAN_WALK:
        folder = safe_path(path, root)
        if make:
            folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            inner = _step(fd, part, make, shown or os.fspath(path))
            os.close(fd)
            fd = inner
        yield fd
    finally:
        os.close(fd)


def _step(fd: int, part: str, make: bool, path: str) -> int:
    """One folder further down. The error names the whole path, as the model wrote it."""
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(part, dir_fd=fd)
    try:
        return os.open(part, os.O_RDONLY | os.O_DIRECTORY | _FILE_FLAGS, dir_fd=fd)
    except OSError as error:
        if _is_link(part, fd):
            raise ValueError(f"path {path!r} goes through a link, {part!r}.") from None
        raise type(error)(error.errno, os.strerror(error.errno), path) from None


def _is_link(name: str, fd: int) -> bool:
    with contextlib.suppress(OSError):
        return stat.S_ISLNK(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode)
    return False


def safe_open(
    path: str | os.PathLike[str], workspace: str | os.PathLike[str], mode: str = "rb"
) -> BinaryIO:
    """A binary file inside the workspace: "rb" reads, "r+b" changes, "wb" replaces or makes it.

    No link is followed, in no part of the path. ValueError: as safe_path, a link, something that
    is no plain file, a file with a second name (hard link), or writing into a `.git` folder.
    """
    root = check_workspace(workspace)
    parts, text = parts_inside(path, root), os.fspath(path)
    if not parts:
        raise IsADirectoryError(f"path {text!r} is the workspace itself, not a file.")
    if mode != "rb" and _is_git_folder(parts):
        raise ValueError(f"path {text!r} is inside git's own folder, which stays as it is.")
    flags = {"rb": os.O_RDONLY, "r+b": os.O_RDWR, "wb": os.O_WRONLY | os.O_CREAT}[mode]
    folder = os.path.join(*parts[:-1]) if parts[:-1] else "."
    with open_folder(folder, root, make=mode == "wb", shown=text) as where:
        fd = _open_file(where, parts[-1], flags | _FILE_FLAGS, text)
    try:
        _check_file(os.fstat(fd), text)
        if mode == "wb":
            os.ftruncate(fd, 0)
        return os.fdopen(fd, mode)
    except BaseException:
        os.close(fd)
        raise


def _open_file(where: int | Path, name: str, flags: int, path: str) -> int:
    try:
        if isinstance(where, Path):
            return os.open(where / name, flags, 0o666)
        return os.open(name, flags, 0o666, dir_fd=where)
    except OSError as error:
        if not isinstance(where, Path) and _is_link(name, where):
            raise ValueError(f"path {path!r} is a link: links are not followed.") from None
        raise type(error)(error.errno, os.strerror(error.errno), path) from None


def _check_file(info: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(info.st_mode):
        raise IsADirectoryError(f"path {path!r} is a folder, not a file. Use list_dir for it.")
    if not stat.S_ISREG(info.st_mode):
        raise ValueError(f"path {path!r} is no plain file (a pipe, socket or device).")
    if info.st_nlink > 1:
        raise ValueError(
            f"path {path!r} has {info.st_nlink} names (hard links), and another may be outside "
            "the workspace. Copy it to a new file first."
        )
