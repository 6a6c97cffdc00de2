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


# Playwright keeps an event loop running in this thread: until the module ends, and no longer, or
# every later test that calls asyncio.run would fail.
@pytest.fixture(scope="module")
def browser(chromium):
    with browser_at(chromium) as opened:
        yield opened


@pytest.fixture
def open_notebook(lab_root, lab_url, browser, request):
    """Open a notebook in a folder of its own, as `page.folder`; closed with its kernel."""
    pages = []

    def open_it(made) -> NotebookPage:
        folder = lab_root / request.node.name
        folder.mkdir()
        nbformat.write(made, folder / "n.ipynb")
        page = NotebookPage(browser, lab_url, f"{folder.name}/n.ipynb")
        pages.append(page)
        page.folder = folder
        return page

    yield open_it
    for page in pages:
        page.close()


@pytest.fixture
def notebook(open_notebook):
    """Open a notebook made of these cells."""

    def make(*cells: str) -> NotebookPage:
        made = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
        made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        return open_notebook(made)

    return make
