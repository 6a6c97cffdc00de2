"""A tiny lesson for testing what handles lessons."""

from pathlib import Path

import nbformat
from nbformat import v4


def write_lesson(path: Path, *sources: str) -> Path:
    """Write a notebook with these code cells, never run."""
    cells = [v4.new_markdown_cell("# Tiny"), *map(v4.new_code_cell, sources)]
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(v4.new_notebook(cells=cells), path)
    return path
