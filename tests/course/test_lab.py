"""Starting JupyterLab: what it is given, and what is said when it can't start."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from agentlib.course import lab, store


@pytest.fixture
def busy():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        yield held.getsockname()[1]


def test_command(tmp_path, monkeypatch):
    (tmp_path / "00_start_here.ipynb").write_text("{}")
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    line = lab.command(tmp_path, 8890, browser=False, settings=Path("quiet"))
    assert line[:3] == [sys.executable, "-m", "jupyterlab"]
    assert set(line[3:]) == {
        "--ip=127.0.0.1",
        "--port=8890",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={tmp_path}",
        "--ServerApp.answer_yes=True",
        "--LabApp.app_settings_dir=quiet",
        "--LabApp.default_url=/lab/tree/00_start_here.ipynb",
        "--log-level=ERROR",
        "--no-browser",
        "--allow-root",
    }
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    plain = lab.command(tmp_path, 8890, browser=True, settings=Path("quiet"))
    assert not {"--no-browser", "--allow-root"} & set(plain)


def test_a_busy_port_that_was_asked_for_is_named(busy):
    with pytest.raises(lab.LabError, match=f"port {busy} is busy.*--port {busy + 1}"):
        lab.free_port(busy)


def test_a_busy_port_is_passed_over(busy, monkeypatch):
    monkeypatch.setattr(lab, "PORTS", [busy, 0])  # 0 lets the system choose: always free
    assert lab.free_port() == 0
    monkeypatch.setattr(lab, "PORTS", [busy, busy])
    with pytest.raises(lab.LabError, match="all busy"):
        lab.free_port()


@pytest.mark.parametrize("module", ["jupyterlab", "ipykernel"])
def test_missing_parts_are_named(module, monkeypatch):
    monkeypatch.setattr(lab, "find_spec", lambda name: None if name == module else object())
    with pytest.raises(lab.LabError, match=rf"\({module} is missing\).*\[course\]"):
        lab.require_jupyter()


def test_quiet_settings_and_where_home_cannot_be_written(tmp_path, monkeypatch):
    folder = lab.quiet_settings()
    assert folder == store.home() / "lab-settings"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AGENTLIB_HOME", str(tmp_path / "file" / "home"))
    for place in (folder, lab.quiet_settings()):
        settings = json.loads((place / "overrides.json").read_text())
        assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_a_request_to_end_reaches_jupyter(tmp_path):
    child = "import time, pathlib; pathlib.Path('up').touch(); time.sleep(60)"
    code = (
        "import sys, pathlib; from agentlib.course import lab; "
        f"sys.exit(lab.run([sys.executable, '-c', {child!r}], pathlib.Path('.')) != -15)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    wait_for((tmp_path / "up").exists)
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0


def test_the_lessons_are_served_without_news(tmp_path):
    """The real thing: `agentlib lab` on a fresh folder answers, with the settings in force."""
    port, folder = lab.free_port(), tmp_path / "my-lessons"
    command = [sys.executable, "-m", "agentlib", "lab", "--no-browser", "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--folder", folder],
        cwd=tmp_path,
        env=os.environ | {"JUPYTER_TOKEN": "t"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    name = "@jupyterlab/apputils-extension:notification"
    try:
        wait_for(lambda: b"JupyterLab" in fetch(f"http://127.0.0.1:{port}/lab?token=t"))
        settings = json.loads(fetch(f"http://127.0.0.1:{port}/lab/api/settings/{name}?token=t"))
        files = json.loads(fetch(f"http://127.0.0.1:{port}/api/contents?token=t"))["content"]
    finally:
        process.terminate()
        said, _ = process.communicate(timeout=20)
    assert settings["schema"]["properties"]["fetchNews"]["default"] == "false"
    assert {file["name"] for file in files} >= {p.name for p in folder.glob("*.ipynb")} != set()
    assert f"JupyterLab serves {folder} on port {port}. Ctrl+C ends it." in said


def fetch(address: str) -> bytes:
    try:
        return urllib.request.urlopen(address, timeout=5).read()
    except OSError:
        return b""


def wait_for(condition, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came up"
        time.sleep(0.1)
