"""Tools from YAML: faults by their line, requests as written, secrets in no text."""

import asyncio
import json
import re
import threading
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from agentlib.builtin_tools.web import allow_addresses
from agentlib.errors import ErrorCategory
from agentlib.executor import Executor
from agentlib.loading.from_yaml import from_yaml
from agentlib.registry import ToolRegistry
from agentlib.results import ExecutionStatus, ToolCall

SECRET = "s3cret/Value+77"


class Api(BaseHTTPRequestHandler):
    """Says back what it was asked; /status/N answers N; /slow never ends."""

    def _answer(self):
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        self.server.asked.append(self.path)
        said = {
            "method": self.command,
            "path": parts.path,
            "query": parse_qs(parts.query, keep_blank_values=True),
            "headers": {k.lower(): v for k, v in self.headers.items()},
            "body": json.loads(body) if body else None,
        }
        status, extra, kind, text = 200, {}, "application/json", json.dumps(said)
        if match := re.match(r"/status/(\d+)", parts.path):
            status = int(match[1])
            extra = {k: v[0] for k, v in parse_qs(parts.query).items()}
            text = "x" * 700 if "long" in parts.path else f"reason: {self.headers['x-key']}"
        elif parts.path == "/text":
            kind, text = "text/plain; charset=utf-8", "北京"
        elif parts.path == "/big":
            kind, text = "text/plain", "y" * 1_500_000
        elif parts.path == "/slow":
            self.server.release.wait(20)
        self.send_response(status)
        data = text.encode() if status != 204 else b""
        for key, value in {"content-type": kind, "content-length": len(data), **extra}.items():
            self.send_header(key, str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _answer

    def log_message(self, *args):
        pass


@pytest.fixture
def api():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    server.daemon_threads, server.asked, server.release = True, [], threading.Event()
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    server.host = f"127.0.0.1:{server.server_address[1]}"
    yield server
    server.release.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setenv("SHOP_KEY", SECRET)


def _tools(api, entry, allow=True):
    text = "tools:\n  - name: ask\n    description: Ask the service.\n" + entry.replace(
        "HOST", f"http://{api.host}"
    )
    registry = ToolRegistry()
    from_yaml(text, registry, allow=(api.host,) if allow else ())
    return registry


def _run(api, entry, arguments=None, **options):
    registry = _tools(api, entry, **options)
    return Executor(registry).execute_sync(ToolCall("ask", arguments or {}))


def test_placeholders_query_and_headers(api):
    entry = """
    url: HOST/orders/{order_id}/items?fixed=1
    headers: {X-Key: "Key ${SHOP_KEY}", Accept: application/json}
    parameters:
      order_id: {type: string, description: The order.}
      detail: {type: boolean}
      tags: {type: array, items: {type: string}}
      page: {type: integer, default: 2}
      note: {type: string, required: false}
"""
    arguments = {"order_id": "a/b?c=d&e #%2F北", "detail": True, "tags": ["x", "y&z"]}
    result = _run(api, entry, arguments)
    assert result.ok, result.content
    assert result.value["method"] == "GET" and result.value["body"] is None
    assert result.value["path"] == "/orders/a%2Fb%3Fc%3Dd%26e%20%23%252F%E5%8C%97/items"
    assert result.value["query"] == {
        "fixed": ["1"],
        "detail": ["true"],
        "tags": ["x", "y&z"],
        "page": ["2"],
    }
    headers = result.value["headers"]
    assert headers["host"] == api.host and headers["x-key"] == "Key [redacted]"
    schema = _tools(api, entry).get("ask").parameters
    assert schema["required"] == ["order_id", "detail", "tags"]
    assert "required" not in schema["properties"]["note"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_a_body_is_json_by_default_where_there_is_one(api, method):
    entry = f"""
    method: {method}
    url: HOST/orders/{{id}}
    parameters: {{id: integer, items: {{type: array}}, note: string}}
"""
    result = _run(api, entry, {"id": 7, "items": [1, {"a": None}], "note": "北京"})
    assert result.value["path"] == "/orders/7" and result.value["query"] == {}
    assert result.value["body"] == {"items": [1, {"a": None}], "note": "北京"}
    assert result.value["headers"]["content-type"] == "application/json"


@pytest.mark.parametrize(
    "method, body, in_query",
    [("POST", "query", True), ("DELETE", None, True), ("DELETE", "json", False)],
)
def test_body_says_where_parameters_go(api, method, body, in_query):
    entry = f"    method: {method}\n    url: HOST/x\n    parameters: {{a: string}}\n"
    entry += f"    body: {body}\n" if body else ""
    result = _run(api, entry, {"a": "1"})
    assert result.value["query"] == ({"a": ["1"]} if in_query else {})
    assert result.value["body"] == (None if in_query else {"a": "1"})


@pytest.mark.parametrize("value", ["..", ".", ""])
def test_a_placeholder_cannot_leave_its_place_in_the_path(api, value):
    entry = "    url: HOST/orders/{id}/items\n    parameters: {id: string}\n"
    result = _run(api, entry, {"id": value})
    assert result.error.category is ErrorCategory.INVALID_ARGUMENT and "{id}" in result.content
    assert api.asked == []


def test_text_and_empty_answers(api):
    assert _run(api, "    url: HOST/text\n").value == "北京"
    assert "204" in _run(api, "    url: HOST/status/204\n").content
    assert _run(api, "    url: HOST/big\n").content.count("y") <= 1_000_000


@pytest.mark.parametrize(
    "status, category",
    [
        (400, ErrorCategory.BUSINESS_ERROR),
        (401, ErrorCategory.BUSINESS_ERROR),
        (404, ErrorCategory.BUSINESS_ERROR),
        (429, ErrorCategory.RATE_LIMIT),
        (500, ErrorCategory.EXTERNAL_SERVICE),
        (503, ErrorCategory.EXTERNAL_SERVICE),
    ],
)
def test_status_codes(api, status, category):
    result = _run(api, f"    url: HOST/status/{status}\n")
    assert result.error.category is category
    assert str(status) in result.content and "reason: None" in result.content


def test_an_error_shows_500_characters_of_the_body(api):
    assert _run(api, "    url: HOST/status/400/long\n").content.count("x") == 500


def test_retry_after_in_seconds_and_as_a_date(api):
    assert _run(api, "    url: HOST/status/429?retry-after=7\n").error.retry_after == 7
    when = formatdate(time.time() + 100, usegmt=True).replace(" ", "%20")
    waits = _run(api, f"    url: HOST/status/503?retry-after={when}\n").error.retry_after
    assert 90 < waits <= 100
    assert _run(api, "    url: HOST/status/429?retry-after=soon\n").error.retry_after is None


def test_a_redirect_is_not_followed(api):
    result = _run(api, "    url: HOST/status/302?location=/orders/secret\n")
    assert result.error.category is ErrorCategory.BUSINESS_ERROR
    assert "/orders/secret" in result.content and len(api.asked) == 1


def test_its_own_time_limit(api):
    began = time.monotonic()
    result = _run(api, "    url: HOST/slow\n    timeout: 0.3\n")
    assert result.status is ExecutionStatus.TIMEOUT and "0.3 s" in result.content
    assert time.monotonic() - began < 15  # of 20


def test_a_service_that_is_not_there(api):
    registry = _tools(api, "    url: HOST/x\n    headers: {X-Key: '${SHOP_KEY}'}\n")
    api.shutdown()
    api.server_close()
    result = Executor(registry).execute_sync(ToolCall("ask"))
    assert result.error.category is ErrorCategory.EXTERNAL_SERVICE
    assert result.content.startswith("Error: ask: the service can't be reached")


def test_a_host_of_several_addresses_is_tried_at_each(api, monkeypatch):
    async def two_addresses(target, allowed):
        return ["127.255.255.254", "127.0.0.1"]

    monkeypatch.setattr("agentlib.loading.http_tool.check_target", two_addresses)
    result = _run(api, "    url: HOST/x\n")
    assert result.ok and len(api.asked) == 1


def test_the_wire_must_be_allowed_by_name(api):
    result = _run(api, "    url: HOST/x\n", allow=False)
    assert result.status is ExecutionStatus.DENIED and api.asked == []
    assert result.content.startswith("Error: ask: ")
    with allow_addresses(api.host):
        assert _run(api, "    url: HOST/x\n", allow=False).ok


@pytest.mark.parametrize(
    "path", ["status/400", "status/302?location=KEY", "status/302?location=/x%3Fk=KEY2"]
)
def test_a_secret_is_in_no_text_even_when_the_server_says_it_back(api, path):
    entry = f"    url: HOST/{path}\n    headers: {{X-Key: '${{SHOP_KEY}}'}}\n"
    entry = entry.replace("=KEY2\n", "=s3cret%252FValue%252B77\n")
    registry = _tools(api, entry.replace("=KEY\n", "=s3cret%2FValue%2B77\n"))
    tool = registry.get("ask")
    result = Executor(registry).execute_sync(ToolCall("ask"))
    for text in (result.content, repr(result), repr(tool), json.dumps(tool.schema())):
        assert SECRET not in text and "s3cret%2FValue" not in text


def test_a_secret_is_read_at_each_call(api, monkeypatch):
    registry = _tools(api, "    url: HOST/x\n    headers: {X-Key: '${SHOP_KEY}'}\n")
    monkeypatch.setenv("SHOP_KEY", "another\n")
    value = Executor(registry).execute_sync(ToolCall("ask")).value
    assert value["headers"]["x-key"] == "[redacted]"
    monkeypatch.delenv("SHOP_KEY")
    result = Executor(registry).execute_sync(ToolCall("ask"))
    assert "SHOP_KEY is not set" in result.content and len(api.asked) == 1


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "schlüssel", "x\x7f"])
def test_a_value_no_header_can_carry_is_refused_without_showing_it(api, monkeypatch, value):
    monkeypatch.setenv("SHOP_KEY", value)
    with pytest.raises(ValueError, match="SHOP_KEY has characters") as caught:
        _tools(api, "    url: HOST/x\n    headers: {X-Key: '${SHOP_KEY}'}\n")
    assert value not in str(caught.value)


