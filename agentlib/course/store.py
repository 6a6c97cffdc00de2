"""The reader's progress: one small JSON file per user, which a lesson can live without."""

import json
import os
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

RANK = {"wrong": 1, "raised": 1, "passed": 2}


def home() -> Path:
    """The folder for what the course keeps per user: AGENTLIB_HOME, else the system's place."""
    if chosen := os.environ.get("AGENTLIB_HOME"):
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("agentlib-course", appauthor=False)


@dataclass
class Progress:
    """Statuses by exercise id; `problem` is one line when the store could not be used."""

    statuses: dict[str, str] = field(default_factory=dict)
    problem: str = ""


def load() -> Progress:
    """Read the store; a missing one is empty, a broken one is set aside and reported."""
    path = home() / "progress.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Progress({str(id): str(row["status"]) for id, row in data["exercises"].items()})
    except FileNotFoundError:
        return Progress()
    except OSError as error:
        return Progress(problem=_problem("can't be read", path, error))
    except (ValueError, KeyError, TypeError, AttributeError):
        return Progress(problem=_set_aside(path))


def record(id: str, status: str) -> str:
    """Keep an outcome, the best one so far; returns one line when that failed, else ""."""
    if status not in RANK:
        return ""
    known = load()
    if RANK.get(known.statuses.get(id, ""), 0) >= RANK[status]:
        return known.problem
    known.statuses[id] = status
    return known.problem or _write(known.statuses)


def _write(statuses: dict[str, str]) -> str:
    path = home() / "progress.json"
    now = datetime.now(UTC).isoformat(timespec="seconds")
    rows = {id: {"status": status} for id, status in sorted(statuses.items())}
    text = json.dumps({"version": 1, "changed": now, "exercises": rows}, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix="progress-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)  # a reader sees the old file or the new one, never a half
    except OSError as error:
        return _problem("can't be written", path, error)
    return ""


def _set_aside(path: Path) -> str:
    kept = path.with_suffix(".broken.json")
    try:
        os.replace(path, kept)
    except OSError as error:
        return _problem("is damaged and can't be moved away", path, error)
    return f"progress: {path} was damaged. It is kept as {kept.name}, and a new one is begun."


def _problem(what: str, path: Path, error: OSError) -> str:
    reason = error.strerror or type(error).__name__
    return (
        f"progress is not kept: {path} {what} ({reason}). "
        "Set AGENTLIB_HOME to a folder you can write to."
    )
