"""One JupyterLab and one Chromium for all browser tests; each test opens a notebook of its own."""

from pathlib import Path

import nbformat
import nbformat.v4 as v4
import pytest
from lab_page import NotebookPage, browser_at, jupyter_lab


@pytest.fixture(scope="session")
def lab_root(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("notebooks")


@pytest.fixture(scope="session")
def lab_url(lab_root, tmp_path_factory):
    with jupyter_lab(lab_root, tmp_path_factory.mktemp("jupyter")) as url:
        yield url


@pytest.fixture(scope="session")
def browser(chromium):
    with browser_at(chromium) as opened:
        yield opened


@pytest.fixture
def notebook(lab_root, lab_url, browser, request):
    """Open a notebook made of these cells, in a folder of its own."""
    pages = []

    def open_it(*cells: str) -> NotebookPage:
        folder = lab_root / request.node.name
        folder.mkdir()
        made = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
        made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(made, folder / "n.ipynb")
        page = NotebookPage(browser, lab_url, f"{folder.name}/n.ipynb")
        pages.append(page)
        page.folder = folder
        return page

    yield open_it
    for page in pages:
        page.close()
