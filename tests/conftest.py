"""What every test gets: no key of this machine, a progress store of its own, an event loop."""

import os
import shutil

import pytest

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch, tmp_path_factory):
    """No OPENAI_ or AGENTLIB_ setting reaches a test, and none writes to the user's own store."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "AGENTLIB_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AGENTLIB_HOME", str(tmp_path_factory.mktemp("agentlib-home")))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium for the browser tests."""
    assert CHROMIUM, "no Chromium: as root on Debian, `apt-get install chromium`"
    return CHROMIUM


def pytest_runtest_setup(item):
    # On CI a missing browser is a fault of the run; on a learner's machine it is only not there.
    if item.get_closest_marker("browser") and not CHROMIUM:
        if os.environ.get("CI"):
            pytest.fail("browser tests need Chromium, and CI must have it", pytrace=False)
        pytest.skip("no Chromium on this machine")
