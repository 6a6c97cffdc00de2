"""Files in the workspace: list, read, write, edit."""

from __future__ import annotations

import os
from pathlib import Path

from agentlib.builtin_tools.common import options, visible, workspace
from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.results import truncate_output
from agentlib.sandbox.opening import open_folder, safe_open
from agentlib.sandbox.paths import safe_path

MAX_LISTING = 8_000  # characters
MAX_FILE = 10_000_000  # bytes that read_file and edit_file take into memory


@options(category="data", tags=("files",), repeatable=True)
def list_dir(path: str) -> str:
    """List the files and folders in one folder, one name per line; folders end with "/".

    Use it to find out which files exist before reading one, or after a file was not found.
    It does not look into sub-folders and shows no file contents. The list is cut at 8,000
    characters. No side effects.

    Args:
        path: The folder, relative to the workspace. "." is the workspace itself.
    """
    with open_folder(path, workspace()) as folder, os.scandir(folder) as entries:
        names = sorted(e.name + "/" * e.is_dir(follow_symlinks=False) for e in entries)
    return truncate_output("\n".join(names) or "(empty folder)", MAX_LISTING)


@options(category="data", tags=("files",), repeatable=True)
def read_file(path: str) -> str:
    """Read one whole text file and return its content exactly.

    Use it when you need what a file says. Not for folders (use list_dir), not for pictures or
    other binary files, not for web addresses (use fetch_url). No side effects.

    Args:
        path: The file, relative to the workspace, for example "notes/todo.txt".
    """
    with safe_open(path, workspace()) as file:
        return _text(file.read(MAX_FILE + 1), path)


def _text(data: bytes, path: str) -> str:
    if len(data) > MAX_FILE:
        raise ValueError(f"{path} is larger than {MAX_FILE:,} bytes: read a part with run_shell.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is no UTF-8 text (byte 0x{data[error.start]:02x} at {error.start})."
        ) from None


def _checked(path: str) -> Path:
    """The path for a question; nobody is asked about a path that will be refused."""
    try:
        return safe_path(path, workspace())
    except ValueError as error:
        raise ToolCallError(str(error), category=ErrorCategory.INVALID_ARGUMENT) from None


def _ask_write(path: str, content: str) -> str:
    target = _checked(path)
    question = f"Write {len(content):,} characters to {visible(path)}?"
    if target.is_file():
        question += f" This replaces the existing file ({target.stat().st_size:,} bytes)."
    return question


@options(category="action", tags=("files",), confirm=_ask_write)
def write_file(path: str, content: str) -> str:
    """Write a text file (UTF-8). Creates it and its folders, or replaces all that was in it.

    Use it to make a new file or to rewrite one completely. To change a part of an existing
    file use edit_file, which keeps the rest. Changes the disk; the user is asked first.

    Args:
        path: The file, relative to the workspace, for example "notes/todo.txt".
        content: The whole new content of the file.
    """
    data = content.encode("utf-8")
    with safe_open(path, workspace(), "wb") as file:
        file.write(data)
    return f"Wrote {len(content):,} characters to {Path(path).as_posix()}."


def _ask_edit(path: str, old_text: str, new_text: str) -> str:
    _checked(path)
    return f"In {visible(path)} replace\n{visible(old_text)}\nby\n{visible(new_text)}\n?"


@options(category="action", tags=("files",), confirm=_ask_edit)
def edit_file(path: str, old_text: str, new_text: str) -> str:
    """Replace one passage of an existing text file by another; the rest stays as it is.

    Use it for a small change, after read_file has shown the exact text. old_text must occur
    exactly once in the file, spaces and line breaks included; when it is missing or occurs more
    than once nothing is changed and the error says so. Changes the disk; the user is asked first.

    Args:
        path: The file, relative to the workspace.
        old_text: The exact passage to replace, long enough to occur only once.
        new_text: What stands there afterwards. Empty text deletes the passage.
    """
    if not old_text:
        raise ValueError("old_text is empty: give the exact passage to replace.")
    with safe_open(path, workspace(), "r+b") as file:
        text = _text(file.read(MAX_FILE + 1), path)
        found = _count(text, old_text)
        if found != 1:
            how = "was not found" if not found else f"occurs {found} times"
            raise ValueError(
                f"old_text {how} in {path}; it must occur exactly once. Nothing was changed. "
                "Use read_file and copy the passage exactly, with enough of its surroundings."
            )
        file.seek(0)
        file.write(text.replace(old_text, new_text).encode("utf-8"))
        file.truncate()
    return f"Edited {Path(path).as_posix()}: 1 passage replaced."


def _count(text: str, passage: str) -> int:
    """How often `passage` occurs, overlapping ones too ("aa" is twice in "aaa")."""
    count, at = 0, text.find(passage)
    while at >= 0:
        count, at = count + 1, text.find(passage, at + 1)
    return count
