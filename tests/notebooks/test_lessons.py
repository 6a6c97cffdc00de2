"""Every lesson under strict nbval, and with its exercises solved."""

import re
import sys
import tempfile
from pathlib import Path

import nbformat
import pytest

from agentlib.course import exercises, places
from agentlib.course.notebooks import code_cells, compared_share, has_live_widget, texts
from agentlib.course.refresh import LARGEST
from agentlib.course.unattended import execute, lesson_copy
from agentlib.course.verify import verify

LESSONS = places.lesson_files(places.CHECKOUT / "lessons")
each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
CALL = re.compile(r"""\b(check|hint|solution)\(\s*["'](\d+\.\d+)["']""")


def ids_used(path: Path, name: str) -> list[str]:
    sources = [cell["source"] for cell in code_cells(path)]
    return [id for source in sources for which, id in CALL.findall(source) if which == name]


def test_there_are_lessons():
    assert LESSONS


LINUX = {
    "02": "it shows what `wc` prints: macOS has other spaces, and Windows no `wc`",
    "07": "it attacks the process sandbox, which needs Linux: elsewhere its commands are not run",
}


def needs_linux(path: Path) -> None:
    """Skip a lesson whose outputs are those of Linux, where this is another system."""
    if path.name[:2] in LINUX and sys.platform != "linux":
        pytest.skip(f"{path.stem}: {LINUX[path.name[:2]]}")


@each_lesson
def test_outputs_are_true(path):
    needs_linux(path)
    verdict = verify(path)
    assert verdict.cells > 0
    assert verdict.ok, "\n".join([*map(str, verdict.differences), verdict.problem])


def test_nine_in_ten_cells_are_compared():
    share = compared_share(LESSONS)
    print(f"strict nbval compares {share:.1%} of the code cells")
    assert share >= 0.9


@each_lesson
def test_stored_form(path):
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    assert len(text.encode()) <= LARGEST
    assert "widgets" not in notebook.metadata
    assert not any(map(has_live_widget, code_cells(path)))
    assert "data:image" not in text and '"image/png"' not in text
    assert re.match(r"# ", notebook.cells[0].source), "a lesson begins with its title"


@each_lesson
def test_exempt_cells_say_why(path):
    for cell in code_cells(path):
        if re.search(r"^# NBVAL_(SKIP|IGNORE_OUTPUT)$", cell["source"], re.MULTILINE):
            reason = cell["source"].split("\n")[0]
            assert re.match(r"# (?!NBVAL)\w.{10,}", reason), (
                f"the first line of an exempt cell gives the reason: {cell['source'][:80]!r}"
            )


@each_lesson
def test_exercises_stand_as_defined(path):
    """Each check has a definition, each definition a check, and the stub is the same text."""
    number = int(path.name[:2])
    defined = {exercise.id: exercise for exercise in exercises.of_lesson(number)}
    sources = [cell["source"] for cell in code_cells(path)]
    assert ids_used(path, "check") == list(defined)
    assert ids_used(path, "hint") == ids_used(path, "solution") == list(defined)
    for exercise in defined.values():
        assert any(exercise.stub.strip() in source for source in sources), exercise.id


@each_lesson
def test_solutions_pass_in_the_notebook(path):
    """The whole lesson runs with every stub replaced by its solution, and every check passes."""
    needs_linux(path)
    defined = exercises.of_lesson(int(path.name[:2]))
    if not defined:
        pytest.skip("a lesson without exercises")
    cells, stopped = run_solved(path, defined)
    assert not stopped
    for exercise in defined:
        shown = [
            text
            for cell in cells
            if exercise.id in [id for name, id in CALL.findall(cell.source) if name == "check"]
            for text in texts(cell)
        ]
        assert f"{exercise.id} {exercise.title}: passed" in shown, "\n".join(shown)


def run_solved(path, defined):
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        for exercise in defined if cell.cell_type == "code" else ():
            cell.source = cell.source.replace(exercise.stub.strip(), exercise.solution.strip())
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        stopped = execute(notebook, lesson_copy(path, home).parent, home)
    return [cell for cell in notebook.cells if cell.cell_type == "code"], stopped
