"""Sandbox: results, limits, cancellation, refusal, and what it says of itself."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from agentlib.errors import ErrorCategory, ToolCallError
from agentlib.sandbox.guarantees import BOUNDARY, GUARANTEES, NONE, levels_of
from agentlib.sandbox.process import Sandbox, SandboxUnavailable

LINUX = sys.platform.startswith("linux")
linux = pytest.mark.skipif(not LINUX, reason="the process sandbox needs Linux")


def available(backend: str) -> bool:
    return LINUX and Sandbox.guarantees(backend).backend is not None


BACKENDS = [
    pytest.param(name, marks=pytest.mark.skipif(not available(name), reason=f"no {name} here"))
    for name in ("bubblewrap", "landlock", "rlimits")
]


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_command_line(ws: Path, backend: str) -> None:
    result = Sandbox(ws, backend=backend).run("echo out; echo err >&2; echo x > made; exit 3")
    assert (result.exit_code, result.stdout, result.stderr) == (3, "out\n", "err\n")
    assert (result.timed_out, result.killed_by, result.truncated) == (False, None, False)
    assert result.backend == backend
    assert (ws / "made").read_text() == "x\n"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_program_with_arguments_needs_no_quoting(ws: Path, backend: str) -> None:
    result = Sandbox(ws, backend=backend).run(["printf", "%s|", "a b", "$HOME", "'"])
    assert result.stdout == "a b|$HOME|'|"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_missing_program_is_127_and_a_signal_128_plus(ws: Path, backend: str) -> None:
    sandbox = Sandbox(ws, backend=backend)
    assert sandbox.run(["no-such-program"]).exit_code == 127
    assert sandbox.run("kill -TERM $$").exit_code == 128 + signal.SIGTERM


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_broken_pipe_ends_a_program_quietly(ws: Path, backend: str) -> None:
    """SIGPIPE, which Python ignores, must not be ignored in what it starts."""
    result = Sandbox(ws, backend=backend).run("yes | head -n 1")
    assert (result.stdout, result.stderr, result.exit_code) == ("y\n", "", 0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_time_limit_holds_though_a_child_keeps_the_pipe(ws: Path, backend: str) -> None:
    began = time.monotonic()
    result = Sandbox(ws, timeout=0.5, backend=backend).run("sleep 30 & echo here; sleep 30")
    assert time.monotonic() - began < 20
    assert (result.timed_out, result.killed_by, result.exit_code) == (True, "timeout", 137)
    assert result.stdout == "here\n"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_background_child_does_not_hold_up_the_answer(ws: Path, backend: str) -> None:
    began = time.monotonic()
    result = Sandbox(ws, backend=backend).run("sleep 30 & echo done")
    assert (result.stdout, result.exit_code) == ("done\n", 0)
    assert time.monotonic() - began < 20


def beats(ws: Path) -> int:
    return (ws / "beat").stat().st_size if (ws / "beat").exists() else 0


BEAT = "while true; do printf x >> beat; sleep 0.02; done"


@pytest.mark.parametrize("backend", BACKENDS)
def test_cancelling_kills_the_tree_and_is_raised_again(ws: Path, backend: str) -> None:
    async def main() -> None:
        sandbox = Sandbox(ws, backend=backend)
        task = asyncio.create_task(sandbox.arun(f"({BEAT}) & {BEAT}"))
        while not beats(ws):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(main(), 20))
    before = beats(ws)
    time.sleep(0.2)
    assert beats(ws) == before > 0


@linux
@pytest.mark.parametrize("backend", BACKENDS)
def test_it_dies_with_its_caller(ws: Path, backend: str) -> None:
    """The caller is killed hard; what it started must not go on."""
    code = "from agentlib.sandbox.process import Sandbox\n"
    code += f"Sandbox({str(ws)!r}, backend={backend!r}).run({BEAT!r})"
    caller = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(ws)})
    deadline = time.monotonic() + 20
    while not beats(ws) and time.monotonic() < deadline:
        time.sleep(0.02)
    caller.kill()
    caller.wait()
    time.sleep(0.3)
    before = beats(ws)
    time.sleep(0.2)
    assert beats(ws) == before > 0


@pytest.mark.parametrize("backend", BACKENDS[:1])
def test_the_event_loop_stays_alive(ws: Path, backend: str) -> None:
    async def main() -> int:
        task = asyncio.create_task(Sandbox(ws, backend=backend).arun("sleep 0.3"))
        turns = 0
        while not task.done():
            turns += 1
            await asyncio.sleep(0.01)
        assert task.result().exit_code == 0
        return turns

    assert asyncio.run(main()) > 5


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_secret_of_the_caller(ws: Path, backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    result = Sandbox(ws, backend=backend).run("env; cat /proc/self/environ 2>/dev/null")
    assert "PATH=" in result.stdout and "sk-secret" not in result.stdout


@pytest.mark.parametrize("backend", BACKENDS[:1])
def test_variables_that_are_given_arrive(ws: Path, backend: str) -> None:
    sandbox = Sandbox(ws, backend=backend, environment={"COLOUR": "blue"})
    assert sandbox.run("echo $COLOUR").stdout == "blue\n"


@pytest.mark.parametrize("backend", BACKENDS[:2])
@pytest.mark.parametrize("network", [True, False])
def test_the_network_is_there_only_when_asked_for(ws: Path, backend: str, network: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}))"
        result = Sandbox(ws, backend=backend, network=network).run([sys.executable, "-Ic", code])
    assert (result.exit_code == 0) is network, result.stderr
    assert ("network" in result.not_enforced) is network


@pytest.mark.parametrize("backend", BACKENDS[:2])
def test_git_works_inside(ws: Path, backend: str) -> None:
    commands = "git init -q && git config user.name a && git config user.email a@b.example && "
    commands += "echo 1 > f && cp -p f g && git add . && git commit -qm first && git log --oneline"
    result = Sandbox(ws, backend=backend).run(commands)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.rstrip().endswith("first")


@pytest.mark.parametrize("backend", BACKENDS[:2])
def test_what_was_put_back_is_told(ws: Path, backend: str) -> None:
    (ws / ".git" / "hooks").mkdir(parents=True)
    result = Sandbox(ws, backend=backend).run("echo .. > .git/commondir")
    assert result.undone == ("commondir",)
    assert not (ws / ".git" / "commondir").exists()


# --- what it refuses -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [{"timeout": 0}, {"memory_mb": -1}, {"cpu_seconds": "5"}, {"disk_mb": True}, {"backend": "x"}],
)
def test_wrong_settings(ws: Path, settings: dict) -> None:
    with pytest.raises(ValueError, match="Sandbox: "):
        Sandbox(ws, **settings)


def test_a_workspace_that_is_too_wide_is_refused(ws: Path) -> None:
    for wide in ("/", os.path.expanduser("~"), ws / "missing"):
        with pytest.raises(ValueError, match="workspace"):
            Sandbox(wide)


@pytest.mark.parametrize("command", [[], [1], None, 3])
def test_what_is_no_command(ws: Path, command: object) -> None:
    with pytest.raises(TypeError):
        Sandbox(ws).run(command)  # type: ignore[arg-type]


def test_a_nul_byte(ws: Path) -> None:
    with pytest.raises(ValueError, match="NUL"):
        Sandbox(ws).run("echo a\0b")


@linux
def test_refusal_names_guarantee_and_mend(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from agentlib.sandbox import probe

    def broken(backend: str, network: bool, user: int) -> tuple[str, str, str]:
        return "network", f"{backend} let a connection out.", "switch it on."

    monkeypatch.setattr(probe, "test", broken)
    with pytest.raises(SandboxUnavailable) as caught:
        Sandbox(ws).run("echo x > made")
    error = caught.value
    assert (error.guarantee, error.mend) == ("network", "switch it on.")
    assert "bubblewrap let" in str(error) and "landlock let" in str(error)
    assert isinstance(error, ToolCallError) and error.category == ErrorCategory.PERMISSION_DENIED
    assert not (ws / "made").exists()
    table = Sandbox.guarantees()
    assert table.backend is None and set(table.levels.values()) == {NONE}
    with pytest.raises(SandboxUnavailable):
        Sandbox(ws, backend="landlock").run("true")
    down = Sandbox(ws, backend="rlimits").run("true")  # by name, and it says so
    assert set(BOUNDARY[1:]) <= set(down.not_enforced)


@linux
def test_a_probe_that_sees_a_leak_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The canary really looks: with no boundary around it, it reports what it reached."""
    from agentlib.sandbox import probe

    found = probe._run_canary("rlimits", False)
    assert found["environment"] is True
    for guarantee in BOUNDARY[1:]:
        assert found[guarantee] is not True, guarantee
    monkeypatch.setitem(probe._CHECKS, "rlimits", lambda: None)
    monkeypatch.setitem(probe._MEND, "rlimits", "nothing")
    assert probe.test("rlimits", False, -2)[0] == "read"


