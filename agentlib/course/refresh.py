"""Runs lessons and stores their outputs, for authors; the stored form keeps diffs small."""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agentlib.course.notebooks import MACHINE_PATH, OBJECT_ADDRESS, has_live_widget, texts
from agentlib.course.unattended import execute, lesson_copy

LARGEST = 100_000  # bytes of a notebook
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
COLOUR_CODES = re.compile(r"\x1b\[[0-9;]*m")


def refresh(path: Path, on_cell: Callable[[int, int], None] | None = None) -> list[str]:
    """Run a notebook and store its outputs in place; returns the faults, one line each.

    A notebook with a fault is left as it was.
    """
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    _tag_wanted_errors(notebook)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        stopped = execute(notebook, lesson_copy(path, home).parent, home, on_cell)
    if stopped:
        return [COLOUR_CODES.sub("", stopped)]
    _normalize(notebook)
    text = nbformat.writes(notebook) + "\n"
    faults = [
        f"cell [{number}]: {fault}"
        for number, cell in enumerate(_code(notebook), start=1)
        for fault in _faults(cell)
    ]
    if (size := len(text.encode())) > LARGEST:
        faults.append(f"{size:,} bytes; a lesson holds at most {LARGEST:,}")
    if not faults:
        path.write_text(text, encoding="utf-8", newline="\n")
    return faults


def _code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _tag_wanted_errors(notebook: Any) -> None:
    """nbval reads the marker, JupyterLab's Run All and nbclient only the tag: have both."""
    for cell in _code(notebook):
        tags = cell.metadata.get("tags", [])
        if re.search(r"^# NBVAL_RAISES_EXCEPTION$", cell.source, re.MULTILINE):
            cell.metadata["tags"] = sorted({*tags, "raises-exception"})


def _normalize(notebook: Any) -> None:
    """No times, no widget state, nothing that names this machine; cells keep their ids."""
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        tags = cell.metadata.get("tags")
        cell.metadata = {"tags": tags} if tags else {}
    for count, cell in enumerate(_code(notebook), start=1):
        if has_live_widget(cell):
            cell.outputs, cell.execution_count = [], None
        elif cell.source.strip():
            cell.execution_count, cell.outputs = count, _joined(cell.outputs)
            for output in cell.outputs:
                _plain_output(output, count)


def _plain_output(output: Any, count: int) -> None:
    if output.output_type == "execute_result":
        output.execution_count = count
    if output.output_type == "error":  # a traceback holds paths and colours; nbval skips it
        output.traceback = [f"{output.ename}: {output.evalue}"]


def _joined(outputs: list[Any]) -> list[Any]:
    """Join neighbouring pieces of one stream: where it was cut depends on the moment."""
    joined: list[Any] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def _faults(cell: Any) -> list[str]:
    faults = []
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stderr":
            faults.append(f"writes to stderr: {output.text.strip()[:200]}")
    for text in [cell.source, *texts(cell)]:
        if found := MACHINE_PATH.search(text):
            faults.append(f"names a path of this machine: {found[0]}")
        if found := OBJECT_ADDRESS.search(text):
            faults.append(f"shows an address that differs each time: {found[0]}")
    return faults
