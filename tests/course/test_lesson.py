"""check, hint, solution and progress as a reader meets them."""

import pytest

from agentlib.course import check, hint, lesson, progress, show, solution, store
from agentlib.course.exercise import Case, Exercise

DOUBLE = Exercise(
    id="0.1",
    title="Double a number",
    stub="def double(x):\n    ...\n",
    cases=[Case((2,), 4)],
    solution="def double(x):\n    return 2 * x  # <twice>\n",
    hints=["Twice.", "`2 * x`"],
    wrong=[],
)


@pytest.fixture(autouse=True)
def one_exercise(monkeypatch):
    monkeypatch.setattr(lesson.exercises, "find", lambda id: DOUBLE)
    monkeypatch.setattr(lesson.exercises, "lesson_numbers", lambda: [0])
    monkeypatch.setattr(lesson.exercises, "of_lesson", lambda number: [DOUBLE])
    monkeypatch.setattr(lesson, "_hints_given", {})


@pytest.fixture
def notebook(monkeypatch):
    """Collects the HTML that a notebook would show."""
    shown: list[show.Shown] = []
    monkeypatch.setattr(show, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", shown.append)
    return shown


def stub(x): ...


CHECKS = [
    (stub, "0.1 Double a number: not started\n  Write your answer in place of the dots", None),
    (lambda x: x, "0.1 Double a number: wrong\n  case:     double(2)\n  expected: 4\n", "wrong"),
    (lambda x: 1 / 0, "raised\n  case:     double(2)\n  raised:   ZeroDivisionError", "raised"),
    (lambda x: 2 * x, "0.1 Double a number: passed\n", "passed"),
]


@pytest.mark.parametrize(("answer", "said", "kept"), CHECKS)
def test_check_says_and_keeps(answer, said, kept, capsys):
    assert check("0.1", answer) is None
    assert said in capsys.readouterr().out
    assert store.load().statuses.get("0.1") == kept


def test_a_broken_store_never_breaks_a_lesson(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AGENTLIB_HOME", str(tmp_path / "file" / "home"))
    check("0.1", lambda x: 2 * x)
    out = capsys.readouterr().out
    assert out.startswith("0.1 Double a number: passed\n")
    assert out.count("progress is not kept") == 1


def test_check_in_a_notebook(notebook):
    check("0.1", lambda x: "<b>")
    assert repr(notebook[0]).startswith("0.1 Double a number: wrong")
    assert "&lt;b&gt;" in notebook[0]._repr_html_()
    assert "<b>" not in notebook[0]._repr_html_()


def test_hints_come_one_by_one_in_a_terminal(capsys):
    for _ in range(3):
        hint("0.1")
    first, second = "Exercise 0.1, hint 1 of 2: Twice.\n", "Exercise 0.1, hint 2 of 2: `2 * x`\n"
    assert capsys.readouterr().out == first + second + second


def test_hints_are_folded_and_the_same_at_each_call_in_a_notebook(notebook):
    hint("0.1")
    hint("0.1")
    assert notebook[0].html == notebook[1].html
    assert notebook[0].html.count("<details>") == 2
    assert "<p><code>2 * x</code></p>" in notebook[0].html and "`" not in notebook[0].html
    assert notebook[0].text == notebook[1].text


def test_solution_is_folded_in_a_notebook(notebook, capsys):
    solution("0.1")
    assert notebook[0].html.startswith("<details><summary>Exercise 0.1, the solution</summary>")
    assert "&lt;twice&gt;" in notebook[0].html
    assert capsys.readouterr().out == ""


def test_progress_counts_what_has_passed(notebook):
    progress()
    check("0.1", lambda x: 2 * x)
    progress()
    assert repr(notebook[0]).splitlines() == [
        "lesson 00  [....................] 0 of 1",
        "all        [....................] 0 of 1",
    ]
    assert repr(notebook[2]).splitlines()[0] == "lesson 00  [####################] 1 of 1"
    assert "width: 100%" in notebook[2].html
