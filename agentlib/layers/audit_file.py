"""Files of JSON lines: each line whole or absent, a new file each day, old days removed.

A line is one `os.write` in append mode. A process killed in the middle of it leaves a tail without
a line end: readers skip it, and the next writer ends it before its own line.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: several processes should not share one file there
    fcntl = None

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_lock = threading.Lock()


class DailyLines:
    """Appends entries to `path`; at the first of a new day (UTC) the file becomes `stem-DAY.jsonl`.

    Files of days more than `keep_days` ago are removed. OSError: nothing could be written.
    """

    def __init__(self, path: str | Path, keep_days: int = 90) -> None:
        self.path, self.keep_days = Path(path), keep_days
        self._waiting: list[dict[str, Any]] = []

    def append(self, entries: list[dict[str, Any]], now: float) -> None:
        """Write the entries, after those that could not be written before. now: epoch seconds."""
        today = datetime.fromtimestamp(now, UTC).date()
        with _lock:
            self._waiting += entries
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = self._open(today)
            try:
                _write_whole(handle, b"".join(_line(entry) for entry in self._waiting))
            finally:
                os.close(handle)
            self._waiting = []

    def _open(self, today: date) -> int:
        """The current file, locked against other processes, of today's date."""
        while True:
            handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            if fcntl is not None:
                fcntl.flock(handle, fcntl.LOCK_EX)
            began = _day_of(handle)
            if self._moved(handle):  # another process began a new file while we waited
                os.close(handle)
            elif began is None or began >= today:
                return handle
            else:
                self._rotate(handle, began, today)

    def _moved(self, handle: int) -> bool:
        try:
            return not os.path.samestat(os.fstat(handle), os.stat(self.path))
        except FileNotFoundError:
            return True

    def _rotate(self, handle: int, began: date, today: date) -> None:
        target, count = self.path.with_name(f"{self.path.stem}-{began}.jsonl"), 1
        while target.exists():
            count += 1
            target = self.path.with_name(f"{self.path.stem}-{began}.{count}.jsonl")
        if fcntl is None:
            os.close(handle)  # Windows renames no open file
            self.path.rename(target)
        else:
            self.path.rename(target)  # still under the lock
            os.close(handle)
        for day, old in _past_files(self.path):
            if today - day > timedelta(days=self.keep_days):
                old.unlink(missing_ok=True)


def read_lines(path: str | Path) -> Iterator[dict[str, Any]]:
    """Every whole entry of the past days' files and of `path`, oldest first; torn lines skipped."""
    path = Path(path)
    for file in [*(file for _, file in _past_files(path)), path]:
        if not file.exists():
            continue
        with file.open("rb") as lines:
            for line in lines:
                entry = _entry(line)
                if entry is not None:
                    yield entry


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if line.endswith(b"\n") and isinstance(entry, dict) else None


def _line(entry: dict[str, Any]) -> bytes:
    # a lone surrogate has no UTF-8: it is written as the escape that JSON knows
    text = json.dumps(entry, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _write_whole(handle: int, data: bytes) -> None:
    """All of `data` at the end of the file, or nothing of it."""
    end = os.lseek(handle, 0, os.SEEK_END)
    if not data:
        return
    if end:
        os.lseek(handle, -1, os.SEEK_END)
        if os.read(handle, 1) != b"\n":  # somebody was killed in the middle of a line
            data = b"\n" + data
    written = os.write(handle, data)
    if written < len(data):  # the disk is full
        os.ftruncate(handle, end)
        raise OSError(f"only {written} of {len(data)} bytes could be written")


def _day_of(handle: int) -> date | None:
    """The day of the file's first entry; None for an empty file."""
    os.lseek(handle, 0, os.SEEK_SET)
    found = _DAY.search(os.read(handle, 80).decode("ascii", "replace"))
    return date.fromisoformat(found[0]) if found else None


def _past_files(path: Path) -> list[tuple[date, Path]]:
    """(day, file) of each day that is over, oldest first."""
    pattern = re.compile(re.escape(path.stem) + r"-(\d{4}-\d\d-\d\d)(?:\.(\d+))?\.jsonl")
    files = path.parent.iterdir() if path.parent.is_dir() else ()
    found = [(m, f) for f in files if (m := pattern.fullmatch(f.name))]
    found.sort(key=lambda pair: (pair[0][1], int(pair[0][2] or 1)))
    return [(date.fromisoformat(m[1]), f) for m, f in found]
