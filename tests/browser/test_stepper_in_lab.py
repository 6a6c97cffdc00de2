"""The stepper in a real JupyterLab: a run taken step by step, changed on the way, taken back."""

import pytest

pytestmark = pytest.mark.browser

CELLS = """
from pathlib import Path
from agentlib import Agent, ToolRegistry, connect
from agentlib.layers.approval import Approval
from agentlib.notebook.stepper import Stepper

tools = ToolRegistry()

@tools.tool(confirm=lambda name: f"Create the file {name}?")
def create_file(name: str) -> str:
    "Create an empty file with this name."
    Path(name).touch()
    return f"created {name}"

client, model = connect()
agent = Agent(client, model, tools=tools, layers=(Approval(),))
Stepper(agent.start("Create the file 'a.txt'."))
"""


def test_a_run_is_stepped_edited_asked_about_and_taken_back(notebook):
    page = notebook(CELLS)
    page.run_all()
    page.shows("Nothing has happened yet")
    for title in ("task is in the history", "Request 1 is ready", "The model wants 1 call"):
        page.click("Step")
        page.shows(title)
    page.click("Back")
    page.shows("Request 1 is ready")
    for title in ("The model wants 1 call", "Call 1: create_file"):
        page.click("Step")
        page.shows(title)
    page.write('{"name": "b.txt"}')
    page.click("Step")
    page.shows("Create the file b.txt?")  # the question appears under the stepper
    page.click("Allow")
    page.shows("Result 1 of create_file: success")
    assert [p.name for p in page.folder.glob("*.txt")] == ["b.txt"]
    page.write("the disk is full")
    page.click("Run on")
    page.click("Deny")  # the model has read of no a.txt, and asks for it again
    text = page.shows("The run has ended (answer)")
    assert "the disk is full" in text and "created b.txt" not in text
    page.click("Back")
    page.shows("The model answers")
