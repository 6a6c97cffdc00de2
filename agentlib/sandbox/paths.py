"""Paths that stay inside the workspace: `safe_path` judges a path, `safe_open` opens it safely.

`safe_path` alone is check-then-open: between the two, a folder can be swapped for a link. The
file tools therefore use `safe_open`, which walks down from the workspace one folder at a time and
follows no link (Linux, macOS). Windows has no such call: there it is check-then-open.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

CAN_WALK = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_DRIVE = re.compile(r"[A-Za-z]:([\\/]|$)" if os.name != "nt" else r"[A-Za-z]:")
_FILE_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FILE_FLAGS |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def check_workspace(workspace: str | os.PathLike[str]) -> Path:
    """The workspace, resolved. ValueError: no folder, or `/`, the home folder or a parent of it."""
    root = Path(workspace).resolve()
    if not root.is_dir():
        raise ValueError(f"workspace {str(workspace)!r} is no folder. Make it first.")
    for home in _homes():
        if home.is_relative_to(root):
            raise ValueError(
                f"workspace {str(root)!r} holds your home folder ({home}): an agent there could "
                "reach everything you own. Use a folder made for it."
            )
    if root == Path(root.anchor):
        raise ValueError(f"workspace {str(root)!r} is the whole disk. Use a folder made for it.")
    return root


def _homes() -> list[Path]:
    """The home folder, by the environment and (where there is one) by the account's entry."""
    found = [os.path.expanduser("~")]
    with contextlib.suppress(ImportError, KeyError):
        import pwd

        found.append(pwd.getpwuid(os.getuid()).pw_dir)
    return [Path(home).resolve() for home in found if os.path.isabs(home) and home != os.sep]


def safe_path(path: str | os.PathLike[str], workspace: str | os.PathLike[str]) -> Path:
    """`path` resolved, inside `workspace` (a relative path starts there).

    ValueError with the reason: a way out by `..`, an absolute path or a link; a dangling link;
    `~`, a drive, a network path, a backslash or a NUL byte; a workspace that is too wide.
    """
    root, text = check_workspace(workspace), _plain_text(path)
    lexical = Path(os.path.normpath(root / text))
    if not (lexical.is_relative_to(root) or Path(os.path.realpath(lexical)).is_relative_to(root)):
        raise ValueError(f"path {text!r} is outside the workspace. Use a path inside it.")
    try:
        resolved = (root / text).resolve()
    except (OSError, RuntimeError) as error:
        raise ValueError(f"path {text!r} can't be resolved: {error}") from error
    if not resolved.is_relative_to(root):
        raise ValueError(f"path {text!r} leads outside the workspace (through a link).")
    if (root / text).is_symlink() and not resolved.exists():
        raise ValueError(f"path {text!r} is a link to nothing; links like that aren't followed.")
    return resolved


def _plain_text(path: str | os.PathLike[str]) -> str:
    """The path as text, when it means the same thing on every system."""
    text = os.fspath(path)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"path {text!r} is empty or no text. `.` means the workspace itself.")
    if "\0" in text:
        raise ValueError(f"path {text!r} contains a NUL byte.")
    if text.startswith("~"):
        raise ValueError(f"path {text!r}: `~` isn't expanded. Use a path inside the workspace.")
    if _DRIVE.match(text) or text.startswith(("\\\\", "//")):
        if os.name != "nt" or not Path(text).is_absolute() or text[:2] in ("\\\\", "//"):
            raise ValueError(f"path {text!r} names a drive or a network share. Use a plain path.")
    elif "\\" in text and os.name != "nt":
        raise ValueError(f"path {text!r}: write `/` between folders, not a backslash.")
    if os.name == "nt":
        _refuse_windows_names(text)
    return text


def _refuse_windows_names(text: str) -> None:
    from pathlib import PureWindowsPath

    path = PureWindowsPath(text)
    if path.is_reserved() or any(":" in part for part in path.parts if part != path.anchor):
        raise ValueError(f"path {text!r} names a device or a hidden stream. Use a plain file name.")


def _parts(path: str | os.PathLike[str], root: Path) -> tuple[str, ...]:
    """The folders and the name from the workspace down, without `.` and `..`."""
    safe = safe_path(path, root)
    lexical = Path(os.path.normpath(root / os.fspath(path)))
    return (lexical if lexical.is_relative_to(root) else safe).relative_to(root).parts


def _is_git_folder(parts: tuple[str, ...]) -> bool:
    return any(part.casefold().rstrip(". ") == ".git" for part in parts)


@contextlib.contextmanager
def open_folder(
    path: str | os.PathLike[str], workspace: str | os.PathLike[str], *, make: bool = False
) -> Iterator[int | Path]:
    """A folder inside the workspace, ready for `os.scandir`; `make` creates what is missing.

    Yields a file descriptor reached without following a link (on Windows: the checked path).
    ValueError as safe_path, or a link on the way; FileNotFoundError, NotADirectoryError.
    """
    root = check_workspace(workspace)
    parts = _parts(path, root)
    if not CAN_WALK:
        folder = safe_path(path, root)
        if make:
            folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            inner = _step(fd, part, make, os.fspath(path))
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
) -> contextlib.closing:
    """A binary file inside the workspace: "rb" reads, "r+b" changes, "wb" replaces or makes it.

    No link is followed, in no part of the path. ValueError: as safe_path, a link, something that
    is no plain file, a file with a second name (hard link), or writing into a `.git` folder.
    """
    root = check_workspace(workspace)
    parts, text = _parts(path, root), os.fspath(path)
    if not parts:
        raise IsADirectoryError(f"path {text!r} is the workspace itself, not a file.")
    if mode != "rb" and _is_git_folder(parts):
        raise ValueError(f"path {text!r} is inside git's own folder, which stays as it is.")
    flags = {"rb": os.O_RDONLY, "r+b": os.O_RDWR, "wb": os.O_WRONLY | os.O_CREAT}[mode]
    folder = os.path.join(*parts[:-1]) if parts[:-1] else "."
    with open_folder(folder, root, make=mode == "wb") as where:
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
