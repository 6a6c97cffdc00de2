"""The package as it is installed: light to import, one place for versions, lessons in the wheel."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HEAVY = {"openai", "pydantic", "jsonschema", "mcp", "ipywidgets", "httpx", "IPython", "yaml"}


def python(code: str, **environment: str) -> str:
    """What the code prints; -P keeps the current folder, a checkout, off the path."""
    command = [sys.executable, "-P", "-c", code]
    env = os.environ | environment
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout


@pytest.mark.parametrize("module", ["agentlib", "agentlib.executor", "agentlib.course"])
def test_import_is_light(module):
    code = f"import sys, {module}; print(*{{name.split('.')[0] for name in sys.modules}})"
    assert HEAVY & set(python(code).split()) == set()


def test_every_public_name_is_there():
    import agentlib

    assert [name for name in agentlib.__all__ if not hasattr(agentlib, name)] == []
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = agentlib.nothing


def test_one_version():
    import agentlib

    assert agentlib.__version__ == PROJECT["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \d{4}-\d\d-\d\d — (.+)$", changelog, re.M)[1] == agentlib.__version__


def test_conda_installs_what_pyproject_says():
    """conda brings Python and pip; the versions of all else stand in pyproject alone."""
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    python_at_least = PROJECT["project"]["requires-python"]
    assert environment["channels"] == ["conda-forge"]
    assert environment["dependencies"] == [
        f"python{python_at_least}",
        "pip",
        {"pip": ["-e .[test]"]},
    ]
    assert "test" in PROJECT["project"]["optional-dependencies"]
    # The same line is what .ci/run installs in a fresh environment.
    assert 'install -q -e ".[test]"' in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_dependencies_have_a_lower_and_an_upper_bound():
    light = PROJECT["project"]["dependencies"]
    for line in light:
        assert re.search(r">=[\d.]+,<\d+$|==", line), line


def test_readme_commands_are_the_ones_ci_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    run = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert '.venv/bin/pip install -e ".[test]" && .venv/bin/agentlib lab' in readme
    assert ".venv/bin/pytest -n 2" in readme
    assert '"$bin/pytest" -n 2' in run
    assert "|| true" not in run


def test_readme_lists_every_lesson():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"\(lessons/(\d\d_\w+\.ipynb)\)", readme)
    assert listed == sorted(path.name for path in (ROOT / "lessons").glob("*.ipynb"))


def test_ruff_is_content():
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "."]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_lessons_travel_in_the_wheel(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    lessons = {path.name for path in (ROOT / "lessons").glob("*.ipynb")}
    assert {f"agentlib/course/lessons/{name}" for name in lessons} <= names
    assert not [name for name in names if name.startswith(("tests", "lessons"))]


def test_an_installed_wheel_finds_its_lessons(wheel, tmp_path):
    """Unpacked and put first on the path, away from the checkout, it opens the reader's copy."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    code = (
        "import agentlib; from agentlib.course import copies, places; "
        f"import os; os.chdir({str(tmp_path)!r}); "
        "assert not places.in_checkout(); "
        "print(*copies.update(copies.default_folder()).added)"
    )
    added = python(code, PYTHONPATH=str(tmp_path / "installed")).split()
    assert set(added) >= {path.name for path in (ROOT / "lessons").glob("*.ipynb")}
    assert (tmp_path / "my-lessons" / added[0]).is_file()
