"""Starts JupyterLab on a folder of lessons, for this user on this machine only."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from agentlib.course import places, store

PORTS = range(8888, 8909)
QUIET = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    }
}


class LabError(Exception):
    """JupyterLab can't be started; the message says why and what to do."""


def require_jupyter() -> None:
    """LabError unless JupyterLab and the Python kernel are installed."""
    for module, what in (("jupyterlab", "JupyterLab"), ("ipykernel", "the Python kernel")):
        if find_spec(module) is None:
            raise LabError(
                f"{what} is not installed in this Python ({module} is missing). "
                'Install what the course needs: pip install ".[course]"'
            )


def free_port(asked: int | None = None) -> int:
    """The port that was asked for, or the first free one of 8888 to 8908; LabError when busy."""
    for port in [asked] if asked else PORTS:
        if _is_free(port):
            return port
    if asked:
        raise LabError(
            f"port {asked} is busy: another program, perhaps an earlier `agentlib lab`, uses it. "
            f"End that one, or choose another: {places.program()} lab --port {asked + 1}"
        )
    raise LabError(
        f"ports {PORTS[0]} to {PORTS[-1]} are all busy. "
        f"Choose one: {places.program()} lab --port 9000"
    )


def command(folder: Path, port: int, browser: bool, settings: Path) -> list[str]:
    """The command line that starts JupyterLab."""
    line = [sys.executable, "-m", "jupyterlab", "--ip=127.0.0.1", f"--port={port}"]
    line += ["--ServerApp.port_retries=0", f"--ServerApp.root_dir={folder}"]
    line += [f"--LabApp.app_settings_dir={settings}", "--log-level=ERROR"]
    line += ["--ServerApp.answer_yes=True"]  # one Ctrl+C ends it
    first = next(iter(sorted(folder.glob("00_*.ipynb"))), None)
    if first:
        line += [f"--LabApp.default_url=/lab/tree/{first.name}"]
    if not browser:
        line += ["--no-browser"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        line += ["--allow-root"]
    return line


def quiet_settings() -> Path:
    """A folder of JupyterLab defaults without its news; the reader's own settings still win."""
    text = json.dumps(QUIET)
    folder = store.home() / "lab-settings"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "overrides.json").write_text(text, encoding="utf-8")
    except OSError:  # a home that can't be written to must not keep the course from opening
        folder = Path(tempfile.mkdtemp(prefix="agentlib-lab-"))
        (folder / "overrides.json").write_text(text, encoding="utf-8")
    return folder


def run(line: list[str], folder: Path) -> int:
    """Run JupyterLab until it ends and return its exit code.

    Ctrl+C reaches it by itself; a request to us to end is handed on, so that it never stays behind.
    """
    process = subprocess.Popen(line, cwd=folder)
    wanted = {signal.SIGINT: signal.SIG_IGN, signal.SIGTERM: lambda *_: process.terminate()}
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        return process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name != "nt":  # on Windows this option would let two programs share a port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
