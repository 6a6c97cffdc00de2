"""The reader's own copy of the lessons: made once, added to, never overwritten."""

import hashlib
import json
import os
import shutil
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
            record[name] = _digest(original)
            found.added.append(name)
        elif name.endswith(".ipynb") and record.get(name) != _digest(original):
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
    if lesson.exists() and _digest(lesson) != _digest(original):
        stamp = (now or datetime.now()).strftime("%Y-%m-%d_%H-%M-%S")
        kept = _free(folder / f"{lesson.stem}.mine-{stamp}.ipynb")
        os.replace(lesson, kept)
    _copy(original, lesson)
    record = _record(folder) | {original.name: _digest(original)}
    _write(folder / RECORD, json.dumps(record, indent=1, sort_keys=True))
    return lesson, kept


def _copy(original: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(original, target)  # without the mode: an original may be read-only


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


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
