"""Storing outputs, and comparing them again as strict nbval does."""

import json
import os

import nbformat
import pytest
from tiny import write_lesson

from agentlib.course.notebooks import code_cells, compared_share, is_compared
from agentlib.course.refresh import refresh
from agentlib.course.verify import verify

CELLS = [
    "import sys\nprint('a')\nsys.stdout.flush()\nprint('b')",
    "6 * 7",
    "# NBVAL_RAISES_EXCEPTION\n1 / 0",
    "import ipywidgets\nipywidgets.Button(description='Allow')",
    "# Each run has its own number.\n# NBVAL_IGNORE_OUTPUT\nimport os\nos.getpid()",
    "sorted(name for name in os.environ if name.startswith(('OPENAI_', 'AGENTLIB_')))",
    "from agentlib.course import progress\nprogress()",
    "open('made-here.txt', 'w').close()",
]


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    path = write_lesson(tmp_path_factory.mktemp("lessons") / "00_tiny.ipynb", *CELLS)
    os.environ["OPENAI_API_KEY"] = "sk-never-seen"
    told = []
    try:
        assert refresh(path, lambda done, of: told.append((done, of))) == []
    finally:
        del os.environ["OPENAI_API_KEY"]
    assert told == [(n, 8) for n in range(1, 9)]
    return path


def test_stored_form(lesson):
    notebook = nbformat.read(lesson, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    cells = code_cells(lesson)
    assert [cell["execution_count"] for cell in cells] == [1, 2, 3, None, 5, 6, 7, 8]
    assert cells[0]["outputs"] == [
        {"name": "stdout", "output_type": "stream", "text": ["a\n", "b\n"]}
    ]
    assert cells[2]["metadata"] == {"tags": ["raises-exception"]}
    assert cells[2]["outputs"][0]["traceback"] == ["ZeroDivisionError: division by zero"]
    assert cells[3]["outputs"] == []
    assert cells[5]["outputs"][0]["data"]["text/plain"] == ["['AGENTLIB_HOME']"]
    assert all(set(cell["metadata"]) <= {"tags"} for cell in cells)
    assert lesson.read_bytes().endswith(b"}\n") and b"\r" not in lesson.read_bytes()


def test_it_ran_in_a_copy(lesson):
    assert [path.name for path in lesson.parent.iterdir()] == ["00_tiny.ipynb"]


def test_a_second_refresh_changes_only_what_differs_at_each_run(lesson):
    before = json.loads(lesson.read_text())
    assert refresh(lesson) == []
    after = json.loads(lesson.read_text())
    for notebook in (before, after):
        notebook["cells"][5]["outputs"] = []
    assert before == after


def test_what_counts_as_compared(lesson):
    compared = [is_compared(cell) for cell in code_cells(lesson)]
    assert compared == [True, True, True, False, False, True, True, True]
    assert compared_share([lesson]) == 6 / 8


def test_a_true_lesson_verifies(lesson):
    told = []
    verdict = verify(lesson, lambda done, of: told.append((done, of)))
    assert verdict.ok and (verdict.cells, verdict.done) == (8, 8)
    assert told[-1] == (8, 8)


def test_a_false_lesson_is_told_by_cell(lesson, tmp_path):
    notebook = nbformat.read(lesson, as_version=4)
    notebook.cells[2].outputs[0].data["text/plain"] = "43"
    notebook.cells[3].source = "1 / 1"
    bars = notebook.cells[7].outputs[0].data
    bars["text/html"] = bars["text/html"].replace(">all<", ">some &amp; more<")
    notebook.cells[8].source = "1 / 0"
    false = tmp_path / "00_false.ipynb"
    nbformat.write(notebook, false)
    verdict = verify(false)
    found = [(one.cell, one.message) for one in verdict.differences]
    assert found == [
        (2, "Cell outputs differ"),
        (3, "Cell outputs differ"),
        (7, "Cell outputs differ"),
        (8, "Cell execution caused an exception"),
    ]
    assert str(verdict.differences[0]) == "cell [2]: Cell outputs differ\n  6 * 7\n  -43\n  +42"
    assert str(verdict.differences[2]).endswith("\n  -some & more\n  +all")


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import sys\nprint('x', file=sys.stderr)", "cell [1]: writes to stderr: x"),
        ("import warnings\nwarnings.warn('old')", "cell [1]: writes to stderr:"),
        ("print('/home/' + 'ann/lessons')", "cell [1]: names a path of this machine: /home/ann"),
        ("import os\nos.getcwd()", "cell [1]: names a path of this machine: "),
        ("object()", "cell [1]: shows an address that differs each time:  at 0x"),
        ("print('x' * 120_000)", "a lesson holds at most 100,000"),
        ("1 / 0", "cell [1]: "),
    ],
)
def test_faults_leave_the_notebook_as_it_was(source, fault, tmp_path):
    path = write_lesson(tmp_path / "00_bad.ipynb", source)
    before = path.read_bytes()
    faults = refresh(path)
    assert fault in faults[0]
    assert path.read_bytes() == before


def test_system_paths_and_addresses_of_this_machine_are_no_fault(tmp_path):
    cell = "print('/etc/passwd http://127.0.0.1:8080/v1 https://example.com/home/x a/tmp/b')"
    assert refresh(write_lesson(tmp_path / "00_good.ipynb", cell)) == []


def test_a_notebook_that_is_none_is_a_problem_and_not_a_pass(tmp_path):
    path = tmp_path / "00_broken.ipynb"
    path.write_text("{")
    verdict = verify(path)
    assert not verdict.ok
    assert "exit code" in verdict.problem
