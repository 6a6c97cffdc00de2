"""A folder for a lesson's files, so that an agent that writes does so where it can do no harm."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_start: Path | None = None  # where the notebook was opened


def scratch(name: str, files: dict[str, str] | None = None) -> None:
    """Make `scratch/<name>` afresh with `files` (name: text), go there, and say so.

    What an earlier run left in that one folder is removed. ValueError: an unfit name.
    """
    global _start
    if not name.replace("-", "").replace("_", "").isalnum():
        raise ValueError(f"scratch folder {name!r}: use letters, digits, - and _ only.")
    here = Path.cwd()
    if _start is None or "scratch" not in here.parts:
        _start = here
    folder = _start / "scratch" / name
    os.chdir(_start)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file, text in (files or {}).items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    os.chdir(folder)
    listed = ", ".join(files or {}) or "nothing yet"
    print(f"Working in scratch/{name}, which holds: {listed}")
