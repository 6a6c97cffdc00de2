"""Where the lessons are: in a checkout beside the package, or inside an installed wheel."""

import os
import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent.parent


def in_checkout() -> bool:
    """True when the package is used from a checkout, where `lessons/` stands beside it."""
    return (CHECKOUT / "pyproject.toml").is_file() and (CHECKOUT / "lessons").is_dir()


def lessons_folder() -> Path:
    """The original lessons; FileNotFoundError when neither place has them."""
    for folder in ([CHECKOUT / "lessons"] if in_checkout() else []) + [PACKAGE / "lessons"]:
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        "the lessons are missing from this installation. Install the course again: "
        'pip install --force-reinstall ".[course]"'
    )


def lesson_files(folder: Path | None = None) -> list[Path]:
    """The notebooks `NN_name.ipynb` of a folder, in order."""
    return sorted((folder or lessons_folder()).glob("[0-9][0-9]_*.ipynb"))


def find_lesson(number: str, folder: Path | None = None) -> Path:
    """The notebook of a lesson by its number ("3", "03") or name; ValueError lists them."""
    files = lesson_files(folder)
    wanted = number.zfill(2) if number.isdecimal() else number
    for file in files:
        if file.name[:2] == wanted or file.stem == wanted or file.name == wanted:
            return file
    known = ", ".join(file.stem for file in files) or "none"
    raise ValueError(f"there is no lesson {number!r}. Lessons: {known}.")


def program() -> str:
    """How to call `agentlib` from where the reader is: by name, or by the path of this Python's."""
    beside = Path(sys.executable).parent / ("agentlib.exe" if os.name == "nt" else "agentlib")
    found = shutil.which("agentlib")
    if not beside.exists() or (found and Path(found).resolve() == beside.resolve()):
        return "agentlib"
    here = Path.cwd()
    return str(beside.relative_to(here) if beside.is_relative_to(here) else beside)