@pytest.mark.parametrize("platform, word", [("darwin", "macOS"), ("win32", "WSL2")])
def test_elsewhere_it_imports_and_refuses(platform: str, word: str, ws: Path) -> None:
    code = f"""
        import sys
        sys.platform = {platform!r}
        from agentlib.sandbox.process import Sandbox, SandboxUnavailable
        assert Sandbox.guarantees().backend is None
        for backend in (None, "rlimits", "landlock", "bubblewrap"):
            try:
                Sandbox({str(ws)!r}, backend=backend).run("echo")
            except SandboxUnavailable as error:
                print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    assert done.stdout.count("nothing was run") == 4 and done.stdout.count(word) >= 4


# --- what it says of itself ----------------------------------------------------------------------


def test_the_table_of_guarantees() -> None:
    table = Sandbox.guarantees()
    assert list(table.levels) == list(GUARANTEES)
    assert [row[0] for row in table.rows()] == list(GUARANTEES)
    for name in GUARANTEES:
        assert name in str(table) and name in table._repr_markdown_()


def test_levels_follow_the_page() -> None:
    user, root = (levels_of("bubblewrap", root=r, network=False) for r in (False, True))
    assert user["process count"] == "kernel" and root["process count"].startswith("polled")
    assert levels_of("landlock", root=False, network=False)["tree killed"].startswith("polled")
    bare = levels_of("rlimits", root=False, network=False)
    assert bare["environment"] == "kernel" and bare["read"] == bare["tree killed"] == NONE
    assert levels_of("bubblewrap", root=False, network=True)["network"] == NONE
    assert all(level.startswith("polled") for b in (user, bare) for level in (b["disk"], b["cpu"]))


# --- Python snippets -----------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS[:1])
def test_a_snippet_runs(ws: Path, backend: str) -> None:
    result = Sandbox(ws, backend=backend).run_python("import math, json\nprint(math.floor(2.5))")
    assert (result.stdout, result.exit_code) == ("2\n", 0)


@pytest.mark.parametrize("backend", BACKENDS[:1])
def test_a_snippet_that_is_no_python_shows_its_error(ws: Path, backend: str) -> None:
    result = Sandbox(ws, backend=backend).run_python("print(")
    assert result.exit_code == 1 and "SyntaxError" in result.stderr


@pytest.mark.parametrize(
    "code, fault",
    [
        ("import os", "import os (line 1)"),
        ("import math\nfrom os import path", "import os (line 2)"),
        ("import os.path as p", "import os.path"),
        ("from . import x", "import ."),
        ("__import__('os')", "name __import__"),
        ("().__class__.__bases__", "attribute __bases__"),
        ("eval('1')", "name eval"),
        ("open('x')", "name open"),
        ("getattr(1, 'x')", "name getattr"),
    ],
)
def test_what_a_snippet_may_not_name(ws: Path, code: str, fault: str) -> None:
    with pytest.raises(ValueError, match="snippet refused") as caught:
        Sandbox(ws).run_python(code)
    assert fault in str(caught.value) and "datetime, json, math, re" in str(caught.value)


@pytest.mark.parametrize("backend", BACKENDS[:2])
def test_the_module_list_is_no_boundary_the_sandbox_is(ws: Path, backend: str) -> None:
    """`json.codecs.sys.modules` has no forbidden word in it, and reaches `os`."""
    secret = ws.parent / "secret"
    secret.write_text("secret")
    code = (
        f"import json\nos = json.codecs.sys.modules['os']\nprint('reached')\nos.stat({str(ws)!r})\n"
    )
    code += f"print(os.read(os.open({str(secret)!r}, 0), 9))"
    result = Sandbox(ws, backend=backend).run_python(code)
    assert result.stdout == "reached\n" and result.exit_code == 1


def test_another_module_list(ws: Path) -> None:
    from agentlib.sandbox.snippets import check_snippet

    check_snippet("import statistics", ["statistics"])
    with pytest.raises(ValueError, match="import math"):
        check_snippet("import math", ["statistics"])


# --- parts ---------------------------------------------------------------------------------------


@linux
def test_call_numbers_are_the_kernels(tmp_path: Path) -> None:
    """Held to the C headers of this machine, where they are installed."""
    import re

    from agentlib.sandbox import seccomp

    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    generic = Path("/usr/include/asm-generic/unistd.h")
    if not (header.exists() and generic.exists()):
        pytest.skip("no kernel headers here")
    pattern = re.compile(r"#define __NR(?:3264)?_(\w+)\s+(\d+)")
    for column, path in ((0, header), (1, generic)):
        known = {name: int(number) for name, number in pattern.findall(path.read_text())}
        for name, numbers in seccomp._NUMBERS.items():
            if numbers[column] is not None and name in known:
                assert numbers[column] == known[name], name


@linux
def test_an_old_bubblewrap_of_the_system_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentlib.sandbox import bubblewrap

    monkeypatch.setattr(bubblewrap.os, "access", lambda *_: True)
    for version, chosen in (((0, 6), False), ((), False), ((0, 8), True), ((1, 0), True)):
        monkeypatch.setattr(bubblewrap, "_version", lambda _, v=version: v)
        found = bubblewrap.find_binary.__wrapped__()
        assert (found == "/usr/bin/bwrap") is chosen


def test_output_is_kept_at_both_ends() -> None:
    from agentlib.sandbox.output import Stream

    stream = Stream(10)
    for piece in (b"abc", b"defgh", b"ijklmnop"):
        stream.feed(piece)
    assert stream.truncated and stream.text() == "abcde\n[6 bytes left out]\nlmnop"
    short = Stream(10)
    short.feed(b"abc")
    short.feed(b"defghij")
    assert not short.truncated and short.text() == "abcdefghij"


@pytest.mark.parametrize(
    "raw, shown",
    [
        (b"a\x1b[31mred\x1b[0m", "ared"),
        (b"\x1b]0;title\x07x", "x"),
        (b"\x1b]8;;http://a\x1b\\link", "link"),
        (b"a\r\nb\rc", "a\nb\nc"),
        (b"a\x00\x07\x08b\tc", "ab\tc"),
        ("é中".encode(), "é中"),
        (b"\xff", "\ufffd"),
    ],
)
def test_clean_text(raw: bytes, shown: str) -> None:
    from agentlib.sandbox.output import clean

    assert clean(raw) == shown
