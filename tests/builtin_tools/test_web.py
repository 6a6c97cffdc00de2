"""fetch_url: against a server on loopback, and against addresses it must not reach."""

from __future__ import annotations

import asyncio
import gzip
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from agentlib.builtin_tools import allow_addresses, fetch_url
from agentlib.builtin_tools import web as module
from agentlib.builtin_tools.addresses import check_target, parse_url, why_not
from agentlib.errors import ErrorCategory, ToolCallError


class Pages(BaseHTTPRequestHandler):
    """Pages by path; `seen` keeps each request's path and Host header."""

    seen: list[tuple[str, str]] = []

    def do_GET(self) -> None:
        self.seen.append((self.path, self.headers["Host"]))
        code, headers, body = page(self.path, self.server.server_port)
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for at in range(0, len(body), 3_000):
            self.wfile.write(body[at : at + 3_000])
            if self.path == "/slow":
                time.sleep(0.2)

    def log_message(self, *args: object) -> None: ...


def page(path: str, port: int) -> tuple[int, dict[str, str], bytes]:
    text = {"Content-Type": "text/html; charset=utf-8"}
    if path.startswith("/to/"):
        return 302, {"Location": path.removeprefix("/to/")}, b""
    if path.startswith("/size/"):
        return 200, text, b"x" * int(path.removeprefix("/size/"))
    return {
        "/": (200, text, "<p>héllo 中</p>".encode()),
        "/wide": (200, text, "中".encode() * 4_000),
        "/latin": (200, {"Content-Type": "text/plain; charset=latin-1"}, b"caf\xe9"),
        "/bad-charset": (200, {"Content-Type": "text/plain; charset=no-such"}, b"ok"),
        "/no-text": (200, {"Content-Type": "text/plain; charset=base64"}, b"ok"),
        "/binary": (200, {}, b"\x00\xff\xfe"),
        "/gzip": (200, {"Content-Encoding": "gzip"}, gzip.compress(b"x" * 9)),
        "/loop": (302, {"Location": "/loop"}, b""),
        "/relative": (301, {"Location": "size/5"}, b""),
        "/busy": (429, {"Retry-After": "7"}, b"slow down"),
        "/broken": (503, {}, b""),
        "/slow": (200, text, b"x" * 600_000),
    }.get(path, (404, {}, b"no such page"))


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadingHTTPServer]:
    running = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


@pytest.fixture
def base(server: ThreadingHTTPServer) -> Iterator[str]:
    address = f"127.0.0.1:{server.server_port}"
    Pages.seen.clear()
    with allow_addresses(address):
        yield f"http://{address}"


def fetch(url: str) -> str:
    return asyncio.run(fetch_url(url))


def refused(url: str) -> ToolCallError:
    with pytest.raises(ToolCallError) as caught:
        fetch(url)
    return caught.value


@pytest.mark.parametrize(
    "path, text",
    [
        ("/", "<p>héllo 中</p>"),
        ("/latin", "café"),
        ("/bad-charset", "ok"),
        ("/no-text", "ok"),
        ("/binary", "\x00\ufffd\ufffd"),
        ("/relative", "x" * 5),
        ("/to//", "<p>héllo 中</p>"),
        ("/size/8000", "x" * 8_000),
        ("/size/0", ""),
    ],
)
def test_pages(base: str, path: str, text: str) -> None:
    assert fetch(base + path) == text


def test_a_long_page_is_cut_at_8000_bytes_and_says_so(base: str) -> None:
    assert fetch(f"{base}/size/8001") == "x" * 8_000 + "\n[truncated: first 8,000 of 8,001 bytes]"
    text, _, note = fetch(f"{base}/wide").partition("\n")
    assert text == "中" * 2_666  # 7,998 bytes; the half character is gone
    assert note == "[truncated: first 8,000 of 12,000 bytes]"


