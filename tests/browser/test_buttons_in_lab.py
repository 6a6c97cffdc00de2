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


def test_allow_runs_the_call_and_leaves_a_line_instead_of_buttons(notebook):
    page = notebook(SETUP, ASK)
    page.run_all()
    page.shows("Write 2 characters to a.txt?")
    assert not (page.folder / "a.txt").exists()
    page.click("Allow")
    text = page.shows("model reads: written")
    assert (page.folder / "a.txt").read_text() == "hi"
    assert "[decided by: click]" in text
    assert page.page.get_by_role("button", name="Allow", exact=True).count() == 0


def test_deny_runs_nothing_and_the_model_reads_the_refusal_and_its_reason(notebook):
    page = notebook(SETUP, ASK)
    page.run_all()
    page.shows("Write 2 characters")
    page.page.get_by_placeholder("Reason for a no").fill("not that file")
    page.click("Deny")
    text = page.shows("model reads:")
    assert not (page.folder / "a.txt").exists()
    read = text[text.index("model reads:") :]
    assert "refused by the person" in read and "Reason: not that file." in read
    assert "decided by" not in read


def test_edited_arguments_are_checked_and_shown_before_they_can_be_allowed(notebook):
    page = notebook(SETUP, ASK)
    page.run_all()
    page.click("Edit arguments")
    editor = page.page.locator("textarea:visible").last
    editor.fill('{"file": "b.txt"}')
    page.click("Use these arguments")
    page.shows("`path` is required")
    editor.fill("")
    editor.type('{"path": "b.txt"}')  # key by key: each change has to arrive
    page.click("Use these arguments")
    page.shows("Write 2 characters to b.txt?")
    assert list(page.folder.glob("*.txt")) == []
    page.click("Allow")
    text = page.shows("model reads:")
    assert "The person changed the arguments" in text and 'allowed with {"path": "b.txt"}' in text
    assert (page.folder / "b.txt").exists() and not (page.folder / "a.txt").exists()


def test_a_double_click_answers_one_question(notebook):
    page = notebook(SETUP, ASK_TWO)
    page.run_all()
    page.shows("a.txt?")
    page.click("Allow", click_count=2, delay=20)
    page.shows("Write 2 characters to b.txt?")
    time.sleep(1)
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
    page.finished(5)
    assert time.monotonic() - began < 4
    assert page.errors() and all(len(e.strip().splitlines()) == 1 for e in page.errors())
    assert "Traceback" not in text and not (page.folder / "a.txt").exists()


def test_a_blocking_run_that_needs_a_button_says_what_to_write_instead(notebook):
    page = notebook(SETUP, "executor.execute_sync(note('a.txt'))")
    page.run_all()
    page.shows("use `await agent.run(...)`")
    assert not (page.folder / "a.txt").exists()


def test_a_closed_question_is_denied_when_its_time_is_up(notebook):
    page = notebook(SETUP, "approver.timeout = 1\n" + ASK)
    page.run_all()
    text = page.shows("model reads:")
    assert "[decided by: timeout]" in text and "nobody answered" in text
    assert not (page.folder / "a.txt").exists()
