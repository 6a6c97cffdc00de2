"""Which answer counts: the script in the code, the variable, the approver's own, a person."""

import types

import pytest

from agentlib.approvers import ApproverError, Decision
from agentlib.notebook import answers as module
from agentlib.notebook.answers import Answers, answers, human_attached, scripted_answer

CLICK = {"header": {"msg_type": "comm_msg"}, "content": {"comm_id": "w", "data": {}}}


@pytest.fixture
def person(monkeypatch):
    """person(True) sits someone down at the notebook."""
    monkeypatch.setattr(module, "_environment", module._Environment())
    return lambda there: monkeypatch.setattr(module, "human_attached", lambda: there)


def words(*decisions: Decision | None) -> list[str]:
    return ["ask" if d is None else d.by if not d.allow else "allow" for d in decisions]


@pytest.mark.parametrize(
    "there, code, variable, own, expected",
    [
        (True, None, None, None, "ask"),
        (True, None, "allow", ("allow",), "ask"),
        (True, ("deny",), "allow", ("allow",), "script"),
        (False, ("deny",), "allow", ("allow",), "script"),
        (False, None, "deny", ("allow",), "script"),
        (False, None, None, ("allow",), "allow"),
        (False, None, "", ("allow",), "allow"),
        (False, None, None, None, "nobody"),
    ],
)
def test_the_order(person, monkeypatch, there, code, variable, own, expected):
    person(there)
    if variable is not None:
        monkeypatch.setenv("AGENTLIB_ANSWERS", variable)
    own = Answers(own, "own") if own else None
    if code is None:
        assert words(scripted_answer(own)) == [expected]
        return
    with answers(*code):
        assert words(scripted_answer(own)) == [expected]


def test_nobody_there_is_told_how_to_answer_in_advance(person):
    person(False)
    reason = scripted_answer().reason
    assert "unattended=" in reason and "AGENTLIB_ANSWERS" in reason


@pytest.mark.parametrize("there", [True, False])
def test_a_script_in_the_code_that_runs_out_raises_and_asks_nobody(person, there):
    person(there)
    with answers("allow"):
        assert scripted_answer().allow
        with pytest.raises(ApproverError, match="gave 1 answers"):
            scripted_answer()


def test_a_script_ends_with_its_block_and_may_be_nested(person):
    person(False)
    with answers("allow", "allow"):
        assert scripted_answer().allow
        with answers("deny"):
            assert not scripted_answer().allow
        assert scripted_answer().allow
    assert scripted_answer().by == "nobody"


def test_the_variable_is_taken_answer_by_answer_and_raises_at_its_end(person, monkeypatch):
    person(False)
    monkeypatch.setenv("AGENTLIB_ANSWERS", "allow, deny")
    assert [scripted_answer().allow, scripted_answer().allow] == [True, False]
    with pytest.raises(ApproverError, match="AGENTLIB_ANSWERS gave 2"):
        scripted_answer()
    monkeypatch.setenv("AGENTLIB_ANSWERS", "session")
    assert scripted_answer().remember


def test_an_unknown_word_raises(person, monkeypatch):
    person(False)
    with pytest.raises(ValueError, match="'yes'"), answers("yes"):
        pass
    monkeypatch.setenv("AGENTLIB_ANSWERS", "allow,maybe")
    for _ in range(2):  # every time, and never a part of it
        with pytest.raises(ApproverError, match="'maybe'"):
            scripted_answer()


@pytest.mark.parametrize(
    "shell, there",
    [
        (None, False),
        (types.SimpleNamespace(), False),
        (types.SimpleNamespace(kernel=None), False),
        (types.SimpleNamespace(kernel=1, get_parent=lambda: {}), False),
        (types.SimpleNamespace(kernel=1, get_parent=lambda: {"content": {}}), False),
        (types.SimpleNamespace(kernel=1, get_parent=lambda: CLICK), True),
        *(
            (
                types.SimpleNamespace(
                    kernel=1, get_parent=lambda v=value: {"content": {"allow_stdin": v}}
                ),
                value,
            )
            for value in (True, False)
        ),
    ],
)
def test_a_front_end_that_takes_input_has_a_person(monkeypatch, shell, there):
    import IPython

    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    assert human_attached() is there
