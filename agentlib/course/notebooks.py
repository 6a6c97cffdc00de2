"""Reading a lesson's notebook: its code cells, what nbval compares, what is stored in it."""

import html
import json
import re
from pathlib import Path
from typing import Any

EXEMPT = re.compile(r"^\s*#+\s*(NBVAL_SKIP|NBVAL_IGNORE_OUTPUT)\s*$", re.MULTILINE)
EXEMPT_TAGS = {"nbval-skip", "nbval-ignore-output"}
WIDGET = "application/vnd.jupyter.widget-view+json"
# Paths that only one machine has; a system file such as /etc/passwd is nobody's own.
MACHINE_PATH = re.compile(r"(?<![\w.:/])/(?:home|root|Users|tmp|var|work)/[\w.-]+|[A-Z]:\\\\?Users")
OBJECT_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,}")


def code_cells(path: Path) -> list[dict[str, Any]]:
    """The code cells of a notebook as plain dicts, `source` joined to one string."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [{**c, "source": "".join(c["source"])} for c in cells if c["cell_type"] == "code"]


def is_compared(cell: dict[str, Any]) -> bool:
    """True when strict nbval compares this cell's output with the stored one."""
    tags = set(cell.get("metadata", {}).get("tags", ()))
    exempt = EXEMPT.search(cell["source"]) or tags & EXEMPT_TAGS
    return cell.get("execution_count") is not None and not exempt


def compared_share(paths: list[Path]) -> float:
    """The share (0 to 1) of the code cells that strict nbval compares."""
    cells = [cell for path in paths for cell in code_cells(path) if cell["source"].strip()]
    return sum(map(is_compared, cells)) / len(cells) if cells else 1.0


def has_live_widget(cell: dict[str, Any]) -> bool:
    """True when an output of the cell is a live widget, which means nothing when stored."""
    return any(WIDGET in output.get("data", {}) for output in cell.get("outputs", ()))


def texts(cell: dict[str, Any]) -> list[str]:
    """All texts that the outputs of a cell show."""
    return [text for _, text in _kinds_and_texts(cell)]


def readable(cell: dict[str, Any]) -> list[str]:
    """The texts that the outputs of a cell show, HTML without its tags."""
    found = _kinds_and_texts(cell)
    return [_untagged(text) if kind == "text/html" else text for kind, text in found]


def _kinds_and_texts(cell: dict[str, Any]) -> list[tuple[str, str]]:
    found: list[tuple[str, Any]] = []
    for output in cell.get("outputs", ()):
        found += [("", output.get("text", "")), ("", output.get("evalue", ""))]
        found += sorted(output.get("data", {}).items())
    return [(kind, "".join(t) if isinstance(t, list) else str(t)) for kind, t in found]


def _untagged(text: str) -> str:
    lines = html.unescape(re.sub(r"<[^>]*>", "\n", text)).splitlines()
    return "\n".join(line for line in lines if line.strip())
