"""Stream chunks joined into one message: rows T1 to T3."""

import asyncio
import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from openai import APIError, AsyncOpenAI
from replies import body, chunk, text

from agentlib import Agent
from agentlib.wire import StreamAssembler


def piece(index=None, id=None, name=None, arguments=None):
    made = {"function": {k: v for k, v in (("name", name), ("arguments", arguments)) if v}}
    return made | {k: v for k, v in (("index", index), ("id", id)) if v is not None}


def joined(*deltas):
    assembler = StreamAssembler()
    for delta in deltas:
        assembler.add(chunk({"tool_calls": delta}))
    assembler.add(chunk({}, "tool_calls"))
    calls = assembler.reply().message["tool_calls"]
    return [(c["id"], c["function"]["name"], c["function"]["arguments"]) for c in calls]


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        pytest.param(
            [[piece(0, "a", "f", "")], [piece(0, arguments='{"x"')], [piece(0, arguments=":1}")]],
            [("a", "f", '{"x":1}')],
            id="T1 id and name first, arguments over many",
        ),
        pytest.param(
            [[piece(0, "a", "f")], [piece(1, "b", "g")], [piece(0, arguments="{}")],
             [piece(1, arguments="[]")]],
            [("a", "f", "{}"), ("b", "g", "[]")],
            id="T1 two calls, pieces interleaved",
        ),
        pytest.param(
            [[piece(0, "a", "f"), piece(0, arguments="{}")]],
            [("a", "f", "{}")],
            id="T2 two entries with one index in one chunk",
        ),
        pytest.param(
            [[piece(1, "b", "g", "{}")], [piece(0, "a", "f", "{}")]],
            [("a", "f", "{}"), ("b", "g", "{}")],
            id="in the order of the index",
        ),
        pytest.param(
            [[piece(None, "a", "f")], [piece(None, arguments="{}")]],
            [("a", "f", "{}")],
            id="T3 one call, so no doubt",
        ),
        pytest.param(
            [[piece(None, "a", "f", "{}")], [piece(None, "b", "g", "{}")]],
            [("a", "f", "{}"), ("b", "g", "{}")],
            id="T3 a new id is a new call",
        ),
        pytest.param(
            [[piece(None, "a", "f", "{")], [piece(None, "b", "g", "{}")],
             [piece(None, "a", arguments="}")]],
            [("a", "f", "{}"), ("b", "g", "{}")],
            id="T3 a known id is its call",
        ),
        pytest.param(
            [[piece(0, "a", "f", "")], [piece(0, "a", "f", '{"x"')], [piece(0, "a", "f", ":1}")]],
            [("a", "f", '{"x":1}')],
            id="T1 id and name in every piece",
        ),
        pytest.param(
            [[piece(0, "a", "get_")], [piece(0, None, "weather", "{}")]],
            [("a", "get_weather", "{}")],
            id="T1 a name in two pieces",
        ),
        pytest.param(
            [[piece(0, "a", "f", "{}"), piece(0, "b", "g", "{")], [piece(0, arguments="}")]],
            [("a", "f", "{}"), ("b", "g", "{}")],
            id="T2 two ids under one index are two calls",
        ),
        pytest.param(
            [[piece(0, "a", "f", {"x": 1})]],
            [("a", "f", '{"x": 1}')],
            id="arguments as an object become JSON",
        ),
    ],
)  # fmt: skip
def test_joined(deltas, calls):
    assert joined(*deltas) == calls


@pytest.mark.parametrize(
    "deltas",
    [
        [[piece(None, "a", "f"), piece(None, "b", "g")], [piece(None, arguments="{}")]],
        [[piece(None, name="f"), piece(None, name="g")]],
        [[piece(None, name="f", arguments="{}")], [piece(None, name="g", arguments="{}")]],
    ],
)
def test_a_piece_that_could_be_of_two_calls_is_an_error(deltas):  # T3
    with pytest.raises(APIError, match="neither index nor id"):
        joined(*deltas)


@pytest.mark.parametrize(
    "piece",
    [
        [1],
        "x",
        {"choices": [None]},
        {"choices": [{"delta": "x"}]},
        chunk({"tool_calls": "x"}),
        chunk({"tool_calls": [None]}),
        chunk({"tool_calls": [{"index": 0, "id": "a", "function": "f"}]}),
        chunk({"tool_calls": [{"index": 0, "id": "a", "function": {"name": 3}}]}),
    ],
)
def test_what_is_no_chunk_is_an_error_that_shows_it(piece):
    with pytest.raises(APIError, match="no chat completion chunk: "):
        StreamAssembler().add(piece)


def test_text_in_parts_is_joined():
    assembler = StreamAssembler()
    assert assembler.add(chunk({"content": [{"type": "text", "text": "It "}]})) == "It "
    assembler.add(chunk({"content": [{"type": "thinking", "thinking": []}]}))
    assembler.add(chunk({"content": "rains."}, "stop"))
    assert assembler.reply().message["content"] == "It rains."


def test_text_usage_and_end():
    assembler = StreamAssembler()
    texts = [assembler.add(chunk({"role": "assistant", "content": ""}))]
    texts += [assembler.add(chunk({"content": t})) for t in ("a", "b")]
    assembler.add(chunk({}, "stop"))
    assembler.add({"choices": [], "usage": {"total_tokens": 3}})
    reply = assembler.reply()
    assert texts == ["", "a", "b"] and reply.message == {"role": "assistant", "content": "ab"}
    assert (reply.finish_reason, reply.usage) == ("stop", {"total_tokens": 3})


def test_a_stream_without_an_end_is_an_error():
    assembler = StreamAssembler()
    assembler.add(chunk({"content": "half"}))
    with pytest.raises(APIError, match="without a finish_reason"):
        assembler.reply()


class Speaking(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections open, which is what the test is about

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        answer = json.dumps(body(text("hello"))).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def speaking_server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Speaking)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def test_an_async_client_serves_every_event_loop():  # R7
    with speaking_server() as url:
        client = AsyncOpenAI(api_key="k", base_url=url, max_retries=0)
        agent = Agent(client, "m", layers=())
        said = []

        async def both_ways():
            said.append((await agent.run("x")).text)
            said.append(agent.run_sync("x").text)
            said.append((await agent.run("x")).text)

        said.append(agent.run_sync("x").text)
        asyncio.run(both_ways())
        asyncio.run(both_ways())
        said.append(agent.run_sync("x").text)
        assert said == ["hello"] * 8
