"""Lesson 00 as a learner meets it: run all, click, and look at the folder."""

from pathlib import Path

import nbformat
import nbformat.v4 as v4
import pytest

pytestmark = pytest.mark.browser

LESSON = Path(__file__).parents[2] / "lessons" / "00_start_here.ipynb"
LOOK = """
print("refused:", sum("refused by the person" in (m["content"] or "")
                      for m in agent.messages if m["role"] == "tool"))
"""


@pytest.fixture
def lesson(open_notebook):
    """The lesson, with a look at the history behind each question."""
    made = nbformat.read(LESSON, as_version=4)
    cells = []
    for cell in made.cells:
        cells.append(cell)
        if cell.cell_type == "code" and "write" in cell.source.lower() and "run(" in cell.source:
            cells.append(v4.new_code_cell(LOOK))
    made.cells = cells
    return open_notebook(made)


def test_allow_makes_the_file_and_deny_changes_none(lesson):
    folder = lesson.folder / "scratch" / "00"
    lesson.run_all()
    lesson.button("Allow").wait_for()
    assert not (folder / "hello.txt").exists()
    lesson.click("Allow")
    lesson.shows("refused: 0")
    assert (folder / "hello.txt").read_text() == "Hello from my agent"
    before = (folder / "shopping.txt").read_text()
    lesson.click("Deny")
    lesson.shows("refused: 1")
    lesson.finished()
    assert (folder / "shopping.txt").read_text() == before and not lesson.errors()


def test_deny_makes_no_file_and_the_refusal_is_in_the_history(lesson):
    lesson.run_all()
    lesson.button("Deny").wait_for()
    lesson.click("Deny")
    lesson.shows("refused: 1")
    assert [p.name for p in (lesson.folder / "scratch" / "00").iterdir()] == ["shopping.txt"]
