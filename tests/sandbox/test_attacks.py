"""Every attack, under every backend there is here, as root and as an ordinary user."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

if not sys.platform.startswith("linux"):
    pytest.skip("the process sandbox needs Linux", allow_module_level=True)

import as_user  # noqa: E402
import attacks  # noqa: E402

BACKENDS = ("bubblewrap", "landlock")
USERS = ("root", "user")


@functools.cache
def rows(backend: str, user: str) -> dict[str, dict] | str:
    """One batch's rows by attack, or why there are none. Run once, in a process of its own."""
    if user == "root":
        if os.geteuid() != 0:
            return "these tests are not run by root"
        argv = [sys.executable, str(HERE / "attacks.py"), backend, "--json"]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=240, check=False)
    else:
        if as_user.interpreter() is None:
            return "no Python that an ordinary user may start"
        with as_user.public_copy() as place:
            done = as_user.run_as_user(place, "attacks.py", backend, "--json", timeout=240)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    return {row["name"]: row for row in found} if found else done.stderr.strip()


@pytest.mark.parametrize("attack", [a.name for a in attacks.ATTACKS])
@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_attack_is_stopped(backend: str, user: str, attack: str) -> None:
    found = rows(backend, user)
    if isinstance(found, str):
        pytest.skip(found)
    assert found[attack]["held"], found[attack]["detail"]


def test_there_are_enough_of_each_group() -> None:
    names = [a.name for a in attacks.ATTACKS]
    assert len(names) >= 60 and len(set(names)) == len(names)
    groups = {"files", "links", "environment", "network", "processes", "resources", "output"}
    assert {a.group for a in attacks.ATTACKS} == groups | {"privilege"}


@pytest.mark.parametrize("attack", [a for a in attacks.ATTACKS if a.control], ids=lambda a: a.name)
def test_without_a_boundary_it_gets_through(attack: attacks.Attack) -> None:
    """Else the attack would prove nothing about the backends that stop it."""
    os.environ["AGENTLIB_ATTACK_KEY"] = attacks.KEY
    try:
        row = attacks.run_one(attack, "rlimits")
    finally:
        del os.environ["AGENTLIB_ATTACK_KEY"]
    assert not row.held, row.detail