def test_the_rest_of_an_entry_is_the_tools(api):
    entry = """
    method: DELETE
    url: HOST/orders/{id}
    parameters: {id: string}
    permissions: ["order:write"]
    tags: [critical]
    rate_limit: 5/minute
    timeout: 3
    confirm: Delete order {id} for good? {unknown}
"""
    tool = _tools(api, entry).get("ask")
    assert tool.permissions == {"order:write"} and tool.tags == ("critical",)
    assert (tool.rate_limit, tool.category, tool.repeatable) == ("5/minute", "action", False)
    assert tool.timeout > 3
    assert tool.confirm(id="7") == "Delete order 7 for good? {unknown}"
    reads = _tools(api, "    url: HOST/x\n").get("ask")
    assert (reads.category, reads.repeatable, reads.confirm) == ("data", True, False)
    assert reads.permissions == frozenset()


FINE = """tools:
  - name: get_order
    description: Look an order up.
    method: GET
    url: https://api.example.com/orders/{order_id}
    headers:
      Authorization: Bearer ${SHOP_KEY}
    parameters:
      order_id: {type: string, pattern: '^[0-9]+$'}
    rate_limit: 100/minute
"""


def test_the_example_is_fine():
    assert [tool.name for tool in from_yaml(FINE)] == ["get_order"]


