"""A notebook that asks, run with nobody there: one text per question, the same every time."""

import os
import subprocess
import sys

import nbformat
import nbformat.v4 as v4

CELLS = [
    """
from agentlib import Executor, ToolCall
from agentlib.layers.approval import Approval
from agentlib.notebook.buttons import ButtonApprover, answers
from agentlib.tools import Tool

schema = {"type": "object", "properties": {}}
tool = Tool("launch", "Launch.", schema, lambda: "launched", confirm=True)
executor = Executor([tool], layers=(Approval(ButtonApprover(unattended=("allow", "deny"))),))
""",
    "(await executor.execute(ToolCall('launch'))).content",
    "(await executor.execute(ToolCall('launch'))).content",
    "with answers('allow'):\n    print((await executor.execute(ToolCall('launch'))).content)",
    "executor.execute_sync(ToolCall('launch'))",
]


def texts(cell) -> list[str]:
    found = []
    for output in cell.outputs:
        data = output.get("data", {})
        assert "application/vnd.jupyter.widget-view+json" not in data
        found.append(output.get("text") or data.get("text/plain") or output.get("evalue", ""))
    return found


def test_the_stored_outputs_are_those_of_every_further_run(tmp_path):
    from nbclient import NotebookClient

    notebook = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in CELLS])
    notebook.cells[-1].metadata["tags"] = ["raises-exception"]
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": tmp_path}}).execute()
    allowed, denied, scripted, run_out = (texts(cell) for cell in notebook.cells[1:])
    assert allowed == ["launch: Run launch?\nallowed [decided by: script]", "'launched'"]
    assert denied[0] == "launch: Run launch?\ndenied [decided by: script]"
    assert "refused" in denied[1] and "decided by" not in denied[1]
    assert scripted == ["launch: Run launch?\nallowed [decided by: script]", "launched\n"]
    assert "unattended= gave 2 answers" in run_out[-1]
    nbformat.write(notebook, tmp_path / "asks.ipynb")
    command = [sys.executable, "-m", "pytest", "-q", "--nbval", "--nbval-current-env"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", "asks.ipynb"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout
