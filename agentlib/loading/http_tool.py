"""One HTTP request made from a tool call's arguments, and its answer or error."""

from __future__ import annotations

import contextlib
import email.utils
import json
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from agentlib.builtin_tools.addresses import check_target, parse_url
from agentlib.builtin_tools.web import allowed_addresses
from agentlib.errors import ErrorCategory, ToolCallError, describe
from agentlib.loading.env_secrets import fill, scrub

if TYPE_CHECKING:
    import httpx

MAX_BYTES = 1_000_000  # of an answer that are read
MAX_ERROR = 500  # characters of an error's body that the model reads


@dataclass(frozen=True)
class HttpTool:
    """What `from_yaml` knows of one API call; `send` is what the tool does.

    timeout: seconds for everything. allow: hosts that may be called although they are not public.
    """

    name: str
    method: str
    url: str
    headers: dict[str, str] = field(repr=False)
    body: str
    defaults: dict[str, Any]
    timeout: float
    allow: frozenset[str] = frozenset()

    async def send(self, arguments: dict[str, Any]) -> Any:
        """The answer: JSON as data, anything else as text. ToolCallError: any other outcome."""
        import anyio
        import httpx

        url, rest = self._place({**self.defaults, **arguments})
        headers, values = self._headers()
        try:
            with anyio.fail_after(self.timeout):
                response, data = await self._request(url, rest, headers)
        except (TimeoutError, httpx.TimeoutException):
            message = f"{self.name}: no complete answer within {self.timeout:g} s."
            raise ToolCallError(message, category=ErrorCategory.TIMEOUT) from None
        except httpx.HTTPError as error:  # its text may show the request: no cause, and scrubbed
            message = scrub(f"{self.name}: the service can't be reached: {describe(error)}", values)
            raise ToolCallError(message, category=ErrorCategory.EXTERNAL_SERVICE) from None
        text = scrub(data.decode(_charset(response), "replace"), values)
        if not response.is_success:
            raise _refused(self.name, response, text, values)
        return _answer(response, text, cut=len(data) > MAX_BYTES)

    def _place(self, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The URL with its placeholders filled, each value percent-encoded, and what is left."""
        rest = dict(arguments)

        def put(match: re.Match[str]) -> str:
            rest.pop(match[1], None)
            return quote(_plain(arguments[match[1]]), safe="")

        url = re.sub(r"\{([A-Za-z_][A-Za-z0-9_-]*)\}", put, self.url)
        before, after = self.url.partition("?")[0].split("/"), url.partition("?")[0].split("/")
        for template, segment in zip(before, after, strict=True):
            if template != segment and segment in ("", ".", ".."):
                raise ToolCallError(
                    f"{self.name}: {template} must not be {segment!r}: it is a part of the path.",
                    category=ErrorCategory.INVALID_ARGUMENT,
                )
        return url, rest

    def _headers(self) -> tuple[dict[str, str], list[str]]:
        filled, values = {}, []
        try:
            for name, text in self.headers.items():
                filled[name], used = fill(text)
                values += used
        except ValueError as error:
            message = f"{self.name}: {error}"
            raise ToolCallError(message, category=ErrorCategory.SYSTEM_ERROR) from None
        return filled, values

    async def _request(
        self, url: str, rest: dict[str, Any], headers: dict[str, str]
    ) -> tuple[httpx.Response, bytes]:
        """Sent to the address that was checked; a redirect is not followed, it may lead inwards."""
        import httpx

        target = parse_url(url)
        try:
            addresses = await check_target(target, self.allow | allowed_addresses())
        except ToolCallError as error:
            error.message = error.message.replace("fetch_url", self.name, 1)
            raise
        content = json.dumps(rest).encode() if self.body == "json" else None
        query = [] if content else [(k, v) for k, value in rest.items() for v in _values(value)]
        full = httpx.URL(url).copy_merge_params(query) if query else httpx.URL(url)
        sent = {"User-Agent": "agentlib", **headers, "Host": target.netloc}
        if content:
            sent["Content-Type"] = "application/json"
        for left, address in enumerate(addresses, 1 - len(addresses)):
            try:
                return await self._exchange(
                    full.copy_with(host=address),
                    headers=sent,
                    content=content,
                    extensions={"sni_hostname": target.host},
                )
            except httpx.ConnectError:  # the host's next address may answer
                if not left:
                    raise

    async def _exchange(self, url: httpx.URL, **request: Any) -> tuple[httpx.Response, bytes]:
        import httpx

        async with (
            httpx.AsyncClient(trust_env=False, timeout=self.timeout) as web,
            web.stream(self.method, url, **request) as response,
        ):
            data = b""
            async for piece in response.aiter_bytes():
                data += piece
                if len(data) > MAX_BYTES:
                    break
            return response, data[: MAX_BYTES + 1]


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _values(value: Any) -> list[str]:
    """A query parameter's values: a list is given once per item, null is left out."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return [] if value is None else [_plain(value)]


def _charset(response: httpx.Response) -> str:
    import codecs

    try:
        return codecs.lookup(response.charset_encoding or "utf-8").name
    except LookupError:
        return "utf-8"


def _answer(response: httpx.Response, text: str, cut: bool) -> Any:
    if not text:
        return f"{response.status_code} {response.reason_phrase}, without content"
    if cut:
        return f"{text}\n[truncated: first {MAX_BYTES:,} bytes]"
    if "json" in response.headers.get("content-type", ""):
        with contextlib.suppress(ValueError):
            return json.loads(text)
    return text


def _refused(name: str, response: httpx.Response, text: str, values: list[str]) -> ToolCallError:
    code, category = response.status_code, ErrorCategory.BUSINESS_ERROR
    if code == 429:
        category = ErrorCategory.RATE_LIMIT
    elif code >= 500:
        category = ErrorCategory.EXTERNAL_SERVICE
    hint = ""
    if response.is_redirect:
        hint = f" It redirects to {response.headers.get('location', '?')[:200]}; not followed."
    body = f" {text[:MAX_ERROR].strip()}" if text.strip() else ""
    message = f"{name}: the service answered {code} {response.reason_phrase}.{hint}{body}"
    return ToolCallError(
        scrub(message, values),
        category=category,
        code=f"http_{code}",
        retry_after=_seconds(response.headers.get("retry-after", "")),
    )


def _seconds(retry_after: str) -> float | None:
    """A Retry-After header: seconds, or a date."""
    if re.fullmatch(r"\d{1,9}", retry_after):
        return float(retry_after)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return None
