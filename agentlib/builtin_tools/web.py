"""Fetch one web page, and reach nothing that only this computer or its network can reach.

A URL from a model may be an attack (server-side request forgery): it can name a service on this
machine, or a page that redirects to one. Every hop's every address is checked, and the connection
goes to the address that was checked, so that a second look-up cannot give another one.
"""

from __future__ import annotations

import codecs
import contextlib
import re
from typing import TYPE_CHECKING, Any

from agentlib.builtin_tools.addresses import Target, check_target, parse_url
from agentlib.builtin_tools.common import options
from agentlib.errors import ErrorCategory, ToolCallError

if TYPE_CHECKING:
    import httpx

MAX_BYTES = 8_000
TIMEOUT = 15.0  # seconds for everything, redirects included
MAX_REDIRECTS = 5
_allowed: dict[str, int] = {}


class allow_addresses(contextlib.AbstractContextManager):
    """Let fetch_url reach these hosts although they are not public: `"127.0.0.1:8000"`.

    Each is `host:port` or `host`, as it stands in the URL. Counts at once, for the whole process;
    as a `with` block, until its end. `.undo()` takes it back.
    """

    def __init__(self, *addresses: str) -> None:
        self.addresses = tuple(address.casefold() for address in addresses)
        for address in self.addresses:
            _allowed[address] = _allowed.get(address, 0) + 1

    def undo(self) -> None:
        for address in self.addresses:
            if address in _allowed:
                _allowed[address] -= 1
                if not _allowed[address]:
                    del _allowed[address]
        self.addresses = ()

    def __exit__(self, *exc: object) -> None:
        self.undo()


def allowed_addresses() -> frozenset[str]:
    """What `allow_addresses` lets through at the moment."""
    return frozenset(_allowed)


@options(category="search", tags=("web", "http"), repeatable=True, timeout=20)
async def fetch_url(url: str) -> str:
    """Fetch one page of the public web by HTTP GET and return its text as it was sent (raw HTML).

    Use it when the user gives an address, or a page you know holds the answer. It is no search
    engine: it needs a complete URL. It cannot log in, cannot send data, and does not reach this
    computer or its local network. At most 8,000 bytes are returned; longer pages are cut and the
    result says so. It gives up after 15 seconds. No side effects here.

    Args:
        url: The complete address with http:// or https://, for example "https://example.com/a".
    """
    import anyio

    target = parse_url(url)
    try:
        with anyio.fail_after(TIMEOUT):
            return await _fetch(target)
    except TimeoutError:
        raise ToolCallError(
            f"fetch_url: {url} gave no complete answer within {TIMEOUT:g} s.",
            category=ErrorCategory.TIMEOUT,
        ) from None


async def _fetch(target: Target) -> str:
    import httpx

    # trust_env: a proxy from the environment would look names up itself, unchecked.
    async with httpx.AsyncClient(trust_env=False, timeout=TIMEOUT, follow_redirects=False) as web:
        for _ in range(MAX_REDIRECTS + 1):
            addresses = await check_target(target, allowed_addresses())
            async with _get(web, target, addresses) as response:
                location = response.headers.get("location")
                if response.is_redirect and location:
                    target = parse_url(str(httpx.URL(target.url).join(location)))
                    continue
                data = await _read(response)
                _check_status(response, target.url, data)
                return _page(data, response)
    raise ToolCallError(f"fetch_url: more than {MAX_REDIRECTS} redirects, now {target.url}.")


@contextlib.asynccontextmanager
async def _get(web: httpx.AsyncClient, target: Target, addresses: list[str]) -> Any:
    """The response from the first checked address that answers."""
    import httpx

    headers = {"Host": target.netloc, "Accept-Encoding": "identity", "User-Agent": "agentlib"}
    for left, address in enumerate(addresses, 1 - len(addresses)):
        url = httpx.URL(target.url).copy_with(host=address)
        request = web.build_request(
            "GET", url, headers=headers, extensions={"sni_hostname": target.host}
        )
        request.extensions.setdefault("timeout", httpx.Timeout(TIMEOUT).as_dict())
        try:
            response = await web.send(request, stream=True)
        except httpx.ConnectError as error:
            if left:
                continue
            raise ToolCallError(
                f"fetch_url: can't connect to {target.netloc}: {error}",
                category=ErrorCategory.EXTERNAL_SERVICE,
            ) from error
        try:
            yield response
        finally:
            await response.aclose()
        return


async def _read(response: httpx.Response) -> bytes:
    """The body's first 8,001 bytes at most, as they came over the wire."""
    if response.headers.get("content-encoding", "identity").casefold() != "identity":
        raise ToolCallError("fetch_url: the server sent a compressed page although told not to.")
    data = b""
    async for piece in response.aiter_raw(MAX_BYTES + 1):
        data += piece[: MAX_BYTES + 1 - len(data)]
        if len(data) > MAX_BYTES:
            break
    return data


def _check_status(response: httpx.Response, url: str, data: bytes) -> None:
    code = response.status_code
    if code < 400 and response.is_success:
        return
    category = ErrorCategory.BUSINESS_ERROR
    if code == 429:
        category = ErrorCategory.RATE_LIMIT
    elif code >= 500:
        category = ErrorCategory.EXTERNAL_SERVICE
    after = response.headers.get("retry-after", "")
    body = data[:200].decode("utf-8", "replace").strip()
    raise ToolCallError(
        f"fetch_url: {url} answered {code} {response.reason_phrase}." + f" {body}" * bool(body),
        category=category,
        retry_after=float(after) if re.fullmatch(r"\d{1,6}", after) else None,
    )


def _page(data: bytes, response: httpx.Response) -> str:
    """The text; a page cut at 8,000 bytes loses the half character at its end, and says so."""
    cut = len(data) > MAX_BYTES
    charset = response.charset_encoding or "utf-8"
    try:
        b"x".decode(charset, "replace")  # encodings of text only: zip and base64 are listed, too
        decoder = codecs.getincrementaldecoder(charset)(errors="replace")
        text = decoder.decode(data[:MAX_BYTES], final=not cut)
    except (LookupError, UnicodeError):
        text = data[:MAX_BYTES].decode("utf-8", "replace")
    if not cut:
        return text
    total = response.headers.get("content-length")
    said = f" of {int(total):,}" if total and total.isdigit() else ""
    return f"{text}\n[truncated: first {MAX_BYTES:,}{said} bytes]"
