"""The little web site of the lessons, asked for real."""

import http.client

import httpx
import pytest

from agentlib.course.little_site import serve


@pytest.fixture
def site():
    made = serve({"/": "hello 你好", "/empty": "", "/away": "-> /elsewhere?a=1"})
    yield made
    made.close()


@pytest.mark.parametrize(
    ("path", "status", "text", "location"),
    [
        ("/", 200, "hello 你好", None),
        ("/empty", 200, "", None),
        ("/away", 302, "", "/elsewhere?a=1"),
        ("/nothing", 404, "no such page", None),
    ],
)
def test_pages(site, path, status, text, location):
    page = httpx.get(f"http://{site.address}{path}", trust_env=False)
    assert (page.status_code, page.text, page.headers.get("location")) == (status, text, location)
    assert site.seen == [path]


def test_pages_may_change_and_visits_are_kept_in_order(site):
    site.pages["/new"] = "added"
    texts = [httpx.get(f"http://{site.address}{p}", trust_env=False).text for p in ("/new", "/")]
    assert texts == ["added", "hello 你好"] and site.seen == ["/new", "/"]


def test_closed_and_loopback_only(site):
    assert site.address.startswith("127.0.0.1:")
    site.close()
    with pytest.raises(OSError):
        http.client.HTTPConnection(site.address, timeout=1).request("GET", "/")
