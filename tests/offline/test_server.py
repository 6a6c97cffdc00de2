"""The loopback server: keep-alive, chunked streams, errors, and who may not have it."""

import asyncio
import http.client
import json
import shutil
import socket
import subprocess
import sys

import openai
import pytest
from published import request, tool
from stubs import WEATHER, saying

from agentlib.offline.endpoint import Endpoint
from agentlib.offline.server import running, serve

BODY = request(tools=[tool()])


def stub(**settings):
    return running(endpoint=Endpoint(plan=saying("It is sunny.", WEATHER), **settings))


@pytest.fixture(scope="module")
def url():
    with stub() as url:
        yield url


def connection(url):
    return http.client.HTTPConnection(*url.split("/")[2].split(":"), timeout=10)


def test_official_client_keeps_its_connection(url):
    with openai.OpenAI(api_key="k", base_url=url, max_retries=0) as official:
        for _ in range(3):
            made = official.chat.completions.create(**BODY)
            assert made.choices[0].finish_reason == "tool_calls"
            chunks = list(official.chat.completions.create(**request(), stream=True))
            assert "".join(c.choices[0].delta.content or "" for c in chunks) == "It is sunny."
        with pytest.raises(openai.BadRequestError, match="maximum of 2"):
            official.chat.completions.create(**{**BODY, "temperature": 3})


def test_one_connection_serves_many_requests(url):
    line, raw = connection(url), json.dumps(request()).encode()
    line.connect()
    port = line.sock.getsockname()
    for body in (raw, json.dumps(request(stream=True)).encode(), b"{", raw):
        line.request("POST", "/v1/chat/completions", body)
        answer = line.getresponse()
        assert answer.read()
        assert answer.getheader("access-control-allow-origin") is None
        assert line.sock.getsockname() == port
    line.close()


def test_a_request_body_may_come_in_chunks(url):
    line, raw = connection(url), json.dumps(request()).encode()
    parts = iter([raw[:10], raw[10:]])
    line.request("POST", "/v1/chat/completions", parts, encode_chunked=True)
    assert json.loads(line.getresponse().read())["object"] == "chat.completion"
    line.close()


def test_a_burst_of_connections(url):
    async def burst():
        async with openai.AsyncOpenAI(api_key="k", base_url=url, max_retries=0) as official:
            asked = (official.chat.completions.create(**BODY) for _ in range(60))
            return await asyncio.gather(*asked)

    assert len({made.id for made in asyncio.run(burst())}) == 1


def test_other_methods_and_paths(url):
    for method, path, status in (
        ("GET", "/v1/models", 200),
        ("OPTIONS", "/v1/chat/completions", 405),
        ("DELETE", "/v1/x", 404),
        ("HEAD", "/v1/models", 501),
    ):
        line = connection(url)
        line.request(method, path)
        assert line.getresponse().status == status
        line.close()


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"Content-Length: -1\r\n\r\n", b"400"),
        (b"Content-Length: 99999999999\r\n\r\n", b"413"),
        (b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n", b"400"),
        (b"Transfer-Encoding: chunked\r\n\r\nfffffffff\r\n", b"413"),
    ],
)
def test_a_body_that_is_too_large_or_odd_is_not_read(url, head, status):
    host, port = url.split("/")[2].split(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        line.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n" + head)
        answer = b""
        while piece := line.recv(65536):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b'"invalid_request_error"' in answer


@pytest.mark.skipif(not shutil.which("curl"), reason="no curl on this machine")
@pytest.mark.parametrize("version", ["--http1.1", "--http1.0"])
def test_curl(url, version):
    raw = json.dumps(request(stream=True))
    command = ["curl", "-sSN", version, "-H", "Content-Type: application/json", "-d", raw]
    done = subprocess.run(
        [*command, f"{url}/chat/completions"], capture_output=True, text=True, timeout=20
    )
    assert done.stderr == ""
    events = done.stdout.strip().split("\n\n")
    assert events[-1] == "data: [DONE]"
    assert all(event.startswith("data: ") for event in events)


def test_keys_and_dropped_connections():
    with (
        stub(require_key="right", quirks="dropped") as url,
        openai.OpenAI(api_key="wrong", base_url=url, max_retries=0) as official,
    ):
        with pytest.raises(openai.AuthenticationError):
            official.chat.completions.create(**BODY)
        official.api_key = "right"
        with pytest.raises(openai.APIConnectionError):
            official.chat.completions.create(**BODY)
        assert official.chat.completions.create(**BODY).choices


def test_a_client_that_leaves_does_not_disturb_others(capfd):
    with stub(quirks="slow_stream:0.01") as url:
        line = connection(url)
        line.request("POST", "/v1/chat/completions", json.dumps(request(stream=True)))
        line.getresponse().read(10)
        line.close()
        with openai.OpenAI(api_key="k", base_url=url) as official:
            assert official.chat.completions.create(**BODY).choices
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("host", ["0.0.0.0", "", "::", "192.0.2.7", "example.com"])
def test_only_loopback(host):
    with pytest.raises(ValueError, match="127.0.0.1"):
        serve(host=host, port=0)


def test_busy_port():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(OSError, match=f"port {port} .*--port {port + 1}"):
            serve(port=port)


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_that_is_none(port):
    with pytest.raises(ValueError, match="from 0 .* to 65535"):
        serve(port=port)


def test_unknown_quirk():
    with pytest.raises(ValueError, match="there are"):
        serve(port=0, quirks=["odd"])


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process there")
def test_serve_says_where_and_stops_on_interrupt():
    code = "from agentlib.offline.server import serve; serve(port=0)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        url = line.split()[3]
        assert line.startswith("Serving scripted-1 at http://127.0.0.1:") and url.endswith("/v1")
        with openai.OpenAI(api_key="k", base_url=url) as official:
            assert [model.id for model in official.models.list()] == ["scripted-1"]
        process.send_signal(2)
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.stdout.close()
