"""Running a lesson with nobody there: a copy, a clean environment, a kernel of this Python."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

CELL_SECONDS = 60


def lesson_environment(home: Path) -> dict[str, str]:
    """The environment a lesson runs in: no key, no stored progress, no settings of this user."""
    ours = ("OPENAI_", "AGENTLIB_", "IPYTHON", "PYTEST_", "COLUMNS", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "AGENTLIB_HOME": str(home / "course"), "IPYTHONDIR": str(home / "ipython")}


def lesson_copy(path: Path, home: Path) -> Path:
    """Copy a notebook and the files beside it (not the other notebooks) into `home`/lessons."""
    folder = home / "lessons"
    others = shutil.ignore_patterns("*.ipynb", ".*", "__pycache__", "scratch")
    shutil.copytree(path.parent, folder, ignore=others)
    return Path(shutil.copy(path, folder))


def kernel_here() -> Any:
    """A manager for a kernel of this very Python, whatever kernels the machine has on its list."""
    from ipykernel.kernelspec import RESOURCES, get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    class Here(KernelSpecManager):
        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
            return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())

    return AsyncKernelManager(kernel_name="python3", kernel_spec_manager=Here())


def execute(notebook: Any, folder: Path, home: Path, on_cell: Any = None) -> str:
    """Run a notebook's cells in `folder`, filling in the outputs; returns why it stopped, or ""."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    done: list[Any] = []

    def count(cell: Any, cell_index: int, **_: Any) -> None:
        if cell.cell_type == "code":
            done.append(cell)
            if on_cell:
                on_cell(len(done), len(cells))

    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        km=kernel_here(),
        resources={"metadata": {"path": str(folder)}},
        on_cell_executed=count,
    )
    try:
        # What the kernel's own start-up says is not the lesson's; a cell's stderr comes by message.
        client.execute(env=lesson_environment(home), stderr=subprocess.DEVNULL)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        return f"cell [{len(done)}]: {str(error).strip()}"
    return ""
