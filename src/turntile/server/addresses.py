"""Where a request really comes from, when a reverse proxy that we trust stands before us."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from socket import gethostname
from typing import Any

from starlette.requests import HTTPConnection

from turntile.server.settings import InvalidSettings, Settings

Network = IPv4Network | IPv6Network


@lru_cache
def networks(texts: tuple[str, ...]) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(text, strict=False) for text in texts)
    except ValueError as error:
        raise InvalidSettings(f"{error}: trusted proxies are addresses such as 127.0.0.1 or 10.0.0.0/8") from None


def is_trusted(address: str, settings: Settings) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks(settings.trusted_proxies))


def client_address(scope: Any, settings: Settings) -> str:
    """The nearest address that is not one of our proxies; what others claim beyond it is not believed."""
    client = scope.get("client")
    address = str(client[0]) if client else ""
    if settings.trusted_proxies and is_trusted(address, settings):
        for claimed in reversed(forwarded_for(scope)):
            address = claimed
            if not is_trusted(claimed, settings):
                break
    return shared_part(address)


def forwarded_for(scope: Any) -> list[str]:
    lines = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return [part.strip() for line in lines for part in line.split(",") if part.strip()][-20:]


def shared_part(address: str) -> str:
    """One household has a whole /64 of IPv6 addresses: they count as one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ip_network((parsed, 64), strict=False).network_address)
    return str(parsed)


def is_here(address: str) -> bool:
    """This machine itself."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def own_address(settings: Settings) -> str:
    """Where other processes reach this one."""
    if settings.neighbour_url:
        return settings.neighbour_url.rstrip("/")
    host = gethostname() if settings.host in ("", "0.0.0.0", "::") else settings.host
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def is_https(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether the person's browser speaks https, perhaps to a proxy."""
    if connection.url.scheme in ("https", "wss") or settings.public_url.startswith("https://"):
        return True
    client = connection.client
    trusted = client is not None and is_trusted(client.host, settings)
    return trusted and connection.headers.get("x-forwarded-proto", "") == "https"
