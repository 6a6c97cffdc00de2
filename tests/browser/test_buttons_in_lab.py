"""A click, a double click and an interrupt, in a real JupyterLab.

The canary for the path of a click into a cell that awaits: it has changed with ipykernel before.
"""

import time

import pytest

pytestmark = pytest.mark.browser

SETUP = """
from pathlib import Path
from agentlib import Executor, ToolCall, ToolRegistry
from agentlib.layers.approval import Approval
from agentlib.notebook.buttons import ButtonApprover

registry = ToolRegistry()

@registry.tool(confirm=lambda path, content="hi": f"Write {len(content)} characters to {path}?")
def write_note(path: str, content: str = "hi") -> str:
    "Write a file."
    Path(path).write_text(content)
    return "written"

approver = ButtonApprover()
executor = Executor(registry, layers=(Approval(approver),))

def note(path):
    return ToolCall("write_note", {"path": path})
"""
ASK = "result = await executor.execute(note('a.txt')); print('model reads:', result.content)"
ASK_TWO = """
results = await executor.execute_all([note('a.txt'), note('b.txt')])
print('model reads:', [r.content for r in results])
"""


def read_by_model(text: str) -> str:
    """What the last `model reads:` line says."""
    return text[text.rindex("model reads:") :].partition("\n")[0]


def test_allow_deny_a_timeout_and_a_blocking_run(notebook):
    ask = [ASK.replace("a.txt", name) for name in ("allow.txt", "deny.txt", "late.txt")]
    blocking = "executor.execute_sync(note('blocking.txt'))"
    page = notebook(SETUP, ask[0], ask[1], f"approver.timeout = 1\n{ask[2]}", blocking)
    page.run_all()

    page.shows("Write 2 characters to allow.txt?")
    assert not (page.folder / "allow.txt").exists()
    page.click("Allow")
    assert "written" in read_by_model(page.shows("deny.txt?"))

    page.page.get_by_placeholder("Reason for a no").fill("not that file")
    page.click("Deny")
    read = read_by_model(page.shows("late.txt?"))
    assert "refused by the person" in read and "Reason: not that file." in read

    text = page.shows("use `await agent.run(...)`")
    assert "nobody answered" in read_by_model(text)
    assert [text.count(f"[decided by: {by}]") for by in ("click", "timeout")] == [2, 1]
    assert all("decided by" not in line for line in text.splitlines() if "model reads" in line)
    assert [p.name for p in page.folder.glob("*.txt")] == ["allow.txt"]
    assert page.page.get_by_role("button", name="Allow", exact=True).count() == 0


def test_edited_arguments_are_checked_and_shown_before_they_can_be_allowed(notebook):
    page = notebook(SETUP, ASK)
    page.run_all()
    page.click("Edit arguments")
    page.write('{"file": "b.txt"}')
    page.click("Use these arguments")
    page.shows("`path` is required")
    page.write('{"path": "b.txt"}')
    page.click("Use these arguments")
    page.shows("Write 2 characters to b.txt?")
    assert list(page.folder.glob("*.txt")) == []
    page.click("Allow")
    text = page.shows("model reads:")
    assert "The person changed the arguments" in text and 'allowed with {"path": "b.txt"}' in text
    assert (page.folder / "b.txt").exists() and not (page.folder / "a.txt").exists()


# The second half of a double click, at the very moment when the next question's button appears.
DOUBLE_CLICK = """() => {
    const last = () => [...document.querySelectorAll("button")]
        .filter(b => b.textContent.trim() === "Allow").pop();
    const first = last();
    first.click();
    first.click();
    const timer = setInterval(() => {
        const next = last();
        if (next && next !== first) { clearInterval(timer); next.click(); window.landed = true; }
    }, 2);
}"""


def test_a_double_click_answers_one_question(notebook):
    page = notebook(SETUP, "approver.arm_after = 1.5\n" + ASK_TWO)  # so that a slow machine passes
    page.run_all()
    page.button("Allow").and_(page.page.locator(":enabled")).wait_for()
    page.page.evaluate(DOUBLE_CLICK)
    page.page.wait_for_function("window.landed")
    time.sleep(1)
    page.shows("Write 2 characters to b.txt?")
    assert (page.folder / "a.txt").exists() and not (page.folder / "b.txt").exists()
    page.click("Deny")
    page.shows("model reads:")
    assert not (page.folder / "b.txt").exists()


def test_interrupt_ends_a_waiting_question_with_one_line(notebook):
    page = notebook(SETUP, ASK, "print('after')")
    page.run_all()
    page.shows("Write 2 characters")
    began = time.monotonic()
    page.interrupt()
    text = page.shows("[decided by: interrupt]", 10)
    page.finished(15)
    assert time.monotonic() - began < 20  # a question waits ten minutes
    assert page.errors() and all(len(e.strip().splitlines()) == 1 for e in page.errors())
    assert "Traceback" not in text and not (page.folder / "a.txt").exists()


def test_a_cell_that_is_run_again_while_its_question_is_open_shows_it_again(notebook):
    page = notebook(SETUP, ASK, "print('another cell')")
    page.run_all()
    page.shows("Write 2 characters")
    for _ in range(2):
        page.run_cell(1)
        page.shows("a run that still waits")
    page.click("Allow")
    for _ in range(2):  # the two runs that were asked for meanwhile ask for themselves
        page.shows("[decided by: click]")
        page.button("Deny").and_(page.page.locator(":enabled")).wait_for()
        page.click("Deny")
        time.sleep(1)
    page.finished()
    assert (page.folder / "a.txt").exists() and not page.errors()
    assert page.page.get_by_role("button", name="Allow", exact=True).count() == 0


@pytest.mark.parametrize("cell", [1, 2], ids=["its own cell", "another cell"])
def test_a_reloaded_page_shows_the_open_question_at_the_next_run(notebook, cell):
    page = notebook(SETUP, ASK, "print('another cell')")
    page.run_all()
    page.shows("Write 2 characters")
    page.reload()
    page.run_cell(cell)
    page.shows("a run that still waits")
    page.click("Allow")
    page.shows("[decided by: click]")
    assert (page.folder / "a.txt").exists()
    if cell == 2:
        page.shows("another cell")
        page.finished()


def test_another_cell_leaves_a_question_where_it_is(notebook):
    page = notebook(SETUP, ASK, "print('another cell')")
    page.run_cell(0)
    page.run_cell(1)
    page.shows("Write 2 characters")
    page.run_cell(2)
    time.sleep(1)
    assert "still waits" not in page.text()
    page.click("Allow")
    page.shows("another cell")
