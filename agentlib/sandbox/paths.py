"""Paths that stay inside the workspace: `safe_path` judges one without opening it.

Alone that is check-then-open: between the two, a folder can be swapped for a link. The file tools
therefore use `safe_open` of the module `opening`.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

_DRIVE = re.compile(r"[A-Za-z]:([\\/]|$)" if os.name != "nt" else r"[A-Za-z]:")
_SYSTEM = {
    "/usr",
    "/etc",
    "/bin",
    "/sbin",
    "/lib",
    "/dev",
    "/proc",
    "/sys",
    "/boot",
    "/var",
    "/run",
}


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
    if root.as_posix() in _SYSTEM:
        raise ValueError(f"workspace {str(root)!r} is a system folder. Use a folder made for it.")
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
    try:
        return _judge(root, text)
    except OSError as error:
        raise ValueError(f"path {text[:100]!r}: {error.strerror or error}.") from error


def _judge(root: Path, text: str) -> Path:
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
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"path {text!r} holds half a character, which no file has.") from None
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


def parts_inside(path: str | os.PathLike[str], root: Path) -> tuple[str, ...]:
    """The folders and the name from the workspace `root` down, without `.` and `..`."""
    safe = safe_path(path, root)
    lexical = Path(os.path.normpath(root / os.fspath(path)))
    return (lexical if lexical.is_relative_to(root) else safe).relative_to(root).parts
