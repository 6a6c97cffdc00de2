"""Lesson 07's checks and the library's on one table; its attacks are real, and they are held."""

import base64
import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx
import nbformat
import pytest
from lesson_code import definitions

import agentlib
from agentlib.builtin_tools.addresses import why_not
from agentlib.course import places
from agentlib.course.little_site import serve
from agentlib.course.notebooks import texts
from agentlib.course.unattended import execute, lesson_copy
from agentlib.sandbox.commands import judge_command
from agentlib.sandbox.opening import CAN_WALK, safe_open
from agentlib.sandbox.process import Sandbox
from agentlib.sandbox.snippets import check_snippet

LESSON = definitions("07")
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a Linux shell's commands")


@pytest.fixture
def ground(tmp_path):
    """The lesson's folders: the workspace `ws`, and beside it what belongs to the reader."""
    for name, text in {
        "secret.txt": "The safe opens with 7-3-9.\n",
        "treasure/gold.txt": "gold\n",
        "ws_evil/x": "not yours\n",
        "ws/notes.txt": "Buy milk.\n",
        "ws/box/gold.txt": "a toy\n",
        "ws/tidy.sh": "#!/bin/sh\nrm -rf ../treasure\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "ws/tidy.sh").chmod(0o755)
    for name, target in {
        "door": "../treasure",
        "out.txt": "../secret.txt",
        "later.txt": "../later.txt",
        "same.txt": "notes.txt",
    }.items():
        (tmp_path / "ws" / name).symlink_to(target)
    return tmp_path.resolve()


def lesson_in(ground):
    return definitions("07", WORKSPACE=ground / "ws")


PATHS = {  # path: where it leads inside the workspace; None: refused
    "notes.txt": "notes.txt",
    "./notes.txt": "notes.txt",
    "new/deep/a.txt": "new/deep/a.txt",
    "new/../notes.txt": "notes.txt",
    "..notes.txt": "..notes.txt",
    "same.txt": "notes.txt",
    ".": ".",
    "ABSOLUTE/ws/notes.txt": "notes.txt",
    "../secret.txt": None,
    "../ws_evil/x": None,
    "box/../../secret.txt": None,
    "..": None,
    "ABSOLUTE/secret.txt": None,
    "ABSOLUTE/ws_evil/x": None,
    "door/gold.txt": None,
    "out.txt": None,
    "later.txt": None,
    "notes.txt\0.png": None,
    "~/x": None,
    "C:\\x": None,
    "\\\\host\\share": None,
}


@pytest.mark.parametrize("who", ["lesson", "library"])
@pytest.mark.parametrize("path", PATHS, ids=[repr(path) for path in PATHS])
def test_one_table_of_paths(ground, who, path):
    text = path.replace("ABSOLUTE", str(ground))
    if who == "lesson":
        judge = lesson_in(ground).safe_path
    else:

        def judge(path):
            return agentlib.safe_path(path, ground / "ws")

    if PATHS[path] is None:
        with pytest.raises(ValueError):
            judge(text)
    else:
        assert judge(text) == (ground / "ws" / PATHS[path])


def test_what_the_naive_path_check_misses(ground):
    naive = lesson_in(ground).naive_path
    assert naive("../ws_evil/x").read_text() == "not yours\n"
    assert naive("door/gold.txt").read_text() == "gold\n"
    with pytest.raises(ValueError):
        naive("../secret.txt")


@pytest.mark.skipif(not CAN_WALK, reason="no opening without links on this system")
def test_the_race_is_won_by_the_opening(ground):
    lesson = lesson_in(ground)
    full = lesson.safe_path("box/gold.txt")
    assert lesson.open_checked(full).read() == "a toy\n"
    lesson.swap()
    links = [path for path in (ground / "ws").iterdir() if path.is_symlink()]
    assert not any((ground / "ws").is_relative_to(link.resolve()) for link in links)  # no circle
    assert full.read_text() == "gold\n"  # check, then open: lost
    with pytest.raises(OSError):
        lesson.open_checked(full)
    with pytest.raises(ValueError):
        safe_open("box/gold.txt", ground / "ws")
    lesson.swap_back()
    assert lesson.open_checked(full).read() == "a toy\n"


COMMANDS = {  # command: (the lesson's verdict, the library's)
    "rm -rf /": ("dangerous", "dangerous"),
    "sudo reboot": ("dangerous", "dangerous"),
    "rm -r -f /": ("dangerous", "dangerous"),
    "mkfs.ext4 /dev/sda": ("dangerous", "dangerous"),
    "rm -r ../treasure": ("dangerous", "dangerous"),
    "find ../treasure -delete": ("dangerous", "dangerous"),
    "shred -u ../treasure/gold.txt": ("dangerous", "dangerous"),
    "ls && rm -rf ../treasure": ("dangerous", "dangerous"),
    r"r\m -rf ../treasure": ("dangerous", "dangerous"),
    "r''m -rf ../treasure": ("dangerous", "dangerous"),
    "$(echo rm) -rf ../treasure": ("opaque", "opaque"),
    "rm$IFS-rf$IFS../treasure": ("opaque", "opaque"),
    "echo cm0gLXJmIC4uL3RyZWFzdXJl | base64 -d | sh": ("opaque", "opaque"),
    "sh -c 'rm -rf ../treasure'": ("opaque", "dangerous"),  # the library looks inside
    "python3 -c \"import shutil; shutil.rmtree('../treasure')\"": ("opaque", "opaque"),
    "ls": ("plain", "plain"),
    "wc -l notes.txt": ("plain", "plain"),
    "rm draft.txt": ("plain", "plain"),
    "cat reboot-plan.txt": ("plain", "plain"),
    "ls -l 2> /dev/null": ("plain", "plain"),
    "grep -c pseudocode notes.txt": ("plain", "plain"),
    "echo 'rm -rf /'": ("plain", "plain"),
    "git status && git diff": ("plain", "plain"),
    "mv ../treasure mine": ("plain", "plain"),
    "echo gone > ../treasure/gold.txt": ("plain", "plain"),
    "cat ../secret.txt": ("plain", "plain"),
    "./tidy.sh": ("plain", "plain"),
}
MORE = {  # not in the lesson's lists; what its text says of reading a line as a shell does
    "ls\nrm -rf x": ("dangerous", "dangerous"),
    "echo a#b; rm -rf x": ("dangerous", "dangerous"),
    "/bin/rm -R x": ("dangerous", "dangerous"),
    "echo 'left open": ("opaque", "opaque"),
    "rm -rf x; echo $HOME": ("dangerous", "dangerous"),
    "X=1 rm -rf x": ("plain", "dangerous"),  # the gap that "Try it" names
}
LISTS = [LESSON.AT_ALL, LESSON.WORDS, LESSON.TRICKS, LESSON.CODE, LESSON.HARMLESS, LESSON.PLAIN]
AIMED = [*LESSON.WORDS, *LESSON.TRICKS, *LESSON.CODE, *LESSON.PLAIN]


def test_the_table_is_the_lessons():
    assert sorted(COMMANDS) == sorted(command for some in LISTS for command in some)


@pytest.mark.parametrize("command", [*COMMANDS, *MORE])
def test_one_table_of_commands(command):
    by_lesson, by_library = {**COMMANDS, **MORE}[command]
    assert LESSON.judge(command) == by_lesson
    assert judge_command(command).kind == by_library
    for check, refused in [
        (LESSON.ask_shell, by_lesson == "dangerous"),
        (agentlib.check_command, by_library != "plain"),
    ]:
        with (
            pytest.raises((ValueError, agentlib.ToolCallError))
            if refused
            else contextlib.nullcontext()
        ):
            check(command)
    if by_lesson != "dangerous":
        assert ("can't be judged" in LESSON.ask_shell(command)) == (by_lesson == "opaque")


def test_the_five_words():
    bad = [*LESSON.AT_ALL, *LESSON.WORDS, *LESSON.TRICKS, *LESSON.CODE]
    caught = [command for command in bad if LESSON.naive_command(command) == "dangerous"]
    assert caught == ["rm -rf /", "sudo reboot"]
    blocked = [c for c in LESSON.HARMLESS if LESSON.naive_command(c) == "dangerous"]
    assert blocked == ["cat reboot-plan.txt", "ls -l 2> /dev/null", "echo 'rm -rf /'"]


def got_out(ground, stdout):
    gold = ground / "treasure/gold.txt"
    return "7-3-9" in stdout or not gold.exists() or gold.read_text() != "gold\n"


def test_the_attacks_aim_at_the_treasure_only():
    hidden = LESSON.TRICKS[-1].split()[1]
    assert base64.b64decode(hidden) == b"rm -rf ../treasure"
    for command in AIMED:
        aims = ("../treasure", "../secret.txt", hidden, "./tidy.sh")
        assert any(aim in command for aim in aims), command


@LINUX
@pytest.mark.parametrize("command", AIMED)
def test_each_attack_is_real(ground, command):
    """Without a sandbox it gets out; so "held" in the lesson means something."""
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=ground / "ws",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert got_out(ground, done.stdout), done.stderr


@pytest.mark.parametrize("backend", ["bubblewrap", "landlock"])
@pytest.mark.parametrize("command", AIMED)
def test_each_attack_is_held(ground, backend, command):
    if Sandbox.guarantees(backend).backend is None:
        pytest.skip(f"{backend} does not hold on this machine")
    result = Sandbox(ground / "ws", backend=backend).run(command)
    assert not got_out(ground, result.stdout)
    assert (ground / "secret.txt").read_text() == "The safe opens with 7-3-9.\n"


TRICK = 'import json\nos = json.codecs.sys.modules["os"]\nprint(os.sep)'


@pytest.mark.parametrize(
    ("code", "passes"),
    [
        ("import math\nprint(math.factorial(20))", True),
        ("from datetime import date", True),
        ("import os", False),
        ("import math, os", False),
        ("from os import path", False),
        ("def f():\n    import subprocess", False),
        (TRICK, True),  # the trap: nothing in it is forbidden
    ],
)
def test_one_table_of_snippets(code, passes):
    assert LESSON.allowed(code) is passes
    with contextlib.nullcontext() if passes else pytest.raises(ValueError):
        check_snippet(code)


def test_the_trick_reaches_what_was_not_imported(capsys):
    exec(TRICK, {})
    assert capsys.readouterr().out.strip() in ("/", "\\")


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("8.8.8.8", True),
        ("[2001:4860:4860::8888]", True),
        ("127.0.0.1", False),
        ("127.1", False),
        ("2130706433", False),
        ("localhost", False),
        ("[::1]", False),
        ("169.254.169.254", False),
        ("192.168.0.1", False),
        ("10.0.0.1", False),
        ("[fe80::1]", False),
    ],
)
def test_one_table_of_addresses(host, public):
    with contextlib.nullcontext() if public else pytest.raises(ValueError):
        LESSON.check_address(f"http://{host}/x")
    if ":" in host or host.count(".") == 3:  # an address, not a name
        assert (why_not(host.strip("[]")) is None) is public


