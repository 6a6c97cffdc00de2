"""The box to play in: what a click runs, where, and what it shows."""

import asyncio
import contextvars
import threading

import pytest

from agentlib.notebook import tryit

cell = contextvars.ContextVar("cell", default="no cell")


@pytest.fixture
def shown(monkeypatch):
    """The widgets that were displayed, with a person there."""
    boxes = []
    monkeypatch.setattr(tryit, "human_attached", lambda: True)
    monkeypatch.setattr("IPython.display.display", boxes.append)
    return boxes


def play(shown, run, click):
    """Show the box from a cell, let `click` use its widgets, and return what the box then says."""

    async def main():
        token = cell.set("this cell")
        tryit.try_it(run, ["one", "two"])
        cell.reset(token)
        pick, row, answer = shown[0].children
        task, button = row.children
        click(pick, task, button)
        for _ in range(200):
            await asyncio.sleep(0.005)
            if answer.value and not button.disabled:
                return answer.value

    return asyncio.run(main())


async def tell(task):
    await asyncio.sleep(0)
    return f"{task} in {cell.get()}"


def press(pick, task, button):
    button.click()


def choose(pick, task, button):
    pick.value = "two"
    button.click()


def write(pick, task, button):
    task.value = "<my own>"
    button.click()


def from_a_thread(pick, task, button):
    clicker = threading.Thread(target=button.click)
    clicker.start()
    clicker.join()


@pytest.mark.parametrize(
    ("click", "said"),
    [
        (press, "one in this cell"),
        (choose, "two in this cell"),
        (write, "&lt;my own&gt; in this cell"),
        (from_a_thread, "one in this cell"),
    ],
)
def test_a_click_runs_the_task_as_the_cell_would(shown, click, said):
    assert said in play(shown, tell, click)


def test_a_plain_function_and_a_fault_are_shown(shown):
    assert "ONE" in play(shown, str.upper, press)
    shown.clear()

    def fail(task):
        raise ValueError("no <such> town")

    assert "<b>ValueError</b>: no &lt;such&gt; town" in play(shown, fail, press)


def test_with_nobody_there_it_says_what_it_would_offer(capsys, monkeypatch):
    monkeypatch.setattr(tryit, "human_attached", lambda: False)
    tryit.try_it(str, ["one", "two"])
    assert capsys.readouterr().out.splitlines()[1:] == ["  one", "  two"]


@pytest.mark.parametrize(("given", "label"), [({}, "task"), ({"label": "trouble"}, "trouble")])
def test_the_text_box_is_labelled(shown, given, label):
    async def main():
        tryit.try_it(str, ["one"], **given)

    asyncio.run(main())
    assert shown[0].children[1].children[0].description == label
