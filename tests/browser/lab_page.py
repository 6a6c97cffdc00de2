"""JupyterLab on a free loopback port, and a page of Chromium that has one notebook open."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

CHROMIUM_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
]
FOLDERS = {
    "HOME": "home",
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "IPYTHONDIR": "ipython",
    "AGENTLIB_HOME": "course",
}


def until(true: Callable[[], Any], what: str, seconds: float = 30.0) -> Any:
    """The first true value of `true()`. AssertionError: none came within `seconds`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = true()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds:g} s: {what}")


@contextlib.contextmanager
def jupyter_lab(root: Path, own: Path) -> Iterator[str]:
    """Serve the folder `root` from this environment; everything Jupyter keeps goes to `own`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "AGENTLIB"))}
    environment |= {name: str(own / folder) for name, folder in FOLDERS.items()}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    settings = own / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    command = [
        *(sys.executable, "-m", "jupyter", "lab", "--allow-root", "--no-browser"),
        *("--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"),
        *("--IdentityProvider.token=", "--ServerApp.password="),
        *(f"--ServerApp.root_dir={root}", "--ServerApp.terminals_enabled=False"),
    ]
    log = own / "server.log"
    with log.open("w") as out:
        server = subprocess.Popen(command, env=environment, cwd=root, stdout=out, stderr=out)
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        if server.poll() is not None:
            raise AssertionError(f"JupyterLab ended: {log.read_text()[-2000:]}")
        with contextlib.suppress(OSError):
            return bool(urllib.request.urlopen(f"{url}/api/status", timeout=1).read())
        return False

    try:
        until(answers, "JupyterLab answers", 60)
        yield url
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(own, ignore_errors=True)


@contextlib.contextmanager
def browser_at(path: str) -> Iterator[Any]:
    """Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class NotebookPage:
    """One notebook in JupyterLab, its kernel connected and idle."""

    def __init__(self, browser: Any, url: str, name: str) -> None:
        self.url, self.name = url, name
        self.page = browser.new_page(viewport={"width": 1200, "height": 1000})
        self.page.set_default_timeout(20_000)
        self.page.goto(f"{url}/lab/tree/{name}?reset")
        self.page.locator(".jp-NotebookPanel:visible .jp-CodeCell").first.wait_for(timeout=60_000)
        # Run is dropped silently before the websocket is up, and the page does not say when it is.
        until(self._connected, "the kernel is connected and idle", 60)
        self.page.get_by_text("| Idle").first.wait_for()
        time.sleep(0.5)

    def _connected(self) -> bool:
        sessions = json.load(urllib.request.urlopen(f"{self.url}/api/sessions"))
        kernels = [s["kernel"] for s in sessions if s["path"] == self.name]
        return any(k["connections"] and k["execution_state"] == "idle" for k in kernels)

    def menu(self, top: str, entry: str) -> None:
        self.page.locator(f'.lm-MenuBar-itemLabel:text-is("{top}")').click()
        self.page.locator(f'.lm-Menu-itemLabel:text-is("{entry}")').click()

    def run_all(self) -> None:
        self.menu("Run", "Run All Cells")

    def run_cell(self, number: int) -> None:
        """Run the code cell of this number, from 0, by Ctrl+Enter."""
        cell = self.page.locator(".jp-NotebookPanel:visible .jp-CodeCell").nth(number)
        cell.locator(".jp-InputPrompt").click()
        self.page.keyboard.press("Control+Enter")

    def reload(self) -> None:
        """Load the page anew while a cell may still run; what was not saved is gone."""
        self.page.goto(f"{self.url}/lab/tree/{self.name}?reset")
        self.page.locator(".jp-NotebookPanel:visible .jp-CodeCell").first.wait_for(timeout=60_000)
        until(self._has_page, "the new page is connected", 60)
        time.sleep(2)

    def _has_page(self) -> bool:
        sessions = json.load(urllib.request.urlopen(f"{self.url}/api/sessions"))
        return any(s["kernel"]["connections"] for s in sessions if s["path"] == self.name)

    def interrupt(self) -> None:
        self.menu("Kernel", "Interrupt Kernel")

    def button(self, label: str) -> Any:
        """The button of this label that appeared last."""
        return self.page.get_by_role("button", name=label, exact=True).last

    def click(self, label: str, **how: Any) -> None:
        """Click it as soon as it is there and enabled."""
        self.button(label).click(**how)

    def write(self, text: str) -> None:
        """Type the text, key by key, into the text area that appeared last, in place of its own."""
        area = self.page.locator("textarea:visible").last
        area.fill("")
        area.type(text)
        time.sleep(1)  # a busy machine takes its time to bring the last keys to the kernel

    def text(self) -> str:
        """All outputs, as a reader sees them."""
        return "\n".join(self.page.locator(".jp-OutputArea-output:visible").all_inner_texts())

    def shows(self, text: str, seconds: float = 60.0) -> str:
        """Wait until the outputs hold `text`; returns them."""
        try:
            return until(lambda: text in self.text() and self.text(), f"{text!r}", seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}\nThe outputs:\n{self.text()}") from None

    def errors(self) -> list[str]:
        kind = "application/vnd.jupyter.stderr"  # what JupyterLab renders an error output as
        return self.page.locator(
            f'.jp-OutputArea-output[data-mime-type="{kind}"]'
        ).all_inner_texts()

    def finished(self, seconds: float = 30.0) -> None:
        """Wait until no cell runs or waits."""
        busy = self.page.locator('.jp-InputPrompt:text-is("[*]:")')
        until(lambda: busy.count() == 0, "all cells have ended", seconds)

    def close(self) -> None:
        """Close the page and end its kernel."""
        for session in json.load(urllib.request.urlopen(f"{self.url}/api/sessions")):
            address = f"{self.url}/api/sessions/{session['id']}"
            request = urllib.request.Request(address, method="DELETE")
            with contextlib.suppress(OSError):
                urllib.request.urlopen(request)
        self.page.close()