@pytest.mark.parametrize(
    "old, new, line, says",
    [
        ("method: GET", "method: FETCH", 4, r"tools\[0\].method: 'FETCH' is not one of"),
        ("method: GET", "methd: GET", 4, "methd: unknown key; the keys are name, desc"),
        ("method: GET", "name: again", 4, "name is given twice"),
        ("name: get_order", "name: get order", 2, "letters, digits"),
        ("name: get_order", "name: 12", 2, "name is text"),
        ("description: Look an order up.", "description: ''", 3, "non-empty|too short"),
        ("    description: Look an order up.\n", "", 2, "'description' is a required"),
        ("https://api.example.com", "api.example.com", 5, "url is complete"),
        ("https://api.example.com", "ftp://api.example.com", 5, "url is complete"),
        ("https://api.example.com", "https://u:p@api.example.com", 5, "without a login"),
        ("https://api.example.com", "https://{order_id}.example.com", 5, "after the host"),
        ("https://api.example.com", "https://${SHOP_KEY}.example.com", 5, "after the host"),
        ("/{order_id}", "/${SHOP_KEY}", 5, "headers only"),
        ("/{order_id}", "/{order}", 5, r"\{order\} needs a required parameter"),
        ("/{order_id}", "/{order_id", 5, "brace"),
        ("Bearer ${SHOP_KEY}", "Bearer abcdef123456", 7, "written out here"),
        ("Bearer ${SHOP_KEY}", "Bearer ${NOT_SET_X}", 7, "NOT_SET_X is not set"),
        ("Authorization:", "Host:", 7, "set by the request itself"),
        ("Authorization:", '"X Y":', 7, "not a header"),
        ("type: string", "type: text", 9, "not a JSON Schema: 'text'"),
        ("type: string", "type: string, required: false", 5, "needs a required parameter"),
        ("type: string", "type: integer, default: x", 9, "default breaks"),
        ("{type: string, pattern: '^[0-9]+$'}", "str", 9, "parameter is one of string, integer"),
        ("100/minute", "100/min", 10, '"100/minute"'),
        ("100/minute", "[1]", 10, "not of type 'string'"),
        ("100/minute", "${SHOP_KEY}", 10, "headers only"),
        ("Look an order up.", "Uses ${SHOP_KEY}.", 3, "headers only"),
        ("method: GET", "method: [GET", 5, "not YAML"),
        ("method: GET", "method: *other", 4, "aliases"),
        ("tools:", "tool:", 1, "tool: unknown key; the keys are tools"),
    ],
)
def test_a_fault_is_told_with_its_line(old, new, line, says):
    assert old in FINE
    with pytest.raises(ValueError) as caught:
        from_yaml(FINE.replace(old, new, 1))
    message = str(caught.value)
    assert re.search(says, message), message
    assert f"<text>, line {line}: " in message, message
    assert SECRET not in message