def test_at_most_8001_bytes_are_read(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    real = module._read

    async def counted(response: object) -> bytes:
        data = await real(response)
        read.append(len(data))
        return data

    monkeypatch.setattr(module, "_read", counted)
    fetch(f"{base}/size/500000")
    assert read == [8_001]


def test_it_gives_up_after_the_whole_time(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece comes in time; all of them together do not."""
    monkeypatch.setattr(module, "TIMEOUT", 0.3)
    monkeypatch.setattr(module, "MAX_BYTES", 500_000)
    began = time.monotonic()
    assert refused(f"{base}/slow").category == ErrorCategory.TIMEOUT
    assert time.monotonic() - began < 20  # of 33


@pytest.mark.parametrize(
    "path, category, words",
    [
        ("/missing", ErrorCategory.BUSINESS_ERROR, "404 Not Found. no such page"),
        ("/broken", ErrorCategory.EXTERNAL_SERVICE, "503"),
        ("/busy", ErrorCategory.RATE_LIMIT, "429"),
        ("/loop", ErrorCategory.BUSINESS_ERROR, "more than 5 redirects"),
        ("/gzip", ErrorCategory.BUSINESS_ERROR, "compressed"),
    ],
)
def test_what_is_no_page_is_an_error(base: str, path: str, category: str, words: str) -> None:
    error = refused(base + path)
    assert error.category == category and words in error.message
    assert error.retry_after == (7.0 if path == "/busy" else None)


def test_a_closed_port_is_an_error(base: str) -> None:
    with allow_addresses("127.0.0.1:1"):
        assert refused("http://127.0.0.1:1/").category == ErrorCategory.EXTERNAL_SERVICE


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "//example.com",
        "ftp://example.com",
        "file:///etc/passwd",
        "http://",
        "http:///path",
        "https:example.com",
        "http://user:pass@example.com",
        "http://a b.example",
        "http://example.com\\@127.0.0.1/",
        "http://example.com/\nHost: x",
        "http://[::1",
        "http://example.com:99999/",
        "javascript:alert(1)",
        "data:text/plain,x",
    ],
)
def test_only_complete_http_urls(url: str) -> None:
    with pytest.raises(ValueError, match="fetch_url"):
        fetch(url)


HIDDEN = [
    "127.0.0.1",
    "127.1",
    "127.9.9.9",
    "0.0.0.0",
    "0",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.100.100.200",
    "168.63.129.16",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "[fec0::1]",
    "[ff02::1]",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
]


@pytest.mark.parametrize("host", HIDDEN)
def test_addresses_that_are_not_public(host: str, server: ThreadingHTTPServer) -> None:
    Pages.seen.clear()
    with pytest.raises((ToolCallError, ValueError)) as caught:
        fetch(f"http://{host}:{server.server_port}/")
    if isinstance(caught.value, ToolCallError):
        assert caught.value.category in ("permission_denied", "external_service_error")
    assert not Pages.seen


@pytest.mark.parametrize("host", HIDDEN)
def test_a_redirect_is_checked_like_the_first_hop(base: str, host: str) -> None:
    with pytest.raises((ToolCallError, ValueError)) as caught:
        fetch(f"{base}/to/http://{host}:1/")
    error = caught.value
    assert not isinstance(error, ToolCallError) or error.category != ErrorCategory.TIMEOUT
    assert len(Pages.seen) == 1


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://x/", "http://u:p@example.com/"])
def test_a_redirect_to_another_scheme(base: str, target: str) -> None:
    with pytest.raises(ValueError, match="fetch_url"):
        fetch(f"{base}/to/{target}")


def test_allowing_one_port_allows_no_other(base: str) -> None:
    assert refused("http://127.0.0.1:1/").category == ErrorCategory.PERMISSION_DENIED
    assert refused(f"{base}/to/http://127.0.0.1:1/").code == "address_not_public"
    port = base.rpartition(":")[2]
    assert refused(f"http://127.1:{port}/").code == "address_not_public"  # another spelling


def test_allowing_counts_at_once_and_can_be_undone(server: ThreadingHTTPServer) -> None:
    url = f"http://127.0.0.1:{server.server_port}/"
    allowed = allow_addresses(f"127.0.0.1:{server.server_port}")
    inner = allow_addresses("127.0.0.1")
    assert "héllo" in fetch(url)
    allowed.undo()
    assert "héllo" in fetch(url)
    inner.undo()
    assert refused(url).category == ErrorCategory.PERMISSION_DENIED


def _names(monkeypatch: pytest.MonkeyPatch, answers: list[list[str]]) -> list[str]:
    """Name look-ups answer from a list, one entry each time; what was asked."""
    import anyio

    asked: list[str] = []

    async def look_up(host: str, port: int, **_: object) -> list[tuple]:
        asked.append(host)
        found = answers.pop(0)
        return [(0, 0, 0, "", (address, port)) for address in found]

    monkeypatch.setattr(anyio, "getaddrinfo", look_up)
    return asked


@pytest.mark.parametrize("found", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::1"]])
def test_a_name_that_resolves_inside(found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _names(monkeypatch, [found])
    error = refused("http://innocent.example/")
    assert error.code == "address_not_public" and found[-1] in error.message


def test_the_checked_address_is_the_one_connected_to(
    server: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name is looked up once for each hop (a second answer could be another), Host is kept."""
    Pages.seen.clear()
    asked = _names(monkeypatch, [["127.0.0.1"], ["10.0.0.1"]])
    host = f"name.example:{server.server_port}"
    with allow_addresses(host):
        assert "héllo" in fetch(f"http://{host}/")
    assert asked == ["name.example"]
    assert Pages.seen == [("/", host)]


def test_no_proxy_of_the_environment(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert "héllo" in fetch(base)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111"])
def test_public_addresses_are_fine(address: str) -> None:
    assert why_not(address) is None


def test_every_hidden_address_has_a_reason() -> None:
    for host in HIDDEN:
        target = parse_url(f"http://{host}/")
        with pytest.raises(ToolCallError):
            asyncio.run(check_target(target, frozenset()))
