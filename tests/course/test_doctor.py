"""The doctor names each fault with its mend."""

import sys
from importlib.metadata import PackageNotFoundError, version

import pytest

from agentlib.course import doctor


def found(look) -> dict[str, doctor.Finding]:
    return {finding.name: finding for finding in look()}


def versions(monkeypatch, **changed):
    """Pretend other versions; None is a package that isn't there."""

    def pretend(name):
        if name in changed and changed[name] is None:
            raise PackageNotFoundError(name)
        return changed.get(name) or version(name)

    monkeypatch.setattr(doctor, "version", pretend)


def test_a_missing_package(monkeypatch):
    versions(monkeypatch, openai=None)
    finding = found(doctor._packages)["openai"]
    assert (finding.state, finding.what) == ("fault", "not installed")
    assert finding.mend == 'pip install ".[course]"'


@pytest.mark.parametrize(
    ("number", "state"), [("6.31.0", "fault"), ("7.3.9", "fault"), ("7.4.0", "ok"), ("8.0", "ok")]
)
def test_an_old_kernel_cannot_be_clicked(number, state, monkeypatch):
    versions(monkeypatch, ipykernel=number)
    finding = found(doctor._kernel)["ipykernel"]
    assert finding.state == state
    assert ('pip install "ipykernel>=7.4"' in finding.mend) == (state == "fault")


def test_no_kernel_package(monkeypatch):
    versions(monkeypatch, ipykernel=None)
    assert found(doctor._kernel)["ipykernel"].state == "fault"


@pytest.mark.parametrize(
    ("starts", "state"),
    [("python", "ok"), (sys.executable, "ok"), ("/usr/somewhere/else/python", "fault")],
)
def test_the_kernel_must_be_this_python(starts, state, monkeypatch):
    from jupyter_client import kernelspec

    spec = kernelspec.KernelSpec(argv=[starts])
    monkeypatch.setattr(kernelspec.KernelSpecManager, "get_kernel_spec", lambda *a: spec)
    finding = found(doctor._kernel)["kernel"]
    assert finding.state == state
    assert ("ipykernel install --sys-prefix" in finding.mend) == (state == "fault")


def test_a_missing_kernel(monkeypatch):
    from jupyter_client import kernelspec

    def none(self, name):
        raise kernelspec.NoSuchKernel(name)

    monkeypatch.setattr(kernelspec.KernelSpecManager, "get_kernel_spec", none)
    finding = found(doctor._kernel)["kernel"]
    assert finding.state == "fault" and "ipykernel install" in finding.mend


def test_the_offline_model_needs_no_key():
    finding = found(doctor._model)["model"]
    assert (finding.state, finding.mend) == ("ok", "")
    assert finding.what.startswith("scripted-1 answers, offline")


def test_an_unreachable_endpoint_is_a_fault_with_its_mend(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    finding = found(doctor._model)["model"]
    assert finding.state == "fault"
    assert "OPENAI_BASE_URL" in finding.what
    assert finding.mend == "Unset OPENAI_BASE_URL to use the offline model."


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AGENTLIB_HOME", str(tmp_path / "file" / "home"))
    finding = found(doctor._folders)["progress"]
    assert finding.state == "fault" and "AGENTLIB_HOME" in finding.mend
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


@pytest.mark.parametrize(
    ("backend", "state", "said"),
    [
        ("bubblewrap", "ok", "by bubblewrap; enforced by\nkernel: read\npolled: disk"),
        (None, "note", "none here, so commands are refused: no user namespaces."),
    ],
)
def test_the_sandbox_is_reported(backend, state, said, monkeypatch):
    from agentlib.sandbox import guarantees, process

    levels = {"read": "kernel", "disk": "polled"}
    made = guarantees.Guarantees(backend, levels, ("no user namespaces.",))
    monkeypatch.setattr(process.Sandbox, "guarantees", staticmethod(lambda: made))
    finding = found(doctor._sandbox)["sandbox"]
    assert (finding.state, finding.what) == (state, said)
    assert bool(finding.mend) == (state == "note")


def test_a_look_that_fails_is_a_fault_and_not_the_end(monkeypatch):
    def broken():
        raise RuntimeError("odd")
        yield

    monkeypatch.setattr(doctor, "_packages", broken)
    findings = list(doctor.examine())
    assert doctor.Finding("broken", "fault", "RuntimeError: odd", findings[1].mend) in findings
    assert findings[-1].name == "temporary"
