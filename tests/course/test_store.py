"""The progress store: kept, damaged, and where it can't be written."""

import json

import pytest

from agentlib.course import store


def test_missing_is_empty():
    assert store.load() == store.Progress()


def test_the_best_outcome_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTLIB_HOME", str(tmp_path / "new" / "home"))
    for status, kept in [("not started", None), ("wrong", "wrong"), ("passed", "passed")]:
        assert store.record("3.1", status) == ""
        assert store.load().statuses.get("3.1") == kept
    store.record("3.1", "raised")
    assert store.load().statuses == {"3.1": "passed"}
    assert [path.name for path in store.home().iterdir()] == ["progress.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"exercises": 3}', '{"exercises": {"1": 2}}']
)
def test_damaged_is_set_aside_and_said_once(text):
    path = store.home() / "progress.json"
    path.write_text(text)
    problem = store.record("1.1", "passed")
    assert problem.startswith(f"progress: {path} was damaged. It is kept as progress.broken.json")
    assert "\n" not in problem
    assert (store.home() / "progress.broken.json").read_text() == text
    assert store.record("1.1", "passed") == ""
    assert json.loads(path.read_text())["exercises"] == {"1.1": {"status": "passed"}}


def test_unwritable_is_one_line_with_the_mend(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("AGENTLIB_HOME", str(blocked / "home"))
    problem = store.record("1.1", "passed")
    assert problem.startswith("progress is not kept: ")
    assert "Set AGENTLIB_HOME to a folder you can write to." in problem
    assert "\n" not in problem


def test_a_full_disk_leaves_the_old_file(monkeypatch):
    store.record("1.1", "passed")

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.os, "replace", full)
    assert "No space left on device" in store.record("1.2", "passed")
    assert store.load().statuses == {"1.1": "passed"}
