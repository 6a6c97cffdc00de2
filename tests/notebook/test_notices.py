"""What waits for a person, and alerts: as text, as HTML, as a box with buttons."""

import pytest

from agentlib.errors import ToolCallError
from agentlib.layers.audit_entry import Alert
from agentlib.layers.fallback import Handover, HandoverQueue
from agentlib.notebook import notices
from agentlib.notebook.notices import Desk, show_alert, show_queue
from agentlib.results import ToolCall


def waiting(*names):
    queue = HandoverQueue()
    for name in names:
        add(queue, name)
    return queue


def add(queue, name):
    error = ToolCallError(f"{name} failed: <disk> gone", category="system_error")
    queue.append(Handover(ToolCall(name, '{"n": 1}', id=name), error, 5.0))


@pytest.mark.parametrize(
    ("names", "head"),
    [
        ([], "No calls waiting for a person"),
        (["a"], "1 call waiting for a person"),
        (["a", "b"], "2 calls waiting for a person"),
    ],
)
def test_a_queue_as_text(capsys, names, head):
    show_queue(waiting(*names))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == head and len(lines) == 1 + len(names)
    for line, name in zip(lines[1:], names, strict=True):
        assert f'{name}({{"n": 1}}): {name} failed: <disk> gone' in line
        assert "Something broke; a person will look." in line


@pytest.mark.parametrize("in_doubt", [True, False])
def test_a_person_is_told_of_what_may_have_worked(capsys, in_doubt):
    queue = HandoverQueue()
    queue.append(Handover(ToolCall("pay"), ToolCallError("gone"), 5.0, in_doubt))
    show_queue(queue)
    assert ("check before you do it again" in capsys.readouterr().out) is in_doubt


def texts(desk):
    return [getattr(w, "value", None) or w.children[1].value for w in desk.box.children]


def test_the_desk_follows_the_queue_and_a_click_takes_a_call():
    told, queue = [], waiting("a")
    queue.on_append = told.append
    desk = Desk(queue)
    add(queue, "b")
    assert [len(told), len(queue), len(desk.box.children)] == [1, 2, 3]
    assert "&lt;disk&gt;" in texts(desk)[1]
    second = desk.box.children[2].children[0]
    second.click()
    second.click()  # the old button of a call that is taken does nothing
    assert [item.call.name for item in queue] == ["a"]
    assert [item.call.name for item in desk.taken] == ["b"]
    assert texts(desk)[0] == "<b>1 call waiting for a person</b>"
    assert texts(desk)[-1].startswith("taken: b(")


def test_a_person_gets_the_box(monkeypatch):
    import IPython.display

    shown = []
    monkeypatch.setattr(notices, "human_attached", lambda: True)
    monkeypatch.setattr(IPython.display, "display", shown.append)
    show_queue(waiting("a"))
    assert len(shown) == 1 and type(shown[0]).__name__ == "VBox"


def test_an_alert(capsys):
    alert = Alert("denied", "<eve>", 5, 60.0, "2026-03-01T12:00:00.000+00:00", "r1", "s1")
    show_alert(alert)
    out = capsys.readouterr().out
    assert "5 calls of user '<eve>' denied in 60 s" in out and "2026-03-01T12:00" in out
    assert "&lt;eve&gt;" in notices.Notice("<eve>", [], "red")._repr_html_()