def test_all_faults_of_the_form_at_once():
    bad = FINE.replace("GET", "FETCH").replace("rate_limit:", "rates:")
    with pytest.raises(ValueError) as caught:
        from_yaml(bad)
    lines = str(caught.value).splitlines()
    assert [re.search(r"line (\d+)", line)[1] for line in lines] == ["4", "10"]


@pytest.mark.parametrize("text", ["\n", "tools: []\n", "- a\n", "text\n", "tools: {a: 1}\n"])
def test_other_files_are_no_tool_files(text):
    with pytest.raises(ValueError, match="<text>, line 1"):
        from_yaml(text)


def test_a_file_by_its_path_and_one_that_is_not_there(tmp_path):
    path = tmp_path / "orders.yaml"
    path.write_text(FINE, encoding="utf-8-sig")
    assert [tool.name for tool in from_yaml(path)] == ["get_order"]
    assert [tool.name for tool in from_yaml(str(path))] == ["get_order"]
    path.write_text(FINE.replace("GET", "FETCH"))
    with pytest.raises(ValueError, match="orders.yaml, line 4"):
        from_yaml(path)
    with pytest.raises(FileNotFoundError, match="gone.yaml"):
        from_yaml(tmp_path / "gone.yaml")


def test_a_name_twice_and_a_name_that_is_taken():
    second = FINE + FINE.removeprefix("tools:\n")
    with pytest.raises(ValueError, match="line 11: .*'get_order' is used above"):
        from_yaml(second)
    registry = ToolRegistry()
    from_yaml(FINE, registry)
    from_yaml(FINE, registry)  # the cell run again


def test_calls_side_by_side(api):
    registry = _tools(api, "    url: HOST/o/{n}\n    parameters: {n: integer}\n")
    calls = [ToolCall("ask", {"n": n}) for n in range(6)]
    results = asyncio.run(Executor(registry).execute_all(calls))
    assert [r.value["path"] for r in results] == [f"/o/{n}" for n in range(6)]
