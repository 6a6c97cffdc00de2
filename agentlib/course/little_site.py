"""A web site for lessons: a few pages on the loopback address, and who asked for them."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class LittleSite:
    """Serves `pages` (path: text; a text `-> URL` redirects there) until the process ends.

    address: `127.0.0.1:port`. seen: the paths that were asked for, in order. `pages` may be
    changed at any time. An unknown path answers 404.
    """

    def __init__(self, pages: Mapping[str, str] | None = None) -> None:
        self.pages = dict(pages or {})
        self.seen: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.seen.append(self.path)
                _answer(self, site.pages.get(self.path))

            def log_message(self, *args: object) -> None:
                """Nothing: a notebook would show it as an error."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


def serve(pages: Mapping[str, str]) -> LittleSite:
    """A LittleSite with these pages, already serving."""
    return LittleSite(pages)


def _answer(request: BaseHTTPRequestHandler, page: str | None) -> None:
    target = page.removeprefix("-> ") if page and page.startswith("-> ") else None
    body = b"" if target else (page if page is not None else "no such page").encode()
    request.send_response(302 if target else 404 if page is None else 200)
    if target:
        request.send_header("Location", target)
    request.send_header("Content-Type", "text/plain; charset=utf-8")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
