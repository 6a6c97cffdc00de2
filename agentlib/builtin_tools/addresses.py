"""Which addresses a URL from a model may reach: public ones, and those allowed by name."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from agentlib.errors import ErrorCategory, ToolCallError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_EMBEDDING = [  # IPv6 forms that carry an IPv4 address: the prefix, and where the 32 bits begin
    (ipaddress.ip_network("::ffff:0:0/96"), 0),  # mapped
    (ipaddress.ip_network("::/96"), 0),  # compatible
    (ipaddress.ip_network("64:ff9b::/96"), 0),  # NAT64
    (ipaddress.ip_network("2002::/16"), 80),  # 6to4
]
_PLATFORM = {ipaddress.ip_address("168.63.129.16")}  # a cloud's host agent, on a public address


@dataclass(frozen=True)
class Target:
    """One hop: the URL, its host in lower case, its port, and `host:port` as a Host header."""

    url: str
    host: str
    port: int
    netloc: str


def parse_url(url: str) -> Target:
    """ValueError: not a complete http(s) URL, or one with a login, blanks or a backslash in it."""
    if not isinstance(url, str) or re.search(r"[\s\x00-\x1f\x7f\\]", url):
        raise ValueError(f"fetch_url: {url!r} is no URL (a blank, a backslash or a control).")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ValueError(f"fetch_url: {url!r} is no URL: {error}.") from None
    if parts.scheme.casefold() not in ("http", "https") or not host:
        raise ValueError(
            f"fetch_url: {url!r} is not a complete http(s) URL. Write it like "
            "https://example.com/page."
        )
    if "@" in parts.netloc:
        raise ValueError(f"fetch_url: {url!r} has a login in it; only public pages are fetched.")
    host = host.rstrip(".").casefold()
    secure = parts.scheme.casefold() == "https"
    return Target(url, host, port or (443 if secure else 80), parts.netloc)


async def check_target(target: Target, allowed: frozenset[str]) -> list[str]:
    """The addresses of the target's host, all of them fit to be connected to.

    ToolCallError (permission denied): one of them is not public, and the host is not in
    `allowed`, whose entries are `host` or `host:port`.
    """
    import anyio

    try:
        found = await anyio.getaddrinfo(target.host, target.port, proto=6)
    except (OSError, UnicodeError) as error:
        raise ToolCallError(
            f"fetch_url: no address found for {target.host!r}: {error}.",
            category=ErrorCategory.EXTERNAL_SERVICE,
        ) from None
    addresses = list(dict.fromkeys(entry[4][0] for entry in found))
    if not _is_allowed(target, allowed):
        for address in addresses:
            reason = why_not(address)
            if reason:
                raise ToolCallError(
                    f"fetch_url: {target.url} leads to {address}, {reason}. Only the public web "
                    "is fetched; the owner can let an address through by allow_addresses.",
                    category=ErrorCategory.PERMISSION_DENIED,
                    code="address_not_public",
                )
    return addresses


def _is_allowed(target: Target, allowed: frozenset[str]) -> bool:
    host = f"[{target.host}]" if ":" in target.host else target.host
    return bool({target.host, host, f"{host}:{target.port}"} & allowed)


def why_not(address: str) -> str | None:
    """Why an address is not part of the public web; None when it is."""
    try:
        ip: Address = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return "which is no address"
    inner = _embedded(ip)
    if inner is not None and int(ip) > 1:
        return why_not(str(inner)) or "an IPv4 address in disguise"
    for name, kind in (
        ("loopback", "this computer itself"),
        ("unspecified", "this computer itself"),
        ("link_local", "a link-local address (cloud metadata lives there)"),
        ("multicast", "a multicast address"),
        ("private", "a private address"),
    ):
        if getattr(ip, f"is_{name}"):
            return kind
    if not ip.is_global or getattr(ip, "is_site_local", False) or ip in _PLATFORM:
        return "an address that is not public"
    return None


def _embedded(ip: Address) -> ipaddress.IPv4Address | None:
    if isinstance(ip, ipaddress.IPv6Address):
        for network, shift in _EMBEDDING:
            if ip in network:
                return ipaddress.IPv4Address((int(ip) >> shift) & 0xFFFFFFFF)
    return None
