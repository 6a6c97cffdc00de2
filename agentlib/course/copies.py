"""The reader's own copy of the lessons: made once, added to, never overwritten.

A copy holds no outputs and no numbers: what a reader sees there, they have run.
"""

import hashlib
import json
import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from agentlib.course import places

NAME = "my-lessons"
RECORD = ".originals.json"  # what each copied lesson was when it was copied
LEFT_OUT = ("__pycache__", ".ipynb_checkpoints", "scratch")


@dataclass
class Update:
    """What `update` did: files added, and lessons whose original has changed since."""

    added: list[str] = field(default_factory=list)
    newer: list[str] = field(default_factory=list)


def default_folder() -> Path:
    """`my-lessons` beside the checkout's `lessons`, else in the current folder."""
    here = Path.cwd()
    if here.name == NAME:
        return here
    return (places.CHECKOUT if places.in_checkout() else here) / NAME


def update(folder: Path) -> Update:
    """Copy what the folder doesn't have yet; OSError where it can't be written."""
    source, found = places.lessons_folder(), Update()
    folder.mkdir(parents=True, exist_ok=True)
    record = _record(folder)
    for original in sorted(path for path in source.rglob("*") if path.is_file()):
        name = original.relative_to(source).as_posix()
        if any(part in LEFT_OUT for part in original.relative_to(source).parts):
            continue
        if not (folder / name).exists():
            _copy(original, folder / name)
            record[name] = _digest(unrun(original))
            found.added.append(name)
        elif name.endswith(".ipynb") and record.get(name) != _digest(unrun(original)):
            found.newer.append(name)
    if found.added:
        _write(folder / RECORD, json.dumps(record, indent=1, sort_keys=True))
    return found


def reset(number: str, folder: Path, now: datetime | None = None) -> tuple[Path, Path | None]:
    """Put the original of a lesson back; returns it and where the reader's version is kept.

    ValueError: no such lesson. OSError: the folder can't be written.
    """
    original = places.find_lesson(number)
    lesson, kept = folder / original.name, None
    folder.mkdir(parents=True, exist_ok=True)
    fresh = unrun(original)
    if lesson.exists() and lesson.read_bytes() != fresh:
        stamp = (now or datetime.now()).strftime("%Y-%m-%d-%H%M")
        kept = _free(folder / f"yours-{stamp}-{lesson.name}")
        os.replace(lesson, kept)
    _copy(original, lesson)
    record = _record(folder) | {original.name: _digest(fresh)}
    _write(folder / RECORD, json.dumps(record, indent=1, sort_keys=True))
    return lesson, kept


def unrun(original: Path) -> bytes:
    """The file's content; of a notebook, without outputs and execution counts."""
    content = original.read_bytes()
    if original.suffix != ".ipynb":
        return content
    notebook = json.loads(content)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def _copy(original: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(unrun(original))  # without the mode: an original may be read-only


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _record(folder: Path) -> dict[str, str]:
    try:
        return dict(json.loads((folder / RECORD).read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return {}  # without it, a changed original is only announced once too often


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _free(path: Path) -> Path:
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}.ipynb")
        number += 1
    return free
