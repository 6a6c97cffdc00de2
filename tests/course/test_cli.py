"""The command line as a beginner meets it: help, messages, exit codes."""

import socket
import subprocess
import sys

import pytest
from tiny import write_lesson
from typer.testing import CliRunner

from agentlib.course import cli, cli_tools, doctor, places, store
from agentlib.course.refresh import refresh

COMMANDS = ("lab", "doctor", "verify", "reset", "progress", "serve", "refresh")


def run(*words: object):
    """Run the command line in this process; says exit code, stdout, stderr."""
    found = CliRunner().invoke(cli_tools.app, list(map(str, words)))
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found


@pytest.fixture
def lessons(tmp_path, monkeypatch):
    """One small lesson, true as stored, in the place of the real ones."""
    folder = tmp_path / "lessons"
    refresh(write_lesson(folder / "03_tiny.ipynb", "6 * 7", "print('end')"))
    monkeypatch.setattr(places, "lessons_folder", lambda: folder)
    monkeypatch.setattr(places, "in_checkout", lambda: True)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command):
    found = run(command, "--help")
    assert found.exit_code == 0
    assert "Usage:" in found.stdout
    assert command in run("--help").stdout


def test_version():
    from agentlib import __version__

    assert run("--version").stdout == f"agentlib {__version__}\n"


def test_verify_true_and_false(lessons):
    found = run("verify")
    assert (found.exit_code, found.stderr) == (0, "")
    assert "2/2" in found.stdout and "Every cell came out as stored." in found.stdout
    path = lessons / "03_tiny.ipynb"
    path.write_text(path.read_text().replace('"42"', '"41"'))
    found = run("verify", "3")
    assert found.exit_code == 1
    assert "cell [1]: Cell outputs differ\n  6 * 7\n  -41\n  +42\n" in found.stdout
    assert found.stderr == "Not as stored (- stored, + now): 03_tiny.\n"


@pytest.mark.parametrize("command", ["verify", "refresh", "reset"])
def test_unknown_lesson(command, lessons, tmp_path):
    found = run(command, "77", *(["--folder", tmp_path] if command == "reset" else []))
    assert found.exit_code == 1
    assert found.stderr == "there is no lesson '77'. Lessons: 03_tiny.\n"


def test_refresh_says_faults(lessons):
    path = write_lesson(lessons / "04_bad.ipynb", "1 / 0")
    before = path.read_bytes()
    found = run("refresh", "04")
    assert found.exit_code == 1
    assert "04_bad.ipynb: cell [1]:" in found.stdout and "ZeroDivisionError" in found.stdout
    assert "left as it was" in found.stderr
    assert path.read_bytes() == before


def test_reset(lessons, tmp_path):
    mine = tmp_path / "mine"
    assert run("reset", "03", "--folder", mine).stdout == "03_tiny.ipynb is as it was written.\n"
    (mine / "03_tiny.ipynb").write_text("my work")
    assert "Your version is kept as yours-20" in run("reset", "3", "--folder", mine).stdout


NOWHERE = [
    "file/mine",
    pytest.param("/proc/mine", marks=pytest.mark.skipif(sys.platform != "linux", reason="/proc")),
]


@pytest.mark.parametrize("folder", NOWHERE)
@pytest.mark.parametrize("command", [["lab", "--no-browser"], ["reset", "03"]])
def test_a_folder_that_cannot_be_written(command, folder, lessons, tmp_path):
    (tmp_path / "file").write_text("")
    found = run(*command, "--folder", tmp_path / folder)
    assert found.exit_code == 1
    assert found.stderr.startswith("your lessons can't be written to ")
    assert "--folder PATH" in found.stderr and found.stderr.count("\n") == 1


@pytest.mark.parametrize("active", [True, False], ids=["active", "not active"])
def test_a_hint_can_be_typed_as_it_stands(active, lessons, tmp_path, monkeypatch):
    """Where the environment isn't active, `agentlib` alone is not found: the hint has the path."""
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    program = folder / ("agentlib.exe" if sys.platform == "win32" else "agentlib")
    program.touch()
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("PATH", str(folder) if active else str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert places.program() == ("agentlib" if active else str(program.relative_to(tmp_path)))
    monkeypatch.chdir(folder.parent.parent / "lessons")
    assert places.program() == ("agentlib" if active else str(program))


def test_progress():
    store.record("1.1", "passed")
    found = run("progress")
    assert found.exit_code == 0
    assert found.stdout.splitlines()[-1].startswith("all")


@pytest.mark.parametrize(("state", "code"), [("ok", 0), ("note", 0), ("fault", 1)])
def test_doctor_ends_with_1_on_a_fault(state, code, monkeypatch):
    finding = doctor.Finding("thing", state, "what [was] found", "do this")
    monkeypatch.setattr(doctor, "examine", lambda: iter([finding]))
    found = run("doctor")
    assert found.exit_code == code
    assert "what [was] found" in found.stdout
    assert f"{state}: thing: do this" in found.stdout


def test_serve_on_a_busy_port_names_the_mend():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = held.getsockname()[1]
        found = run("serve", "--port", port)
    assert found.exit_code == 1
    assert f"port {port}" in found.stderr and f"--port {port + 1}" in found.stderr
    assert found.stderr.count("\n") == 1


def test_serve_with_an_unknown_quirk_lists_them():
    found = run("serve", "--quirk", "nonsense")
    assert found.exit_code == 1
    assert "unknown quirk 'nonsense'; there are: malformed_json" in found.stderr


@pytest.mark.parametrize("command", ["lab", "serve"])
def test_a_port_that_is_none(command):
    found = run(command, "--port", 70000)
    assert found.exit_code == 2
    assert "--port" in found.stderr and "65535" in found.stderr


def test_source_and_refresh_are_for_checkouts(monkeypatch):
    monkeypatch.setattr(places, "in_checkout", lambda: False)
    for command in (["lab", "--source"], ["refresh"]):
        found = run(*command)
        assert found.exit_code == 1 and "installed copy" in found.stderr


@pytest.mark.parametrize("missing", ["rich", "typer"])
def test_the_light_install_says_what_is_missing(missing):
    code = (
        f"import sys; sys.modules[{missing!r}] = None; import runpy; "
        "runpy.run_module('agentlib', run_name='__main__')"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.returncode == 1
    assert f"the command line needs {missing}" in found.stderr
    assert 'pip install ".[course]"' in found.stderr
    assert "Traceback" not in found.stderr


def test_python_m_is_the_same_command_line():
    found = subprocess.run(
        [sys.executable, "-m", "agentlib", "--help"], capture_output=True, text=True
    )
    assert found.returncode == 0
    assert all(command in found.stdout for command in COMMANDS)
    assert cli.app is cli_tools.app