def test_the_redirect():
    inside = serve({"/": "the admin page"})
    web = serve({"/news": f"-> http://{inside.address}/", "/page": "news", "/hop": "-> /page"})
    lesson = definitions("07", public={web.address})
    assert lesson.naive_fetch(f"http://{web.address}/news") == "the admin page"
    inside.seen.clear()
    with pytest.raises(ValueError, match="not the public web"):
        lesson.fetch(f"http://{web.address}/news")
    assert inside.seen == []
    assert lesson.fetch(f"http://{web.address}/hop") == "news"
    web.pages["/round"] = "-> /round"
    with pytest.raises(ValueError, match="too many"):
        lesson.fetch(f"http://{web.address}/round")
    assert httpx.get(f"http://{inside.address}/", trust_env=False).status_code == 200
    for site in (inside, web):
        site.close()


def run_without(*backends):
    """The lesson's code cells, run where these backends do not hold, beside those stored."""
    path = places.find_lesson("07", places.CHECKOUT / "lessons")
    stored = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    notebook = nbformat.read(path, as_version=4)
    patch = "from agentlib.sandbox import probe\n" + "\n".join(
        f"probe._CHECKS[{name!r}] = lambda: ('taken away by a test.', 'none.')" for name in backends
    )
    notebook.cells.insert(0, nbformat.v4.new_code_cell(patch))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        stopped = execute(notebook, lesson_copy(path, home).parent, home)
    assert not stopped
    ran = [c for c in notebook.cells if c.cell_type == "code"][1:]
    return list(zip(stored, ran, strict=True))


def test_where_no_sandbox_is_possible_it_says_so_and_goes_on():
    texts_of_run = [
        text for _, cell in run_without("bubblewrap", "landlock") for text in texts(cell)
    ]
    shown = "\n".join(texts_of_run)
    assert "none, commands are refused" in shown  # the table
    for command in AIMED:
        assert f"not run  {command}" in shown
    assert "not run: no sandbox here" in shown
    assert "did the secret come out? False" in shown
    assert "GOT OUT" not in shown


def plain(cell):
    """What a cell shows as plain text, in one piece."""
    parts = [out.get("text") or out.get("data", {}).get("text/plain", "") for out in cell.outputs]
    return "".join("".join(part) for part in parts)


def test_landlock_shows_the_same():
    if Sandbox.guarantees("landlock").backend is None:
        pytest.skip("Landlock does not hold on this machine")
    for stored, ran in run_without("bubblewrap"):
        if "NBVAL_IGNORE_OUTPUT" not in stored.source:
            assert plain(ran) == plain(stored), stored.source
