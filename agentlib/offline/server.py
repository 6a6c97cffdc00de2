"""`agentlib serve`: the offline model on a loopback port, for any client of the protocol."""

from __future__ import annotations

import contextlib
import datetime
import errno
import ipaddress
import os
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from agentlib.offline.endpoint import Answer, Endpoint, refused
from agentlib.offline.protocol_parameters import MODEL
from agentlib.offline.quirk_effects import Dropped
from agentlib.offline.refusals import Refusal

_TAKEN = (errno.EADDRINUSE, errno.EACCES, getattr(errno, "WSAEACCES", errno.EACCES))
MAX_BODY = 64 * 2**20  # bytes of one request


def serve(
    host: str = "127.0.0.1",
    port: int = 8765,
    quirks: str | Iterable[str] = (),
    require_key: str | None = None,
    today: datetime.date | None = None,
) -> None:
    """Serve until Ctrl+C. ValueError: a host that is not loopback. OSError: the port is taken."""
    with _server(host, port, Endpoint(quirks, require_key, today)) as server:
        print(f"Serving {MODEL} at {server.url}  (Ctrl+C stops)", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


@contextlib.contextmanager
def running(
    quirks: str | Iterable[str] = (),
    require_key: str | None = None,
    today: datetime.date | None = None,
    port: int = 0,
    endpoint: Endpoint | None = None,
) -> Iterator[str]:
    """The server in a thread for the time of a `with` block; gives its base URL (ends in /v1)."""
    endpoint = endpoint or Endpoint(quirks, require_key, today)
    with _server("127.0.0.1", port, endpoint) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server.url
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # connections that may wait: an agent opens many at once
    allow_reuse_address = os.name != "nt"  # on Windows it would let two servers share a port

    def __init__(self, address: tuple[str, int], endpoint: Endpoint) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, _Handler)
        self.endpoint = endpoint

    @property
    def url(self) -> str:
        host, port = self.server_address[:2]
        return f"http://[{host}]:{port}/v1" if ":" in str(host) else f"http://{host}:{port}/v1"


def _server(host: str, port: int, endpoint: Endpoint) -> _Server:
    _check_loopback(host)
    if not 0 <= port <= 65_535:
        raise ValueError(f"port must be from 0 (any free one) to 65535, got {port}")
    try:
        return _Server((host, port), endpoint)
    except OSError as error:
        if error.errno in _TAKEN:
            text = (
                f"port {port} on {host} cannot be used ({os.strerror(error.errno)}): "
                f"stop what listens there, or choose another port, as in --port {port + 1}"
            )
            raise OSError(error.errno, text) from None
        raise


def _check_loopback(host: str) -> None:
    with contextlib.suppress(ValueError):  # not an address: only one name is known
        if ipaddress.ip_address(host).is_loopback:
            return
    if host != "localhost":
        raise ValueError(
            f"host {host!r} is not this machine's loopback address; the offline model is served "
            "to this machine only: use 127.0.0.1"
        )


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_version = MODEL
    server: _Server

    def _handle(self) -> None:
        try:
            answer = self._answer()
            time.sleep(answer.delay)
            self._send(answer)
        except Dropped:
            self.close_connection = True
        except (ConnectionError, TimeoutError):  # the client went away; nobody is left to tell
            self.close_connection = True

    def _answer(self) -> Answer:
        try:
            body = self._body()
        except Refusal as refusal:  # what is left of the body cannot be told from a next request
            self.close_connection = True
            return refused(refusal)
        headers = {name.lower(): value for name, value in self.headers.items()}
        return self.server.endpoint.answer(self.command, self.path, headers, body)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = _handle

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            return b"".join(self._chunks())
        length = self.headers.get("content-length", "0")
        if not length.isdecimal():
            raise Refusal(f"Invalid Content-Length: {length!r}.")
        return self._read(int(length))

    def _chunks(self) -> Iterator[bytes]:
        total = 0
        while (size := self._chunk_size()) > 0:
            total += size
            yield self._read(size, total)
            self.rfile.readline(4)
        while self.rfile.readline(4096).strip():
            pass

    def _chunk_size(self) -> int:
        text = self.rfile.readline(64).partition(b";")[0].strip()
        try:
            return int(text, 16)
        except ValueError:
            raise Refusal(f"Invalid chunk size: {text!r}.") from None

    def _read(self, size: int, total: int = 0) -> bytes:
        if max(size, total) > MAX_BODY:
            raise Refusal(f"Request too large: the limit is {MAX_BODY:,} bytes.", status=413)
        return self.rfile.read(size)

    def _send(self, answer: Answer) -> None:
        whole = isinstance(answer.body, bytes)
        chunked = not whole and self.request_version != "HTTP/1.0"
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if whole:
            self.send_header("content-length", str(len(answer.body)))
        elif chunked:
            self.send_header("transfer-encoding", "chunked")
        else:
            self.close_connection = True
        if self.close_connection:
            self.send_header("connection", "close")
        self.end_headers()
        if whole:
            self.wfile.write(answer.body)
            return
        for piece in answer.body:
            time.sleep(answer.pause)
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
        if chunked:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: object) -> None:
        """Silent: a notebook that runs the server shows only its own output."""
