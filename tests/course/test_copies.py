"""The reader's copy is made once, added to, and never overwritten."""

import json
from datetime import datetime

import nbformat
import pytest
from nbformat import v4

from agentlib.course import copies, places

NOW = datetime(2026, 11, 30, 9, 30, 0)


def notebook(text: str, run: bool = True) -> str:
    """A notebook of one code cell with this text, which prints it too."""
    outputs = [v4.new_output("stream", text=text)] if run else []
    cell = v4.new_code_cell(text, outputs=outputs, execution_count=7 if run else None, id="one")
    made = v4.new_notebook(cells=[v4.new_markdown_cell("# A ä", id="two"), cell])
    return nbformat.writes(made) + "\n"


@pytest.fixture
def originals(tmp_path, monkeypatch):
    """A folder of two lessons and a data file in the place of the real ones."""
    folder = tmp_path / "lessons"
    (folder / "data").mkdir(parents=True)
    (folder / "scratch").mkdir()
    for name in ("00_start.ipynb", "03_describe.ipynb", "data/apis.yaml", "scratch/left.txt"):
        text = f"original {name}"
        (folder / name).write_text(
            notebook(text) if name.endswith("ipynb") else text, encoding="utf-8"
        )
    monkeypatch.setattr(places, "lessons_folder", lambda: folder)
    return folder


@pytest.fixture
def mine(tmp_path):
    return tmp_path / "my-lessons"


def test_first_use_copies_all_but_leftovers(originals, mine):
    update = copies.update(mine)
    assert update.added == ["00_start.ipynb", "03_describe.ipynb", "data/apis.yaml"]
    assert (mine / "data/apis.yaml").read_text() == "original data/apis.yaml"
    assert not (mine / "scratch").exists()


def test_nothing_is_overwritten_and_new_lessons_are_added(originals, mine):
    copies.update(mine)
    (mine / "00_start.ipynb").write_text("my work")
    (originals / "00_start.ipynb").write_text(notebook("better"))
    (originals / "04_new.ipynb").write_text(notebook("new"))
    update = copies.update(mine)
    assert (update.added, update.newer) == (["04_new.ipynb"], ["00_start.ipynb"])
    assert (mine / "00_start.ipynb").read_text() == "my work"


def test_my_own_changes_are_no_newer_version(originals, mine):
    copies.update(mine)
    (mine / "00_start.ipynb").write_text("my work")
    assert copies.update(mine) == copies.Update()


def test_copies_hold_no_outputs_and_no_numbers(originals, mine):
    copies.update(mine)
    made = (mine / "00_start.ipynb").read_text(encoding="utf-8")
    assert made == notebook("original 00_start.ipynb", run=False)
    cells = json.loads((originals / "00_start.ipynb").read_text(encoding="utf-8"))["cells"]
    assert cells[1]["execution_count"] == 7 and cells[1]["outputs"]


def test_new_outputs_of_an_original_are_no_newer_version(originals, mine):
    copies.update(mine)
    path = originals / "00_start.ipynb"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"execution_count": 7', '"execution_count": 8')
    )
    assert copies.update(mine) == copies.Update()


def test_read_only_originals_give_writable_copies(originals, mine):
    (originals / "00_start.ipynb").chmod(0o444)
    copies.update(mine)
    assert (mine / "00_start.ipynb").stat().st_mode & 0o200


def test_reset_keeps_my_version_beside_it(originals, mine):
    copies.update(mine)
    for number, work in enumerate(("my work", "more work")):
        (mine / "03_describe.ipynb").write_text(work)
        lesson, kept = copies.reset("3", mine, NOW)
        assert lesson.read_text(encoding="utf-8") == notebook("original 03_describe.ipynb", False)
        assert kept.read_text() == work
        suffix = "-2" if number else ""
        assert kept.name == f"yours-2026-11-30-0930-03_describe{suffix}.ipynb"


def test_reset_of_an_untouched_or_missing_lesson_keeps_nothing(originals, mine):
    assert copies.reset("03", mine, NOW)[1] is None
    assert copies.reset("03", mine, NOW)[1] is None
    assert sorted(path.name for path in mine.iterdir()) == [".originals.json", "03_describe.ipynb"]


def test_reset_ends_the_newer_note(originals, mine):
    copies.update(mine)
    (originals / "03_describe.ipynb").write_text(notebook("better"))
    copies.reset("03", mine, NOW)
    assert copies.update(mine).newer == []


@pytest.mark.parametrize("text", ["", "{", "[1]", "null"])
def test_a_damaged_record_only_costs_a_note(originals, mine, text):
    copies.update(mine)
    (mine / copies.RECORD).write_text(text)
    assert copies.update(mine).added == []


def test_unknown_lesson_lists_them(originals, mine):
    with pytest.raises(ValueError, match="no lesson '99'. Lessons: 00_start, 03_describe"):
        copies.reset("99", mine)


def test_default_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "in_checkout", lambda: False)
    monkeypatch.chdir(tmp_path)
    assert copies.default_folder() == tmp_path / "my-lessons"
    (tmp_path / "my-lessons").mkdir()
    monkeypatch.chdir(tmp_path / "my-lessons")
    assert copies.default_folder() == tmp_path / "my-lessons"
    monkeypatch.setattr(places, "in_checkout", lambda: True)
    monkeypatch.chdir(tmp_path)
    assert copies.default_folder() == places.CHECKOUT / "my-lessons"
