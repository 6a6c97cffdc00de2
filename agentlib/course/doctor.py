"""Looks at what the course needs on this machine; each fault comes with its mend."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from agentlib.course import copies, places, store

INSTALL = 'pip install ".[course]"'
PACKAGES = ("openai", "pydantic", "jsonschema", "mcp", "jupyterlab", "ipywidgets", "nbval")
SANDBOX = "Lesson 07 shows it on Linux; on Windows use WSL2. All other lessons run without it."


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. A note is worth knowing and no fault."""

    name: str
    state: Literal["ok", "note", "fault"]
    what: str
    mend: str = ""


def examine() -> Iterator[Finding]:
    """Every finding, in order; a look that itself fails is a fault and not the end."""
    looks: list[Callable[[], Iterator[Finding]]] = [
        _python,
        _packages,
        _kernel,
        _widgets,
        _lessons,
        _sandbox,
        _model,
        _folders,
    ]
    for look in looks:
        try:
            yield from look()
        except Exception as error:  # a doctor must report what it did not expect, too
            what = f"{type(error).__name__}: {error}"
            yield Finding(look.__name__.strip("_"), "fault", what, f"Install again: {INSTALL}")


def _python() -> Iterator[Finding]:
    found = ".".join(map(str, sys.version_info[:3]))
    yield Finding("Python", "ok", f"{found} ({sys.prefix})")


def _packages() -> Iterator[Finding]:
    for name in PACKAGES:
        try:
            yield Finding(name, "ok", version(name))
        except PackageNotFoundError:
            yield Finding(name, "fault", "not installed", INSTALL)


def _kernel() -> Iterator[Finding]:
    try:
        found = version("ipykernel")
    except PackageNotFoundError:
        yield Finding("ipykernel", "fault", "not installed: no kernel to run a lesson", INSTALL)
        return
    if tuple(map(int, found.split(".")[:2])) < (7, 4):
        mend = 'pip install "ipykernel>=7.4"'
        yield Finding("ipykernel", "fault", f"{found}: a click can't reach a running cell", mend)
    else:
        yield Finding("ipykernel", "ok", found)
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    mend = f'"{sys.executable}" -m ipykernel install --sys-prefix'
    try:
        starts = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        yield Finding("kernel", "fault", "there is no kernel named python3", mend)
        return
    if starts in ("python", "python3") or Path(starts) == Path(sys.executable):
        yield Finding("kernel", "ok", "python3 starts this Python")
    elif Path(starts).resolve() == Path(sys.executable).resolve():
        yield Finding("kernel", "ok", f"python3 starts {starts}")
    else:
        yield Finding("kernel", "fault", f"python3 starts another Python: {starts}", mend)


def _widgets() -> Iterator[Finding]:
    try:
        pair = f"ipywidgets {version('ipywidgets')}, jupyterlab_widgets"
        yield Finding("buttons", "ok", f"{pair} {version('jupyterlab_widgets')}")
    except PackageNotFoundError as error:
        yield Finding("buttons", "fault", f"{error.name} is not installed", INSTALL)


def _lessons() -> Iterator[Finding]:
    try:
        count = len(places.lesson_files())
        yield Finding("lessons", "ok", f"{count} in {places.lessons_folder()}")
    except FileNotFoundError as error:
        yield Finding("lessons", "fault", "missing", str(error))


def _sandbox() -> Iterator[Finding]:
    from agentlib.sandbox.process import Sandbox

    found = Sandbox.guarantees()
    if found.backend is None:
        what = f"none here, so commands are refused: {' '.join(found.notes)}"
        yield Finding("sandbox", "note", what, SANDBOX)
        return
    levels: dict[str, list[str]] = {}
    for name, level, _ in found.rows():
        levels.setdefault(level, []).append(name)
    lines = [f"{level}: {', '.join(names)}" for level, names in levels.items()]
    yield Finding("sandbox", "ok", "\n".join([f"by {found.backend}; enforced by", *lines]))


def _model() -> Iterator[Finding]:
    from agentlib.model import connect

    live = [name for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL") if os.environ.get(name)]
    try:
        client, model = connect()
    except ConnectionError as error:
        what, _, mend = str(error).rpartition(" Or unset ")
        yield Finding("model", "fault", what, f"Unset {mend}")
        return
    if live:
        what = f"{model} at {client.base_url} answers (set by {', '.join(live)})"
        yield Finding("model", "ok", what)
        return
    message = {"role": "user", "content": "Who are you?"}
    client.chat.completions.create(model=model, messages=[message])
    yield Finding("model", "ok", f"{model} answers, offline; no key is set and none is needed")


def _folders() -> Iterator[Finding]:
    progress_mend = "Set AGENTLIB_HOME to a folder you can write to."
    yield _writable("progress", store.home(), progress_mend)
    lessons_mend = f"Choose another folder: {places.program()} lab --folder PATH"
    yield _writable("your lessons", copies.default_folder(), lessons_mend)
    temporary = Path(tempfile.gettempdir())
    yield _writable("temporary", temporary, "Set TMPDIR to a folder you can write to.")


def _writable(name: str, folder: Path, mend: str) -> Finding:
    """Try in the nearest folder that exists, so that looking creates none."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            return Finding(name, "ok", f"{folder} can be written")
    except OSError as error:
        return Finding(name, "fault", f"{folder} can't be written ({error.strerror})", mend)
